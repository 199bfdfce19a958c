// Triggers, filters and bounds are said in words.
import { expect, it } from "vitest";
import { boundWords, filterWords, triggerWords } from "./words";

it("says what starts it", () => {
  expect(triggerWords({ type: "schedule", config: { cron: "0 9 * * 1-5", timezone: "Africa/Kigali" } })).toBe("every weekday at 09:00 (Africa/Kigali)");
  expect(triggerWords({ type: "event", config: { event_type: "drive.file_added", filter: { "data.folder": { equals: "/contracts" }, $not: { "data.size": { lt: 1 } } } } })).toBe(
    'when drive.file_added comes, where data.folder equals "/contracts" and not (data.size lt 1)',
  );
  expect(triggerWords({ type: "webhook", config: { signed: true } })).toBe("when a signed webhook comes");
});

it("says either and both", () => {
  expect(filterWords({ $or: [{ a: { equals: 1 } }, { b: { exists: true } }] })).toBe("(a equals 1 or b exists true)");
});

it("says the bounds, and the usual ones where none are given", () => {
  expect(boundWords({ max_retries: 3, timeout_seconds: 7200, concurrency: "queue", budget_cap_usd: 2 })).toEqual([
    "While it runs, further starts wait for their turn",
    "A run works for at most 2 hours, without the time it waits for people",
    "A step that fails for a passing reason is tried up to 3 times more, waiting twice as long each time",
    "Models may cost at most $2 in one run",
  ]);
  expect(boundWords({})[1]).toBe("A run works for at most 10 minutes, without the time it waits for people");
});
