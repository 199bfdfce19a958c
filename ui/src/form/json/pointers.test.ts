// A pointer leads to its range in the text, and a position to its pointer.
import { expect, it } from "vitest";
import { placeAt, rangeAt } from "./pointers";

const text =
  '{ "name": "A", "plan": [ { "step_id": "a", "config": { "x/y": "{{ b }}", "n": 1 } }, { "step_id": "b" } ] }';
const at = (pointer: string) => {
  const { from, to } = rangeAt(text, pointer);
  return text.slice(from, to);
};

it("finds values, and what is around those that are not there", () => {
  expect(at("/plan/1/step_id")).toBe('"b"');
  expect(at("/plan/0/config/x~1y")).toBe('"{{ b }}"');
  expect(rangeAt(text, "/plan/0/config/gone/deep")).toEqual({
    from: text.indexOf('{ "x/y'),
    to: text.indexOf('{ "x/y') + 1,
  });
  expect(rangeAt(text, "/plan/7")).toEqual({ from: text.indexOf("["), to: text.indexOf("[") + 1 });
  expect(rangeAt("", "/plan")).toEqual({ from: 0, to: 0 });
});

it("knows the place of a position", () => {
  expect(placeAt(text, text.indexOf("{{ b") + 3)).toEqual(["plan", "0", "config", "x/y"]);
  expect(placeAt(text, text.indexOf('"b"') + 1)).toEqual(["plan", "1", "step_id"]);
  expect(placeAt('{"plan": [{"action": "lin', 25)).toEqual(["plan", "0", "action"]);
});
