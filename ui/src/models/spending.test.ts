// What was used of the limits of a day, and what a person types as a limit.
import { expect, it } from "vitest";
import { Digits } from "../api/json";
import type { Spending } from "./queries";
import {
  isHigher,
  isUsedUp,
  leftOf,
  limitsOf,
  readTokens,
  readUsd,
  sharesOf,
  typedLimit,
  type Usage,
  usageOf,
} from "./spending";

const NOON = Date.parse("2026-11-19T12:00:00Z");
const day = (day: string, spent_usd: number, more: object = {}) => ({
  day,
  spent_usd,
  reserved_usd: 0,
  tokens: 0,
  ...more,
});
const of = (spent: number, reserved: number, limit: number | null): Usage => ({ spent, reserved, limit });

it("finds today in UTC, and not yesterday", () => {
  const spending: Spending = {
    budget: { usd_per_day: 10 },
    days: [day("2026-11-19", 3, { reserved_usd: 0.5, tokens: 1_200 }), day("2026-11-18", 9)],
  };
  expect(usageOf(spending, NOON)).toEqual({ usd: of(3, 0.5, 10), tokens: of(1_200, 0, null) });
  expect(usageOf(spending, Date.parse("2026-11-20T00:00:01Z")).usd).toEqual(of(0, 0, 10));
});

it("reads amounts that kept their digits", () => {
  const tiny = new Digits("1e-9") as unknown as number;
  const found = usageOf({ budget: { usd_per_day: tiny }, days: [day("2026-11-19", tiny)] }, NOON);
  expect(found.usd).toEqual(of(1e-9, 0, 1e-9));
  expect(limitsOf({})).toEqual({ usd: null, tokens: null });
});

it.each([
  ["nothing used", of(0, 0, 10), 10, { spent: 0, reserved: 0, isFull: false }],
  ["a part", of(2.5, 5, 10), 2.5, { spent: 0.25, reserved: 0.5, isFull: false }],
  ["everything, with an error of floating point", of(0.1, 0.2, 0.3), 0, { isFull: true }],
  ["more than the limit, which was lowered", of(8, 4, 5), 0, { spent: 1, reserved: 0, isFull: true }],
  ["a limit of nothing", of(0, 0, 0), 0, { spent: 1, reserved: 0, isFull: true }],
])("draws the bar: %s", (_, usage, left, shares) => {
  expect(leftOf(usage)).toBe(left);
  expect(sharesOf(usage)).toMatchObject(shares);
});

it("draws no bar without a limit", () => {
  expect([leftOf(of(3, 1, null)), sharesOf(of(3, 1, null))]).toEqual([null, null]);
});

it.each([
  ["25", 25],
  [" 0.5 ", 0.5],
  ["0", 0],
  ["1000000", 1_000_000],
  ["", null],
  ["1000000.01", undefined],
  ["-1", undefined],
  ["1e3", undefined],
  ["0,5", undefined],
  ["$5", undefined],
  ["0.0000000001", undefined],
])("reads %j as USD", (typed, expected) => {
  expect(readUsd(typed)).toBe(expected);
});

it.each([
  ["2000000", 2_000_000],
  ["", null],
  ["1.5", undefined],
  ["2 000", undefined],
  ["9".repeat(16), undefined],
])("reads %j as tokens", (typed, expected) => {
  expect(readTokens(typed)).toBe(expected);
});

it.each([
  [10, "10"],
  [100, "100"],
  [0.5, "0.5"],
  [1e-9, "0.000000001"],
  [0, "0"],
  [null, ""],
])("writes a limit of %s as it is typed", (limit, typed) => {
  expect(typedLimit(limit)).toBe(typed);
  expect(readUsd(typed)).toBe(limit);
});

it.each([
  ["the same", [10, null], [10, null], false],
  ["more USD", [10, null], [10.5, null], true],
  ["no limit in USD any more", [10, null], [null, null], true],
  ["less USD", [10, null], [5, null], false],
  ["a first limit of tokens", [10, null], [10, 1_000], false],
  ["less USD, and more tokens", [10, 100], [5, 200], true],
  ["no limit of tokens any more", [10, 100], [10, null], true],
] as const)("knows a higher limit: %s", (_, [usd, tokens], [usdAfter, tokensAfter], expected) => {
  expect(isHigher({ usd, tokens }, { usd: usdAfter, tokens: tokensAfter })).toBe(expected);
});

it("knows a limit that is used up already", () => {
  const today = { usd: of(3, 1, 10), tokens: of(500, 0, null) };
  expect(isUsedUp(today, { usd: 4, tokens: null })).toBe(true);
  expect(isUsedUp(today, { usd: 5, tokens: 500 })).toBe(true);
  expect(isUsedUp(today, { usd: 5, tokens: 501 })).toBe(false);
  expect(isUsedUp(today, { usd: null, tokens: null })).toBe(false);
});
