// A reason arrives as it was written, in any script.
import { expect, test } from "vitest";
import { because } from "./reason";

const arrives = (reason: string) => {
  const sent = new Headers(because(reason)).get("countersign-reason") ?? "";
  return new TextDecoder().decode(Uint8Array.from(sent, (character) => character.charCodeAt(0)));
};

test("a reason is UTF-8 in one line", () => {
  expect(arrives("zu viel für Łódź, 5 000 € 🙂")).toBe("zu viel für Łódź, 5 000 € 🙂");
  expect(arrives(" two\n lines\0 ")).toBe("two lines");
});

test("no reason is no header", () => {
  expect(because(" \n")).toEqual({});
});
