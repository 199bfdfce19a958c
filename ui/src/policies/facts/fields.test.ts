// The fields that a fact can name are the parameters of its actions.
import { expect, test } from "vitest";
import { fieldsOfActions } from "./fields";

const action = (address: string, groups: string[], ...paths: string[]) => ({
  address,
  groups,
  input: paths.map((path) => ({ path, type: "String", required: true, words: "" })),
});
const actions = [
  action("bank.transfer", ["source:bank", "does:sends_out"], "to", "amount"),
  action("bank.refund", ["source:bank"], "amount", "id"),
  action("mail.send", ["source:mail", "does:sends_out"], "to"),
];

test("an action, all actions of a source, and a group are understood", () => {
  expect(fieldsOfActions(actions, ["bank.refund"])).toEqual(["input.amount", "input.id"]);
  expect(fieldsOfActions(actions, ["bank.*"])).toEqual(["input.amount", "input.id", "input.to"]);
  expect(fieldsOfActions(actions, ["does:sends_out"])).toEqual(["input.amount", "input.to"]);
  expect(fieldsOfActions(actions, [])).toEqual([]);
});
