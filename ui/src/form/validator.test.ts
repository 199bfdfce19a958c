// Values are checked without compiling anything.
import { expect, it } from "vitest";
import { validator } from "./validator";

const schema = {
  type: "object",
  required: ["a"],
  properties: { a: { type: "string" }, b: { type: "array", items: { type: "integer" } } },
} as const;

it("says whether and where a value does not fit", () => {
  expect(validator.isValid(schema as never, { a: "x" }, schema as never)).toBe(true);
  expect(validator.isValid(schema as never, {}, schema as never)).toBe(false);
  const { errorSchema } = validator.validateFormData({ a: "x", b: [1, "two"] }, schema as never);
  expect(errorSchema).toMatchObject({ b: { 1: { __errors: [expect.stringContaining("integer")] } } });
});

it("takes a schema that is none for one that nothing fits", () => {
  expect(validator.isValid({ $ref: "#/nowhere" } as never, {}, {} as never)).toBe(false);
});
