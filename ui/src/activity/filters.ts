// Which invocations are listed: kept in the address, so that a list can be linked to, and sent to the gateway as it is.

/** As in the address. `range` counts back from now; `since` and `until` are fixed and win over it. */
export interface Filters {
  q?: string;
  status?: string;
  risk?: string;
  source?: string;
  action?: string;
  space?: string;
  session?: string;
  run?: string;
  range?: string;
  since?: string;
  until?: string;
}

const NAMES = ["q", "status", "risk", "source", "action", "space", "session", "run", "range", "since", "until"] as const;
const MOST_SEARCHED = 200;

/** Reads an address, whatever stands in it. */
export function readFilters(search: Record<string, unknown>): Filters {
  const found: Filters = {};
  for (const name of NAMES) {
    const value = search[name];
    if (typeof value === "string" && value !== "") found[name] = value;
    // The router reads digits in an address as a number.
    if (typeof value === "number") found[name] = String(value);
  }
  if (found.q !== undefined) found.q = found.q.slice(0, MOST_SEARCHED);
  return found;
}

/** With one filter changed, or taken out by an empty text. */
export function withFilter(filters: Filters, name: keyof Filters, value: string): Filters {
  const { [name]: _, ...rest } = filters;
  return value === "" ? rest : { ...rest, [name]: value };
}

export const RANGES: readonly [string, string, number][] = [
  ["1h", "the last hour", 3_600],
  ["24h", "the last 24 hours", 86_400],
  ["7d", "the last 7 days", 7 * 86_400],
  ["30d", "the last 30 days", 30 * 86_400],
];

/** The states in groups, as people look for them. */
export const STATES: readonly [string, string][] = [
  ["pending", "waits for a person"],
  ["approved,executing", "under way"],
  ["succeeded", "succeeded"],
  ["failed,reverted", "failed or reverted"],
  ["unknown", "unknown outcome"],
  ["denied", "denied"],
  ["expired", "expired"],
  ["quarantined", "quarantined"],
  ["skipped", "dry runs"],
];

export type Asked = Omit<Filters, "range">;

/** What the gateway is asked: the range as a moment. */
export function asked(filters: Filters, now: number): Asked {
  const { range, ...rest } = filters;
  const length = RANGES.find(([id]) => id === range)?.[2];
  if (length === undefined || rest.since !== undefined || rest.until !== undefined) return rest;
  return { ...rest, since: new Date(now - length * 1_000).toISOString() };
}

/** `linear` is a source, `linear.create_issue` an action. */
export function where(text: string): Pick<Filters, "source" | "action"> {
  const typed = text.trim();
  if (typed === "") return {};
  return typed.includes(".") ? { action: typed } : { source: typed };
}
