// What is stopped or in a dry run, in words, and which of several stops applies.
import type { Schemas } from "../api/client";
import { plain } from "../text/visible";

export type ConductView = Schemas["ConductView"];
/** What a person sets in the dialog. Resuming sets `normal`. */
export type Restriction = "halted" | "dry_run";

/** What can be stopped: `subject` identifies it for the gateway, `name` for people. */
export interface Target {
  scope: string;
  subject: string;
  name: string;
}

export const ORG: Target = { scope: "org", subject: "", name: "" };
export const agentTarget = (agent: string): Target => ({ scope: "agent", subject: agent, name: agent });
export const sourceTarget = (source: string): Target => ({ scope: "source", subject: source, name: source });
export const spaceTarget = (space: { id: string; name: string }): Target => ({
  scope: "space",
  subject: space.id,
  name: space.name,
});
export const automationTarget = (automation: { id: string; name: string }): Target => ({
  scope: "automation",
  subject: automation.id,
  name: automation.name,
});

export const REASON_MAX = 500;
export const STOP_REASONS = ["It repeats itself", "Unexpected target", "Wrong data", "Testing"];
export const RESUME_REASONS = ["Fixed", "Checked, all is well", "Test is over"];

/** For titles and labels: `agent support-triage`. */
export function targetLabel({ scope, name }: Target): string {
  return scope === "org" ? "the whole organization" : `${plain(scope)} ${plain(name)}`;
}

/** The conduct that was set for exactly this target. */
export function ownConduct(all: readonly ConductView[], target: Target): ConductView | null {
  return all.find((each) => each.scope === target.scope && each.subject === target.subject) ?? null;
}

/** The strictest of its own conduct and that of the organization; of two equal ones, the one of the organization. */
export function appliedConduct(all: readonly ConductView[], target: Target): ConductView | null {
  const [whole, own] = [ownConduct(all, ORG), ownConduct(all, target)];
  if (whole === null || own === null) return whole ?? own;
  return own.conduct === "halted" && whole.conduct !== "halted" ? own : whole;
}

/** What can still be set: not what is set already. */
export function restrictionsLeft(current: ConductView | null): readonly Restriction[] {
  return (["halted", "dry_run"] as const).filter((each) => each !== current?.conduct);
}

/** The list after a change, newest first. */
export function withConduct(all: readonly ConductView[], next: ConductView): ConductView[] {
  const others = all.filter((each) => each.scope !== next.scope || each.subject !== next.subject);
  return next.conduct === "normal" ? others : [next, ...others];
}

/** Several of them in one line. */
export function summaryText(all: readonly ConductView[]): string {
  const stopped = all.filter((each) => each.conduct === "halted").length;
  const dry = all.length - stopped;
  if (dry === 0) return `${things(stopped)} stopped`;
  if (stopped === 0) return `${things(dry)} in a dry run`;
  return `${things(stopped)} stopped, ${dry} ${dry === 1 ? "is" : "are"} in a dry run`;
}

function things(count: number): string {
  return count === 1 ? "1 thing is" : `${count} things are`;
}
