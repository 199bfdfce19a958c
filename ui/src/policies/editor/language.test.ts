// The colours of a Cedar text, token by token.
import { StringStream } from "@codemirror/language";
import { expect, test } from "vitest";
import { token } from "./language";

function colours(line: string): [string, string][] {
  const stream = new StringStream(line, 2, 2);
  const found: [string, string][] = [];
  while (!stream.eol()) {
    stream.start = stream.pos;
    const name = token(stream);
    if (name !== null && name !== "punctuation") found.push([stream.current(), name]);
  }
  return found;
}

test("each kind of word has its colour", () => {
  expect(colours('@mode("deny") forbid (action == Action::"a.b") // all')).toEqual([
    ["@mode", "annotation"],
    ['"deny"', "string"],
    ["forbid", "keyword"],
    ["action", "propertyName"],
    ["Action", "typeName"],
    ['"a.b"', "string"],
    ["// all", "comment"],
  ]);
  expect(colours("when { context.input.n > 5 && true };")).toEqual([
    ["when", "keyword"],
    ["context", "propertyName"],
    ["5", "number"],
    ["true", "bool"],
  ]);
});

test("a quote in a string does not end it, and a comment in a string is none", () => {
  expect(colours('"a \\" // b" like')).toEqual([
    ['"a \\" // b"', "string"],
    ["like", "keyword"],
  ]);
});

test("a name of every object is no keyword", () => {
  expect(colours("constructor toString")).toEqual([]);
});
