// Which conditions are offered and preselected, and the filter they become.
import { expect, it } from "vitest";
import { parse } from "../../api/json";
import { write } from "../../api/write";
import { conditionsOf, filterOf, pathOf } from "./filter";

const offered = (params: unknown, ...hidden: string[]) =>
  conditionsOf({
    params: params as never,
    hidden: hidden.map((pointer) => ({ pointer, characters: 1, rule: "r" })),
  });
const names = (params: unknown, ...hidden: string[]) => offered(params, ...hidden).map(({ name }) => name);

it("offers strings, numbers and booleans of the top level", () => {
  const params = {
    channel: "C1",
    n: 2,
    is: false,
    big: parse("9007199254740993"),
    no: null,
    list: [1],
    deep: { a: 1 },
  };
  expect(names(params)).toEqual(["channel", "n", "is", "big"]);
  expect(names({ a: "x".repeat(200), b: "x".repeat(201), c: "😀".repeat(200) })).toEqual(["a", "c"]);
  expect([names("C1"), names(null), names(["C1"]), names({})]).toEqual([[], [], [], []]);
});

it.each<[string, unknown, boolean]>([
  ["a channel", "C0123", true],
  ["a repository", "acme/site", true],
  ["64 characters", "x".repeat(64), true],
  ["65 characters", "x".repeat(65), false],
  ["a text with blanks", "Hello all", false],
  ["a text with a line break", "a\nb", false],
  ["a text with a no-break space", "a\u00a0b", false],
  ["a number", 0, true],
  ["a large number", parse("9007199254740993"), true],
  ["false", false, true],
])("preselects %s: %s", (_, value, isPreselected) => {
  expect(offered({ a: value })).toEqual([{ name: "a", value, isPreselected }]);
});

it("never offers a hidden value", () => {
  const params = { text: "[redacted]", "a/b~c": "[redacted]", channel: "C1", deep: { text: "[redacted]" } };
  expect(names(params, "/text", "/a~1b~0c", "/deep/text")).toEqual(["channel"]);
  expect(names(params, "")).toEqual([]);
  expect(names(params, "/deep/channel")).toEqual(["text", "a/b~c", "channel"]);
});

it("offers no name that the gateway does not accept in a path", () => {
  expect(names({ "": 1, ["x".repeat(256)]: 1, ["x".repeat(257)]: 2, ["é".repeat(129)]: 3 })).toEqual(["x".repeat(256)]);
});

it.each([
  ["channel", "channel"],
  ["a b", "a b"],
  ["cost$", "cost$"],
  ["a.b", "/a.b"],
  ["a/b", "/a~1b"],
  ["/a", "/~1a"],
  ["a~b", "/a~0b"],
  ["~1", "/~01"],
  ["$or", "/$or"],
  ["a.b/c~d", "/a.b~1c~0d"],
])("writes the name %s as the path %s", (name, path) => expect(pathOf(name)).toBe(path));

it("becomes a filter with exact numbers", () => {
  const params = parse('{"channel":"C1","amount":9007199254740993,"a.b":1.50,"$or":true,"__proto__":"x"}');
  expect(write(filterOf(offered(params)))).toBe(
    '{"channel":{"equals":"C1"},"amount":{"equals":9007199254740993},"/a.b":{"equals":1.50},' +
      '"/$or":{"equals":true},"__proto__":{"equals":"x"}}',
  );
});

it("becomes no filter without a condition", () => expect(filterOf([])).toBeUndefined());
