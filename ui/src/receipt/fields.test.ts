// Ambiguous documents are rejected, and time is computed as the gateway does.
import { expect, it } from "vitest";
import { moment, seconds, strict } from "./fields";

it.each([
  '{"a":1,"a":1}',
  '{"a":{"b":1,"b":2}}',
  '[{"a":[{"b":1,"\\u0062":2}]}]',
  '{"a" : 1,"a"\n:2}',
  "9007199254740993",
  '{"a":[1e300]}',
  '{"__proto__":1,"__proto__":2}',
  "",
  "{",
  '{"a":1}{}',
])("refuses %s", (text) => expect(() => strict(text)).toThrow());

it.each([
  '{"a":1,"b":{"a":1}}',
  '{"a":"\\":","b":"{\\"a\\":1,\\"a\\":2}","c":"\\\\"}',
  '["a:","b"]',
  "9007199254740991",
  "-0.5",
  '{"__proto__":1,"a":2}',
  "null",
])("reads %s like everybody", (text) => expect(strict(text)).toEqual(JSON.parse(text)));

it("puts moments in order, whatever the length of their fraction", () => {
  const order = [
    "2026-11-15T02:02:01Z",
    "2026-11-15T02:02:01.000001Z",
    "2026-11-15T02:02:01.5Z",
    "2026-11-15T02:02:01.500000001Z",
    "2026-11-15T02:02:02Z",
    "2027-01-01T00:00:00Z",
  ];
  expect(order.map(moment)).toEqual(order.map(moment).sort());
});

it("counts five minutes over the ends of days and years", () => {
  for (const [early, late] of [
    ["2026-11-15T12:00:00.9Z", "2026-11-15T12:05:00Z"],
    ["2026-12-31T23:58:00Z", "2027-01-01T00:03:00Z"],
    ["2028-02-28T23:58:00Z", "2028-02-29T00:03:00Z"],
    ["0099-12-31T23:58:00Z", "0100-01-01T00:03:00Z"],
    ["2026-12-31T23:59:60Z", "2027-01-01T00:05:00Z"],
  ]) {
    expect(seconds(late) - seconds(early)).toBe(300);
  }
});

it.each([
  "",
  "2026-11-15",
  "2026-11-15T02:02:01",
  "2026-11-15 02:02:01Z",
  "2026-11-15T02:02:01+00:00",
  "2026-11-15T02:02:01.Z",
  "2026-11-15T02:02:01.1234567890Z",
  "2026-13-15T02:02:01Z",
  "2026-11-15T24:02:01Z",
  "2026-11-15T02:02:61Z",
  "2026-11-15T02:02:01z",
  "２026-11-15T02:02:01Z",
  5,
  null,
])("does not take %s for a moment", (text) => expect(() => moment(text)).toThrow());
