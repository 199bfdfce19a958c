// Durations have two units.
import { expect, it } from "vitest";
import { ago, span, took, untilText } from "./time";

it.each([
  [0, "0s"],
  [59, "59s"],
  [245, "4m 05s"],
  [3_600, "1h 00m"],
  [86_400, "1d 0h"],
  [187_200, "2d 4h"],
  [-5, "0s"],
])("%i seconds are %s", (seconds, text) => expect(span(seconds)).toBe(text));

it("says how long something took, also below a second", () => {
  expect([12.4, 999, 1_500, 65_000].map(took)).toEqual(["12ms", "999ms", "1.5s", "1m 05s"]);
});

it("says how long ago and how long until", () => {
  const at = "2026-01-01T00:00:00Z";
  const now = Date.parse(at);
  expect([ago(at, now), ago(at, now + 60_000), untilText(at, now - 60_000), untilText(at, now + 1_000)]).toEqual([
    "just now",
    "1m 00s ago",
    "in 1m 00s",
    "1s ago",
  ]);
});
