// Reads a definition that may be incomplete: whatever has the wrong type reads as empty. The gateway reports the
// problems.
import { Digits } from "../api/json";

export type Fields = Record<string, unknown>;

/** In place of an action: a model performs the step. */
export const AGENT_TASK = "agent_task";

export interface Step {
  step_id: string;
  action: string;
  when: string;
  output_as: string;
  config: Fields;
}

export interface Trigger {
  type: string;
  config: Fields;
}

export interface Input {
  name: string;
  type: string;
  isRequired: boolean;
  schema: Fields;
}

export function fields(value: unknown): Fields {
  return typeof value === "object" && value !== null && !Array.isArray(value) && !(value instanceof Digits)
    ? (value as Fields)
    : {};
}

export function list(value: unknown): unknown[] {
  return Array.isArray(value) ? value : [];
}

export function text(value: unknown): string {
  return typeof value === "string" ? value : "";
}

export function steps(value: unknown): Step[] {
  return list(value).map((each) => {
    const { step_id, action, when, output_as, config } = fields(each);
    return {
      step_id: text(step_id),
      action: text(action),
      when: text(when),
      output_as: text(output_as),
      config: fields(config),
    };
  });
}

export function plan(definition: Fields): Step[] {
  return steps(definition.plan);
}

export function onFailure(definition: Fields): Step[] {
  return steps(fields(definition.execution).on_failure);
}

export function triggers(definition: Fields): Trigger[] {
  return list(definition.triggers).map((each) => ({
    type: text(fields(each).type),
    config: fields(fields(each).config),
  }));
}

export function inputsSchema(definition: Fields): Fields {
  return fields(fields(definition.inputs).schema);
}

export function inputs(definition: Fields): Input[] {
  const schema = inputsSchema(definition);
  const required = new Set(list(schema.required));
  return Object.entries(fields(schema.properties)).map(([name, each]) => {
    const one = fields(each);
    const type = one.type;
    return {
      name,
      type: (Array.isArray(type) ? type.map(String) : [text(type)])
        .map((type) => (type === "string" ? "text" : type))
        .join(" or "),
      isRequired: required.has(name),
      schema: one,
    };
  });
}

/** A copy with one field set, or removed if the value is undefined. */
export function put(object: Fields, name: string, value: unknown): Fields {
  if (value !== undefined) return { ...object, [name]: value };
  const { [name]: _, ...rest } = object;
  return rest;
}

/** A copy with one element changed, or removed if the value is undefined. */
export function putAt<T>(items: readonly T[], index: number, value: T | undefined): T[] {
  return items.flatMap((each, at) => (at !== index ? [each] : value === undefined ? [] : [value]));
}

/** A copy with one element moved up (-1) or down (1). */
export function move<T>(items: readonly T[], index: number, by: -1 | 1): T[] {
  const to = index + by;
  const moved = items[index];
  if (moved === undefined || to < 0 || to >= items.length) return [...items];
  const rest = items.filter((_, at) => at !== index);
  return [...rest.slice(0, to), moved, ...rest.slice(to)];
}
