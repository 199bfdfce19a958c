// An invalid value is reported at its place; a template is not.
import { expect, it } from "vitest";
import type { Action } from "../queries";
import { warnings } from "./warnings";

const action = (input_schema: object) => ({ action: "x.y", input_schema }) as unknown as Action;
const of = (config: object) => ({ plan: [{ step_id: "a", action: "x.y", config }] });
const schema = {
  properties: {
    first: { type: ["integer", "null"], maximum: 50 },
    ids: { type: "array", items: { type: "string", pattern: "^[A-Z]+$" } },
    level: { anyOf: [{ enum: ["a"] }, { type: "null" }] },
  },
};

it("tells values that do not fit, each once", () => {
  expect(
    warnings(of({ first: 99, ids: ["A", "b"], level: "z" }), [action(schema)]).map((each) => each.pointer),
  ).toEqual(["/plan/0/config/first", "/plan/0/config/ids/1", "/plan/0/config/level"]);
});

it("says nothing of templates, of what fits, and of what it does not know", () => {
  expect(warnings(of({ first: "{{ inputs.n }}", ids: ["{{ x }}"], level: "a" }), [action(schema)])).toEqual([]);
  expect(warnings(of({ first: 99 }), [])).toEqual([]);
});

it("does not run expressions that may take for ever", () => {
  const slow = action({ properties: { a: { type: "string", pattern: "^(a+)+$" } } });
  expect(warnings(of({ a: `${"a".repeat(40)}!` }), [slow])).toEqual([]);
});
