// Conditions on parameters that a person can choose, and the filter they become: "always for this channel".
import { Digits } from "../../api/json";
import { isFields, pointerTo } from "../../text/rows";
import type { ShownDocument } from "../shown";

export interface Condition {
  /** A top-level parameter. */
  name: string;
  value: string | number | boolean | Digits;
  isPreselected: boolean;
}

/** A filter as the API reads it: every path must have its value. */
export type Filter = Record<string, { equals: Condition["value"] }>;

const LONGEST_TEXT = 200;
/** Longer texts are rarely IDs, and would never match again. */
const LONGEST_ID = 64;
/** The gateway's limits of a filter: bytes of a path, and conditions. */
const LONGEST_PATH = 256;
export const MOST_CONDITIONS = 64;

/** The conditions that a document offers. A value that is hidden is never one: it would be written into the rule. */
export function conditionsOf(shown: Pick<ShownDocument, "params" | "hidden">): Condition[] {
  const params: unknown = shown.params;
  const hidden = new Set(shown.hidden.map(({ pointer }) => pointer));
  if (!isFields(params) || hidden.has("")) return [];
  return Object.entries(params).flatMap(([name, value]) =>
    isOffered(value) && isPath(name) && !hidden.has(pointerTo("", name))
      ? [{ name, value, isPreselected: isPreselected(value) }]
      : [],
  );
}

function isOffered(value: unknown): value is Condition["value"] {
  if (typeof value === "string") return [...value].length <= LONGEST_TEXT;
  return typeof value === "number" || typeof value === "boolean" || value instanceof Digits;
}

/** Whether the gateway accepts the name in a path. */
function isPath(name: string): boolean {
  return name !== "" && new TextEncoder().encode(pathOf(name)).length <= LONGEST_PATH;
}

/** Numbers, booleans, and what looks like an ID, a channel, a repository or a path. */
function isPreselected(value: Condition["value"]): boolean {
  return typeof value !== "string" || ([...value].length <= LONGEST_ID && !/\s/.test(value));
}

/** A name as a path of a filter: a JSON pointer (RFC 6901) where the name could be read as something else. */
export function pathOf(name: string): string {
  return /^\$|[./~]/.test(name) ? pointerTo("", name) : name;
}

/** The filter that these conditions become; undefined if there are none, because an empty filter matches every call. */
export function filterOf(conditions: readonly Condition[]): Filter | undefined {
  if (conditions.length === 0) return undefined;
  // `fromEntries` defines own properties, also one named `__proto__`.
  return Object.fromEntries(conditions.map(({ name, value }) => [pathOf(name), { equals: value }]));
}
