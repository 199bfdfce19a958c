// The numbers of the overview: which stretch of time, what is counted together, and which activity that is.
import type { Filters } from "../activity/filters";
import type { Bucket, Overview } from "./queries";

export const RANGES = [
  { id: "24h", name: "24 h", said: "the last 24 hours", seconds: 86_400 },
  { id: "7d", name: "7 d", said: "the last 7 days", seconds: 7 * 86_400 },
  { id: "30d", name: "30 d", said: "the last 30 days", seconds: 30 * 86_400 },
  { id: "90d", name: "90 d", said: "the last 90 days", seconds: 90 * 86_400 },
] as const;
export type RangeId = (typeof RANGES)[number]["id"];

export function rangeOf(text: unknown): RangeId {
  return RANGES.find((range) => range.id === text)?.id ?? "7d";
}

export function sinceOf(range: RangeId, now: number): string {
  const { seconds } = RANGES.find((each) => each.id === range) ?? RANGES[1];
  return new Date(now - seconds * 1_000).toISOString();
}

/** What became of invocations, as it is drawn: which states are one colour, and which filter counts them. */
export const OUTCOMES = [
  { id: "succeeded", name: "succeeded", states: ["succeeded"], colour: "var(--good)" },
  { id: "failed", name: "failed or reverted", states: ["failed", "reverted"], colour: "var(--bad)" },
  { id: "refused", name: "denied or quarantined", states: ["denied", "quarantined"], colour: "var(--faint)" },
  { id: "expired", name: "expired", states: ["expired"], colour: "var(--warn)" },
  { id: "unknown", name: "unknown", states: ["unknown"], colour: "var(--accent)" },
  { id: "open", name: "not over", states: ["pending", "approved", "executing"], colour: "var(--strong)" },
] as const;
export type OutcomeId = (typeof OUTCOMES)[number]["id"];

export function count(bucket: Bucket, outcome: OutcomeId): number {
  const over = bucket.succeeded + bucket.failed + bucket.reverted + bucket.denied + bucket.quarantined + bucket.expired + bucket.unknown;
  switch (outcome) {
    case "succeeded": return bucket.succeeded;
    case "failed": return bucket.failed + bucket.reverted;
    case "refused": return bucket.denied + bucket.quarantined;
    case "expired": return bucket.expired;
    case "unknown": return bucket.unknown;
    case "open": return Math.max(0, bucket.calls - over);
  }
}

/** Of what was tried, how much succeeded, from 0 to 1; null when nothing was. */
export function success(bucket: Bucket): number | null {
  const tried = bucket.succeeded + bucket.failed + bucket.reverted + bucket.unknown;
  return tried === 0 ? null : bucket.succeeded / tried;
}

/** A dry run is no part of what is counted. */
const COUNTED = OUTCOMES.flatMap((outcome) => outcome.states);

/** The activity that a number counts: of a bucket, or of the whole stretch. */
export function counted(view: Overview, space: string | null, states: readonly string[] = COUNTED, bucket?: Bucket): Filters {
  const from = bucket?.at ?? view.since;
  const end = bucket === undefined ? Date.parse(view.until) : Math.min(Date.parse(bucket.at) + view.bucket_s * 1_000, Date.parse(view.until));
  return { since: from, until: new Date(end).toISOString(), status: states.join(","), ...(space === null ? {} : { space }) };
}

const HOUR = new Intl.DateTimeFormat(undefined, { weekday: "short", hour: "2-digit", minute: "2-digit" });
const DAY = new Intl.DateTimeFormat(undefined, { month: "short", day: "numeric" });

/** A bucket's time, as exactly as its length needs. */
export function when(at: string, bucket_s: number): string {
  return (bucket_s < 86_400 ? HOUR : DAY).format(new Date(at));
}

export function percent(share: number | null): string {
  if (share === null) return "–";
  // 99.96 % is not all of it.
  const shown = share < 1 ? Math.min(share * 100, 99.9) : 100;
  return `${shown.toFixed(shown === 100 ? 0 : 1)} %`;
}

export function dollars(usd: number): string {
  return usd === 0 ? "$0" : usd < 0.01 ? `$${usd.toFixed(4)}` : `$${usd.toFixed(2)}`;
}

/** A time in one unit, for an axis. */
export function unit(seconds: number): string {
  // Two of them beside each other must not be rounded to one.
  const of = (n: number) => String(Number(n.toFixed(1)));
  if (seconds < 120) return `${of(seconds)}s`;
  if (seconds < 7_200) return `${of(seconds / 60)}m`;
  return seconds < 172_800 ? `${of(seconds / 3_600)}h` : `${of(seconds / 86_400)}d`;
}
