// Any schema becomes one that a form can show; what cannot be shown is edited as JSON.
import { expect, it } from "vitest";
import { simplify } from "./simplify";

it("puts references in place and takes null for left empty", () => {
  const { schema, uiSchema } = simplify({
    type: "object",
    title: "Anything",
    required: ["level"],
    $defs: {
      Level: {
        description: "How loud.",
        oneOf: [{ const: "info", description: "Good to know." }, { const: "warning" }],
      },
    },
    properties: {
      level: { anyOf: [{ $ref: "#/$defs/Level" }, { type: "null" }] },
      count: { type: ["integer", "null"], maximum: 5 },
      body: { type: "string" },
    },
  });
  expect(schema).toEqual({
    type: "object",
    required: ["level"],
    properties: {
      level: {
        description: "How loud.",
        type: "string",
        oneOf: [
          { const: "info", title: "info", description: "Good to know." },
          { const: "warning", title: "warning" },
        ],
      },
      count: { type: "integer", maximum: 5 },
      body: { type: "string" },
    },
  });
  expect(uiSchema.body).toEqual({ "ui:widget": "textarea" });
});

it("leaves to JSON what has no form", () => {
  const { uiSchema } = simplify({
    properties: {
      any: {},
      free: { type: "object", additionalProperties: true },
      two: { type: ["string", "number"] },
      pair: { type: "array", items: [{}, {}] },
      texts: { type: "array", items: { type: "string", maxLength: 50 } },
    },
  });
  const json = { "ui:field": "json" };
  expect(uiSchema).toEqual({ any: json, free: json, two: json, pair: json, texts: { items: {} } });
});

it("ends with schemas that go round in circles or point nowhere", () => {
  const round = {
    $defs: { Node: { type: "object", properties: { next: { $ref: "#/$defs/Node" } } } },
    properties: {
      node: { $ref: "#/$defs/Node" },
      gone: { $ref: "#/$defs/No" },
      away: { $ref: "https://elsewhere.example/s" },
      self: { $ref: "#/properties/self" },
    },
  };
  const made = simplify(round);
  expect(JSON.stringify(made).length).toBeLessThan(2_000);
  expect(made.uiSchema.gone).toEqual({ "ui:field": "json" });
  expect(made.uiSchema.self).toEqual({ "ui:field": "json" });
});
