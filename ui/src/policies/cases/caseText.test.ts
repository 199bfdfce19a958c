// A case is the same as form and as JSON.
import { expect, test } from "vitest";
import { Digits } from "../../api/json";
import { caseProblem, caseText, EMPTY, readCase, readFact } from "./caseText";

const one = { ...EMPTY, name: "over-the-cap", request: { ...EMPTY.request, action: "bank.transfer" } };

test("a case is read as it was written", () => {
  expect(readCase(caseText(one))).toEqual({ value: one });
});

test("the policies that are evaluated are kept", () => {
  const narrow = { ...one, only: ["cap", "hours"] };
  expect(JSON.parse(caseText(narrow))).toMatchObject({ only: ["cap", "hours"] });
  expect(readCase(caseText(narrow))).toEqual({ value: narrow });
});

test("what has its default is not written", () => {
  const request = { ...one.request, unattended: false, space: null, history: {} };
  expect(caseText({ ...one, request, policies: null })).toBe(caseText(one));
  const full = { ...one, request: { ...request, unattended: true, asked: "deny" as const }, policies: [] };
  expect(JSON.parse(caseText(full))).toMatchObject({ request: { unattended: true, asked: "deny" }, policies: [] });
  expect(caseText({ ...one, only: [] })).toBe(caseText(one));
});

test("parameters keep their digits", () => {
  const big = { ...one, request: { ...one.request, params: { id: new Digits("9007199254740993") } } };
  expect(caseText(big)).toContain('"id": 9007199254740993');
  expect(readCase(caseText(big))).toEqual({ value: big });
});

test("what is left out has its default", () => {
  expect(readCase('{"name":"a","request":{"action":"x.y"},"expect":"allow"}')).toEqual({
    value: { ...EMPTY, name: "a", request: { ...EMPTY.request, action: "x.y" }, expect: "allow" },
  });
});

test("what is no case is named", () => {
  const problem = (text: string) => (readCase(text) as { problem: string }).problem;
  expect(problem("{")).not.toBe("");
  expect(problem("[]")).toMatch(/JSON object/);
  expect(problem('{"name":1}')).toMatch(/name/);
  expect(problem('{"name":"a","request":{}}')).toMatch(/request\.action/);
  expect(problem('{"name":"a","request":{"action":"x","params":[]}}')).toMatch(/request\.params/);
  expect(problem('{"name":"a","request":{"action":"x"},"expect":"ask"}')).toMatch(/expect/);
  expect(problem('{"name":"a","request":{"action":"x"},"expect":"deny","policies":"cap"}')).toMatch(/policies/);
  expect(problem('{"name":"a","request":{"action":"x"},"expect":"deny","only":[1]}')).toMatch(/only/);
});

test("a case needs a name and an action", () => {
  expect(caseProblem(one)).toBeNull();
  expect(caseProblem({ ...one, name: "Over the cap" })).toMatch(/^The name must/);
  expect(caseProblem(EMPTY)).toBe("The case needs a name.");
});

test("a value of a fact is a whole number", () => {
  expect(readFact("420000")).toBe(420_000);
  expect(readFact(" -1 ")).toBe(-1);
  expect(readFact("9007199254740993")).toEqual(new Digits("9007199254740993"));
  for (const wrong of ["many", "12.5", "true", ""]) expect(readFact(wrong)).toBeUndefined();
});
