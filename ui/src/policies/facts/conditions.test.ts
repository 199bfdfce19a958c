// Conditions of facts: rows become a filter, and a filter becomes rows where rows can say it.
import { expect, test } from "vitest";
import { Digits } from "../../api/json";
import { filterOf, filterText, rowsOf } from "./conditions";

const row = (path: string, operator: string, value: string) => ({ path, operator, value });

test("rows become the filter that they say", () => {
  expect(
    filterOf([row("input.currency", "equals", "EUR"), row("input.n", "gte", "5"), row("input.n", "lt", "10")]),
  ).toEqual({ filter: { "input.currency": { equals: "EUR" }, "input.n": { gte: 5, lt: 10 } } });
  expect(filterOf([])).toEqual({ filter: null });
});

test("a value keeps its kind and its digits", () => {
  expect(filterOf([row("a", "equals", "9007199254740993")])).toEqual({
    filter: { a: { equals: new Digits("9007199254740993") } },
  });
  expect(filterOf([row("a", "equals", '"5"')])).toEqual({ filter: { a: { equals: "5" } } });
  expect(filterOf([row("a", "equals", "true")])).toEqual({ filter: { a: { equals: true } } });
  expect(filterOf([row("a", "starts_with", "5")])).toEqual({ filter: { a: { starts_with: "5" } } });
  expect(filterOf([row("a", "exists", "false")])).toEqual({ filter: { a: { exists: false } } });
});

test("a row that says nothing is named", () => {
  expect(filterOf([row(" ", "equals", "x")])).toEqual({ problem: "A condition has no field." });
  expect(filterOf([row("a", "gt", "many")])).toEqual({ problem: "a must be compared with a number." });
  expect(filterOf([row("a", "equals", "")])).toEqual({ problem: "The condition on a has no value." });
  expect(filterOf([row("a", "gt", "1"), row("a", "gt", "2")])).toEqual({ problem: "a has the same condition twice." });
});

test("a filter is shown as it was written, and back", () => {
  const filter = { "input.currency": { equals: "EUR" }, "output.id": { equals: "5", exists: true } };
  const rows = rowsOf(filter);
  expect(rows).toEqual([
    row("input.currency", "equals", "EUR"),
    row("output.id", "equals", '"5"'),
    row("output.id", "exists", "true"),
  ]);
  expect(filterOf(rows ?? [])).toEqual({ filter });
});

test("a field named like a part of every object stays a field", () => {
  const { filter } = filterOf([row("__proto__", "equals", "x")]) as { filter: object };
  expect(Object.keys(filter)).toEqual(["__proto__"]);
});

test("a filter that rows cannot say is left alone", () => {
  expect(rowsOf({ $or: [] })).toBeNull();
  expect(rowsOf({ a: { in: [1, 2] } })).toBeNull();
  expect(filterText({ a: { in: [1, 2] } })).toBe('{"a":{"in":[1,2]}}');
});

test("a filter is said in words", () => {
  expect(filterText({ "input.currency": { equals: "EUR" }, b: { exists: false } })).toBe(
    "input.currency is EUR and b does not exist",
  );
  expect(filterText(null)).toBeNull();
});
