// The samples of RFC 8785, and numbers whose digits are kept for display.
import { expect, it } from "vitest";
import { Digits, parse } from "../api/json";
import { canonical } from "./canonical";

it("writes the sample of section 3.2", () => {
  const input = String.raw`{"numbers":[333333333.33333329,1E30,4.50,2e-3,0.000000000000000000000000001],
"string":"\u20ac$\u000F\u000aA'\u0042\u0022\u005c\\\"\/","literals":[null,true,false]}`;
  const printed =
    '{"literals":[null,true,false],"numbers":[333333333.3333333,1e+30,4.5,0.002,1e-27],' +
    String.raw`"string":"€$\u000f\nA'B\"\\\\\"/"}`;
  expect(canonical(JSON.parse(input))).toBe(printed);
});

it("sorts keys by UTF-16, and takes __proto__ for a key", () => {
  expect(canonical(JSON.parse('{"\\ufb33":1,"\\ud83d\\ude00":2,"__proto__":3,"1":4}'))).toBe(
    '{"1":4,"__proto__":3,"\ud83d\ude00":2,"\ufb33":1}',
  );
});

it.each([
  ["1.0", "1"],
  ["1e2", "100"],
  ["1.0e2", "100"],
  ["1E-7", "1e-7"],
  ["-0", "0"],
  ["0.1000000000000000055", "0.1"],
  ["0.30000000000000004", "0.30000000000000004"],
  ["9007199254740991", "9007199254740991"],
])("writes %s like every other way to write the number", (text, written) => {
  expect(canonical(parse(`{"n":[${text}],"keeps digits":1E5}`))).toBe(`{"keeps digits":100000,"n":[${written}]}`);
  expect(canonical(new Digits(text))).toBe(written);
});

it.each(["9007199254740993", "-1e16", "1e400"])("refuses %s, which would be another number", (text) => {
  expect(() => canonical(parse(`[${text}]`))).toThrow(RangeError);
});
