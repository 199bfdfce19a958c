// Parameter values that an action would reject. The gateway checks values only when a step runs, so these are warnings
// and do not prevent saving.
import { Validator } from "@cfworker/json-schema";
import { isTemplate } from "../../form/insert";
import type { DocumentProblem } from "../../form/problems";
import { type Fields, fields, onFailure, plan, type Step } from "../definition";
import type { Action } from "../queries";

const REPORTED_KEYWORDS = new Set([
  "type",
  "minimum",
  "maximum",
  "exclusiveMinimum",
  "exclusiveMaximum",
  "minLength",
  "maxLength",
  "pattern",
  "enum",
  "const",
  "minItems",
  "maxItems",
  "uniqueItems",
]);

export function warnings(definition: Fields, actions: readonly Action[]): DocumentProblem[] {
  const known = new Map(actions.map((each) => [each.action, each.input_schema]));
  const of = (steps: Step[], base: string) =>
    steps.flatMap(({ action, config }, index) => check(config, known.get(action), `${base}/${index}/config`));
  return [...of(plan(definition), "/plan"), ...of(onFailure(definition), "/execution/on_failure")];
}

function check(config: Fields, schema: unknown, base: string): DocumentProblem[] {
  if (schema === undefined) return [];
  const found = new Map<string, DocumentProblem>();
  try {
    for (const { keyword, instanceLocation, error } of new Validator(
      withoutSlowPatterns(schema) as object,
      "2020-12",
      false,
    ).validate(config).errors) {
      const path = instanceLocation.replace(/^#/, "");
      // The value of a template is only known in a run.
      if (!REPORTED_KEYWORDS.has(keyword) || path === "" || isTemplate(valueAt(config, path))) continue;
      if (!found.has(path)) found.set(path, { pointer: base + path, message: error });
    }
  } catch {
    // An unreadable schema gives no warnings.
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

/** Removes patterns that could backtrack forever: schemas are untrusted. */
function withoutSlowPatterns(schema: unknown): unknown {
  if (Array.isArray(schema)) return schema.map(withoutSlowPatterns);
  if (typeof schema !== "object" || schema === null) return schema;
  return Object.fromEntries(
    Object.entries(schema).flatMap(([name, each]) =>
      name === "patternProperties" || (name === "pattern" && typeof each === "string" && /\)[*+{]/.test(each))
        ? []
        : [[name, withoutSlowPatterns(each)]],
    ),
  );
}
