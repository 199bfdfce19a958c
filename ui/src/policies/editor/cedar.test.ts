// The pieces of a Cedar text, its annotations, and the actions that it is about.
import { expect, test } from "vitest";
import { annotation, escaped, pieces, scopeAt, split, unquoted } from "./cedar";

const CAP = `// A cap of @id("wrong").
@id("cap") @why("At most \\"5 000\\" € an hour")
forbid (principal, action == Action::"bank.transfer", resource)
when { context.input.currency == "EUR" && context.history.spent > 500000 };`;

test("a text is cut into its pieces", () => {
  expect(pieces('forbid when { context.x >= 5 }; // "no"').map(({ kind, text }) => [kind, text])).toEqual([
    ["word", "forbid"],
    ["word", "when"],
    ["punctuation", "{"],
    ["word", "context"],
    ["punctuation", "."],
    ["word", "x"],
    ["punctuation", ">="],
    ["number", "5"],
    ["punctuation", "}"],
    ["punctuation", ";"],
    ["comment", '// "no"'],
  ]);
});

test("a string that is not closed ends with its line", () => {
  expect(pieces('action == Action::"bank.\nwhen').map(({ text }) => text)).toContain('"bank.');
});

test("an annotation is read outside of comments", () => {
  expect(annotation(CAP, "id")).toBe("cap");
  expect(annotation(CAP, "why")).toBe('At most "5 000" € an hour');
  expect(annotation(CAP, "mode")).toBeNull();
  expect(annotation('@id(""', "id")).toBe("");
});

test("what is written is read again", () => {
  for (const text of ['a "b" \\ c', "two\nlines", ""]) expect(unquoted(`"${escaped(text)}"`)).toBe(text);
});

test("the scope is what stands before the conditions, of the policy around the position", () => {
  const two = `${CAP}\n@id("b") forbid (principal, action in [Action::"risk:R3", Action::"github.merge"], resource)
when { action == Action::"x.y" };`;
  expect(scopeAt(two, 10)).toEqual({ actions: ["bank.transfer"], groups: [] });
  expect(scopeAt(two, two.length - 3)).toEqual({ actions: ["github.merge"], groups: ["risk:R3"] });
  expect(scopeAt("forbid (principal, action, resource);", 5)).toEqual({ actions: [], groups: [] });
});

test("a text with several policies is split, each with its comments", () => {
  expect(
    split('// a; b\n@id("a") forbid (principal, action, resource);\n\n// c\n@id("b;") forbid (…);\n// end'),
  ).toEqual(['// a; b\n@id("a") forbid (principal, action, resource);\n', '// c\n@id("b;") forbid (…);\n']);
  expect(split("forbid (")).toEqual(["forbid (\n"]);
  expect(split("// nothing")).toEqual([]);
});
