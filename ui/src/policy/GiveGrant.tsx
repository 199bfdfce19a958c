// A grant to give: for which action, to whom, how often and how long.
import { useInfiniteQuery, useQuery } from "@tanstack/react-query";
import { type FormEvent, useState } from "react";
import { api, take } from "../api/client";
import { automations, me } from "../api/queries";
import { Field } from "../catalog/ConnectFields";
import { notify } from "../frame/notices";
import { calls, duration } from "../inbox/bounds";
import { plain } from "../text/visible";
import { ProblemCard } from "../ui/Bits";
import { Button } from "../ui/Button";
import { Dialog } from "../ui/Dialog";
import { matrix, policyChanged, sessions } from "./queries";

export function GiveGrant({ onClose }: { onClose: () => void }) {
  const [action, setAction] = useState("");
  const [whom, setWhom] = useState("");
  const [count, setCount] = useState("25");
  const [time, setTime] = useState("24h");
  const [reason, setReason] = useState("");
  const [wrong, setWrong] = useState<string | null>(null);
  const [error, setError] = useState<unknown>(null);
  const isOwner = useQuery(me).data?.role === "owner";
  const rows = useQuery(matrix("", "")).data?.rows ?? [];
  const open = useQuery(sessions).data?.items ?? [];
  const programs = useInfiniteQuery(automations).data?.pages.flatMap((page) => page.items) ?? [];
  const row = rows.find((each) => each.action === action);
  const submit = async (event: FormEvent) => {
    event.preventDefault();
    const [max_calls, lifetime_s] = [calls(count), duration(time)];
    if (max_calls === null) return setWrong("Calls is a number from 1 to 10000.");
    if (lifetime_s === null) return setWrong("For is a time such as 30m, 24h or 7d, at most 30 days.");
    setWrong(null);
    const scope = whom.startsWith("ses_") ? { session: whom } : whom === "" ? {} : { automation: whom };
    try {
      await take(api.POST("/v1/grants", { body: { action: action.trim(), max_calls, lifetime_s, reason, ...scope } }));
      await policyChanged();
      notify("good", "Given", `${plain(action)}: ${max_calls} calls.`);
      onClose();
    } catch (refused) {
      setError(refused);
    }
    return undefined;
  };
  return (
    <Dialog title="Give a grant" isOpen onClose={onClose}>
      <form onSubmit={(event) => void submit(event)} className="space-y-4">
        <Field name="Action" about={isOwner ? "source.action, source.* or *" : "source.action; only an owner gives one for source.* or *"}>
          <input className="input font-mono" list="actions-known" value={action} onChange={(event) => setAction(event.target.value)} required autoFocus spellCheck={false} placeholder="linear.add_comment" />
        </Field>
        <datalist id="actions-known">{rows.filter((each) => each.mode === "require_approval").map((each) => <option key={each.action} value={each.action} />)}</datalist>
        {row !== undefined && row.mode !== "require_approval" && <p className="rounded-lg bg-warn-wash px-3 py-2 text-warn">It would change nothing now: the action is {row.mode === "allow" ? "allowed" : "denied, and a grant does not lift that"}.</p>}
        {row !== undefined && row.mode === "require_approval" && (row.guardrails.length > 0 || row.risk === "R3" || row.risk === "R4") && <p className="rounded-lg bg-warn-wash px-3 py-2 text-warn">It would change nothing now: a guardrail ({row.guardrails.join(", ") || "ceiling"}) asks for a person, and a grant does not lift that.</p>}
        <Field name="For">
          <select className="input" value={whom} onChange={(event) => setWhom(event.target.value)}>
            <option value="">every session of the org</option>
            {open.map((each) => <option key={each.id} value={each.id}>the session of {plain(each.agent)} ({each.id.slice(-6)})</option>)}
            {programs.map((each) => <option key={each.id} value={each.id}>the runs of {plain(each.name)}</option>)}
          </select>
        </Field>
        <div className="grid grid-cols-2 gap-3">
          <Field name="Calls"><input className="input" inputMode="numeric" value={count} onChange={(event) => setCount(event.target.value)} /></Field>
          <Field name="How long"><input className="input" value={time} onChange={(event) => setTime(event.target.value)} /></Field>
        </div>
        <Field name="Why"><textarea className="input min-h-16" maxLength={500} value={reason} onChange={(event) => setReason(event.target.value)} /></Field>
        {wrong !== null && <p role="alert" className="text-bad">{wrong}</p>}
        {error !== null && <ProblemCard error={error} />}
        <div className="flex flex-row-reverse gap-2 max-md:[&>*]:flex-1">
          <Button type="submit" look="primary">Give the grant</Button>
          <Button look="quiet" onClick={onClose}>Back</Button>
        </div>
      </form>
    </Dialog>
  );
}
