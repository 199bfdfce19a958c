// What was parsed is written back unchanged, also numbers that a double cannot hold.
import { expect, it } from "vitest";
import { parse } from "./json";
import { write } from "./write";

it("keeps every digit", () => {
  const text = '{"a":9007199254740993,"b":[1,"x",null,{}],"c":{"__proto__":[]}}';
  expect(write(parse(text))).toBe(text);
});

it("indents as JSON.stringify does, and leaves out what is not there", () => {
  const value = { a: [1, { b: "é\n" }], c: {}, d: [], e: undefined };
  expect(write(value, 2)).toBe(JSON.stringify(value, null, 2));
});
