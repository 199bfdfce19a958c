// What is said about policies and facts comes from fields.
import { expect, test } from "vitest";
import { Digits } from "../api/json";
import type { DecisionPolicy } from "./types";
import { counted, factText, listed, modeText, policyReason, policyTitle } from "./words";

const policy: DecisionPolicy = {
  name: "cap",
  version: 3,
  mode: "deny",
  why: "At most 5 000 € an hour",
  observing: false,
  error: null,
};

test("a mode is said in words", () => {
  expect(modeText({ mode: "deny" })).toBe("Denies");
  expect(modeText({ mode: "require_approval" })).toBe("Asks");
  expect(modeText({ mode: "require_approval", approvers: 1 })).toBe("Asks");
  expect(modeText({ mode: "require_approval", approvers: 2 })).toBe("Needs 2 approvals");
});

test("a policy in a decision is named with what it does", () => {
  expect(policyTitle(policy)).toBe("Policy cap denies");
  expect(policyTitle({ ...policy, mode: "require_approval" })).toBe("Policy cap asks");
  expect(policyTitle({ ...policy, observing: true })).toBe("Policy cap would have denied");
});

test("a policy that could not be evaluated says so beside its reason", () => {
  expect(policyReason(policy)).toBe("At most 5 000 € an hour");
  expect(policyReason({ ...policy, error: "integer overflow" })).toBe(
    "At most 5 000 € an hour (The policy could not be evaluated, so it holds: integer overflow)",
  );
  expect(policyReason({ ...policy, why: "", error: "integer overflow" })).toMatch(/^The policy could not/);
});

test("a fact is said with its limit and what the call adds", () => {
  expect(factText({ value: 420_000, adds: 80_000, limit: 500_000 })).toBe("420,000 of 500,000, this call adds 80,000");
  expect(factText({ value: 3, adds: null, limit: null })).toBe("3");
  expect(factText({ value: true, adds: null, limit: null })).toBe("yes");
  expect(factText({ value: new Digits("9007199254740993"), adds: 1, limit: null })).toBe(
    "9007199254740993, this call adds 1",
  );
});

test("counts and lists read as sentences", () => {
  expect(counted(1, "action")).toBe("1 action");
  expect(counted(1_200, "action")).toBe("1,200 actions");
  expect(listed(["a"])).toBe("a");
  expect(listed(["a", "b", "c"])).toBe("a, b and c");
});
