// The policies and facts of a decision are read with care: the decision has no schema.
import { expect, test } from "vitest";
import { approversOf, dependsOf, factsOf, otherPolicies, policiesOf, policyChanges, policyPartsOf } from "./decision";

const decision = {
  policies: [
    { name: "cap", version: 3, mode: "deny", why: "At most 5 000 € an hour", observing: false, error: null },
    { name: "hours", version: 1, mode: "require_approval", why: "", observing: true },
  ],
  facts: [
    { name: "spent", value: 420_000, adds: 80_000, limit: 500_000, words: "sum", since: "2026-11-01T00:00:00Z" },
    { name: "green", value: true },
  ],
  approvers: 2,
};

test("policies and facts are read with their defaults", () => {
  expect(policiesOf(decision).map(({ name, observing, error }) => [name, observing, error])).toEqual([
    ["cap", false, null],
    ["hours", true, null],
  ]);
  expect(factsOf(decision)[1]).toEqual({ name: "green", value: true, adds: null, limit: null, words: "", since: "" });
  expect(factsOf({ facts: [{ name: "green", kind: "any", value: 0 }] })[0]?.value).toBe(false);
  expect(approversOf(decision)).toBe(2);
  expect(approversOf({ approvers: 1 })).toBeNull();
});

test("a decision without them has none", () => {
  for (const nothing of [null, undefined, "x", {}, { policies: "cap", facts: [1], depends: {} }]) {
    expect(policiesOf(nothing)).toEqual([]);
    expect(factsOf(nothing)).toEqual([]);
    expect(dependsOf(nothing)).toEqual([]);
  }
  expect(dependsOf({ depends: ["cap", 5] })).toEqual(["cap"]);
});

test("each change of the guardrail has its policy, where they correspond", () => {
  const change = { guardrail: "policy", to: "deny" };
  expect(policyChanges(decision, [{ guardrail: "band" }, change]).map(({ name }) => name)).toEqual(["cap"]);
  expect(policyChanges(decision, [change, change])).toEqual([]);
  expect(policyChanges(decision, [{ ...change, to: "require_approval" }])).toEqual([]);
  expect(policyChanges({}, [])).toEqual([]);
});

test("a policy that is milder than the decision before it is listed apart", () => {
  const asks = { name: "asks", mode: "require_approval" };
  const both = { policies: [asks, { name: "cap", mode: "deny" }], guardrails: [{ guardrail: "policy", to: "deny" }] };
  expect(policyChanges(both, both.guardrails).map(({ name }) => name)).toEqual(["cap"]);
  expect(otherPolicies(both).map(({ name }) => name)).toEqual(["asks"]);
  expect(otherPolicies(decision).map(({ name }) => name)).toEqual(["cap"]);
});

test("nothing but the policies and facts of a decision is kept", () => {
  expect(policyPartsOf({ mode: "deny", gates: [] })).toEqual({});
  expect(Object.keys(policyPartsOf({ ...decision, mode: "deny" }))).toEqual(["policies", "facts"]);
});
