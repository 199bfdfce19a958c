// The forecast follows the order of decisions, and says where it is unsure.
import { expect, test } from "vitest";
import { bandFloor, ceiling, inferred, outlook, ruleFor, withoutRule, withRule } from "./outlook";
import type { MatrixRow } from "./queries";

const row = (action: string, risk: string, mode: MatrixRow["mode"], more: Partial<MatrixRow> = {}): MatrixRow => ({
  source: "linear",
  action: `linear.${action}`,
  risk,
  effect: "once",
  mode,
  mode_source: "inferred",
  guardrails: [],
  reason: "",
  steps: [],
  ...more,
});
const rows = [
  row("list", "R1", "allow"),
  row("create", "R2", "require_approval"),
  row("merge", "R3", "require_approval"),
  row("wipe", "R4", "deny"),
];
const reviewed = new Set(["linear"]);
const modes = (changes: ReturnType<typeof outlook>) =>
  changes.map((change) => [change.row.action.slice("linear.".length), change.to]);

test("what holds without a rule, and how far one can loosen it", () => {
  expect(["R0", "R1", "R2", "R3", "R4"].map(inferred)).toEqual([
    "allow",
    "allow",
    "require_approval",
    "require_approval",
    "deny",
  ]);
  expect(["R2", "R3", "R4"].map(ceiling)).toEqual(["allow", "require_approval", "require_approval"]);
});

test("bands only make it stricter, and more so the darker they are", () => {
  expect(bandFloor("amber", "R2")).toBe("require_approval");
  expect(bandFloor("red", "R3")).toBe("deny");
  expect(bandFloor("black", "R2")).toBe("deny");
  expect(bandFloor("black", "R1")).toBe("allow");
});

test("the most specific rule speaks, and that of an automation before that of the org", () => {
  const rules = [
    { action: "*", mode: "deny" },
    { action: "linear.*", mode: "allow" },
    { action: "linear.create", mode: "deny" },
    { action: "*", mode: "allow", automation: "aut_1" },
  ];
  expect(ruleFor(rows[1] as MatrixRow, rules, null)?.action).toBe("linear.create");
  expect(ruleFor(rows[0] as MatrixRow, rules, null)?.action).toBe("linear.*");
  expect(ruleFor(rows[1] as MatrixRow, rules, "aut_1")?.automation).toBe("aut_1");
});

test("a rule that allows everything of a source does not lift the ceiling", () => {
  const now = { rules: [], band: "green" as const };
  const next = { rules: withRule([], { action: "linear.*", mode: "allow" }), band: "green" as const };
  expect(modes(outlook(rows, now, next, null, reviewed))).toEqual([
    ["create", "allow"],
    ["wipe", "require_approval"],
  ]);
});

test("a rule for certain parameters or one step does not change what holds for every call", () => {
  const plain = { action: "linear.create", mode: "deny" };
  const bound = { action: "linear.create", mode: "allow", where: { team_id: { equals: "team-1" } } as never };
  expect(ruleFor(rows[1] as MatrixRow, [bound, plain], null)).toBe(plain);
  expect(ruleFor(rows[1] as MatrixRow, [bound], null)).toBeNull();
  expect(ruleFor(rows[1] as MatrixRow, [{ ...plain, step: "sha256:0" }], null)).toBeNull();
  expect(withoutRule([bound, plain], plain)).toEqual([bound]);
  expect(withoutRule([plain], bound)).toEqual([plain]);
});

test("removing a rule is forecast as well", () => {
  const rules = [{ action: "linear.create", mode: "deny" }];
  const denied = [row("create", "R2", "deny", { mode_source: "org_rule" })];
  expect(
    modes(
      outlook(
        denied,
        { rules, band: "green" },
        { rules: withoutRule(rules, { action: "linear.create", mode: "deny" }), band: "green" },
        null,
        reviewed,
      ),
    ),
  ).toEqual([["create", "require_approval"]]);
});

test("what drift holds stays held, and where it cannot be known the forecast says so", () => {
  const now = { rules: [{ action: "linear.create", mode: "allow" }], band: "green" as const };
  const held = [row("create", "R2", "require_approval", { guardrails: ["drift"] })];
  expect(outlook(held, now, { rules: [], band: "green" }, null, new Set())).toEqual([]);
  const loosened = outlook(rows.slice(1, 2), { rules: [], band: "green" }, now, null, new Set());
  expect(loosened).toMatchObject([{ to: "allow", isSure: false }]);
});

test("what a policy makes stricter stays so, whatever the rules", () => {
  const now = { rules: [], band: "green" as const };
  const next = { rules: withRule([], { action: "linear.*", mode: "allow" }), band: "green" as const };
  const denied = [row("create", "R2", "deny", { guardrails: ["policy"] })];
  expect(outlook(denied, now, next, null, reviewed)).toEqual([]);
  const asked = [row("create", "R2", "require_approval", { guardrails: ["policy"] })];
  expect(outlook(asked, now, next, null, reviewed)).toEqual([]);
  const strict = { ...next, rules: withRule([], { action: "*", mode: "deny" }) };
  expect(modes(outlook(asked, now, strict, null, reviewed))).toEqual([["create", "deny"]]);
});

test("a policy that depends on the parameters makes a forecast unsure, but no denial", () => {
  const now = { rules: [], band: "green" as const };
  const rule = (mode: string) => ({ rules: withRule([], { action: "*", mode }), band: "green" as const });
  const depends = [row("create", "R2", "require_approval", { depends: ["cap"] })];
  expect(outlook(depends, now, rule("allow"), null, reviewed)).toMatchObject([{ to: "allow", isSure: false }]);
  expect(outlook(depends, now, rule("deny"), null, reviewed)).toMatchObject([{ to: "deny", isSure: true }]);
  expect(outlook(rows.slice(1, 2), now, rule("allow"), null, reviewed)).toMatchObject([{ isSure: true }]);
});

test("another band is a forecast for every action of the space", () => {
  expect(modes(outlook(rows, { rules: [], band: "green" }, { rules: [], band: "black" }, null, reviewed))).toEqual([
    ["create", "deny"],
    ["merge", "deny"],
  ]);
});
