// Steps are in plan order with their duration; a step that was never reached says so.
import { expect, it } from "vitest";
import type { RunDetail } from "../api/queries";
import { timeline } from "./timeline";

const at = (second: number) => new Date(second * 1_000).toISOString();
const step = (step_id: string, status: string, from: number, to: number | null) => ({
  step_id,
  action: "x.y",
  attempt: 1,
  status,
  started_at: at(from),
  finished_at: to === null ? null : at(to),
});
const run = (status: string, steps: ReturnType<typeof step>[], finished: number | null): RunDetail =>
  ({
    status,
    created_at: at(0),
    started_at: at(0),
    finished_at: finished === null ? null : at(finished),
    steps,
    plan: ["one", "two", "three"]
      .map((step_id) => ({ step_id, action: "x.y", on_failure: false }))
      .concat({ step_id: "cry", action: "x.z", on_failure: true }),
  }) as unknown as RunDetail;

it("shows what goes on, and what is to come", () => {
  const rows = timeline(
    run("waiting", [step("one", "succeeded", 0, 5), step("two", "waiting", 5, null)], null),
    10_000,
  );
  expect(rows.map((row) => [row.stepId, row.status, row.ms, row.from, row.length])).toEqual([
    ["one", "succeeded", 5_000, 0, 0.5],
    ["two", "waiting", 5_000, 0.5, 0.5],
    ["three", "planned", null, 0, 0],
  ]);
});

it("counts tries together, and tells what was not reached", () => {
  const rows = timeline(
    run("failed", [step("one", "failed", 0, 1), step("one", "failed", 2, 4), step("cry", "succeeded", 4, 8)], 8),
    99_000,
  );
  expect(rows.map((row) => [row.stepId, row.status, row.tries.length, row.ms])).toEqual([
    ["one", "failed", 2, 4_000],
    ["two", "not reached", 0, null],
    ["three", "not reached", 0, null],
    ["cry", "succeeded", 1, 4_000],
  ]);
});
