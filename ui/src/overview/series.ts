// Time ranges and series of the overview, and the activity filters that match them.
import type { Filters } from "../activity/filters";
import type { Bucket, Overview } from "./queries";

export const RANGES = [
  { id: "24h", name: "24 h", label: "Last 24 hours", seconds: 86_400 },
  { id: "7d", name: "7 d", label: "Last 7 days", seconds: 7 * 86_400 },
  { id: "30d", name: "30 d", label: "Last 30 days", seconds: 30 * 86_400 },
  { id: "90d", name: "90 d", label: "Last 90 days", seconds: 90 * 86_400 },
] as const;
export type RangeId = (typeof RANGES)[number]["id"];

export function rangeOf(text: unknown): RangeId {
  return RANGES.find((range) => range.id === text)?.id ?? "7d";
}

export function sinceOf(range: RangeId, now: number): string {
  const { seconds } = RANGES.find((each) => each.id === range) ?? RANGES[1];
  return new Date(now - seconds * 1_000).toISOString();
}

/** Outcomes as drawn: the states of each color and the filter that counts them. */
export const OUTCOMES = [
  { id: "succeeded", name: "succeeded", states: ["succeeded"], colour: "var(--good)" },
  { id: "failed", name: "failed or reverted", states: ["failed", "reverted"], colour: "var(--bad)" },
  { id: "refused", name: "denied or quarantined", states: ["denied", "quarantined"], colour: "var(--faint)" },
  { id: "expired", name: "expired", states: ["expired"], colour: "var(--warn)" },
  { id: "unknown", name: "unknown", states: ["unknown"], colour: "var(--accent)" },
  { id: "open", name: "in progress", states: ["pending", "approved", "executing"], colour: "var(--strong)" },
] as const;
type OutcomeId = (typeof OUTCOMES)[number]["id"];

export function count(bucket: Bucket, outcome: OutcomeId): number {
  const over =
    bucket.succeeded +
    bucket.failed +
    bucket.reverted +
    bucket.denied +
    bucket.quarantined +
    bucket.expired +
    bucket.unknown;
  switch (outcome) {
    case "succeeded":
      return bucket.succeeded;
    case "failed":
      return bucket.failed + bucket.reverted;
    case "refused":
      return bucket.denied + bucket.quarantined;
    case "expired":
      return bucket.expired;
    case "unknown":
      return bucket.unknown;
    case "open":
      return Math.max(0, bucket.calls - over);
  }
}

/** The success rate of executed invocations, 0 to 1; null when there were none. */
export function success(bucket: Bucket): number | null {
  const tried = bucket.succeeded + bucket.failed + bucket.reverted + bucket.unknown;
  return tried === 0 ? null : bucket.succeeded / tried;
}

/** Dry runs are not counted. */
const KNOWN_STATES = OUTCOMES.flatMap((outcome) => outcome.states);

/** The activity that a number counts, in one bucket or in the whole range. */
export function counted(
  view: Overview,
  space: string | null,
  states: readonly string[] = KNOWN_STATES,
  bucket?: Bucket,
): Filters {
  const from = bucket?.at ?? view.since;
  const end =
    bucket === undefined
      ? Date.parse(view.until)
      : Math.min(Date.parse(bucket.at) + view.bucket_s * 1_000, Date.parse(view.until));
  return {
    since: from,
    until: new Date(end).toISOString(),
    status: states.join(","),
    ...(space === null ? {} : { space }),
  };
}

const HOUR = new Intl.DateTimeFormat(undefined, { weekday: "short", hour: "2-digit", minute: "2-digit" });
const DAY = new Intl.DateTimeFormat(undefined, { month: "short", day: "numeric" });

export function when(at: string, bucket_s: number): string {
  return (bucket_s < 86_400 ? HOUR : DAY).format(new Date(at));
}

/** A time in one unit, for an axis. */
export function unit(seconds: number): string {
  // Two neighboring ticks must not be rounded to the same label.
  const of = (n: number) => String(Number(n.toFixed(1)));
  if (seconds < 120) return `${of(seconds)}s`;
  if (seconds < 7_200) return `${of(seconds / 60)}m`;
  return seconds < 172_800 ? `${of(seconds / 3_600)}h` : `${of(seconds / 86_400)}d`;
}
