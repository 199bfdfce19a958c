// Schedules are said in words that mean the same, and the next moments are those of the zone's own clock.
import { expect, it } from "vitest";
import { cronWords, nextTimes } from "./cron";

it.each([
  ["0 9 * * 1-5", "every weekday at 09:00"],
  ["0 16 * * 5", "on Friday at 16:00"],
  ["30 7 * * *", "every day at 07:30"],
  ["*/15 * * * *", "every 15 minutes"],
  ["*/10 8-17 * * mon-fri", "every weekday, every 10 minutes from 08:00 to 17:59"],
  ["0 * * * *", "every hour"],
  ["5,35 * * * *", "every hour at :05 and :35"],
  ["0 */6 * * *", "every day, every 6 hours at :00"],
  ["0 8 1 * *", "on the 1st of each month at 08:00"],
  ["0 8 1,15 1,7 *", "on the 1st and 15th in January and July at 08:00"],
  ["0 9,17 * * 0,6", "on weekends at 09:00 and 17:00"],
  ["0 9 * * 7", "on Sunday at 09:00"],
])("%s is %s", (cron, words) => expect(cronWords(cron)).toBe(words));

it.each(["", "0 9 * *", "60 * * * *", "0 9 * * 8", "x * * * *", "5-1 * * * *", "*/0 * * * *"])("%j is no schedule", (cron) => {
  expect(cronWords(cron)).toBeNull();
});

const iso = (times: number[]) => times.map((at) => new Date(at).toISOString().slice(0, 16));

it("counts in the zone, over the change of its clock", () => {
  const friday = Date.parse("2026-10-23T12:00:00Z");
  expect(iso(nextTimes("0 9 * * 1-5", "Europe/Berlin", friday, 2))).toEqual(["2026-10-26T08:00", "2026-10-27T08:00"]);
  expect(iso(nextTimes("0 9 * * *", "Europe/Berlin", friday, 2))).toEqual(["2026-10-24T07:00", "2026-10-25T08:00"]);
  expect(iso(nextTimes("0 9 * * 1-5", "Africa/Kigali", friday, 1))).toEqual(["2026-10-26T07:00"]);
});

it("takes either day where both are given, and knows no zone that there is not", () => {
  expect(iso(nextTimes("0 0 13 * 5", "UTC", Date.parse("2026-11-01T00:00:00Z"), 3))).toEqual(["2026-11-06T00:00", "2026-11-13T00:00", "2026-11-20T00:00"]);
  expect(nextTimes("0 0 * * *", "Mars/Olympus", 0, 1)).toEqual([]);
});
