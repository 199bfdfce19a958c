// Simplifies any JSON Schema for a form: resolves references, treats "or null" as optional, and leaves complex parts to
// a JSON field. The gateway checks what the form does not.
import type { RJSFSchema, UiSchema } from "@rjsf/utils";

type Schema = Record<string, unknown>;

export interface Simple {
  schema: RJSFSchema;
  uiSchema: UiSchema;
}

/** Deeper fields are edited as JSON. */
const MAX_DEPTH = 4;
const COPIED_KEYWORDS = [
  "description",
  "default",
  "minimum",
  "maximum",
  "minLength",
  "maxLength",
  "minItems",
  "maxItems",
  "pattern",
  "format",
];
const LONG_TEXT = 200;

export function simplify(schema: unknown): Simple {
  const root = object(schema);
  return simple(root, root, 0);
}

function simple(source: Schema, root: Schema, depth: number): Simple {
  const schema = settle(source, root);
  const copied: Schema = {};
  for (const name of COPIED_KEYWORDS) if (schema[name] !== undefined) copied[name] = schema[name];
  const choices = choicesOf(schema);
  if (choices !== null) return { schema: { ...copied, type: "string", oneOf: choices } as RJSFSchema, uiSchema: {} };
  const type = typeOf(schema);
  const asJson = (): Simple => ({
    schema: { ...copied, type: "object" } as RJSFSchema,
    uiSchema: { "ui:field": "json" },
  });
  if (type === "object") {
    const properties = object(schema.properties);
    if (
      depth >= MAX_DEPTH ||
      (depth > 0 && Object.keys(properties).length === 0) ||
      (depth > 0 && schema.additionalProperties === true)
    )
      return asJson();
    const required = Array.isArray(schema.required) ? schema.required.filter((name) => typeof name === "string") : [];
    // Required fields first.
    const place = (name: string) => (required.includes(name) ? 0 : 1);
    const simplified = Object.entries(properties)
      .sort(([a], [b]) => place(a) - place(b))
      .map(([name, each]) => [name, simple(object(each), root, depth + 1)] as const);
    return {
      schema: {
        ...copied,
        type,
        required,
        properties: Object.fromEntries(simplified.map(([name, each]) => [name, each.schema])),
      } as RJSFSchema,
      uiSchema: Object.fromEntries(simplified.map(([name, each]) => [name, each.uiSchema])),
    };
  }
  if (type === "array") {
    if (depth >= MAX_DEPTH || Array.isArray(schema.items) || typeOf(settle(object(schema.items), root)) === null)
      return asJson();
    const items = simple(object(schema.items), root, depth + 1);
    return { schema: { ...copied, type, items: items.schema } as RJSFSchema, uiSchema: { items: items.uiSchema } };
  }
  if (type === null) return asJson();
  const isLong =
    type === "string" &&
    schema.format === undefined &&
    schema.pattern === undefined &&
    !(Number(schema.maxLength ?? Infinity) <= LONG_TEXT);
  return { schema: { ...copied, type } as RJSFSchema, uiSchema: isLong ? { "ui:widget": "textarea" } : {} };
}

/** Resolves references and removes "or null". */
function settle(schema: Schema, root: Schema): Schema {
  let now = schema;
  for (let n = 0; n < 8; n += 1) {
    const ref = now.$ref;
    const options = [now.anyOf, now.oneOf].find(Array.isArray);
    const real = options?.map(object).filter((each) => each.type !== "null");
    if (typeof ref === "string") now = { ...lookUp(ref, root), ...without(now, "$ref") };
    else if (options !== undefined && real?.length === 1 && real[0] !== undefined)
      now = { ...real[0], ...without(now, "anyOf", "oneOf") };
    else return now;
  }
  return {};
}

function lookUp(ref: string, root: Schema): Schema {
  if (!ref.startsWith("#/")) return {};
  let at: unknown = root;
  for (const part of ref.slice(2).split("/")) at = object(at)[part.replaceAll("~1", "/").replaceAll("~0", "~")];
  return object(at);
}

/** Options from `enum`, or from constants with descriptions. */
function choicesOf(schema: Schema): { const: string; title: string; description?: string }[] | null {
  const listed = schema.enum;
  if (Array.isArray(listed)) {
    const texts = listed.filter((each) => typeof each === "string");
    return texts.length > 0 && texts.length === listed.filter((each) => each !== null).length
      ? texts.map((each) => ({ const: each, title: each }))
      : null;
  }
  const options = schema.oneOf;
  if (!Array.isArray(options) || options.length === 0) return null;
  const constants = options.map(object).map(({ const: value, description }) => ({ value, description }));
  if (!constants.every(({ value }) => typeof value === "string")) return null;
  return constants.map(({ value, description }) => ({
    const: value as string,
    title: value as string,
    ...(typeof description === "string" ? { description } : {}),
  }));
}

function typeOf(schema: Schema): string | null {
  const declared = schema.type;
  const types = (Array.isArray(declared) ? declared : [declared]).filter(
    (each) => each !== "null" && each !== undefined,
  );
  if (types.length === 0 && schema.properties !== undefined) return "object";
  const [only] = types;
  return types.length === 1 &&
    typeof only === "string" &&
    ["object", "array", "string", "number", "integer", "boolean"].includes(only)
    ? only
    : null;
}

function object(value: unknown): Schema {
  return typeof value === "object" && value !== null && !Array.isArray(value) ? (value as Schema) : {};
}

function without(schema: Schema, ...names: string[]): Schema {
  return Object.fromEntries(Object.entries(schema).filter(([name]) => !names.includes(name)));
}
