// The change that is tested says what is missing.
import { expect, test } from "vitest";
import type { PolicyView } from "../types";
import { FIRST, requestOf } from "./change";

const policies = [{ name: "cap", text: "forbid …" }] as PolicyView[];

test("each kind of change becomes its part of the request", () => {
  const of = (change: Partial<typeof FIRST>) => requestOf({ ...FIRST, ...change }, policies);
  expect(of({ policy: "cap" })).toEqual({ request: { policies: [{ text: "forbid …" }] } });
  expect(of({ kind: "remove", policy: "cap" })).toEqual({ request: { remove: ["cap"] } });
  expect(of({ kind: "rule", action: " a.b " })).toEqual({ request: { rule: { action: "a.b", mode: "allow" } } });
  expect(of({ kind: "band", space: "spc_1" })).toEqual({ request: { band: { space: "spc_1", band: "amber" } } });
});

test("what is missing is named", () => {
  for (const kind of ["enforce", "remove", "rule", "band"] as const)
    expect(requestOf({ ...FIRST, kind }, policies)).toHaveProperty("problem");
  expect(requestOf({ ...FIRST, policy: "deleted" }, policies)).toHaveProperty("problem");
});
