// Typed limits are parsed exactly or rejected.
import { expect, it } from "vitest";
import { calls, duration, durationText } from "./limits";

it.each([
  ["30m", 1_800],
  ["24h", 86_400],
  [" 7 d ", 604_800],
  ["90s", 90],
  ["30d", 2_592_000],
  ["31d", null],
  ["0h", null],
  ["", null],
  ["1w", null],
  ["-1h", null],
  ["1.5h", null],
])("%s", (text, seconds) => expect(duration(text)).toBe(seconds));

it.each([
  ["1", 1],
  ["25", 25],
  ["10000", 10_000],
  ["10001", null],
  ["0", null],
  ["", null],
  ["1e3", null],
])("%s calls", (text, count) => {
  expect(calls(text)).toBe(count);
});

it.each([
  ["30m", "30 minutes"],
  ["1h", "1 hour"],
  [" 24 h ", "24 hours"],
  ["7d", "7 days"],
  ["90s", "90 seconds"],
  ["31d", null],
  ["0h", null],
  ["8", null],
])("%s in words", (text, words) => expect(durationText(text)).toBe(words));
