// What the editor offers at the cursor, written here as `|`.
import { expect, test } from "vitest";
import type { PolicySchema } from "../types";
import { groupText, offersAt } from "./complete";

const schema: PolicySchema = {
  actions: [
    {
      address: "bank.transfer",
      groups: ["source:bank", "risk:R3"],
      input: [
        { path: "amount_cents", type: "Long", required: true, words: "" },
        { path: "to.iban", type: "String", required: true, words: "" },
        { path: "note", type: "String", required: false, words: "" },
      ],
    },
    {
      address: "github.merge",
      groups: ["source:github", "risk:R3"],
      input: [{ path: "pull_number", type: "Long", required: true, words: "" }],
    },
  ],
  groups: ["source:bank", "source:github", "risk:R3"],
  spaces: ["production"],
  sources: ["bank", "github"],
  facts: [{ path: "spent", type: "Long", required: true, words: "sum of input.amount_cents" }],
  context: [
    { path: "now.hour", type: "Long", required: true, words: "hour of the day" },
    { path: "now.weekday", type: "Long", required: true, words: "1 is Monday" },
    { path: "text", type: "String", required: true, words: "all parameters" },
  ],
  principal: [{ path: "unattended", type: "Bool", required: true, words: "nobody watches" }],
};

function at(marked: string, isExplicit = false): { options: string[]; details: string[]; typed: string } | null {
  const position = marked.indexOf("|");
  const text = marked.replace("|", "");
  const found = offersAt(text, position, schema, isExplicit);
  if (found === null) return null;
  return {
    options: found.options.map(({ label }) => label),
    details: found.options.map(({ detail }) => detail ?? ""),
    typed: text.slice(found.from, position),
  };
}
const labels = (marked: string) => at(marked)?.options;
const transfer = 'forbid (principal, action == Action::"bank.transfer", resource)\nwhen { ';

test("addresses of actions are offered in quotes, and groups where they can stand", () => {
  expect(at('action == Action::"bank.t|')).toMatchObject({
    options: ["bank.transfer", "github.merge"],
    typed: "bank.t",
  });
  expect(labels('action in Action::"|')).toEqual([...schema.groups, "bank.transfer", "github.merge"]);
  expect(labels('action in [Action::"risk:R3", Action::"|"]')).toContain("source:bank");
  expect(labels('principal in Space::"|')).toEqual(["production"]);
  expect(labels('resource == Source::"|')).toEqual(["bank", "github"]);
});

test("the parameters are those of the actions in scope", () => {
  expect(labels(`${transfer}context.input.|`)).toEqual(["amount_cents", "to", "note"]);
  expect(labels(`${transfer}context.input.to.|`)).toEqual(["iban"]);
  expect(labels('forbid (principal, action in Action::"source:github", resource) when { context.input.|')).toEqual([
    "pull_number",
  ]);
});

test("a parameter that not every action requires says that it is optional", () => {
  expect(at(`${transfer}context.input.|`)?.details).toEqual(["Long", "record", "String, optional: test it with has"]);
  expect(at('forbid (principal, action in Action::"risk:R3", resource) when { context.input.|')?.details[0]).toBe(
    "Long, optional: test it with has",
  );
  expect(labels(`${transfer}context.input has no|`)).toContain("note");
});

test("facts, times and the principal are offered after their dots", () => {
  expect(labels("when { context.|")).toEqual(["input", "history", "now", "text"]);
  expect(at("when { context.history.sp|")).toMatchObject({ options: ["spent"], typed: "sp" });
  expect(labels("when { context.now.|")).toEqual(["hour", "weekday"]);
  expect(labels("when { principal.|")).toEqual(["unattended"]);
  expect(labels("when { resource.|")).toEqual(["trust"]);
});

test("annotations are offered, and the modes in their quotes", () => {
  expect(at("@m|")).toMatchObject({ typed: "@m" });
  expect(labels("@|")).toContain('@mode("ask")');
  expect(labels('@mode("|')).toEqual(["ask", "deny"]);
});

test("nothing is offered in comments and other strings", () => {
  expect(at("// context.|")).toBeNull();
  expect(at('@why("context.|')).toBeNull();
  expect(at('context.input.url like "http://context.|')).toBeNull();
  expect(at("a|")).toBeNull();
  expect(at("|", true)?.options).toContain("forbid");
});

test("a group is said in words", () => {
  expect(groupText("source:github")).toBe("all of github");
  expect(groupText("risk:R3")).toBe("all with risk R3");
  expect(groupText("does:sends_out")).toBe("all that send data out");
});
