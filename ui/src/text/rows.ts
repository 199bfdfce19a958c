// Parameters as rows, one per value: `labels[0]`, `target.team`. Different values never look the same.
import { Digits } from "../api/json";

export interface ValueRow {
  path: string;
  /** The kind of value, for its color. Strings are also quoted, so that "5" and 5 differ. */
  type: "text" | "number" | "word" | "empty";
  value: string;
  /** Whether the path is a label of this page and not a name in the data. */
  isLabel?: boolean;
}

/** More rows are hidden behind a count. */
export const MOST_ROWS = 400;

export function rows(value: unknown): ValueRow[] {
  const out: ValueRow[] = [];
  walk("", value, out);
  return out;
}

function walk(path: string, value: unknown, out: ValueRow[]): void {
  if (Array.isArray(value) && value.length > 0) {
    value.forEach((item, index) => walk(`${path}[${index}]`, item, out));
    return;
  }
  if (isFields(value) && Object.keys(value).length > 0) {
    for (const [name, inner] of Object.entries(value))
      walk(path === "" ? field(name) : `${path}.${field(name)}`, inner, out);
    return;
  }
  out.push({ path, ...literal(value) });
}

function isFields(value: unknown): value is Record<string, unknown> {
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
