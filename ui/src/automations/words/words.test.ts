// What is sent to the model, what may be replaced in the editor, and what the answer cost.
import { expect, it } from "vitest";
import { Digits } from "../../api/json";
import type { Model, Provider } from "../../models/queries";
import { askedText, baseOf, hasChoice, listedChoice, mustAsk, requestOf } from "./words";

const model = (name: string) => ({ name, context: 32_000, max_output: 4_096 }) as Model;
const provider = (name: string, ...models: string[]) => ({ provider: name, models: models.map(model) }) as Provider;
const LARGE = provider("anthropic", "large", "small");
const TINY = provider("local", "tiny");
const EMPTY = { schema_version: "1.0", name: "", goal: "", plan: [] };

it("offers a choice only where there is one", () => {
  expect([[], [TINY], [LARGE], [TINY, LARGE]].map(hasChoice)).toEqual([false, false, true, true]);
  expect(listedChoice([TINY], { provider: "local", model: "tiny" })).toBeNull();
});

it("chooses the first, and never what is not listed", () => {
  const choose = (choice: { provider: string; model: string | undefined } | null) =>
    listedChoice([TINY, LARGE], choice);
  expect(choose(null)).toEqual({ provider: "local", model: "tiny" });
  expect(choose({ provider: "anthropic", model: undefined })).toEqual({ provider: "anthropic", model: "large" });
  expect(choose({ provider: "anthropic", model: "small" })).toEqual({ provider: "anthropic", model: "small" });
  expect(choose({ provider: "gone", model: "small" })).toEqual({ provider: "local", model: "tiny" });
});

it("sends a definition only when something is in it", () => {
  expect(baseOf(EMPTY)).toBeUndefined();
  expect(baseOf({ ...EMPTY, inputs: {}, metadata: undefined, execution: null })).toBeUndefined();
  for (const more of [{ name: "A" }, { plan: [{}] }, { triggers: [{ type: "webhook" }] }, { goal: "a" }])
    expect(baseOf({ ...EMPTY, ...more })).toEqual({ ...EMPTY, ...more });
});

it("asks for a new automation in its space, and for changes of one by its ID", () => {
  const wish = { words: " a \n", definition: EMPTY, automation: undefined, space: "spc_1", choice: null, zone: "UTC" };
  const sent = (more: object) => JSON.parse(JSON.stringify(requestOf({ ...wish, ...more })));
  expect(sent({})).toEqual({ words: "a", space: "spc_1", time_zone: "UTC" });
  expect(sent({ zone: "Etc/Unknown" })).toEqual({ words: "a", space: "spc_1" });
  const definition = { name: "A" };
  expect(sent({ automation: "aut_1", definition, choice: { provider: "local", model: "tiny" } })).toEqual({
    words: "a",
    automation: "aut_1",
    definition,
    provider: "local",
    model: "tiny",
    time_zone: "UTC",
  });
});

it("asks before content of the person is replaced", () => {
  expect(mustAsk("initial", ["initial", null])).toBe(false);
  expect(mustAsk("proposed", ["initial", "proposed"])).toBe(false);
  expect(mustAsk("proposed, then typed", ["initial", "proposed"])).toBe(true);
});

it("says what was asked and what it cost", () => {
  const cost = (value: unknown) => value as number;
  expect(askedText({ turns: 3, cost_usd: 0.0042 })).toMatch(/asked 3 times, for .*0[.,]0042.*Nothing is saved yet/);
  expect(askedText({ turns: 1, cost_usd: cost(new Digits("0.25")) })).toMatch(/asked once, for .*0[.,]25/);
  expect(askedText({ turns: 2, cost_usd: null })).toContain("2 times, at an unknown cost");
  expect(askedText({ turns: 0, cost_usd: 0 })).toBe("Nothing is saved.");
});
