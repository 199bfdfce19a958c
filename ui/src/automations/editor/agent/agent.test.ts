// What the form of a model's step offers, and what is typed into it.
import { expect, it } from "vitest";
import type { Model, Provider } from "../../../models/queries";
import { namesAt } from "../../names";
import type { Action } from "../../queries";
import { find } from "../options";
import {
  AGENT_OPTION,
  goalNames,
  priceNote,
  toolOptions,
  typedNumber,
  withAction,
  withProvider,
  withTool,
} from "./agent";

const ACTIONS = ["linear.create_issue", "linear.list_issues", "data.notify", "model.anthropic"].map(
  (action) => ({ action, description: `does ${action}`, risk: "R1" }) as unknown as Action,
);
const offered = (chosen: string[]) => toolOptions(ACTIONS, chosen).map(({ action }) => action);
const model = (name: string): Model => ({ name, context: 32_000, max_output: 4_096 });
const PROVIDERS = [
  { provider: "anthropic", models: [model("large"), model("small")] },
  { provider: "local", models: [model("tiny"), model("small")] },
  { provider: "empty", models: [] },
] as unknown as Provider[];

it("offers whole sources and single actions, but no models", () => {
  expect(offered([])).toEqual(["linear.*", "data.*", "linear.create_issue", "linear.list_issues", "data.notify"]);
  expect(offered(["data.notify"])).not.toContain("data.notify");
  expect(offered(["linear.*"])).toEqual(["data.*", "data.notify"]);
});

it("adds a tool once, and a whole source in place of its actions", () => {
  expect(withTool(["data.notify"], "linear.list_issues")).toEqual(["data.notify", "linear.list_issues"]);
  expect(withTool(["data.notify"], "data.notify")).toEqual(["data.notify"]);
  expect(withTool(["linear.list_issues", "linear2.go", "data.notify"], "linear.*")).toEqual([
    "linear2.go",
    "data.notify",
    "linear.*",
  ]);
});

it("is found beside the actions, and not in place of them", () => {
  const all = [AGENT_OPTION, ...ACTIONS];
  const first = (part: string) => find(all, part)[0]?.action;
  expect(["", "model", "agent task", "list issues linear"].map(first)).toEqual([
    "agent_task",
    "agent_task",
    "agent_task",
    "linear.list_issues",
  ]);
});

it("takes no parameters of an action into a step of a model, nor back", () => {
  const step = { step_id: "a", action: "linear.create_issue", config: { title: "x" }, output_as: "issue" };
  expect(withAction(step, "agent_task")).toEqual({ ...step, action: "agent_task", config: {} });
  expect(withAction(step, "linear.list_issues")).toEqual({ ...step, action: "linear.list_issues" });
  const sorts = { step_id: "a", action: "agent_task", config: { goal: "x" } };
  expect(withAction(sorts, "data.notify").config).toEqual({});
  expect(withAction(sorts, "agent_task")).toEqual(sorts);
});

it("offers a goal only what nobody else has written", () => {
  const definition = {
    inputs: { schema: { properties: { title: {} } } },
    plan: [{ step_id: "a", action: "x.y", output_as: "issue" }],
  };
  const { groups, filters } = goalNames(namesAt(definition, { list: "on_failure", index: 0 }));
  const names = groups.flatMap((group) => group.names.map(({ write }) => write));
  expect(names).toEqual(expect.arrayContaining(["run.id", "run.failed_step_id"]));
  expect(names.filter((name) => !name.startsWith("run.") || name.startsWith("run.error"))).toEqual([]);
  expect(filters.length).toBeGreaterThan(0);
});

it("chooses a model of the provider", () => {
  const change = (config: object, name: string) => withProvider(config as never, name, PROVIDERS);
  expect(change({ goal: "x" }, "anthropic")).toEqual({ goal: "x", provider: "anthropic", model: "large" });
  expect(change({ provider: "anthropic", model: "small" }, "local")).toEqual({ provider: "local", model: "small" });
  expect(change({ provider: "anthropic", model: "large" }, "local").model).toBe("tiny");
  expect(change({ provider: "anthropic", model: "large" }, "empty")).toEqual({ provider: "empty" });
  expect(change({ provider: "anthropic", model: "large" }, "")).toEqual({});
});

it("warns of a budget only where the price is unknown", () => {
  expect(priceNote(model("tiny"), true)).toMatchObject({ isBad: true });
  expect(priceNote(model("tiny"), false)).toMatchObject({ isBad: false });
  const price = { input: 3_000, output: 15_000 };
  const note = priceNote({ ...model("large"), price, price_from: "table" }, true);
  expect(note.text).toMatch(/3[.,]00.* input and .*15[.,]00.* output/);
  expect(priceNote({ ...model("own"), price: { input: 0, output: 0 }, price_from: "free" }, true).text).toContain(
    "Free",
  );
});

it.each([
  ["", undefined],
  ["  ", undefined],
  ["12", 12],
  [" 0.50 ", 0.5],
  ["0.", "0."],
  ["1e3", "1e3"],
  ["many", "many"],
])("reads %j as %j", (typed, value) => expect(typedNumber(typed)).toBe(value));
