// A comparison says which decisions become less strict, and what was not determined.
import { expect, test } from "vitest";
import type { ComparedAction, Comparison } from "../types";
import { byAnswer, summary } from "./summary";

const action = (name: string, loosened: boolean | null, alike = 0): ComparedAction => ({
  action: name,
  alike,
  loosened,
});
const of = (loosened: boolean | null, ...actions: ComparedAction[]): Comparison => ({
  solver: "cvc5",
  loosened,
  actions,
});

test("decisions that become less strict are counted with the actions that are alike", () => {
  const found = summary(of(true, action("a.b", true, 2), action("c.d", false, 4)));
  expect(found).toEqual({ text: "The decision becomes less strict for 3 of 8 compared actions.", isGood: false });
});

test("only a proof that none becomes less strict is good", () => {
  expect(summary(of(false, action("a.b", false))).isGood).toBe(true);
  expect(summary(of(null, action("a.b", false), action("c.d", null)))).toEqual({
    text: "No decision was found that becomes less strict, but 1 action could not be compared.",
    isGood: false,
  });
});

test("decisions that become less strict come first", () => {
  const sorted = byAnswer([action("a", false), action("b", null), action("c", true)]);
  expect(sorted.map((each) => each.action)).toEqual(["c", "b", "a"]);
});
