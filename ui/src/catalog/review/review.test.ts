// What a review takes for granted, and that a review that was not counted is never reported as success.
import { expect, test, vi } from "vitest";
import type { Tool } from "../queries";

vi.stubGlobal("location", { origin: "http://127.0.0.1" });
vi.stubGlobal("sessionStorage", { getItem: () => null });
const { claimed, initialClassification, reviewMessage } = await import("./review");

const tool = (hints: object, more: object = {}) =>
  ({
    tool: "send",
    state: "new",
    risk: "R2",
    effect: "once",
    seen: { hints },
    changes: [],
    shape_hash: "a",
    text_hash: "b",
    ...more,
  }) as unknown as Tool;

test("a claim sets the first risk, and never whether a repeat is harmless", () => {
  expect(claimed(tool({ read_only: true })).risk).toBe("R1");
  expect(claimed(tool({ destructive: true })).risk).toBe("R3");
  expect(claimed(tool({})).risk).toBe("R2");
  expect(initialClassification(tool({ read_only: true, idempotent: true })).effect).toBe("once");
});

test("what changed keeps the risk it was accepted with, whatever its server claims now", () => {
  expect(initialClassification(tool({ read_only: true }, { state: "changed", risk: "R3" })).risk).toBe("R3");
});

test("a review that was not counted is never reported as success", () => {
  expect(reviewMessage({ done: ["a"], changed: ["b"], rejected: [], waiting: [] }, "accept")).toMatchObject({
    tone: "warn",
    title: "A tool changed during your review",
  });
  expect(
    reviewMessage({ done: [], changed: [], rejected: [{ tool: "c", why: "no" }], waiting: [] }, "deny")?.tone,
  ).toBe("warn");
  expect(reviewMessage({ done: ["a"], changed: [], rejected: [], waiting: [] }, "accept")?.tone).toBe("good");
  expect(reviewMessage({ done: ["a"], changed: [], rejected: [], waiting: ["d"] }, "accept")).toMatchObject({
    tone: "wait",
    text: "Accepted: a. Waiting for a second owner: d. Nothing has changed there yet.",
  });
  expect(reviewMessage({ done: [], changed: [], rejected: [], waiting: ["d"] }, "accept")).toBeNull();
});
