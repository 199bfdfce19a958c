// Numbers about calls, as people read them.
import { expect, test } from "vitest";
import { latencyPlace, parts, successText } from "./usage";

const usage = { days: 30, calls: 1_000, succeeded: 998, failed: 1, unknown: 0, denied: 1 };

test("what never happened has no part in the bar", () => {
  expect(parts(usage).map((part) => part.name)).toEqual(["succeeded", "failed", "denied"]);
});

test("100% means all, and what was denied was not tried", () => {
  expect(successText(usage)).toBe("99.9% succeeded");
  expect(successText({ ...usage, failed: 0 })).toBe("100% succeeded");
  expect(successText({ ...usage, succeeded: 0, failed: 0 })).toBe("not executed");
  expect(successText({ ...usage, calls: 0 })).toBe("no calls yet");
});

test("times stay on the line", () => {
  expect(latencyPlace(1)).toBe(0);
  expect(latencyPlace(10_000_000)).toBe(100);
  expect(latencyPlace(1_000)).toBeGreaterThan(latencyPlace(100));
});
