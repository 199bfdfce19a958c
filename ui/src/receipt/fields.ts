// Reads fields of verified documents strictly: nothing missing, nothing extra, nothing ambiguous.
import { canonical } from "./canonical";
import { CheckFailed } from "./checks";

export type Fields = Record<string, unknown>;

export function fieldsOf(value: unknown): Fields {
  if (typeof value !== "object" || value === null || Array.isArray(value))
    throw new CheckFailed("an object is missing");
  return value as Fields;
}

/** An object with these fields and no others. */
export function exactly(value: unknown, names: string[]): Fields {
  const fields = fieldsOf(value);
  if (canonical(Object.keys(fields).sort()) !== canonical([...names].sort()))
    throw new CheckFailed("unexpected or missing fields");
  return fields;
}

/** A non-negative integer. */
export function count(value: unknown): number {
  if (!Number.isSafeInteger(value) || Object.is(value, -0) || (value as number) < 0)
    throw new CheckFailed("an index or number is invalid");
  return value as number;
}

const NAME = /"(?:[^"\\]|\\[\s\S])*"(\s*:)?/g;

/** U+0000 and lone surrogates. */
const UNFIT = /\0|\p{Surrogate}/u;
const RESERVED = "$serde_json::private::";
const DEEPEST = 64;

/** JSON that every parser reads the same way: no duplicate names, no number that a double cannot hold. */
export function strict(text: string): unknown {
  const value = JSON.parse(text) as unknown;
  const written = [...text.matchAll(NAME)].filter(([, colon]) => colon !== undefined).length;
  if (written !== names(value)) throw new CheckFailed("a field name occurs twice");
  return value;
}

function names(value: unknown, depth = 0): number {
  if (typeof value === "string" && UNFIT.test(value))
    throw new CheckFailed("a string contains characters that not every parser accepts");
  if (typeof value === "number" && Math.abs(value) > Number.MAX_SAFE_INTEGER)
    throw new CheckFailed("a number is too large to be exact");
  if (typeof value !== "object" || value === null) return 0;
  if (depth >= DEEPEST) throw new CheckFailed("nested too deeply");
  const own = Array.isArray(value) ? [] : Object.keys(value);
  if (own.some((name) => UNFIT.test(name) || name.startsWith(RESERVED)))
    throw new CheckFailed("a field name contains characters that not every parser accepts");
  return Object.values(value).reduce<number>((sum, inner) => sum + names(inner, depth + 1), own.length);
}

const MOMENT =
  /^((\d{4})-(0[1-9]|1[0-2])-(0[1-9]|[12]\d|3[01])T([01]\d|2[0-3]):([0-5]\d):([0-5]\d|60))(?:\.(\d{1,9}))?Z$/;

function parts(at: unknown): string[] {
  const found = typeof at === "string" ? MOMENT.exec(at) : null;
  if (found === null) throw new CheckFailed("a time is not RFC 3339 in UTC");
  return found.map((part) => part ?? "");
}

/** RFC 3339 in UTC, so that string order is time order. */
export function moment(at: unknown): string {
  const [, seconds, , , , , , , fraction = ""] = parts(at);
  return `${seconds}.${fraction.padEnd(9, "0")}`;
}

/** Whole seconds. */
export function seconds(at: unknown): number {
  const [year = 0, month = 0, day = 0, hour = 0, minute = 0, second = 0] = parts(at).slice(2, 8).map(Number);
  // Date.UTC takes years below 100 for 19xx; the calendar repeats after 2000 years.
  return Date.UTC(year + 2_000, month - 1, day, hour, minute, second) / 1_000;
}
