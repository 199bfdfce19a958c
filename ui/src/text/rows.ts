// Parameters as rows, one per value: `labels[0]`, `target.team`. Different values never look the same.
import { Digits } from "../api/json";

export interface ValueRow {
  path: string;
  /** The kind of value, for its color. Strings are also quoted, so that "5" and 5 differ. */
  type: "text" | "number" | "word" | "empty";
  value: string;
  /** Whether the path is a label of this page and not a name in the data. */
  isLabel?: boolean;
  /** Whether the value was hidden and a person revealed it. */
  isRevealed?: boolean;
}

/** More rows are hidden behind a count. */
export const MOST_ROWS = 400;

/** `revealed` has the JSON pointers of values that were hidden and are now revealed. */
export function rows(value: unknown, revealed?: ReadonlySet<string>): ValueRow[] {
  const out: ValueRow[] = [];
  walk("", value, out, revealed === undefined ? false : markAt(revealed, ""));
  return out;
}

/** Whether a value is revealed, or where it is while that depends on what is inside. */
type Mark = boolean | { revealed: ReadonlySet<string>; pointer: string };

function markAt(revealed: ReadonlySet<string>, pointer: string): Mark {
  return revealed.has(pointer) || { revealed, pointer };
}

function markInside(mark: Mark, name: string | number): Mark {
  return typeof mark === "boolean" ? mark : markAt(mark.revealed, pointerTo(mark.pointer, name));
}

/** The JSON pointer (RFC 6901) of a field or list entry. */
export function pointerTo(parent: string, name: string | number): string {
  return `${parent}/${String(name).replaceAll("~", "~0").replaceAll("/", "~1")}`;
}

function walk(path: string, value: unknown, out: ValueRow[], mark: Mark): void {
  if (Array.isArray(value) && value.length > 0) {
    value.forEach((item, index) => walk(`${path}[${index}]`, item, out, markInside(mark, index)));
    return;
  }
  if (isFields(value) && Object.keys(value).length > 0) {
    for (const [name, inner] of Object.entries(value))
      walk(path === "" ? field(name) : `${path}.${field(name)}`, inner, out, markInside(mark, name));
    return;
  }
  out.push({ path, ...literal(value), ...(mark === true && { isRevealed: true }) });
}

export function isFields(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !(value instanceof Digits) && !Array.isArray(value);
}

/** A name that could be read as a path is quoted. */
function field(name: string): string {
  return /^[\p{L}\p{N}_-]+$/u.test(name) ? name : `"${name.replace(/[\\"]/g, "\\$&")}"`;
}

function literal(value: unknown): Omit<ValueRow, "path"> {
  if (typeof value === "string") return { type: "text", value };
  if (typeof value === "number" || value instanceof Digits) return { type: "number", value: String(value) };
  if (Array.isArray(value) && value.length === 0) return { type: "empty", value: "[]" };
  if (isFields(value) && Object.keys(value).length === 0) return { type: "empty", value: "{}" };
  return { type: "word", value: JSON.stringify(value) ?? "null" };
}
