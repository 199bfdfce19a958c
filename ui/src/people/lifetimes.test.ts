// Every choice expires, within what the gateway allows.
import { expect, it } from "vitest";
import { DEFAULT_LIFETIME_S, LIFETIMES } from "./lifetimes";

it("offers only lifetimes that the gateway accepts", () => {
  for (const [, seconds] of LIFETIMES) {
    expect(seconds).toBeGreaterThan(0);
    expect(seconds).toBeLessThanOrEqual(366 * 86_400);
  }
});

it("begins with 90 days, which is one of the choices", () => {
  expect(DEFAULT_LIFETIME_S).toBe(7_776_000);
  expect(LIFETIMES.map(([, seconds]) => seconds)).toContain(DEFAULT_LIFETIME_S);
});
