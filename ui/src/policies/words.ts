// Policies, modes and numbers in words.
import { Digits, type Json } from "../api/json";
import { number } from "../text/number";
import type { Tone } from "../ui/Bits";
import type { DecisionFact, DecisionPolicy, PolicyState } from "./types";

interface ModeOf {
  mode: string;
  approvers?: number | null;
}

/** “Asks”, “Denies”, “Needs 2 approvals”. */
export function modeText({ mode, approvers = null }: ModeOf): string {
  if (mode === "deny") return "Denies";
  return approvers !== null && approvers > 1 ? `Needs ${number(approvers)} approvals` : "Asks";
}

export const modeTone = ({ mode }: ModeOf): Tone => (mode === "deny" ? "bad" : "warn");

export const STATES: Record<PolicyState, { label: string; about: string; tone: Tone }> = {
  enforced: { label: "Enforced", about: "decides about each call", tone: "good" },
  observing: { label: "Observing", about: "records what it would decide, changes nothing", tone: "accent" },
};

const DOES: Record<string, string> = { deny: "denies", require_approval: "asks" };
const WOULD: Record<string, string> = { deny: "would have denied", require_approval: "would have asked" };

/** “Policy cap denies”, or what an observing one would have done. */
export function policyTitle({ name, mode, observing }: DecisionPolicy): string {
  const words = observing ? WOULD : DOES;
  return `Policy ${name} ${words[mode] ?? mode}`;
}

export function policyReason({ why, error }: DecisionPolicy): string {
  if (error === null) return why;
  const failed = `The policy could not be evaluated, so it holds: ${error}`;
  return why === "" ? failed : `${why} (${failed})`;
}

/** A value of a fact. */
export function valueText(value: Json): string {
  if (value === true) return "yes";
  if (value === false) return "no";
  if (typeof value === "number") return number(value);
  return value instanceof Digits ? value.text : String(value);
}

/** “420,000 of 500,000, this call adds 80,000”. */
export function factText({ value, adds, limit }: Pick<DecisionFact, "value" | "adds" | "limit">): string {
  const so = limit === null ? valueText(value) : `${valueText(value)} of ${number(limit)}`;
  return adds === null ? so : `${so}, this call adds ${number(adds)}`;
}

/** “1 action”, “12 actions”. */
export function counted(count: number, one: string, many = `${one}s`): string {
  return `${number(count)} ${count === 1 ? one : many}`;
}

/** “a”, “a and b”, “a, b and c”. */
export function listed(all: readonly string[]): string {
  if (all.length < 2) return all.join("");
  return `${all.slice(0, -1).join(", ")} and ${all.at(-1)}`;
}
