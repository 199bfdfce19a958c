// The mark runs ahead of the address, and never away from it.
import { expect, it } from "vitest";
import { type Ahead, marked, next } from "./mark";

const pressed = (address: string | undefined, ...keys: string[]) => keys.reduce<Ahead | null>((ahead, to) => next(ahead, address, to), null);

it("is where the person went last, wherever the address is on its way there", () => {
  const ahead = pressed("a", "b", "c", "d");
  expect(["a", "b", "c", "d"].map((address) => marked(ahead, address))).toEqual(["d", "d", "d", "d"]);
  expect(marked(pressed(undefined, "a"), undefined)).toBe("a");
});

it("is where the address is, once that went another way", () => {
  expect(marked(pressed("a", "b"), "z")).toBe("z");
  expect(marked(null, "a")).toBe("a");
});

it("turns around with the person", () => {
  expect(marked(pressed("a", "b", "a"), "a")).toBe("a");
  const ahead = pressed("a", "b", "c", "b");
  expect(["a", "c", "b"].map((address) => marked(ahead, address))).toEqual(["b", "b", "b"]);
});

it("forgets a way that was gone to its end", () => {
  expect(next(pressed("a", "b"), "b", "c")).toEqual({ to: "c", via: ["b"] });
});
