// Creates a grant.
import { useInfiniteQuery, useQuery } from "@tanstack/react-query";
import { type FormEvent, useState } from "react";
import { api, take } from "../api/client";
import { automations, me } from "../api/queries";
import { calls, duration } from "../approval/limits";
import { notify } from "../frame/toasts";
import { plain } from "../text/visible";
import { ProblemCard } from "../ui/Bits";
import { Button } from "../ui/Button";
import { Dialog } from "../ui/Dialog";
import { Field } from "../ui/Form";
import { matrix, policyChanged, sessions } from "./queries";

export function CreateGrant({ onClose }: { onClose: () => void }) {
  const [action, setAction] = useState("");
  const [session, setSession] = useState("");
  const [count, setCount] = useState("25");
  const [time, setTime] = useState("24h");
  const [reason, setReason] = useState("");
  const [fieldError, setFieldError] = useState<string | null>(null);
  const [error, setError] = useState<unknown>(null);
  const isOwner = useQuery(me).data?.role === "owner";
  const rows = useQuery(matrix("", "")).data?.rows ?? [];
  const open = useQuery(sessions).data?.items ?? [];
  const programs = useInfiniteQuery(automations).data?.pages.flatMap((page) => page.items) ?? [];
  const row = rows.find((each) => each.action === action);
  const submit = async (event: FormEvent) => {
    event.preventDefault();
    const [max_calls, lifetime_s] = [calls(count), duration(time)];
    if (max_calls === null) return setFieldError("Calls must be a number from 1 to 10,000.");
    if (lifetime_s === null) return setFieldError("Duration must be a time such as 30m, 24h or 7d, at most 30 days.");
    setFieldError(null);
    const scope = session.startsWith("ses_") ? { session } : session === "" ? {} : { automation: session };
    try {
      await take(api.POST("/v1/grants", { body: { action: action.trim(), max_calls, lifetime_s, reason, ...scope } }));
      await policyChanged();
      notify("good", "Grant created", `${plain(action)}: ${max_calls} calls.`);
      onClose();
    } catch (caught) {
      setError(caught);
    }
    return undefined;
  };
  return (
    <Dialog title="Create a grant" isOpen onClose={onClose}>
      <form onSubmit={(event) => void submit(event)} className="space-y-4">
        <Field
          name="Action"
          hint={isOwner ? "source.action, source.* or *" : "source.action; only owners can use source.* or *"}
        >
          <input
            className="input font-mono"
            list="actions-known"
            value={action}
            onChange={(event) => setAction(event.target.value)}
            required
            autoFocus
            spellCheck={false}
            placeholder="linear.add_comment"
          />
        </Field>
        <datalist id="actions-known">
          {rows
            .filter((each) => each.mode === "require_approval")
            .map((each) => (
              <option key={each.action} value={each.action} />
            ))}
        </datalist>
        {row !== undefined && row.mode !== "require_approval" && (
          <p className="rounded-lg bg-warn-wash px-3 py-2 text-warn">
            No effect: the action is{" "}
            {row.mode === "allow" ? "already allowed" : "denied, and a grant does not change that"}.
          </p>
        )}
        {row !== undefined &&
          row.mode === "require_approval" &&
          (row.guardrails.length > 0 || row.risk === "R3" || row.risk === "R4") && (
            <p className="rounded-lg bg-warn-wash px-3 py-2 text-warn">
              No effect: a guardrail ({row.guardrails.join(", ") || "ceiling"}) requires approval, and a grant does not
              change that.
            </p>
          )}
        <Field name="Applies to">
          <select className="input" value={session} onChange={(event) => setSession(event.target.value)}>
            <option value="">every session of the organization</option>
            {open.map((each) => (
              <option key={each.id} value={each.id}>
                session of {plain(each.agent)} ({each.id.slice(-6)})
              </option>
            ))}
            {programs.map((each) => (
              <option key={each.id} value={each.id}>
                runs of {plain(each.name)}
              </option>
            ))}
          </select>
        </Field>
        <div className="grid grid-cols-2 gap-3">
          <Field name="Calls">
            <input
              className="input"
              inputMode="numeric"
              value={count}
              onChange={(event) => setCount(event.target.value)}
            />
          </Field>
          <Field name="Duration">
            <input className="input" value={time} onChange={(event) => setTime(event.target.value)} />
          </Field>
        </div>
        <Field name="Reason">
          <textarea
            className="input min-h-16"
            maxLength={500}
            value={reason}
            onChange={(event) => setReason(event.target.value)}
          />
        </Field>
        {fieldError !== null && (
          <p role="alert" className="text-bad">
            {fieldError}
          </p>
        )}
        {error !== null && <ProblemCard error={error} />}
        <div className="flex flex-row-reverse gap-2 max-md:[&>*]:flex-1">
          <Button type="submit" variant="primary">
            {" "}
            Create grant{" "}
          </Button>
          <Button variant="quiet" onClick={onClose}>
            Cancel
          </Button>
        </div>
      </form>
    </Dialog>
  );
}
