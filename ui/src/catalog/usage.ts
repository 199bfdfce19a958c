// How calls ended and how long they took, as parts of a bar.
import type { Usage } from "./queries";

export type Ending = "succeeded" | "failed" | "unknown" | "denied";

export function parts(usage: Usage): { name: Ending; count: number }[] {
  const names: Ending[] = ["succeeded", "failed", "unknown", "denied"];
  return names.flatMap((name) => (usage[name] > 0 ? [{ name, count: usage[name] }] : []));
}

/** Of those that were tried; what a person or a rule denied was never tried. Rounded down, so that 100% means all. */
export function successText(usage: Usage, isShort = false): string {
  const tried = usage.succeeded + usage.failed + usage.unknown;
  if (usage.calls === 0) return "not called yet";
  return tried === 0 ? "never tried" : `${Math.floor((usage.succeeded / tried) * 100)}%${isShort ? "" : " succeeded"}`;
}

const [SHORTEST_MS, LONGEST_MS] = [10, 60_000];

/** Where on a line from 10 ms to a minute, in percent; each tenfold has the same length. */
export function latencyPlace(ms: number): number {
  const within = Math.min(Math.max(ms, SHORTEST_MS), LONGEST_MS);
  return (Math.log(within / SHORTEST_MS) / Math.log(LONGEST_MS / SHORTEST_MS)) * 100;
}
