// Events are complete, however the stream is cut.
import { expect, it } from "vitest";
import { EventReader } from "./stream";

const text = [
  'id: evt_1\nevent: action.denied\ndata: {"created":"2026-01-01T00:00:00Z","data":{"invocation":"inv_1"}}\n\n',
  ": still there\n\n",
  'id: evt_2\r\nevent: grant.answered\r\ndata: {"data":\r\ndata: {}}\r\n\r\n',
].join("");
const expected = [
  { id: "evt_1", type: "action.denied", created: "2026-01-01T00:00:00Z", data: { invocation: "inv_1" } },
  { id: "evt_2", type: "grant.answered", created: "", data: {} },
];

it.each([1, 7, 64, 10_000])("in pieces of %i characters", (size) => {
  const events = new EventReader();
  const out = [];
  for (let at = 0; at < text.length; at += size) out.push(...events.read(text.slice(at, at + size)));
  expect(out).toEqual(expected);
});
