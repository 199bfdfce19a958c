// Numbers keep their digits; everything else is parsed like JSON.parse does.
import { expect, it } from "vitest";
import { Digits, numeric, parse } from "./json";

it.each([
  "9007199254740993",
  "1e400",
  "0.1000000000000000055511151231257827",
  "-0",
  "12345678901234567890",
  "1E5",
  "1.0e2",
])("keeps the digits of %s", (text) => expect(parse(`{"n":[${text}]}`)).toEqual({ n: [new Digits(text)] }));

it.each(['{"a":[1,2.5,{"b":null}],"c":"x\\u202e\\n\\"","d":true,"e":{},"f":[]}', '"x"', "[]", "[1]", " [ 1 , 2 ] "])(
  "reads %s like everybody",
  (text) => {
    const big = `[1234567890123456789,${text}]`;
    expect((parse(big) as unknown[])[1]).toEqual(JSON.parse(text));
  },
);

it("takes no name for more than a name", () => {
  const value = parse('{"__proto__":{"x":1},"n":12345678901234567890}') as object;
  expect(Object.keys(value)).toEqual(["__proto__", "n"]);
  expect((value as { x?: number }).x).toBeUndefined();
});

it.each([
  "[1234567890123456789",
  "[1234567890123456789,]",
  "{1234567890123456789:1}",
  "1234567890123456789 2",
  '{"a" 1234567890123456789}',
])("refuses %s", (text) => expect(() => parse(text)).toThrow(SyntaxError));

it("makes numbers of kept digits where one counts with them", () => {
  const document = parse('{"rate":0.0,"at":"2026","buckets":[{"p50":12.50,"n":3,"big":12345678901234567890}]}');
  expect(numeric(document)).toEqual({
    rate: 0,
    at: "2026",
    buckets: [{ p50: 12.5, n: 3, big: 12345678901234567000 }],
  });
});

it("takes the last of two equal names, like JSON.parse", () => {
  expect(parse('{"a":1,"a":2,"n":12345678901234567890}')).toEqual({ a: 2, n: new Digits("12345678901234567890") });
});

it("refuses a document that would exhaust the stack", () => {
  const depth = 200_000;
  const text = `${"[".repeat(depth)}12345678901234567890${"]".repeat(depth)}`;
  expect(() => parse(text)).toThrow(SyntaxError);
});
