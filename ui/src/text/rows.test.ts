// One row per value, and different values never look the same.
import { expect, it } from "vitest";
import { Digits } from "../api/json";
import { rows } from "./rows";

it("has one row per value, however deep", () => {
  const value = { a: "5", b: 5, c: { d: [true, {}], "e.f": null }, n: [], big: new Digits("9007199254740993") };
  expect(rows(value).map((row) => [row.path, row.type, row.value])).toEqual([
    ["a", "text", "5"],
    ["b", "number", "5"],
    ["c.d[0]", "word", "true"],
    ["c.d[1]", "empty", "{}"],
    ['c."e.f"', "word", "null"],
    ["n", "empty", "[]"],
    ["big", "number", "9007199254740993"],
  ]);
});

it("says of nothing that it is nothing", () => expect(rows({})).toEqual([{ path: "", type: "empty", value: "{}" }]));

it("marks revealed values, and everything inside them", () => {
  const value = { "a/b": { c: 1, d: [2] }, e: [3, 4], f: { e: 5 } };
  const marked = rows(value, new Set(["/a~1b", "/e/1"])).filter((row) => row.isRevealed);
  expect(marked.map((row) => row.path)).toEqual(['"a/b".c', '"a/b".d[0]', "e[1]"]);
  expect(rows("x", new Set([""]))).toEqual([{ path: "", type: "text", value: "x", isRevealed: true }]);
});
