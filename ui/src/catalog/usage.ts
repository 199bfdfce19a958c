// Success and latency as parts of a bar.
import { percent } from "../text/number";
import type { Usage } from "./queries";

type UsageOutcome = "succeeded" | "failed" | "unknown" | "denied";

export function parts(usage: Usage): { name: UsageOutcome; count: number }[] {
  const names: UsageOutcome[] = ["succeeded", "failed", "unknown", "denied"];
  return names.flatMap((name) => (usage[name] > 0 ? [{ name, count: usage[name] }] : []));
}

/** The success rate of executed calls. Denied calls were never executed. */
export function successText(usage: Usage, isShort = false): string {
  const tried = usage.succeeded + usage.failed + usage.unknown;
  if (usage.calls === 0) return "no calls yet";
  return tried === 0 ? "not executed" : `${percent(usage.succeeded / tried)}${isShort ? "" : " succeeded"}`;
}

const [SHORTEST_MS, LONGEST_MS] = [10, 60_000];

/** Position on a logarithmic axis from 10 ms to one minute, in percent. */
export function latencyPlace(ms: number): number {
  const within = Math.min(Math.max(ms, SHORTEST_MS), LONGEST_MS);
  return (Math.log(within / SHORTEST_MS) / Math.log(LONGEST_MS / SHORTEST_MS)) * 100;
}
