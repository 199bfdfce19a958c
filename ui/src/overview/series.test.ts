// Charts add up, and their links count the same.
import { expect, it } from "vitest";
import { percent } from "../text/number";
import type { Bucket, Overview } from "./queries";
import { count, counted, OUTCOMES, rangeOf, sinceOf, success } from "./series";

const bucket: Bucket = {
  at: "2026-11-15T10:00:00Z",
  calls: 23,
  succeeded: 10,
  failed: 2,
  reverted: 1,
  denied: 3,
  quarantined: 1,
  expired: 2,
  unknown: 1,
  asked: 9,
  answered: 7,
  runs_succeeded: 0,
  runs_failed: 0,
  cost_usd: 0,
  drift: 0,
};
const view = {
  since: "2026-11-15T00:00:00Z",
  until: "2026-11-15T10:30:00Z",
  bucket_s: 3_600,
  buckets: [bucket],
  totals: bucket,
} as Overview;

it("splits calls into outcomes without losing one", () => {
  expect(OUTCOMES.map((outcome) => count(bucket, outcome.id))).toEqual([10, 3, 4, 2, 1, 3]);
  expect(OUTCOMES.reduce((sum, outcome) => sum + count(bucket, outcome.id), 0)).toBe(bucket.calls);
});

it("counts success among what was tried", () => {
  expect(success(bucket)).toBeCloseTo(10 / 14);
  expect(success({ ...bucket, succeeded: 0, failed: 0, reverted: 0, unknown: 0 })).toBeNull();
});

it("links to exactly what it counts, and not beyond the end", () => {
  expect(counted(view, "main", ["failed", "reverted"], bucket)).toEqual({
    since: bucket.at,
    until: "2026-11-15T10:30:00.000Z",
    status: "failed,reverted",
    space: "main",
  });
  expect(counted(view, null).status).not.toContain("skipped");
  expect(counted(view, null).since).toBe(view.since);
});

it("rounds no failure away", () => {
  expect([percent(1), percent(0.9999), percent(0.5), percent(null)]).toEqual(["100%", "99.9%", "50%", "–"]);
});

it("takes what it does not know for a week", () => {
  expect(rangeOf("a year")).toBe("7d");
  expect(sinceOf("24h", Date.parse("2026-11-15T12:00:00Z"))).toBe("2026-11-14T12:00:00.000Z");
});
