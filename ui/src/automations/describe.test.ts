// Triggers, filters, limits and steps of models in words.
import { expect, it } from "vitest";
import { costText } from "../models/price";
import { steps } from "./definition";
import { describeFilter, describeLimits, describeStep, describeTrigger } from "./describe";

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

it("describes budgets where there are some", () => {
  expect(describeLimits({ budget_cap_usd: 0.5, daily_budget_usd: 20 }).slice(3)).toEqual([
    `Models may cost up to ${costText(0.5)} in a run`,
    `Models may cost up to ${costText(20)} a day (UTC)`,
  ]);
  expect(describeLimits({ budget_cap_usd: null, daily_budget_usd: "much" }).slice(3)).toEqual([
    "Models may cost up to much a day (UTC)",
  ]);
});

it.each([
  [["linear.list_issues", "slack.send_message", "data.notify"], "with 3 tools"],
  [["linear.list_issues"], "with 1 tool"],
  [[], "without tools"],
  [["linear.*"], "with all of linear"],
  [["linear.*", "slack.*", "data.notify"], "with 1 tool, all of linear and all of slack"],
])("describes a step of a model with the tools %j", (tools, words) => {
  const config = { provider: "anthropic", model: "claude-sonnet-5-5", tools };
  const told = steps([{ step_id: "sort", action: "agent_task", config }]).map(describeStep);
  expect(told).toEqual([`asks claude-sonnet-5-5 of anthropic, ${words}`]);
});

it("describes a step of a model that is not complete, and no other step", () => {
  const all = [
    { action: "agent_task", config: { tools: "linear" } },
    { action: "linear.list_issues", config: {} },
  ];
  expect(steps(all).map(describeStep)).toEqual(["asks a model, without tools", null]);
});
