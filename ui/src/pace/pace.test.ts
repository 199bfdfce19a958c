// What people are told about their pace, how often it is fetched, and for how long it stays dismissed.
import { QueryObserver } from "@tanstack/react-query";
import { afterEach, beforeEach, expect, it, vi } from "vitest";

vi.stubGlobal("location", { origin: "http://127.0.0.1" });
vi.stubGlobal("sessionStorage", { getItem: () => null });
const START = Date.parse("2026-11-15T10:00:00Z");
const DAY = 86_400_000;

const length = (name: string, median_s: number, reading_s: number, too_fast: boolean, answers = 12) => ({
  length: name,
  answers,
  median_s,
  reading_s,
  too_fast,
});
const view = (...lengths: ReturnType<typeof length>[]) => ({
  days: 7,
  lengths,
  too_fast: lengths.some((each) => each.too_fast),
});

/** Module state is new in every test. */
async function load() {
  vi.resetModules();
  return await import("./pace");
}

beforeEach(() => {
  vi.useFakeTimers();
  vi.setSystemTime(START);
});

afterEach(() => {
  vi.useRealTimers();
});

it("tells about what takes longest to read, of what is approved too fast", async () => {
  const { paceText } = await load();
  const all = [length("short", 1, 2, true), length("long", 2, 50, true), length("medium", 3, 12, true)];
  expect(paceText(view(...all))).toBe(
    "You approve long requests within 2 s (median of 12). Reading one takes about 50 s.",
  );
  expect(paceText(view(length("medium", 3.04, 12.4, true, 5), length("long", 90, 50, false)))).toBe(
    "You approve medium-length requests within 3 s (median of 5). Reading one takes about 12 s.",
  );
  expect(paceText(view(length("short", 0.42, 1.84, true)))).toContain("within 0.4 s (median of 12)");
  expect(paceText(view(length("long", 119.4, 240, true)))).toContain(
    "within 119 s (median of 12). Reading one takes about 4 min.",
  );
});

it("tells nothing to people who take their time", async () => {
  const { paceText } = await load();
  expect(paceText(view())).toBeNull();
  expect(paceText(view(length("long", 90, 50, false)))).toBeNull();
});

it("is fetched at most once a minute, however many answers are sent", async () => {
  let requests = 0;
  vi.stubGlobal("fetch", async () => {
    requests += 1;
    return Response.json(view());
  });
  vi.resetModules();
  const { pace, paceChanged } = await import("./pace");
  const { queries } = await import("../api/queries");
  paceChanged();
  await vi.advanceTimersByTimeAsync(DAY);
  expect(requests, "nobody looks at it").toBe(0);

  const stop = new QueryObserver(queries, pace).subscribe(() => {});
  paceChanged();
  await vi.advanceTimersByTimeAsync(1_000);
  expect(requests).toBe(1);
  for (let n = 0; n < 50; n += 1) {
    paceChanged();
    await vi.advanceTimersByTimeAsync(1_000);
  }
  expect(requests).toBe(1);
  await vi.advanceTimersByTimeAsync(10_000);
  expect(requests, "the answers of the last minute count at its end").toBe(2);
  await vi.advanceTimersByTimeAsync(10 * 60_000);
  expect(requests, "nothing was answered").toBe(2);
  paceChanged();
  await vi.advanceTimersByTimeAsync(1_000);
  expect(requests).toBe(3);
  stop();
});

it("stays dismissed for a week", async () => {
  const kept = new Map<string, string>();
  vi.stubGlobal("localStorage", {
    getItem: (name: string) => kept.get(name) ?? null,
    setItem: (name: string, text: string) => kept.set(name, text),
  });
  const now = await load();
  expect(now.isDismissed(START)).toBe(false);
  now.dismiss(START);
  expect(now.isDismissed(START)).toBe(true);
  const later = await load();
  expect([later.isDismissed(START + 6 * DAY), later.isDismissed(START + 7 * DAY)]).toEqual([true, false]);
  kept.forEach((_, name) => kept.set(name, "soon"));
  expect((await load()).isDismissed(START)).toBe(false);
});

it("can be dismissed without storage, until the next load", async () => {
  const fail = () => {
    throw new DOMException("denied", "SecurityError");
  };
  vi.stubGlobal("localStorage", { getItem: fail, setItem: fail });
  const now = await load();
  expect(now.isDismissed(START)).toBe(false);
  now.dismiss(START);
  expect(now.isDismissed(START)).toBe(true);
  expect((await load()).isDismissed(START)).toBe(false);
});
