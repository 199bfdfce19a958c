// The fields of documents that are verified, read strictly: nothing missing, nothing more, nothing with two meanings.
import { canonical } from "./canonical";
import { Wrong } from "./checks";

export type Fields = Record<string, unknown>;

export function fieldsOf(value: unknown): Fields {
  if (typeof value !== "object" || value === null || Array.isArray(value)) throw new Wrong("something in it is missing");
  return value as Fields;
}

/** An object with these fields and no others. */
export function exactly(value: unknown, names: string[]): Fields {
  const fields = fieldsOf(value);
  if (canonical(Object.keys(fields).sort()) !== canonical([...names].sort())) throw new Wrong("it has other fields than it should");
  return fields;
}

/** A place or a number: whole, and not below zero. */
export function count(value: unknown): number {
  if (!Number.isSafeInteger(value) || Object.is(value, -0) || (value as number) < 0) throw new Wrong("a place or a number in it is none");
  return value as number;
}

const NAME = /"(?:[^"\\]|\\[^])*"(\s*:)?/g;

/** U+0000, or half of a pair. */
const UNFIT = /\0|\p{Surrogate}/u;
const RESERVED = "$serde_json::private::";
const DEEPEST = 64;

/** JSON that every reader understands alike: no name twice in one object, no number that a double cannot hold. */
export function strict(text: string): unknown {
  const value = JSON.parse(text) as unknown;
  const written = [...text.matchAll(NAME)].filter(([, colon]) => colon !== undefined).length;
  if (written !== names(value)) throw new Wrong("a name in it occurs twice");
  return value;
}

function names(value: unknown, depth = 0): number {
  if (typeof value === "string" && UNFIT.test(value)) throw new Wrong("a text in it cannot be kept by every reader");
  if (typeof value === "number" && Math.abs(value) > Number.MAX_SAFE_INTEGER) throw new Wrong("a number in it is beyond what every reader keeps exactly");
  if (typeof value !== "object" || value === null) return 0;
  if (depth >= DEEPEST) throw new Wrong("it is nested too deep");
  const own = Array.isArray(value) ? [] : Object.keys(value);
  if (own.some((name) => UNFIT.test(name) || name.startsWith(RESERVED))) throw new Wrong("a name in it cannot be kept by every reader");
  return Object.values(value).reduce<number>((sum, inner) => sum + names(inner, depth + 1), own.length);
}

const MOMENT = /^((\d{4})-(0[1-9]|1[0-2])-(0[1-9]|[12]\d|3[01])T([01]\d|2[0-3]):([0-5]\d):([0-5]\d|60))(?:\.(\d{1,9}))?Z$/;

function parts(at: unknown): string[] {
  const found = typeof at === "string" ? MOMENT.exec(at) : null;
  if (found === null) throw new Wrong("a time is not RFC 3339 in UTC");
  return found.map((part) => part ?? "");
}

/** RFC 3339 in UTC, so that the order of texts is the order of time. */
export function moment(at: unknown): string {
  const [, whole, , , , , , , fraction = ""] = parts(at);
  return `${whole}.${fraction.padEnd(9, "0")}`;
}

/** Whole seconds, to be counted with. */
export function seconds(at: unknown): number {
  const [year = 0, month = 0, day = 0, hour = 0, minute = 0, second = 0] = parts(at).slice(2, 8).map(Number);
  // Two thousand years on the calendar is the same, and no year is taken for one of 1900.
  return Date.UTC(year + 2_000, month - 1, day, hour, minute, second) / 1_000;
}
