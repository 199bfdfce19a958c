// Facts in words, and what is wrong with them.
import { expect, test } from "vitest";
import type { FactDefinition } from "../types";
import { factProblem, factWords, isSameFact, readWindow, windowText } from "./words";

const spent: FactDefinition = {
  name: "spent",
  kind: "sum",
  of: ["bank.transfer"],
  field: "input.amount_cents",
  where: { "input.currency": { equals: "EUR" } },
  same: [],
  state: "counted",
  within: "1h",
  per: "session",
};

test("a fact is one sentence", () => {
  expect(factWords(spent)).toBe(
    "sum of input.amount_cents of bank.transfer, counted, within 1 hour, where input.currency is EUR, per session",
  );
  expect(
    factWords({
      ...spent,
      kind: "any",
      where: null,
      same: ["input.repo"],
      state: "succeeded",
      within: "30m",
      per: "org",
    }),
  ).toBe("any bank.transfer, that succeeded, within 30 minutes, with the same input.repo, in the organization");
  expect(factWords({ ...spent, kind: "count", of: [], where: null })).toMatch(/^number of …,/);
});

test("a window is between a minute and thirty days", () => {
  expect(readWindow("1h")).toEqual({ count: 1, unit: "h" });
  expect(readWindow("30d")).toEqual({ count: 30, unit: "d" });
  for (const bad of ["", "0m", "31d", "721h", "1w", "1.5h"]) expect(readWindow(bad)).toBeNull();
  expect(windowText("24h")).toBe("24 hours");
  expect(windowText("soon")).toBe("soon");
});

test("a definition is checked before it is sent", () => {
  expect(factProblem(spent)).toBeNull();
  expect(factProblem({ ...spent, name: "Spent!" })).toMatch(/^The name/);
  expect(factProblem({ ...spent, of: [] })).toBe("Choose at least one action.");
  expect(factProblem({ ...spent, field: null })).toBe("Choose the field.");
  expect(factProblem({ ...spent, kind: "count", field: null })).toBeNull();
  const output = { ...spent, where: { $or: [{ "output.ok": { equals: true } }] } };
  expect(factProblem(output)).toBe("A fact that reads output must be about calls that succeeded.");
  expect(factProblem({ ...output, state: "succeeded" })).toBeNull();
  expect(factProblem({ ...spent, within: "40d" })).toMatch(/^The time/);
});

test("two facts are the same if they count the same", () => {
  expect(isSameFact(spent, { ...spent, used_by: ["cap"] } as FactDefinition)).toBe(true);
  expect(isSameFact(spent, { ...spent, within: "2h" })).toBe(false);
});
