// How the org approves what is hard to undo: how many people, whether the one who opened the session may be one, and whether
// each signs with a passkey. And how long the bodies of receipts are kept.
import { useMutation, useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { type FormEvent, useState } from "react";
import { api, Refusal, type Schemas, take } from "../api/client";
import { org } from "../api/queries";
import { notify } from "../frame/notices";
import { Line } from "../text/Visible";
import { Loading, ProblemCard } from "../ui/Bits";
import { Button } from "../ui/Button";
import { Field, Tick } from "../ui/Form";
import { changed, members } from "./queries";
import { isAtLeast } from "../api/role";
import { useMay } from "../api/who";
import { Heading } from "./Rows";

export function OrgRules() {
  const { data, error } = useQuery(org);
  return (
    <>
      <Heading title="Approval rules" about="They hold for what is hard to undo or destructive (R3, R4). Everything else that needs a person needs one, and no passkey." />
      {data === undefined ? (error === null ? <Loading what="the org" /> : <ProblemCard error={error} />) : <Edit key={JSON.stringify(data)} kept={data} />}
    </>
  );
}

function Edit({ kept }: { kept: Schemas["OrgView"] }) {
  const may = useMay("owner") === true;
  const approvers = useQuery(members).data?.filter((member) => isAtLeast(member.role, "admin")).length;
  const [quorum, setQuorum] = useState(kept.approval_quorum);
  const [fourEyes, setFourEyes] = useState(kept.approval_four_eyes);
  const wasPasskey = kept.approval_passkey === true;
  const [passkey, setPasskey] = useState(wasPasskey);
  const [days, setDays] = useState(String(kept.receipts_kept_days));
  const isFewer = Number(days) < kept.receipts_kept_days;
  const isSame = quorum === kept.approval_quorum && fourEyes === kept.approval_four_eyes && passkey === wasPasskey && Number(days) === kept.receipts_kept_days;
  // Whoever opened the session is not counted, so one more is needed.
  const needed = quorum + (fourEyes ? 1 : 0);
  const send = useMutation({
    mutationFn: () => take(api.PATCH("/v1/org", { body: { approval_quorum: quorum, approval_four_eyes: fourEyes, receipts_kept_days: Number(days), ...(passkey !== wasPasskey && { approval_passkey: passkey }) } })),
    onSuccess: async () => {
      await changed("org");
      notify("good", "Kept", "It holds for what is asked from now on.");
    },
  });
  const submit = (event: FormEvent) => {
    event.preventDefault();
    send.mutate();
  };
  return (
    <form onSubmit={submit} className="space-y-5 rounded-xl border border-edge bg-card p-5">
      <p className="text-soft">Org <span className="font-medium text-ink"><Line text={kept.name} /></span> <code className="font-mono text-xs"><Line text={kept.slug} /></code></p>
      <Field name="Quorum" hint="How many people must say yes.">
        <select className="input max-w-40" value={quorum} disabled={!may} onChange={(event) => setQuorum(Number(event.target.value))}>
          {Array.from({ length: 10 }, (_, index) => index + 1).map((count) => <option key={count} value={count}>{count === 1 ? "1 person" : `${count} people`}</option>)}
        </select>
      </Field>
      <Tick name="Four eyes" hint="Whoever opened the session may not approve what it asks for." checked={fourEyes} disabled={!may} onChange={setFourEyes} />
      {may && approvers !== undefined && approvers < needed && (
        <p role="alert" className="rounded-lg bg-warn-wash px-3 py-2 text-warn">
          {approvers === 1 ? "Only one member is" : `Only ${approvers} members are`} admin or owner. With these rules {needed} are needed, or nothing hard to undo can be approved.
        </p>
      )}
      <Tick name="A yes to what is hard to undo (R3, R4) must be signed with a passkey" hint="Each person signs on their own device over exactly what was shown to them. A no needs no signature." checked={passkey} disabled={!may} onChange={setPasskey} />
      <Field name="Bodies of receipts are kept" hint="In days, 1 to 36500. After that inputs and outputs are erased; who did what, by whose leave and how it ended stays, with its proof.">
        <input className="input max-w-40" type="number" min={1} max={36_500} step={1} required value={days} disabled={!may} onChange={(event) => setDays(event.target.value)} />
      </Field>
      {may && isFewer && days !== "" && <p role="alert" className="rounded-lg bg-warn-wash px-3 py-2 text-warn">Bodies that are older than {days} {days === "1" ? "day" : "days"} are erased soon after this is kept. That cannot be undone.</p>}
      {send.error !== null && (
        <ProblemCard error={send.error}>
          {send.error instanceof Refusal && send.error.problem.code === "no_passkeys" && <p><Link to="/settings/$part" params={{ part: "passkeys" }} className="font-medium text-accent underline">Add a passkey</Link></p>}
        </ProblemCard>
      )}
      {may ? <Button type="submit" look="primary" disabled={isSame || send.isPending}>{send.isPending ? "Sending …" : "Keep"}</Button> : <p className="text-xs text-faint">Owners change this.</p>}
    </form>
  );
}
