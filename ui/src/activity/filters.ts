// Filters of the activity page, stored in the URL so that a list can be linked to.

/** As in the URL. `range` counts back from now; `since` and `until` are fixed and take precedence. */
export interface Filters {
  q?: string;
  status?: string;
  risk?: string;
  source?: string;
  action?: string;
  space?: string;
  agent?: string;
  session?: string;
  run?: string;
  range?: string;
  since?: string;
  until?: string;
}

const NAMES = [
  "q",
  "status",
  "risk",
  "source",
  "action",
  "space",
  "agent",
  "session",
  "run",
  "range",
  "since",
  "until",
] as const;
const MOST_SEARCHED = 200;

/** Reads filters from a URL, ignoring anything invalid. */
export function readFilters(search: Record<string, unknown>): Filters {
  const found: Filters = {};
  for (const name of NAMES) {
    const value = search[name];
    if (typeof value === "string" && value !== "") found[name] = value;
    // The router parses digits in a URL as a number.
    if (typeof value === "number") found[name] = String(value);
  }
  if (found.q !== undefined) found.q = found.q.slice(0, MOST_SEARCHED);
  return found;
}

/** Sets a filter; an empty value removes it. */
export function withFilter(filters: Filters, name: keyof Filters, value: string): Filters {
  const { [name]: _, ...rest } = filters;
  return value === "" ? rest : { ...rest, [name]: value };
}

export const RANGES: readonly [string, string, number][] = [
  ["1h", "Last hour", 3_600],
  ["24h", "Last 24 hours", 86_400],
  ["7d", "Last 7 days", 7 * 86_400],
  ["30d", "Last 30 days", 30 * 86_400],
];

export const STATES: readonly [string, string][] = [
  ["pending", "Pending"],
  ["approved,executing", "In progress"],
  ["succeeded", "Succeeded"],
  ["failed,reverted", "Failed or reverted"],
  ["unknown", "Unknown outcome"],
  ["denied", "Denied"],
  ["expired", "Expired"],
  ["quarantined", "Quarantined"],
  ["skipped", "Dry runs"],
];

type ActivityQuery = Omit<Filters, "range">;

/** The query of the API: the range becomes a point in time. */
export function toQuery(filters: Filters, now: number): ActivityQuery {
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
