// Flows in words, also where the gateway is newer than the page.
import { expect, it } from "vitest";
import { audienceText, chosenByText } from "./flow";

it("says who may see data, and who chose where it goes", () => {
  expect(["internal", "partner", "public"].map(audienceText)).toEqual([
    "People of the organization",
    "Partners",
    "Anyone",
  ]);
  expect(["definition", "person", "data", "model"].map(chosenByText)).toEqual([
    "The definition of the automation",
    "The person who started the run",
    "Data that was read or received",
    "A model",
  ]);
});

it.each(["board", "constructor", ""])("shows the unknown value %s as it is", (value) => {
  expect([audienceText(value), chosenByText(value)]).toEqual([value, value]);
});
