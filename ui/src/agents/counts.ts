// Numbers of an agent in words, and as parts of a bar.
import { number } from "../text/number";

export interface Outcomes {
  calls: number;
  succeeded: number;
  failed: number;
  denied: number;
}

/** `1 call`, `1,200 calls` */
export function amount(count: number, one: string, many: string): string {
  return `${number(count)} ${count === 1 ? one : many}`;
}

export type OutcomeName = "succeeded" | "failed" | "denied" | "other";

/** The parts of the bar. Calls without one of these outcomes are pending, expired, quarantined or dry runs. */
export function outcomeParts({ calls, succeeded, failed, denied }: Outcomes): { name: OutcomeName; count: number }[] {
  const other = Math.max(0, calls - succeeded - failed - denied);
  const parts: [OutcomeName, number][] = [
    ["succeeded", succeeded],
    ["failed", failed],
    ["denied", denied],
    ["other", other],
  ];
  return parts.flatMap(([name, count]) => (count > 0 ? [{ name, count }] : []));
}

export function outcomeText(outcomes: Outcomes): string {
  if (outcomes.calls === 0) return "no calls in 7 days";
  return outcomeParts(outcomes)
    .map(({ name, count }) => `${number(count)} ${name}`)
    .join(", ");
}
