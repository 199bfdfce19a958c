// Stops something or sets a dry run. It says exactly what happens; the default stops.
import { useMutation } from "@tanstack/react-query";
import { useState } from "react";
import { Line } from "../text/Visible";
import { FormDialog } from "../ui/Form";
import {
  type ConductView,
  ORG,
  ownConduct,
  type Restriction,
  restrictionsLeft,
  STOP_REASONS,
  type Target,
  targetLabel,
} from "./conduct";
import { setConduct, useConducts } from "./queries";
import { REASON_REQUIRED, ReasonField } from "./ReasonField";
import { TargetChoice } from "./TargetChoice";
import { SetBy, TargetText } from "./Words";

interface Props {
  /** null: the person chooses in the dialog. */
  target: Target | null;
  restriction: Restriction;
  onClose: () => void;
}

export function StopDialog({ target: given, restriction: first, onClose }: Props) {
  const [target, setTarget] = useState<Target | null>(given ?? ORG);
  const [wanted, setWanted] = useState(first);
  const [reason, setReason] = useState("");
  const [fieldError, setFieldError] = useState<string | null>(null);
  const all = useConducts();
  const current = target === null ? null : ownConduct(all, target);
  const left = restrictionsLeft(current);
  const restriction = left.includes(wanted) ? wanted : (left[0] ?? "halted");
  const send = useMutation({
    mutationFn: (of: Target) => setConduct(of, restriction, reason),
    // The gateway may run on this machine, so the request is sent even when the browser is offline.
    networkMode: "always",
    // The banner at the top of the page confirms it.
    onSuccess: onClose,
  });
  const submit = () => {
    if (target === null) setFieldError("Choose what to stop.");
    else if (reason.trim() === "") setFieldError(REASON_REQUIRED);
    else send.mutate(target);
  };
  const verb = restriction === "halted" ? "Stop" : "Dry run:";
  return (
    <FormDialog
      title={given === null ? "Stop" : `${verb} ${targetLabel(given)}`}
      submitLabel={restriction === "halted" ? "Stop" : "Start dry run"}
      look={restriction === "halted" ? "stop" : "primary"}
      isBusy={send.isPending}
      error={send.error}
      onClose={onClose}
      onSubmit={submit}
    >
      {given === null && <TargetChoice onChange={setTarget} />}
      {left.length > 1 && <RestrictionChoice value={restriction} onChange={setWanted} />}
      {current !== null && <AlreadySet conduct={current} />}
      <Effect restriction={restriction} target={target} />
      <ReasonField
        value={reason}
        suggestions={STOP_REASONS}
        hint="Shown to those who are stopped."
        onChange={(next) => {
          setReason(next);
          setFieldError(null);
        }}
      />
      {fieldError !== null && (
        <p role="alert" className="text-bad">
          {fieldError}
        </p>
      )}
    </FormDialog>
  );
}

function RestrictionChoice({ value, onChange }: { value: Restriction; onChange: (next: Restriction) => void }) {
  const choices = [
    ["halted", "Stop", "begin nothing", "has-checked:border-bad has-checked:bg-bad-wash", "accent-bad"],
    [
      "dry_run",
      "Dry run",
      "say what would be done, do nothing",
      "has-checked:border-accent has-checked:bg-accent-wash",
      "accent-accent",
    ],
  ] as const;
  return (
    <div role="radiogroup" aria-label="What to do" className="grid grid-cols-2 gap-2">
      {choices.map(([each, title, about, look, accent]) => (
        <label
          key={each}
          className={`flex min-h-11 cursor-pointer items-start gap-2.5 rounded-lg border border-strong px-3 py-2
            ${look}`}
        >
          <input
            type="radio"
            name="restriction"
            checked={value === each}
            onChange={() => onChange(each)}
            className={`mt-0.5 ${accent}`}
          />
          <span>
            <span className="block font-medium">{title}</span>
            <span className="block text-xs text-soft">{about}</span>
          </span>
        </label>
      ))}
    </div>
  );
}

function AlreadySet({ conduct }: { conduct: ConductView }) {
  return (
    <p role="status" className="rounded-lg bg-warn-wash px-3 py-2 text-warn">
      {conduct.conduct === "halted" ? "Stopped now" : "In a dry run now"}: <Line text={conduct.reason} /> (
      <SetBy conduct={conduct} />)
    </p>
  );
}

function Effect({ restriction, target }: { restriction: Restriction; target: Target | null }) {
  const where = (
    <>
      {target?.scope === "agent" && "sessions of "}
      {target === null ? "…" : <TargetText target={target} />}
    </>
  );
  return restriction === "halted" ? (
    <p>
      Nothing begins any more in {where}, reads included. What is under way ends. Approved requests rest and keep their
      expiry; runs wait; schedules follow their policy for missed times. Nothing is undone.
    </p>
  ) : (
    <p>
      Actions in {where} only say what would be done, and do nothing. Reads work. What is under way ends. Approved
      requests rest and keep their expiry. Nothing is undone.
    </p>
  );
}
