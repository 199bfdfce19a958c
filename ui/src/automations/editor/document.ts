// The edited definition as text and as value. The last edited one wins; invalid JSON leaves the value unchanged.
import { parse } from "../../api/json";
import { write } from "../../api/write";
import { type Fields, fields } from "../definition";

export interface Document {
  text: string;
  value: Fields;
  /** The parse error; null if the text is valid. */
  broken: string | null;
}

export function fromValue(value: Fields): Document {
  return { text: `${write(value, 2)}\n`, value, broken: null };
}

export function fromText(text: string, last: Fields): Document {
  try {
    const value = parse(text);
    if (typeof value !== "object" || value === null || Array.isArray(value))
      return { text, value: last, broken: "a definition must be an object: { … }" };
    return { text, value: fields(value), broken: null };
  } catch (error) {
    return { text, value: last, broken: error instanceof Error ? error.message : "invalid JSON" };
  }
}

const ORDER = ["schema_version", "name", "goal", "triggers", "inputs", "plan", "execution", "metadata"];
const STEP = ["step_id", "action", "when", "config", "output_as", "output_schema", "bounds"];

/** Orders the fields by importance; the gateway sorts them alphabetically. */
export function ordered(definition: Fields): Fields {
  const out = sorted(definition, ORDER);
  const steps = (value: unknown) => (Array.isArray(value) ? value.map((step) => sorted(fields(step), STEP)) : value);
  if (out.plan !== undefined) out.plan = steps(out.plan);
  if (Array.isArray(out.triggers)) out.triggers = out.triggers.map((each) => sorted(fields(each), ["type"]));
  const execution = fields(out.execution);
  if (execution.on_failure !== undefined) out.execution = { ...execution, on_failure: steps(execution.on_failure) };
  return out;
}

function sorted(object: Fields, first: string[]): Fields {
  const place = (name: string) => (first.includes(name) ? first.indexOf(name) : first.length);
  return Object.fromEntries(Object.entries(object).sort(([a], [b]) => place(a) - place(b)));
}

/** An unused name: `tell`, else `tell_2`, `tell_3` … */
export function uniqueName(wanted: string, used: readonly string[], between = "_"): string {
  for (let n = 1; ; n += 1) {
    const name = n === 1 ? wanted : `${wanted}${between}${n}`;
    if (!used.includes(name)) return name;
  }
}

export function stepName(action: string, used: readonly string[]): string {
  const base = (action.split(".").at(-1) ?? "")
    .toLowerCase()
    .replace(/[^a-z0-9_]+/g, "_")
    .replace(/^[^a-z]+/, "");
  return uniqueName(base.slice(0, 50) || "step", used);
}
