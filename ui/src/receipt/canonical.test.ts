// The samples of RFC 8785.
import { expect, it } from "vitest";
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
