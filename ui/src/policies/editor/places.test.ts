// Problems are underlined where the gateway says, whatever it says.
import { expect, test } from "vitest";
import { rangeOf } from "./places";

const text = '@id("cap")\nforbid (\n"é😀" x);';
const at = (line: number, column: number, length: number) => {
  const { from, to } = rangeOf(text, { line, column, length });
  return text.slice(from, to);
};

test("lines and columns are counted from one, in UTF-16 code units", () => {
  expect(at(1, 1, 3)).toBe("@id");
  expect(at(2, 1, 6)).toBe("forbid");
  expect(at(3, 7, 1)).toBe("x");
});

test("a place without a length has one character", () => {
  expect(at(2, 8, 0)).toBe("(");
});

test("a problem without a place is at the beginning", () => {
  expect(rangeOf(text, { line: null, column: null, length: null })).toEqual({ from: 0, to: 1 });
});

test("a place outside of the text is its end", () => {
  expect(at(9, 1, 5)).toBe(";");
  expect(at(3, 99, 5)).toBe(";");
  expect(at(3, 7, 999)).toBe("x);");
  expect(rangeOf("", { line: 1, column: 1, length: 1 })).toEqual({ from: 0, to: 0 });
});
