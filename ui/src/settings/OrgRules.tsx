// Approval rules of the organization, and how long receipt contents are kept.
import { useMutation, useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { type FormEvent, useState } from "react";
import { ApiError, api, type Schemas, take } from "../api/client";
import { useMay } from "../api/permissions";
import { org } from "../api/queries";
import { isAtLeast } from "../api/role";
import { notify } from "../frame/toasts";
import { Line } from "../text/Visible";
import { Loading, ProblemCard } from "../ui/Bits";
import { Button } from "../ui/Button";
import { Checkbox, Field } from "../ui/Form";
import { changed, members } from "./queries";
import { Heading } from "./Rows";

export function OrgRules() {
  const { data, error } = useQuery(org);
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
        <OrgForm key={JSON.stringify(data)} org={data} />
      )}
    </>
  );
}

function OrgForm({ org }: { org: Schemas["OrgView"] }) {
  const may = useMay("owner") === true;
  const approvers = useQuery(members).data?.filter((member) => isAtLeast(member.role, "admin")).length;
  const [quorum, setQuorum] = useState(org.approval_quorum);
  const [fourEyes, setFourEyes] = useState(org.approval_four_eyes);
  const wasPasskey = org.approval_passkey === true;
  const [passkey, setPasskey] = useState(wasPasskey);
  const [days, setDays] = useState(String(org.receipts_kept_days));
  const isFewer = Number(days) < org.receipts_kept_days;
  const isSame =
    quorum === org.approval_quorum &&
    fourEyes === org.approval_four_eyes &&
    passkey === wasPasskey &&
    Number(days) === org.receipts_kept_days;
  // The person who opened the session does not count, so one more is required.
  const needed = quorum + (fourEyes ? 1 : 0);
  const send = useMutation({
    mutationFn: () =>
      take(
        api.PATCH("/v1/org", {
          body: {
            approval_quorum: quorum,
            approval_four_eyes: fourEyes,
            receipts_kept_days: Number(days),
            ...(passkey !== wasPasskey && { approval_passkey: passkey }),
          },
        }),
      ),
    onSuccess: async () => {
      await changed("org");
      notify("good", "Saved", "The rules apply to new requests.");
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
      <Field
        name="Receipt retention (days)"
        hint="1 to 36,500. Then inputs and outputs are erased; the other fields of a receipt and its proof are kept."
      >
        <input
          className="input max-w-40"
          type="number"
          min={1}
          max={36_500}
          step={1}
          required
          value={days}
          disabled={!may}
          onChange={(event) => setDays(event.target.value)}
        />
      </Field>
      {may && isFewer && days !== "" && (
        <p role="alert" className="rounded-lg bg-warn-wash px-3 py-2 text-warn">
          Inputs and outputs older than {days} {days === "1" ? "day" : "days"} are erased soon after you save. This
          cannot be undone.
        </p>
      )}
      {send.error !== null && (
        <ProblemCard error={send.error}>
          {send.error instanceof ApiError && send.error.problem.code === "no_passkeys" && (
            <p>
              <Link to="/settings/$part" params={{ part: "passkeys" }} className="font-medium text-accent underline">
                Add a passkey
              </Link>
            </p>
          )}
        </ProblemCard>
      )}
      {may ? (
        <Button type="submit" variant="primary" disabled={isSame || send.isPending}>
          {send.isPending ? "Saving …" : "Save"}
        </Button>
      ) : (
        <p className="text-xs text-faint">Only owners can change these rules.</p>
      )}
    </form>
  );
}
