// The days of a backtest are those of the organization's clocks.
import { expect, test } from "vitest";
import type { BacktestResult } from "../types";
import { boundsOf, everyDay } from "./days";

const one = { allow: 1, require_approval: 0, deny: 0 };
const result = (from: string, to: string, ...dates: string[]) =>
  ({ from, to, days: dates.map((date) => ({ date, before: one, after: one })) }) as unknown as BacktestResult;

test("days without calls are there too", () => {
  const days = everyDay(result("2026-11-16T12:00:00Z", "2026-11-19T12:00:00Z", "2026-11-17"), "UTC");
  expect(days.map(({ date, before }) => [date, before.allow])).toEqual([
    ["2026-11-16", 0],
    ["2026-11-17", 1],
    ["2026-11-18", 0],
    ["2026-11-19", 0],
  ]);
});

test("a day begins at midnight of the organization", () => {
  const bounds = (date: string, zone: string) => boundsOf(date, zone).map((at) => at.toISOString());
  expect(bounds("2026-11-18", "Europe/Berlin")).toEqual(["2026-11-17T23:00:00.000Z", "2026-11-18T23:00:00.000Z"]);
  expect(bounds("2026-11-18", "UTC")).toEqual(["2026-11-18T00:00:00.000Z", "2026-11-19T00:00:00.000Z"]);
  // The day on which clocks go back has 25 hours.
  expect(bounds("2026-10-25", "Europe/Berlin")).toEqual(["2026-10-24T22:00:00.000Z", "2026-10-25T23:00:00.000Z"]);
  expect(bounds("2026-11-18", "Mars/Base")).toEqual(bounds("2026-11-18", "UTC"));
});

test("the first and the last day follow the organization's clocks", () => {
  const days = everyDay(result("2026-11-17T23:30:00Z", "2026-11-18T23:30:00Z"), "Europe/Berlin");
  expect(days.map(({ date }) => date)).toEqual(["2026-11-18", "2026-11-19"]);
});
