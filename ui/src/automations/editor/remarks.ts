// Values that an action would not take. The gateway looks at the names of parameters when a definition is saved, and at
// their values when a step is done; whoever writes one would rather know now. It does not keep anybody from saving.
import { Validator } from "@cfworker/json-schema";
import { isTemplate } from "../../form/insert";
import type { DocumentProblem } from "../../form/problems";
import { type Fields, fields, onFailure, plan, type Step } from "../definition";
import type { Action } from "../queries";

const TOLD = new Set(["type", "minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum", "minLength", "maxLength", "pattern", "enum", "const", "minItems", "maxItems", "uniqueItems"]);

export function remarks(definition: Fields, actions: readonly Action[]): DocumentProblem[] {
  const known = new Map(actions.map((each) => [each.action, each.input_schema]));
  const of = (steps: Step[], base: string) => steps.flatMap(({ action, config }, index) => check(config, known.get(action), `${base}/${index}/config`));
  return [...of(plan(definition), "/plan"), ...of(onFailure(definition), "/execution/on_failure")];
}

function check(config: Fields, schema: unknown, base: string): DocumentProblem[] {
  if (schema === undefined) return [];
  const found = new Map<string, DocumentProblem>();
  try {
    for (const { keyword, instanceLocation, error } of new Validator(mild(schema) as object, "2020-12", false).validate(config).errors) {
      const path = instanceLocation.replace(/^#/, "");
      // What comes of a template is only known in a run.
      if (!TOLD.has(keyword) || path === "" || isTemplate(valueAt(config, path))) continue;
      if (!found.has(path)) found.set(path, { pointer: base + path, message: error });
    }
  } catch {
    // A schema that cannot be read says nothing.
  }
  return [...found.values()];
}

function valueAt(value: unknown, path: string): unknown {
  let at = value;
  for (const part of path.split("/").slice(1)) {
    const name = part.replaceAll("~1", "/").replaceAll("~0", "~");
    at = Array.isArray(at) ? at[Number(name)] : fields(at)[name];
  }
  return at;
}

/** Without expressions that could take for ever: the schemas of sources are a stranger's. */
function mild(schema: unknown): unknown {
  if (Array.isArray(schema)) return schema.map(mild);
  if (typeof schema !== "object" || schema === null) return schema;
  return Object.fromEntries(Object.entries(schema).flatMap(([name, each]) => (name === "patternProperties" || (name === "pattern" && typeof each === "string" && /\)[*+{]/.test(each)) ? [] : [[name, mild(each)]])));
}
