// Conditions can be edited as rows or as JSON, without losing anything in between.
import { expect, test } from "vitest";
import { draftOf, filterOfDraft, otherForm } from "./conditionsDraft";

const simple = { "input.currency": { equals: "EUR" } };
const complex = { $or: [simple] };

test("simple conditions begin as rows, others as JSON", () => {
  expect(draftOf(simple).kind).toBe("rows");
  expect(draftOf(null)).toEqual({ kind: "rows", rows: [] });
  expect(draftOf(complex).kind).toBe("json");
});

test("both forms are the same filter", () => {
  const rows = draftOf(simple);
  const json = otherForm(rows);
  expect(json?.kind).toBe("json");
  expect(filterOfDraft(json ?? rows)).toEqual({ filter: simple });
  expect(otherForm(json ?? rows)).toEqual(rows);
});

test("JSON that rows cannot say stays JSON", () => {
  expect(otherForm(draftOf(complex))).toBeNull();
  expect(otherForm({ kind: "json", text: "{" })).toBeNull();
});

test("rows that are incomplete stay rows", () => {
  const row = { path: "input.currency", operator: "equals", value: "" };
  expect(otherForm({ kind: "rows", rows: [row] })).toBeNull();
  expect(otherForm({ kind: "rows", rows: [{ ...row, path: "", value: "EUR" }] })).toBeNull();
  expect(otherForm({ kind: "rows", rows: [] })).toEqual({ kind: "json", text: "" });
});

test("what is no filter is named", () => {
  expect(filterOfDraft({ kind: "json", text: "{" })).toEqual({ problem: "The conditions are not valid JSON." });
  expect(filterOfDraft({ kind: "json", text: "[]" })).toEqual({ problem: "The conditions must be a JSON object." });
  expect(filterOfDraft({ kind: "json", text: " " })).toEqual({ filter: null });
});
