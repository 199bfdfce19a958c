// The choice of conditions for a grant or a rule, and what the answer will allow.

import { Value } from "../../text/Params";
import { rows } from "../../text/rows";
import { Line } from "../../text/Visible";
import type { Condition } from "./filter";

interface Props {
  action: string;
  offered: readonly Condition[];
  /** The names of the chosen ones. */
  chosen: ReadonlySet<string>;
  onChange: (chosen: ReadonlySet<string>) => void;
}

export function Conditions({ action, offered, chosen, onChange }: Props) {
  if (offered.length === 0) {
    return (
      <p>
        <EveryCall action={action} />
      </p>
    );
  }
  const toggle = (name: string, isChosen: boolean) => {
    const next = new Set(chosen);
    if (isChosen) next.add(name);
    else next.delete(name);
    onChange(next);
  };
  return (
    <fieldset className="space-y-2">
      <legend className="text-xs font-medium text-faint">Only where</legend>
      {offered.map((condition) => (
        <label key={condition.name} className="flex min-h-8 cursor-pointer items-start gap-2.5">
          <input
            type="checkbox"
            className="mt-0.5 size-4 shrink-0 accent-accent"
            checked={chosen.has(condition.name)}
            onChange={(event) => toggle(condition.name, event.target.checked)}
          />
          <span className="min-w-0 wrap-anywhere">
            <ConditionText condition={condition} />
          </span>
        </label>
      ))}
      {chosen.size === 0 && (
        <p role="alert" className="rounded-lg bg-warn-wash px-3 py-2 text-warn">
          <EveryCall action={action} />
        </p>
      )}
    </fieldset>
  );
}

function EveryCall({ action }: { action: string }) {
  return (
    <>
      This allows every call of <Line text={action} />, whatever its parameters.
    </>
  );
}

/** `channel is "C0123"`. The value has its own background, so that it cannot pass for a second condition. */
export function ConditionText({ condition: { name, value } }: { condition: Condition }) {
  return rows(Object.fromEntries([[name, value]])).map((row) => (
    <span key={row.path}>
      <code className="font-mono text-[0.8125rem]">
        <Line text={row.path} />
      </code>
      {" is "}
      <span className="rounded bg-sunk box-decoration-clone px-1">
        <Value row={row} />
      </span>
    </span>
  ));
}
