// Prices are converted exactly, or refused.
import { expect, it } from "vitest";
import { Digits } from "../api/json";
import { costText, nanoUsd, priceText, typedPrice, usd } from "./price";

it.each([
  ["3", 3_000],
  ["0", 0],
  ["0.07", 70],
  ["1.10", 1_100],
  ["0.075", 75],
  ["0.0750", 75],
  [" 15.0 ", 15_000],
  ["999999999.999", 999_999_999_999],
])("%s USD per million tokens are %d", (typed, nano) => expect(nanoUsd(typed)).toBe(nano));

it.each(["0.0001", "0.0755", "-1", "+1", "1,5", "1.", ".5", "1e3", "$3", "three", "", "1234567890", "NaN"])(
  "refuses %s",
  (typed) => expect(nanoUsd(typed)).toBeNull(),
);

it("types a price as it was typed before", () => {
  for (const nano of [0, 1, 50, 70, 75, 1_100, 3_000, 22_500, 999_999_999_999])
    expect(nanoUsd(typedPrice(nano))).toBe(nano);
});

it("hides no part of a price", () => {
  expect(priceText(75)).toMatch(/0[.,]075/);
  expect(priceText(3_000)).toMatch(/3[.,]00/);
});

it("says what was spent, also if it was little", () => {
  const shown = [0, 0.0000034, 0.00123, 0.05, 0.099, 0.1, 1.239].map(costText);
  expect(shown.map((text) => text.replace(",", ".").replace(/[^\d.]/g, ""))).toEqual([
    "0.00",
    "0.0000034",
    "0.0012",
    "0.05",
    "0.099",
    "0.10",
    "1.24",
  ]);
});

it("reads amounts that kept their digits", () => {
  expect([usd(new Digits("1.50") as unknown as number), usd(0.25), usd(null), usd(undefined)]).toEqual([
    1.5,
    0.25,
    null,
    null,
  ]);
});
