// The bar of a fact.
import { expect, test } from "vitest";
import { meterOf } from "./meter";

test("what is used and what the call adds are parts of the limit", () => {
  expect(meterOf({ value: 42, adds: 8, limit: 100 })).toEqual({ used: 0.42, adds: 0.08, limit: 1, isOver: false });
  expect(meterOf({ value: 100, adds: null, limit: 100 })).toMatchObject({ used: 1, adds: 0, isOver: false });
});

test("beyond the limit the bar is longer than the limit", () => {
  expect(meterOf({ value: 150, adds: 50, limit: 100 })).toEqual({ used: 0.75, adds: 0.25, limit: 0.5, isOver: true });
});

test("without a limit there is no bar", () => {
  expect(meterOf({ value: 5, adds: 1, limit: null })).toBeNull();
  expect(meterOf({ value: true, adds: null, limit: 1 })).toBeNull();
  expect(meterOf({ value: 0, adds: 1, limit: 0 })).toBeNull();
});
