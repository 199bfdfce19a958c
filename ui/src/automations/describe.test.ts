// Triggers, filters and limits in words.
import { expect, it } from "vitest";
import { describeFilter, describeLimits, describeTrigger } from "./describe";

it("describes triggers", () => {
  expect(
    describeTrigger({
      type: "event",
      config: {
        event_type: "drive.file_added",
        filter: { "data.folder": { equals: "/contracts" }, $not: { "data.size": { lt: 1 } } },
      },
    }),
  ).toBe('on drive.file_added where data.folder is "/contracts" and not (data.size < 1)');
  expect(describeTrigger({ type: "webhook", config: { signed: true } })).toBe("on a signed webhook");
});

it("describes nested filters", () => {
  expect(describeFilter({ $or: [{ a: { equals: 1 } }, { b: { exists: true } }] })).toBe("(a is 1 or b exists)");
});

it("describes limits, and the defaults where none are given", () => {
  expect(describeLimits({ max_retries: 3, timeout_seconds: 7200, concurrency: "queue" })).toEqual([
    "One run at a time; further starts are queued",
    "Timeout 2 hours, not counting time waiting for approval",
    "Up to 3 retries of failed steps (exponential backoff)",
  ]);
  expect(describeLimits({})[1]).toBe("Timeout 10 minutes, not counting time waiting for approval");
});
