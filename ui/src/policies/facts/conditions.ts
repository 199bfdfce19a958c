// The conditions of a fact as rows of a form, and the filter they become.
import type { Json } from "../../api/json";
import { Digits, parse } from "../../api/json";
import { write } from "../../api/write";
import { isFields } from "../../text/rows";
import type { Filter } from "../types";

export interface Row {
  path: string;
  operator: string;
  /** As typed. */
  value: string;
}

export const OPERATORS: readonly (readonly [string, string])[] = [
  ["equals", "is"],
  ["not_equals", "is not"],
  ["contains", "contains"],
  ["starts_with", "starts with"],
  ["ends_with", "ends with"],
  ["gt", "is greater than"],
  ["gte", "is at least"],
  ["lt", "is less than"],
  ["lte", "is at most"],
  ["exists", "exists"],
];
const NAMES = new Map(OPERATORS);
const NUMBERS = new Set(["gt", "gte", "lt", "lte"]);
const TEXTS = new Set(["starts_with", "ends_with"]);

/** The rows of a filter; null if it needs more than rows can say. */
export function rowsOf(filter: Filter | null): Row[] | null {
  if (filter === null) return [];
  const rows: Row[] = [];
  for (const [path, operators] of Object.entries(filter)) {
    if (path.startsWith("$") || !isFields(operators)) return null;
    for (const [operator, value] of Object.entries(operators)) {
      if (!NAMES.has(operator) || !isSimple(value)) return null;
      rows.push({ path, operator, value: valueText(value) });
    }
  }
  return rows;
}

const isSimple = (value: unknown): value is Json =>
  value === null || typeof value !== "object" || value instanceof Digits;

/** A text that could be read as something else is quoted. */
function valueText(value: Json): string {
  if (typeof value !== "string") return write(value);
  return readValue(value) === value ? value : write(value);
}

/** A typed value: JSON where it is a number, a boolean, null or in quotes, else the text as it is. */
function readValue(typed: string): Json {
  const text = typed.trim();
  if (!/^(-?\d+(\.\d+)?([eE][+-]?\d+)?|true|false|null|".*")$/s.test(text)) return text;
  try {
    return parse(text);
  } catch {
    return text;
  }
}

/** The filter of the rows, null for none, or what is wrong with a row. */
export function filterOf(rows: readonly Row[]): { filter: Filter | null } | { problem: string } {
  const filter: Record<string, Record<string, Json>> = {};
  for (const { path, operator, value } of rows) {
    const name = path.trim();
    if (name === "") return { problem: "A condition has no field." };
    const operators = Object.hasOwn(filter, name) ? (filter[name] ?? {}) : {};
    if (Object.hasOwn(operators, operator)) return { problem: `${name} has the same condition twice.` };
    const read = TEXTS.has(operator) ? value.trim() : operator === "exists" ? value !== "false" : readValue(value);
    if (NUMBERS.has(operator) && typeof read !== "number" && !(read instanceof Digits))
      return { problem: `${name} must be compared with a number.` };
    if (read === "") return { problem: `The condition on ${name} has no value.` };
    Object.defineProperty(filter, name, {
      value: { ...operators, [operator]: read },
      enumerable: true,
      configurable: true,
      writable: true,
    });
  }
  return { filter: rows.length === 0 ? null : filter };
}

/** “input.currency is EUR”. */
export function filterText(filter: Filter | null): string | null {
  if (filter === null) return null;
  const rows = rowsOf(filter);
  if (rows === null) return write(filter);
  return rows
    .map(({ path, operator, value }) =>
      operator === "exists"
        ? `${path} ${value === "false" ? "does not exist" : "exists"}`
        : `${path} ${NAMES.get(operator)} ${value}`,
    )
    .join(" and ");
}
