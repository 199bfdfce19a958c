// Numbers of an agent, as people read them.
import { expect, it } from "vitest";
import { amount, outcomeParts, outcomeText } from "./counts";

const outcomes = { calls: 12, succeeded: 7, failed: 2, denied: 1 };

it("shows every call once", () => {
  expect(outcomeParts(outcomes)).toEqual([
    { name: "succeeded", count: 7 },
    { name: "failed", count: 2 },
    { name: "denied", count: 1 },
    { name: "other", count: 2 },
  ]);
  expect(outcomeText(outcomes)).toBe("7 succeeded, 2 failed, 1 denied, 2 other");
});

it("leaves out what never happened", () => {
  expect(outcomeParts({ calls: 3, succeeded: 3, failed: 0, denied: 0 })).toEqual([{ name: "succeeded", count: 3 }]);
  expect(outcomeText({ calls: 0, succeeded: 0, failed: 0, denied: 0 })).toBe("no calls in 7 days");
});

it("has no negative part when the numbers were counted at different moments", () =>
  expect(outcomeParts({ calls: 1, succeeded: 2, failed: 0, denied: 0 })).toEqual([{ name: "succeeded", count: 2 }]));

it("counts one and many", () => {
  expect(amount(1, "call", "calls")).toBe("1 call");
  expect(amount(0, "call", "calls")).toBe("0 calls");
});
