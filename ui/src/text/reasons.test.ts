import { expect, test } from "vitest";
import { inWords } from "./reasons";

test("the gateway's sentences are said as people say them", () => {
  expect(inWords("no rule; require_approval is the default for R2")).toBe("no rule for it, and R2 asks a person");
  expect(inWords("inferred: no rule; allow is the default for R1")).toBe("no rule for it, and R1 is done without asking");
  expect(inWords("gate safety: pass")).toBe("gate safety: nothing against it");
  expect(inWords("org_rule: rule of the org for `a.b`: why: so")).toBe("rule of the org for `a.b`: why: so");
  expect(inWords("band: require_approval → deny, a red space permits nothing that is hard to undo")).toBe("band: from asks to denied, a red space permits nothing that is hard to undo");
});

test("what holds somebody else's words is left as it is", () => {
  for (const text of ["rule of the org for `a.b`: no rule; deny is the default for R2", "gate safety: pass, or so", "gate safety: deny, no", "inferred"]) expect(inWords(text)).toBe(text);
});
