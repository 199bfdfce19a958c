// The text of a notice, and what counts as unread.
import { expect, it } from "vitest";
import { type Notice, noticeText, unread } from "./notice";

const notice = (at: string): Notice => ({
  id: at,
  agent: "bot",
  session: "ses_1",
  run: null,
  at,
  title: "Done",
  body: "",
  level: "info",
});

it("reads title, body and level", () => {
  expect(noticeText('{"title":"Disk full","body":"95 %","level":"critical"}')).toEqual({
    title: "Disk full",
    body: "95 %",
    level: "critical",
  });
  expect(noticeText('{"title":5}')).toEqual({ title: "", body: "", level: "info" });
});

it("does not guess a text that is cut off", () => {
  expect(noticeText('{"title":"Disk full","body":"…')).toBeNull();
});

it("counts what came after the last read", () => {
  const all = [notice("2026-11-17T10:00:00Z"), notice("2026-11-17T09:00:00.5Z")];
  expect(unread(all, null)).toHaveLength(2);
  expect(unread(all, "2026-11-17T09:00:00.500Z")).toEqual([all[0]]);
  expect(unread(all, "2026-11-17T10:00:00Z")).toEqual([]);
});
