// Facts in words, before the gateway has said them.
import { write } from "../../api/write";
import { number } from "../../text/number";
import { isFields } from "../../text/rows";
import type { FactDefinition, FactKind, FactScope, FactStatus } from "../types";
import { listed } from "../words";
import { filterText } from "./conditions";

export const KINDS: Record<FactKind, { label: string; about: string; needsField: boolean }> = {
  any: { label: "Whether it happened", about: "yes or no", needsField: false },
  count: { label: "Number of calls", about: "counts the calls", needsField: false },
  sum: { label: "Sum of a field", about: "adds up numbers, such as amounts", needsField: true },
  distinct: { label: "Number of different values", about: "counts each value of a field once", needsField: true },
};

export const STATUSES: Record<FactStatus, { label: string; words: string }> = {
  counted: { label: "Counted: succeeded, unknown or not finished yet", words: "counted" },
  tried: { label: "Tried: counted, or failed", words: "tried" },
  succeeded: { label: "Succeeded", words: "that succeeded" },
  unknown: { label: "Unknown outcome", words: "with an unknown outcome" },
  denied: { label: "Denied", words: "that were denied" },
};

export const SCOPES: Record<FactScope, { label: string; words: string }> = {
  session: { label: "Each session", words: "per session" },
  automation: { label: "Each automation", words: "per automation" },
  space: { label: "Each space", words: "per space" },
  org: { label: "The whole organization", words: "in the organization" },
};

const UNITS: Record<string, { one: string; most: number }> = {
  m: { one: "minute", most: 43_200 },
  h: { one: "hour", most: 720 },
  d: { one: "day", most: 30 },
};
export const UNIT_NAMES = Object.keys(UNITS);
export const unitName = (unit: string): string => `${UNITS[unit]?.one ?? unit}s`;

/** `1h` as 1 and `h`; null if it is no window of 1 minute to 30 days. */
export function readWindow(within: string): { count: number; unit: string } | null {
  const [, digits = "", unit = ""] = /^(\d+)([mhd])$/.exec(within) ?? [];
  const count = Number(digits);
  return digits !== "" && count >= 1 && count <= (UNITS[unit]?.most ?? 0) ? { count, unit } : null;
}

const UNIT_MS: Record<string, number> = { m: 60_000, h: 3_600_000, d: 86_400_000 };

export const windowMs = ({ count, unit }: { count: number; unit: string }): number => count * (UNIT_MS[unit] ?? 0);

/** “1 hour”. */
export function windowText(within: string): string {
  const read = readWindow(within);
  if (read === null) return within;
  const one = UNITS[read.unit]?.one ?? read.unit;
  return read.count === 1 ? `1 ${one}` : `${number(read.count)} ${one}s`;
}

/** “sum of input.amount_cents of bank.transfer, counted, within 1 hour, where input.currency is EUR, per session”. */
export function factWords(fact: FactDefinition): string {
  const { kind, of, field, where, same, state, within, per } = full(fact);
  const actions = of.length === 0 ? "…" : listed(of);
  const what: Record<FactKind, string> = {
    any: `any ${actions}`,
    count: `number of ${actions}`,
    sum: `sum of ${field ?? "…"} of ${actions}`,
    distinct: `different values of ${field ?? "…"} of ${actions}`,
  };
  const conditions = filterText(where);
  return [
    what[kind],
    STATUSES[state].words,
    `within ${windowText(within)}`,
    ...(conditions === null ? [] : [`where ${conditions}`]),
    ...(same.length === 0 ? [] : [`with the same ${listed(same)}`]),
    SCOPES[per].words,
  ].join(", ");
}

/** What is wrong with a definition; null if nothing is. */
export function factProblem(fact: FactDefinition): string | null {
  const { name, kind, of, field, state, within } = full(fact);
  if (!/^[a-z][a-z0-9_]*$/.test(name))
    return "The name must start with a lowercase letter and contain only lowercase letters, digits and underscores.";
  if (of.length === 0) return "Choose at least one action.";
  if (KINDS[kind].needsField && (field === null || field.trim() === "")) return "Choose the field.";
  if (readsOutput(fact) && state !== "succeeded") return "A fact that reads output must be about calls that succeeded.";
  if (readWindow(within) === null) return "The time must be between 1 minute and 30 days.";
  return null;
}

/** Whether it reads results, which only calls that succeeded have. */
function readsOutput({ field, where }: FactDefinition): boolean {
  const isOutput = (path: string) => /^\/?output\b/.test(path);
  const reads = (value: unknown): boolean => {
    if (Array.isArray(value)) return value.some(reads);
    if (!isFields(value)) return false;
    return Object.entries(value).some(([path, inner]) => isOutput(path) || reads(inner));
  };
  return isOutput(field ?? "") || reads(where);
}

/** A definition without what the API adds to it, and with its defaults. */
export function full({ name, kind, of, field, where, same, state, within, per }: FactDefinition) {
  return {
    name,
    kind,
    of,
    field: field ?? null,
    where: where ?? null,
    same: same ?? [],
    state: state ?? ("counted" as const),
    within,
    per,
  };
}
export type FullFact = ReturnType<typeof full>;

/** Whether two definitions say the same. */
export function isSameFact(one: FactDefinition, other: FactDefinition): boolean {
  return write(full(one)) === write(full(other));
}
