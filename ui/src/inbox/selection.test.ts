// The selected row can be ahead of the URL, but never lost.
import { expect, it } from "vitest";
import { next, type PendingSelection, selectedRow } from "./selection";

const pressed = (address: string | undefined, ...keys: string[]) =>
  keys.reduce<PendingSelection | null>((ahead, to) => next(ahead, address, to), null);

it("is where the person went last, wherever the address is on its way there", () => {
  const ahead = pressed("a", "b", "c", "d");
  expect(["a", "b", "c", "d"].map((address) => selectedRow(ahead, address))).toEqual(["d", "d", "d", "d"]);
  expect(selectedRow(pressed(undefined, "a"), undefined)).toBe("a");
});

it("is where the address is, once that went another way", () => {
  expect(selectedRow(pressed("a", "b"), "z")).toBe("z");
  expect(selectedRow(null, "a")).toBe("a");
});

it("turns around with the person", () => {
  expect(selectedRow(pressed("a", "b", "a"), "a")).toBe("a");
  const ahead = pressed("a", "b", "c", "b");
  expect(["a", "c", "b"].map((address) => selectedRow(ahead, address))).toEqual(["b", "b", "b"]);
});

it("forgets a way that was gone to its end", () => {
  expect(next(pressed("a", "b"), "b", "c")).toEqual({ to: "c", via: ["b"] });
});
