// Two columns: nothing that changed is lost, and no text is cut through a character.
import { expect, test } from "vitest";
import { cut, driftCount, driftRows, placeText } from "./drift";

const before = {
  name: "send",
  description: "Sends",
  hints: { read_only: false },
  input_schema: { properties: { to: { type: "string", description: "whom" } } },
};
const after = {
  name: "send",
  description: "Sends.",
  hints: { read_only: true },
  input_schema: { properties: { to: { type: "string" }, bcc: { type: "string", description: "more" } } },
};
const changes = [
  { place: "/description", words: true },
  { place: "/hints/read_only", words: false },
  { place: "/input_schema/properties/bcc", words: false },
  { place: "/input_schema/properties/to/description", words: true },
];

test("what changed stands in both columns, and texts are told apart from the schema", () => {
  const rows = driftRows(before, after, changes);
  const kinds = Object.fromEntries(rows.map((row) => [row.place, row.change]));
  expect(kinds).toEqual({
    "/name": "none",
    "/description": "words",
    "/hints/read_only": "shape",
    "/input_schema/properties/bcc/type": "shape",
    "/input_schema/properties/bcc/description": "shape",
    "/input_schema/properties/to/description": "words",
    "/input_schema/properties/to/type": "none",
  });
  expect(rows[0]?.place).toBe("/name");
  expect(driftCount(rows)).toEqual({ shape: 3, texts: 2 });
});

test("a difference that the gateway did not list is a shape", () => {
  expect(driftRows({ a: 1 }, { a: "1" }, [])).toEqual([
    { place: "/a", before: { type: "other", value: "1" }, after: { type: "text", value: "1" }, change: "shape" },
  ]);
});

test("an object that was empty is shown by its new parts only", () => {
  expect(driftRows({ hints: {} }, { hints: { read_only: true } }, []).map((row) => row.place)).toEqual([
    "/hints/read_only",
  ]);
});

test("the parts of a text put together are the text, and no pair of surrogates is cut", () => {
  for (const [a, b] of [
    ["abcd", "abXcd"],
    ["aa", "aaa"],
    ["", "x"],
    ["😀b", "😁b"],
    ["same", "same"],
  ] as const) {
    const parts = cut(a, b);
    expect(parts.before.head + parts.before.middle + parts.before.tail).toBe(a);
    expect(parts.after.head + parts.after.middle + parts.after.tail).toBe(b);
  }
  expect(cut("😀b", "😁b").after.middle).toBe("😁");
});

test("places are read back from their pointers", () => {
  expect(placeText("/input_schema/properties/a~1b")).toBe("input_schema › properties › a/b");
});
