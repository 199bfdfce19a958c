// Turns of a model are added up, and every state has words.
import { expect, it } from "vitest";
import { type AgentCall, type Asked, callState, classText, costOf, progressOf, stateOf, turnsOf } from "./agent";

const asked = (more: Partial<Asked> = {}): Asked => ({
  turn: 1,
  ask: 1,
  stop: "done",
  input_tokens: 100,
  output_tokens: 10,
  cost_usd: 0.5,
  calls: [],
  started_at: "2026-11-18T10:00:00Z",
  finished_at: "2026-11-18T10:00:01Z",
  ...more,
});
const ERROR = { class: "model_rate_limited", message: "later" };

it("counts a turn that was asked again once, with all that it used", () => {
  const { stop: _, cost_usd: __, ...failed } = asked({ turn: 2, error: ERROR, input_tokens: 0, output_tokens: 0 });
  const turns = turnsOf([asked({ turn: 2, ask: 2 }), failed, asked({ cost_usd: 0.25 })]);
  expect(
    turns.map(({ turn, before, last, input, output, cost }) => [turn, before.length, last.ask, input, output, cost]),
  ).toEqual([
    [1, 0, 1, 100, 10, { usd: 0.25, isPartial: false }],
    [2, 1, 2, 100, 10, { usd: 0.5, isPartial: false }],
  ]);
  expect(turnsOf([])).toEqual([]);
});

it("says where a price is missing", () => {
  expect(costOf([asked(), asked({ cost_usd: null })])).toEqual({ usd: 0.5, isPartial: true });
  expect(costOf([asked({ stop: null, cost_usd: null, finished_at: null })])).toEqual({ usd: 0, isPartial: false });
});

it.each([
  [{}, "answered"],
  [{ problems: ["/kind: required"] }, "answer does not fit"],
  [{ stop: "calls" }, "called tools"],
  [{ stop: "length" }, "cut off at the limit of output tokens"],
  [{ stop: "context" }, "context of the model is full"],
  [{ stop: "refused" }, "refused by the model"],
  [{ stop: "paused" }, "paused by the provider"],
  [{ stop: "carrier_pigeon" }, "carrier pigeon"],
  [{ stop: null, error: ERROR }, "no reply"],
  [{ stop: null, finished_at: null }, "in progress"],
  [{ stop: null, finished_at: null, invocation: "inv_2" }, "in progress"],
  [{ stop: null, finished_at: null, invocation: "inv_1" }, "waiting for approval"],
])("%j is: %s", (more, name) => expect(stateOf(asked(more), "inv_1").name).toBe(name));

it("says in words why a call failed, and shows what is newer than the page as it is", () => {
  const call = (status: string): AgentCall => ({ name: "linear__get_issue", status });
  expect(["wanted", "waiting", "succeeded", "failed", "lost_it"].map((status) => callState(call(status)).name)).toEqual(
    ["not started", "waiting", "succeeded", "failed", "lost it"],
  );
  expect(["unknown_action", "denied", "ran_away", "constructor"].map(classText)).toEqual([
    "no such tool",
    "denied",
    "ran away",
    "constructor",
  ]);
});

it("changes with every call that ends", () => {
  const with_ = (status: string) => progressOf([asked({ calls: [{ name: "a", status }] })]);
  expect(with_("waiting")).not.toBe(with_("succeeded"));
  expect(progressOf([asked({ finished_at: null })])).not.toBe(progressOf([asked()]));
});
