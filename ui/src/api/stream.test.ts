// Messages come whole, however the stream is cut.
import { expect, it } from "vitest";
import { Messages } from "./stream";

const text = 'id: evt_1\nevent: action.denied\ndata: {"data":{"invocation":"inv_1"}}\n\n: still there\n\nid: evt_2\r\nevent: grant.answered\r\ndata: {"data":\r\ndata: {}}\r\n\r\n';
const told = [
  { id: "evt_1", type: "action.denied", data: { invocation: "inv_1" } },
  { id: "evt_2", type: "grant.answered", data: {} },
];

it.each([1, 7, 64, 10_000])("in pieces of %i characters", (size) => {
  const messages = new Messages();
  const out = [];
  for (let at = 0; at < text.length; at += size) out.push(...messages.take(text.slice(at, at + size)));
  expect(out).toEqual(told);
});
