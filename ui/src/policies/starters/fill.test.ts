// Values of a person in the text, the facts and the cases of a starter.
import { expect, test } from "vitest";
import type { PolicySchema, Starter } from "../types";
import { defaults, fill, unknownAction, valueProblem } from "./fill";

const starter = {
  name: "spending-cap",
  title: "Spending cap",
  about: "",
  needs: [
    { name: "action", label: "Action", kind: "action", default: "bank.transfer" },
    { name: "field", label: "Amount", kind: "field", default: "amount_cents" },
    { name: "most", label: "Most", kind: "integer", default: 500_000 },
    { name: "why", label: "Reason", kind: "text", default: "Too much" },
    { name: "hosts", label: "Hosts", kind: "list", default: ["a.example", "b.example"] },
  ],
  text:
    '@why("{{why}}") forbid (…, action == Action::"{{ action }}") ' +
    "when { context.input.{{field}} > {{most}} && [{{hosts}}] };",
  facts: [
    { name: "spent", of: ["{{action}}"], field: "input.{{field}}", where: { "input.{{field}}": { gt: "{{most}}" } } },
  ],
  cases: [{ name: "over {{most}}", request: { params: { n: "{{most}}", hosts: ["{{hosts}}", "c"] } } }],
  actions: [],
} as unknown as Starter;

test("the defaults are prefilled as texts", () => {
  expect(defaults(starter.needs)).toMatchObject({ most: "500000", hosts: "a.example\nb.example" });
});

test("values go into the text, quoted and escaped where Cedar needs it", () => {
  const { text } = fill(starter, { ...defaults(starter.needs), why: 'Over "5 000"' });
  expect(text).toBe(
    '@why("Over \\"5 000\\"") forbid (…, action == Action::"bank.transfer") ' +
      'when { context.input.amount_cents > 500000 && ["a.example", "b.example"] };',
  );
});

test("values keep their kind in facts and cases", () => {
  const { facts, cases } = fill(starter, defaults(starter.needs));
  expect(facts).toEqual([
    {
      name: "spent",
      of: ["bank.transfer"],
      field: "input.amount_cents",
      where: { "input.amount_cents": { gt: 500_000 } },
    },
  ]);
  expect(cases).toEqual([
    { name: "over 500000", request: { params: { n: 500_000, hosts: ["a.example", "b.example", "c"] } } },
  ]);
});

test("a case keeps the policies that it is about", () => {
  const cases = [{ name: "over", request: { action: "bank.transfer" }, expect: "deny", only: ["spending-cap"] }];
  expect(fill({ ...starter, cases } as Starter, defaults(starter.needs)).cases).toEqual(cases);
});

test("a chosen action must exist", () => {
  const schema = { actions: [{ address: "bank.transfer" }] } as PolicySchema;
  const values = defaults(starter.needs);
  expect(unknownAction(starter.needs, values, schema)).toBeNull();
  expect(unknownAction(starter.needs, { ...values, action: "bank.pay" }, schema)).toBe("bank.pay");
  expect(unknownAction(starter.needs, { ...values, action: "" }, schema)).toBeNull();
});

test("a place without a value stays", () => {
  expect(fill({ ...starter, text: "{{other}}" }, {}).text).toBe("{{other}}");
});

test("each kind of value is checked", () => {
  const need = (kind: string) => ({ name: "n", label: "Limit", kind, default: "" }) as never;
  expect(valueProblem(need("text"), " ")).toBe("Limit is required.");
  expect(valueProblem(need("list"), ",\n")).toBe("Limit is required.");
  expect(valueProblem(need("integer"), "5.5")).toBe("Limit must be a whole number.");
  expect(valueProblem(need("integer"), "-5")).toBeNull();
});
