// Badges, names and small parts that the pages of policies share.
import { Link } from "@tanstack/react-router";
import { type ReactNode, useId } from "react";
import { Line } from "../text/Visible";
import { Badge } from "../ui/Bits";
import { MODES } from "../ui/Mode";
import type { PolicyState } from "./types";
import { modeText, modeTone, STATES } from "./words";

export function StateBadge({ state }: { state: PolicyState }) {
  return (
    <Badge tone={STATES[state].tone} title={STATES[state].about}>
      {STATES[state].label}
    </Badge>
  );
}

export function PolicyMode({ mode, approvers }: { mode: string; approvers?: number | null }) {
  const of = { mode, approvers: approvers ?? null };
  return <Badge tone={modeTone(of)}>{modeText(of)}</Badge>;
}

export function PolicyLink({ name }: { name: string }) {
  return (
    <Link to="/policy/policies/$policy" params={{ policy: name }} className="font-medium text-accent hover:underline">
      <Line text={name} />
    </Link>
  );
}

export function Code({ text }: { text: string }) {
  return (
    <code className="font-mono text-[0.8125rem] wrap-anywhere">
      <Line text={text} />
    </code>
  );
}

/** Links to examples, which are invocations. */
export function Examples({ invocations }: { invocations: readonly string[] }) {
  return invocations.map((each, index) => (
    <span key={each}>
      {index > 0 && ", "}
      <Link to="/activity/$invocation" params={{ invocation: each }} className="text-accent underline">
        …{each.slice(-6)}
      </Link>
    </span>
  ));
}

export const modeLabel = (mode: string): string => MODES[mode]?.label ?? mode;

interface SegmentsProps<T extends string | number> {
  name: string;
  value: T;
  choices: readonly (readonly [T, string])[];
  onChange: (next: T) => void;
}

/** A choice of a few short words in a row. */
export function Segments<T extends string | number>({ name, value, choices, onChange }: SegmentsProps<T>) {
  const group = useId();
  return (
    <div role="radiogroup" aria-label={name} className="flex w-fit rounded-lg border border-strong p-0.5">
      {choices.map(([each, label]) => (
        <label
          key={each}
          className={`cursor-pointer rounded-md px-3 py-2 text-soft has-checked:bg-accent has-checked:font-medium
            has-checked:text-accent-ink has-focus-visible:outline-2 has-focus-visible:outline-accent md:py-1`}
        >
          <input
            type="radio"
            name={group}
            className="sr-only"
            checked={value === each}
            onChange={() => onChange(each)}
          />
          {label}
        </label>
      ))}
    </div>
  );
}

/** A list of rows in a card. */
export function Rows({ name, children }: { name: string; children: ReactNode }) {
  return (
    <ul aria-label={name} className="divide-y divide-edge overflow-hidden rounded-xl border border-edge bg-card">
      {children}
    </ul>
  );
}
