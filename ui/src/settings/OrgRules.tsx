// Approval rules of the organization, who must agree to loosening, its time zone, how long contents are kept, and the
// legal hold.
import { useMutation, useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { type FormEvent, useState } from "react";
import { ApiError, api, Proposed, type Schemas, take } from "../api/client";
import { useMay } from "../api/permissions";
import { org } from "../api/queries";
import { notify } from "../frame/toasts";
import { declare } from "../passkeys/declare";
import { useOwnPasskeys } from "../passkeys/queries";
import { unsignedApprovalsChallenge } from "../passkeys/statement";
import { useAbortOnUnmount } from "../passkeys/useAbortOnUnmount";
import { isApprover } from "../people/members";
import { members } from "../people/queries";
import { day } from "../text/time";
import { Line } from "../text/Visible";
import { Loading, ProblemCard } from "../ui/Bits";
import { Button } from "../ui/Button";
import { Choice } from "../ui/Choice";
import { Checkbox, Field } from "../ui/Form";
import { LegalHold } from "./LegalHold";
import { changed } from "./queries";
import { Retention } from "./Retention";
import { Heading } from "./Rows";
import { TimeZone } from "./TimeZone";

const LOOSENING = [
  ["one", "One person", "A change that loosens a protection takes effect at once."],
  ["two_people", "Two people", "A change that loosens a protection waits until a second owner approves it."],
] as const;
type Loosening = (typeof LOOSENING)[number][0];

/** Problems that a passkey solves. */
const NEED_PASSKEY = new Set(["no_passkeys", "passkey_needed"]);

export function OrgRules() {
  const { data, error } = useQuery(org);
  // A proposed change leaves the settings as they are, so the form begins again with those.
  const [proposals, setProposals] = useState(0);
  return (
    <>
      <Heading
        title="Approval rules"
        about="Rules for R3 and R4 actions. Approvals of other actions need one person and no passkey."
      />
      {data === undefined ? (
        error === null ? (
          <Loading what="the organization" />
        ) : (
          <ProblemCard error={error} />
        )
      ) : (
        <>
          <OrgForm
            // The hold is changed beside the form, which keeps what was typed.
            key={`${proposals} ${JSON.stringify({ ...data, legal_hold: undefined })}`}
            org={data}
            onProposed={() => setProposals(proposals + 1)}
          />
          <LegalHold org={data} />
        </>
      )}
    </>
  );
}

function OrgForm({ org, onProposed }: { org: Schemas["OrgView"]; onProposed: () => void }) {
  const may = useMay("owner") === true;
  const people = useQuery(members).data;
  const approvers = people?.filter(isApprover).length;
  const owners = people?.filter((member) => member.role === "owner").length;
  const [loosening, setLoosening] = useState(org.loosening as Loosening);
  const [quorum, setQuorum] = useState(org.approval_quorum);
  const [fourEyes, setFourEyes] = useState(org.approval_four_eyes);
  const wasPasskey = org.approval_passkey === true;
  const [passkey, setPasskey] = useState(wasPasskey);
  const isUnsigned = wasPasskey && !passkey;
  const own = useOwnPasskeys(isUnsigned);
  const end = useAbortOnUnmount();
  const [days, setDays] = useState(String(org.receipts_kept_days));
  const [zone, setZone] = useState(org.time_zone);
  const isSame =
    quorum === org.approval_quorum &&
    fourEyes === org.approval_four_eyes &&
    passkey === wasPasskey &&
    loosening === org.loosening &&
    zone.trim() === org.time_zone &&
    Number(days) === org.receipts_kept_days;
  // The person who opened the session does not count, so one more is required.
  const needed = quorum + (fourEyes ? 1 : 0);
  const send = useMutation({
    mutationFn: async () => {
      const body = {
        approval_quorum: quorum,
        approval_four_eyes: fourEyes,
        ...(Number(days) !== org.receipts_kept_days && { receipts_kept_days: Number(days) }),
        ...(passkey !== wasPasskey && { approval_passkey: passkey }),
        ...(isUnsigned && { signed: await declare(unsignedApprovalsChallenge, end()) }),
        ...(loosening !== org.loosening && { loosening }),
        ...(zone.trim() !== org.time_zone && { time_zone: zone.trim() }),
      };
      return take(api.PATCH("/v1/org", { body }));
    },
    onSuccess: async () => {
      await changed("org");
      notify("good", "Saved", "The rules apply to new requests.");
    },
    onError: (error) => {
      if (error instanceof Proposed) onProposed();
    },
  });
  const submit = (event: FormEvent) => {
    event.preventDefault();
    send.mutate();
  };
  return (
    <form onSubmit={submit} className="space-y-5 rounded-xl border border-edge bg-card p-5">
      <p className="text-soft">
        {" "}
        Organization{" "}
        <span className="font-medium text-ink">
          <Line text={org.name} />
        </span>{" "}
        <code className="font-mono text-xs">
          <Line text={org.slug} />
        </code>
      </p>
      <Field name="Required approvals" hint="How many people must approve.">
        <select
          className="input max-w-40"
          value={quorum}
          disabled={!may}
          onChange={(event) => setQuorum(Number(event.target.value))}
        >
          {Array.from({ length: 10 }, (_, index) => index + 1).map((count) => (
            <option key={count} value={count}>
              {count === 1 ? "1 person" : `${count} people`}
            </option>
          ))}
        </select>
      </Field>
      <Checkbox
        name="Four-eyes principle"
        hint="The person who opened a session cannot approve its requests."
        checked={fourEyes}
        disabled={!may}
        onChange={setFourEyes}
      />
      {may && approvers !== undefined && approvers < needed && (
        <p role="alert" className="rounded-lg bg-warn-wash px-3 py-2 text-warn">
          Only {approvers} {approvers === 1 ? "member is" : "members are"} admin or owner. These rules require {needed}.
          With fewer, R3 and R4 actions cannot be approved.
        </p>
      )}
      <Checkbox
        name="Approvals of R3 and R4 actions must be signed with a passkey"
        hint="Each approver signs what the page shows, on their own device. Denials need no signature."
        checked={passkey}
        disabled={!may}
        onChange={setPasskey}
      />
      {isUnsigned && <UnsignedNotice canSign={own === undefined || own === "usable"} />}
      <div className="space-y-1.5">
        <p className="font-medium">Loosening needs</p>
        <Choice name="Loosening needs" value={loosening} choices={LOOSENING} disabled={!may} onChange={setLoosening} />
        <p className="text-xs text-faint">
          {org.loosening_is_default && `${defaultText(org.two_people_until ?? null)} `}
          Tightening always takes effect at once.
        </p>
      </div>
      {may && loosening === "two_people" && owners !== undefined && owners < 2 && (
        <p role="alert" className="rounded-lg bg-warn-wash px-3 py-2 text-warn">
          The organization has one owner. Nobody else can approve a change that loosens a protection.
        </p>
      )}
      <TimeZone zone={zone} disabled={!may} onChange={setZone} />
      <Retention org={org} days={days} may={may} onChange={setDays} />
      {send.error !== null && (
        <ProblemCard error={send.error}>
          {send.error instanceof ApiError && NEED_PASSKEY.has(send.error.problem.code) && (
            <p>
              <AddPasskeyLink className="font-medium text-accent underline" />
            </p>
          )}
        </ProblemCard>
      )}
      {may ? (
        <Button type="submit" variant="primary" disabled={isSame || send.isPending || (isUnsigned && own !== "usable")}>
          {send.isPending ? "Saving …" : isUnsigned ? "Sign and save" : "Save"}
        </Button>
      ) : (
        <p className="text-xs text-faint">Only owners can change these rules.</p>
      )}
    </form>
  );
}

/** What holds where nobody chose who may loosen. */
function defaultText(twoPeopleUntil: string | null): string {
  return twoPeopleUntil === null
    ? "This is the default: two people once the organization has two owners."
    : `This is the default: two people until ${day(twoPeopleUntil)}, because another owner left.`;
}

/** Turning signed approvals off is itself signed, so that a stolen token cannot do it. */
function UnsignedNotice({ canSign }: { canSign: boolean }) {
  if (canSign)
    return (
      <p className="rounded-lg bg-accent-wash px-3 py-2 text-accent">
        You sign this change with your passkey. Your device asks for it when you save.
      </p>
    );
  return (
    <p role="alert" className="rounded-lg bg-warn-wash px-3 py-2 text-warn">
      Turning this off must be signed with a passkey, and you have none that can sign.{" "}
      <AddPasskeyLink className="font-medium underline" />
    </p>
  );
}

function AddPasskeyLink({ className }: { className: string }) {
  return (
    <Link to="/settings/$part" params={{ part: "passkeys" }} className={className}>
      Add a passkey
    </Link>
  );
}
