// A draft says what is missing before it is sent.
import { expect, test } from "vitest";
import type { PolicyProblem, PolicyView } from "../types";
import { checkText, draftOf, FIRST_TEXT, hasNewer, nameOf, nameProblem } from "./draft";

const saved = {
  name: "cap",
  text: '@id("cap") forbid (principal, action, resource);',
  state: "enforced",
} as PolicyView;
const problem = (severity: string) => ({ severity }) as PolicyProblem;

test("a new policy begins with a text that has a name, and only observes", () => {
  expect(draftOf(null).state).toBe("observing");
  expect(nameProblem(FIRST_TEXT, null, [])).toBeNull();
  expect(nameOf(FIRST_TEXT)).toBe("my-policy");
});

test("a policy keeps its name", () => {
  expect(nameProblem(saved.text, saved, ["cap"])).toBeNull();
  expect(nameProblem('@id("other") forbid', saved, ["cap"])).toMatch(/^This policy is named cap/);
});

test("a new policy needs a name of its own", () => {
  expect(nameProblem("forbid", null, [])).toMatch(/^The policy has no name/);
  expect(nameProblem(saved.text, null, ["cap"])).toMatch(/already exists/);
});

test("another version is noticed, and another policy with the same name", () => {
  const opened = { ...saved, id: "pol_1", version: 1 };
  expect(hasNewer(opened, { ...opened })).toBe(false);
  expect(hasNewer(opened, { ...opened, version: 2 })).toBe(true);
  expect(hasNewer(opened, { ...opened, id: "pol_2" })).toBe(true);
  expect(hasNewer(opened, null)).toBe(false);
  expect(hasNewer(null, null)).toBe(false);
});

test("errors are counted before warnings", () => {
  expect(checkText([])).toBe("valid");
  expect(checkText([problem("warning")])).toBe("1 warning");
  expect(checkText([problem("warning"), problem("error"), problem("error")])).toBe("2 problems");
});
