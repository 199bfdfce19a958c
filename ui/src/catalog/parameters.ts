// An input schema as rows a person can read: one per parameter, with those inside it, however deep.
import { Digits } from "../api/json";

export interface Parameter {
  /** `labels[]`, `target.team`. */
  path: string;
  type: string;
  isRequired: boolean;
  about: string;
  /** Bounds and choices, in words. */
  limits: string[];
}

export const MAX_PARAMETERS = 200;
const MAX_DEPTH = 6;

type Fields = Record<string, unknown>;

export function parameters(schema: unknown): Parameter[] {
  const out: Parameter[] = [];
  if (isFields(schema)) walk(schema, "", schema, 0, out);
  return out;
}

function walk(schema: Fields, path: string, root: Fields, depth: number, out: Parameter[]): void {
  const properties = schema.properties;
  if (!isFields(properties)) return;
  const required = Array.isArray(schema.required) ? schema.required : [];
  for (const [name, found] of Object.entries(properties)) {
    if (out.length >= MAX_PARAMETERS) return;
    const inner = resolve(found, root);
    const at = path === "" ? name : `${path}.${name}`;
    out.push({
      path: at,
      type: typeOf(inner),
      isRequired: required.includes(name),
      about: text(inner.description),
      limits: limits(inner),
    });
    if (depth >= MAX_DEPTH) continue;
    walk(inner, at, root, depth + 1, out);
    if (isFields(inner.items)) walk(resolve(inner.items, root), `${at}[]`, root, depth + 1, out);
  }
}

function resolve(schema: unknown, root: Fields): Fields {
  if (!isFields(schema)) return {};
  const ref = schema.$ref;
  if (typeof ref !== "string" || !ref.startsWith("#/")) return schema;
  let at: unknown = root;
  for (const part of ref.slice(2).split("/"))
    at = isFields(at) ? at[part.replace(/~1/g, "/").replace(/~0/g, "~")] : undefined;
  return isFields(at) ? at : schema;
}

function typeOf(schema: Fields): string {
  const type = schema.type;
  if (type === "array" && isFields(schema.items)) return `list of ${typeOf(schema.items)}`;
  if (typeof type === "string") return type;
  if (Array.isArray(type)) return type.map(String).join(" or ");
  for (const keyword of ["oneOf", "anyOf"]) {
    const choices = schema[keyword];
    if (Array.isArray(choices))
      return [...new Set(choices.map((each) => (isFields(each) ? typeOf(each) : "anything")))].join(" or ");
  }
  return "enum" in schema || "const" in schema ? "choice" : "anything";
}

const BOUNDS: [string, string][] = [
  ["minimum", "at least"],
  ["exclusiveMinimum", "more than"],
  ["maximum", "at most"],
  ["exclusiveMaximum", "less than"],
  ["minLength", "characters: at least"],
  ["maxLength", "characters: at most"],
  ["minItems", "items: at least"],
  ["maxItems", "items: at most"],
  ["format", "as"],
  ["pattern", "matches"],
];

function limits(schema: Fields): string[] {
  const out: string[] = [];
  if (Array.isArray(schema.enum)) out.push(`one of ${schema.enum.map(json).join(", ")}`);
  if ("const" in schema) out.push(`always ${json(schema.const)}`);
  for (const [keyword, label] of BOUNDS) if (keyword in schema) out.push(`${label} ${text(schema[keyword])}`);
  if ("default" in schema) out.push(`default ${json(schema.default)}`);
  return out;
}

function text(value: unknown): string {
  return typeof value === "string" ? value : value === undefined ? "" : json(value);
}

function json(value: unknown): string {
  return value instanceof Digits ? String(value) : (JSON.stringify(value) ?? "");
}

function isFields(value: unknown): value is Fields {
  return typeof value === "object" && value !== null && !Array.isArray(value) && !(value instanceof Digits);
}
