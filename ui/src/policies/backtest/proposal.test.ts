// A proposed change is tested exactly as it would be made.
import { expect, test } from "vitest";
import { testsOf } from "./proposal";

const part = (change: string, after: unknown, more: object = {}) =>
  testsOf({ change, subject: "rul_1", name: "cap", before: null, after, ...more });

test("a policy is set as it would be, or tried without it", () => {
  expect(part("policy.set", { text: "forbid …", state: "enforced", version: 2 })).toEqual({
    backtest: { policies: [{ text: "forbid …" }] },
    compare: { text: "forbid …" },
  });
  const without = { backtest: { remove: ["cap"] }, compare: { text: "", remove: "cap" } };
  expect(part("policy.set", { text: "forbid …", state: "observing", version: 2 })).toEqual(without);
  expect(part("policy.removed", null)).toEqual(without);
});

test("a rule is tried with its condition and automation", () => {
  const recorded = { action: "a.b", automation: null, mode: "allow", where: null, step: null, reason: "so" };
  expect(part("rule.set", recorded)?.backtest).toEqual({ rule: { action: "a.b", mode: "allow" } });
  const bound = { ...recorded, automation: "aut_1", where: '{"channel":{"equals":"C1"}}' };
  expect(part("rule.set", bound)?.backtest).toEqual({
    rule: { action: "a.b", mode: "allow", automation: "aut_1", where: { channel: { equals: "C1" } } },
  });
  expect(part("rule.removed", null)?.backtest).toEqual({ remove_rule: "rul_1" });
});

test("a fact and a band are tried too", () => {
  const fact = { name: "spent", kind: "count", of: ["a.b"], within: "1h", per: "org" };
  expect(part("fact.set", fact)?.backtest).toEqual({ facts: [fact] });
  const band = (risk_band: string) => ({ risk_band, outbound_redaction: true });
  expect(part("space.changed", band("green"), { subject: "spc_1", before: band("red") })?.backtest).toEqual({
    band: { space: "spc_1", band: "green" },
  });
  expect(part("space.changed", band("red"), { before: band("red") })).toBeNull();
});

test("other changes are not tried", () => {
  expect(part("member.changed", { role: "owner" })).toBeNull();
  expect(part("policy.set", "hidden")).toBeNull();
  expect(part("rule.set", null)).toBeNull();
});
