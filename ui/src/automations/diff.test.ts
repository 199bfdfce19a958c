// Changes are reported at their path; a moved step is still the same step.
import { expect, it } from "vitest";
import { differences } from "./diff";

const step = (step_id: string, title: string) => ({ step_id, action: "x.y", config: { title } });
const told = (before: object, after: object) =>
  differences(before as never, after as never).map(({ path, before: a, after: b }) => [
    path,
    a?.value ?? null,
    b?.value ?? null,
  ]);

it("tells what was added, changed and taken away", () => {
  expect(
    told(
      { name: "A", goal: "old", plan: [step("a", "1")] },
      { name: "A", plan: [step("a", "2"), step("b", "3")], execution: { max_retries: 2 } },
    ),
  ).toEqual([
    ["plan.a.config.title", "1", "2"],
    ["plan.b.step_id", null, "b"],
    ["plan.b.action", null, "x.y"],
    ["plan.b.config.title", null, "3"],
    ["plan.order", "a", "a, b"],
    ["execution.max_retries", null, "2"],
    ["goal", "old", null],
  ]);
});

it("tells a new order as an order", () => {
  expect(told({ plan: [step("a", "1"), step("b", "2")] }, { plan: [step("b", "2"), step("a", "1")] })).toEqual([
    ["plan.order", "a, b", "b, a"],
  ]);
});
