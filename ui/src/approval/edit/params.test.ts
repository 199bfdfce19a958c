// Edited text is read exactly, and only a real change of an object can be saved.
import { expect, it } from "vitest";
import { Digits, parse } from "../../api/json";
import { write } from "../../api/write";
import { isSame, paramProblems, paramsText, readParams } from "./params";

const shown = { title: "Login fails", count: 1, labels: ["a", { b: null }] };

it.each([
  ["the text as it was", paramsText(shown)],
  ["another order and other blanks", '{"labels":["a",{"b":null}],   "count":1,"title":"Login fails"}'],
  ["another notation", '{"title":"Login\\u0020fails","count":1.0,"labels":["a",{"b":null}]}'],
])("has nothing to save: %s", (_, text) => {
  expect(readParams(text, shown)).toEqual({ params: null, broken: null });
});

it.each([
  ["a value", '{"title":"Login works","count":1,"labels":["a",{"b":null}]}'],
  ["a type", '{"title":"Login fails","count":"1","labels":["a",{"b":null}]}'],
  ["an order of a list", '{"title":"Login fails","count":1,"labels":[{"b":null},"a"]}'],
  ["a missing field", '{"title":"Login fails","count":1}'],
  ["an invisible character", '{"title":"Login\u200b fails","count":1,"labels":["a",{"b":null}]}'],
  ["no fields", "{}"],
])("saves a change: %s", (_, text) => {
  expect(readParams(text, shown)).toEqual({ params: JSON.parse(text), broken: null });
});

it.each(["", "{", '{"title":"Login fails",}', "{'title':1}", '{"a":1} x'])("does not save invalid JSON: %s", (text) => {
  const { params, broken } = readParams(text, shown);
  expect(params).toBeNull();
  expect(broken).toMatch(/^Invalid JSON: ./);
});

it.each(["[1]", "null", '"text"', "1", "9007199254740993", "true"])("does not save what is no object: %s", (text) => {
  expect(readParams(text, shown)).toEqual({ params: null, broken: "The parameters must be an object: { … }" });
});

it("keeps digits and names that JavaScript treats specially", () => {
  const text = '{"n":9007199254740993,"d":1.10,"__proto__":{"x":1}}';
  const { params } = readParams(text, shown);
  expect(params?.n).toEqual(new Digits("9007199254740993"));
  expect(write(params)).toBe(text);
});

it("starts with the parameters as they are, one per line", () => {
  expect(paramsText(parse('{"a":1e2,"b":"é"}'))).toBe('{\n  "a": 1e2,\n  "b": "é"\n}\n');
});

it("never takes a number without a canonical form for the same", () => {
  const huge = { n: new Digits("9007199254740993") };
  expect(isSame(huge, huge)).toBe(false);
});

it("finds the problems of the parameters, relative to them or to the request", () => {
  const errors = ["/params/title", "/params", "/paramsx", "/title"].map((pointer) => ({ pointer, message: "m" }));
  const pointers = (code: string) => paramProblems({ code, errors }).map(({ pointer }) => pointer);
  expect(pointers("malformed_request")).toEqual(["/title", ""]);
  expect(pointers("invalid_params")).toEqual(["/title", "", "/paramsx", "/title"]);
  expect(paramProblems({ code: "cannot_edit" })).toEqual([]);
});
