// What a change added, removed and replaced is marked; nothing else is.
import { expect, it } from "vitest";
import { Digits } from "../../api/json";
import { stateRows } from "./state";

const marks = (before: unknown, after: unknown) => stateRows(before, after).map(({ path, mark }) => [path, mark]);

it("compares values by their path", () => {
  const before = { mode: "allow", where: { channel: "C1" }, reason: "", spaces: ["a", "b"] };
  const after = { mode: "deny", reason: "", spaces: ["a"], step: null };
  expect(marks(before, after)).toEqual([
    ["mode", "changed"],
    ["reason", "unchanged"],
    ["spaces[0]", "unchanged"],
    ["step", "added"],
    ["where.channel", "removed"],
    ["spaces[1]", "removed"],
  ]);
});

it("marks every value of something new or removed", () => {
  expect(marks(null, { role: "admin" })).toEqual([["role", "added"]]);
  expect(marks({ role: "admin" }, undefined)).toEqual([["role", "removed"]]);
  expect(marks(null, null)).toEqual([]);
});

it("tells a text from a number, a list from its first value, and keeps digits", () => {
  expect(marks({ a: "5" }, { a: 5 })).toEqual([["a", "changed"]]);
  expect(marks({ a: [] }, { a: ["x"] })).toEqual([
    ["a[0]", "added"],
    ["a", "removed"],
  ]);
  const [one, other] = [new Digits("9007199254740993"), new Digits("9007199254740992")];
  expect(marks({ a: one }, { a: other })).toEqual([["a", "changed"]]);
});

it("compares states that are not objects", () => expect(marks("open", "closed")).toEqual([["", "changed"]]));
