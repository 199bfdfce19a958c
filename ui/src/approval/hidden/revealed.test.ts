// Revealed values are put exactly where they were hidden, or nowhere.
import { expect, it } from "vitest";
import { approval, document } from "../../../tests/unit/document";
import { Digits, parse } from "../../api/json";
import { displayed, type ShownApproval } from "../shown";
import { approvalBlock, REVEAL_FIRST, reveal, withRevealed } from "./revealed";

const at = (...pointers: string[]) => pointers.map((pointer) => ({ pointer }));
const X = "[redacted]";

it.each<[string, unknown, string, unknown, unknown]>([
  ["a field", { a: X, b: 1 }, "/a", "s", { a: "s", b: 1 }],
  ["a field inside", { a: { b: X } }, "/a/b", "s", { a: { b: "s" } }],
  ["a list entry", { a: [1, [X, 2]] }, "/a/1/0", "s", { a: [1, ["s", 2]] }],
  ["a field named like an index", { 0: X }, "/0", "s", { 0: "s" }],
  ["a slash and a tilde", { "a/b~c": X, "a~1b~0c": 1 }, "/a~1b~0c", "s", { "a/b~c": "s", "a~1b~0c": 1 }],
  ["an escaped tilde before 1", { "~1": X }, "/~01", "s", { "~1": "s" }],
  ["an empty name", { "": { "": X } }, "//", "s", { "": { "": "s" } }],
  ["the whole", X, "", { a: 1 }, { a: 1 }],
  ["null", { a: X }, "/a", null, { a: null }],
  ["an object", { a: X }, "/a", { b: [1] }, { a: { b: [1] } }],
])("fills %s", (_, params, pointer, value, expected) => {
  expect(withRevealed(params, at(pointer), [{ pointer, value }])).toEqual(expected);
});

it("changes neither the parameters nor their order, and ignores values of other places", () => {
  const params = { z: X, y: { x: X }, n: new Digits("1.0") };
  const before = JSON.stringify(params);
  const values = [
    { pointer: "/y/x", value: 2 },
    { pointer: "/z", value: 1 },
    { pointer: "/n", value: "other" },
  ];
  const found = withRevealed(params, at("/z", "/y/x"), values);
  expect(JSON.stringify(found)).toBe('{"z":1,"y":{"x":2},"n":"1.0"}');
  expect((found as typeof params).n, "exact digits stay").toBe(params.n);
  expect(JSON.stringify(params)).toBe(before);
});

it.each<[string, unknown, string]>([
  ["another name", { a: X }, "/b"],
  ["a pointer without its slash", { a: X }, "a"],
  ["an index beyond the end", { a: [X] }, "/a/1"],
  ["the index after the last", { a: [X] }, "/a/-"],
  ["an index with a leading zero", { a: [X] }, "/a/00"],
  ["the length of a list", { a: [X] }, "/a/length"],
  ["a method of a list", { a: [X] }, "/a/map"],
  ["a character of a text", { a: X }, "/a/0"],
  ["the inside of a number", { a: new Digits("1.0") }, "/a/text"],
  ["an invalid escape", { "~2": X }, "/~2"],
  ["an inherited name", { a: X }, "/__proto__"],
  ["an inherited name inside", { a: X }, "/__proto__/polluted"],
  ["the constructor", { a: X }, "/constructor"],
  ["the prototype of the constructor", { a: X }, "/constructor/prototype/polluted"],
  ["an inherited method", { a: X }, "/toString"],
])("refuses %s", (_, params, pointer) => {
  expect(() => withRevealed(params, at(pointer), [{ pointer, value: "s" }])).toThrow("does not exist");
  expect(({} as Record<string, unknown>).polluted).toBeUndefined();
});

it("refuses a place without a value, with two values, or inside another place", () => {
  const a = { pointer: "/a", value: "s" };
  expect(() => withRevealed({ a: X, b: X }, at("/a", "/b"), [a])).toThrow("no value");
  expect(() => withRevealed({ a: X }, at("/a"), [{ pointer: "/a" }])).toThrow("no value");
  expect(() => withRevealed({ a: X }, at("/a"), [a, { pointer: "/a", value: "t" }])).toThrow("two values");
  const inside = { pointer: "/a/b", value: "t" };
  expect(() => withRevealed({ a: { b: X } }, at("/a", "/a/b"), [a, inside])).toThrow("does not exist");
});

it("never says a value in an error", () => {
  const values = [{ pointer: "/a", value: "hunter2" }];
  for (const hidden of [at("/b"), at("/a", "/b")]) {
    expect(() => withRevealed({ x: 1 }, hidden, values)).toThrow(/^((?!hunter2).)*$/);
  }
});

it.each(["__proto__", "constructor", "prototype", "hasOwnProperty", "toJSON", "valueOf", "length"])(
  "fills a field named %s as an own property, and pollutes nothing",
  (name) => {
    const params = parse(`{"${name}":{"polluted":"${X}"},"other":"${X}"}`);
    const values = parse(`[{"pointer":"/${name}/polluted","value":"yes"},{"pointer":"/other","value":{"${name}":1}}]`);
    const found = withRevealed(params, at(`/${name}/polluted`, "/other"), values as never) as object;
    expect(Object.keys(found)).toEqual([name, "other"]);
    expect(Object.getPrototypeOf(found)).toBe(Object.prototype);
    expect(JSON.stringify(Object.entries(found))).toBe(
      `[["${name}",{"polluted":"yes"}],["other",${JSON.stringify(parse(`{"${name}":1}`))}]]`,
    );
    expect(({} as Record<string, unknown>).polluted).toBeUndefined();
  },
);

it("blocks an approval until every place is revealed", () => {
  const hidden = [{ pointer: "/title", characters: 3, rule: "the name of the field" }];
  const shown = { ...document, hidden };
  const item = displayed(approval({ shown })) as ShownApproval;
  expect(approvalBlock(item, null)).toBe(REVEAL_FIRST);
  const revealed = reveal(shown, [{ pointer: "/title", value: "abc" }]);
  expect(revealed).toEqual({ params: { title: "abc" }, pointers: new Set(["/title"]) });
  expect(approvalBlock(item, revealed)).toBeNull();
  expect(item.shown.params, "the digest is still that of the document").toEqual({ title: "Login fails" });
});

it("blocks nothing without hidden values", () => {
  expect(approvalBlock(displayed(approval()) as ShownApproval, null)).toBeNull();
  expect(approvalBlock({ kind: "unknown" } as never, null)).toBeNull();
  expect(approvalBlock({ kind: "grant_request" } as never, null)).toBeNull();
});
