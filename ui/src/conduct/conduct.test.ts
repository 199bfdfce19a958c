// What is stopped is found by scope and subject, the strictest applies, and several are counted in one line.
import { expect, it } from "vitest";
import {
  agentTarget,
  appliedConduct,
  type ConductView,
  ORG,
  ownConduct,
  restrictionsLeft,
  sourceTarget,
  summaryText,
  targetLabel,
  withConduct,
} from "./conduct";

const set = (scope: string, subject: string, conduct = "halted"): ConductView => ({
  scope,
  subject,
  name: subject,
  conduct,
  reason: "It repeats itself",
  set_at: "2026-11-18T10:00:00Z",
});
const wild = agentTarget("wild");

it("finds what was set for exactly this target", () => {
  const all = [set("source", "wild"), set("agent", "tame"), set("agent", "wild", "dry_run")];
  expect(ownConduct(all, wild)?.conduct).toBe("dry_run");
  expect(ownConduct(all, sourceTarget("tame"))).toBeNull();
  expect(ownConduct(all, ORG)).toBeNull();
});

it("applies the strictest, and of two equal ones that of the organization", () => {
  const applied = (...all: ConductView[]) => {
    const found = appliedConduct(all, wild);
    return found === null ? null : [found.scope, found.conduct];
  };
  expect(applied()).toBeNull();
  expect(applied(set("agent", "tame"), set("source", "linear"))).toBeNull();
  expect(applied(set("agent", "wild"))).toEqual(["agent", "halted"]);
  expect(applied(set("org", "", "dry_run"), set("agent", "wild"))).toEqual(["agent", "halted"]);
  expect(applied(set("agent", "wild", "dry_run"), set("org", ""))).toEqual(["org", "halted"]);
  expect(applied(set("agent", "wild"), set("org", ""))).toEqual(["org", "halted"]);
});

it("offers what is not set already", () => {
  expect(restrictionsLeft(null)).toEqual(["halted", "dry_run"]);
  expect(restrictionsLeft(set("agent", "wild"))).toEqual(["dry_run"]);
  expect(restrictionsLeft(set("agent", "wild", "dry_run"))).toEqual(["halted"]);
});

it("puts a change in front, once, and takes a resumed one out", () => {
  const all = [set("org", ""), set("agent", "wild")];
  expect(withConduct(all, set("agent", "wild", "dry_run"))).toEqual([set("agent", "wild", "dry_run"), set("org", "")]);
  expect(withConduct(all, set("agent", "wild", "normal"))).toEqual([set("org", "")]);
  expect(withConduct([], set("agent", "wild", "normal"))).toEqual([]);
});

it.each([
  [["halted", "halted", "halted"], "3 things are stopped"],
  [["dry_run", "dry_run"], "2 things are in a dry run"],
  [["halted", "dry_run"], "1 thing is stopped, 1 is in a dry run"],
  [["halted", "halted", "dry_run", "dry_run"], "2 things are stopped, 2 are in a dry run"],
])("%j: %s", (conducts, text) =>
  expect(summaryText(conducts.map((conduct, n) => set("agent", String(n), conduct)))).toBe(text),
);

it("names a target in one line, also a hostile one", () => {
  expect(targetLabel(ORG)).toBe("the whole organization");
  expect(targetLabel(wild)).toBe("agent wild");
  expect(targetLabel(agentTarget("a\u202eb"))).not.toContain("\u202e");
});
