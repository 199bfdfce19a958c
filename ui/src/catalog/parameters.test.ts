// Schemas of servers become rows, whatever they hold.
import { expect, test } from "vitest";
import { parameters } from "./parameters";

test("every parameter has a row, also those inside others and behind references", () => {
  const schema = {
    type: "object",
    required: ["to"],
    properties: {
      to: { type: "string", description: "Whom", maxLength: 20 },
      target: { $ref: "#/$defs/target" },
      labels: { type: "array", items: { type: "object", properties: { name: { enum: ["a", "b"] } } } },
    },
    $defs: { target: { type: "object", properties: { team: { type: ["string", "null"], default: null } } } },
  };
  expect(parameters(schema).map((row) => [row.path, row.type, row.isRequired, row.limits])).toEqual([
    ["to", "string", true, ["characters: at most 20"]],
    ["target", "object", false, []],
    ["target.team", "string or null", false, ["default null"]],
    ["labels", "list of object", false, []],
    ["labels[].name", "choice", false, ['one of "a", "b"']],
  ]);
});

test("a schema that refers to itself ends, and what is no schema has no rows", () => {
  const self = { type: "object", properties: { child: { $ref: "#" } } };
  expect(parameters(self).length).toBeLessThan(10);
  expect(parameters(true)).toEqual([]);
  expect(parameters({ type: "object" })).toEqual([]);
});
