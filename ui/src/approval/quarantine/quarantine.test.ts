// What is drawn about a quarantined request, who may decide about it, and what is sent.
import { QueryClientProvider } from "@tanstack/react-query";
import { createElement, type ReactNode } from "react";
import { renderToStaticMarkup } from "react-dom/server";
import { beforeEach, expect, it, vi } from "vitest";
import { approval, quarantined } from "../../../tests/unit/document";
import { answerableItem } from "../shown";

const sent: { url: string; body: unknown }[] = [];
let replies: Record<string, () => Response> = {};
vi.stubGlobal("location", { origin: "http://127.0.0.1" });
vi.stubGlobal("sessionStorage", { getItem: () => null });
vi.stubGlobal("localStorage", { getItem: () => null });
vi.stubGlobal("fetch", async (request: Request) => {
  if (request.method === "POST") sent.push({ url: request.url, body: JSON.parse(await request.text()) });
  const path = new URL(request.url).pathname;
  const reply = Object.entries(replies).find(([end]) => path.endsWith(end))?.[1];
  return reply?.() ?? Response.json({ code: "not_found", hint: "h", status: 404, title: "t" }, { status: 404 });
});
const { inbox } = await import("../../api/inbox");
const { me, queries } = await import("../../api/queries");
const { Actions, questions } = await import("../Actions");
const { submitAnswer } = await import("../answer");
const { ItemDetails } = await import("../ItemDetails");

const item = quarantined();
const ids = () => queries.getQueryData(inbox.queryKey)?.items.map((each) => "invocation" in each && each.invocation.id);

beforeEach(() => {
  sent.length = 0;
  replies = {};
  queries.setQueryData(inbox.queryKey, { items: [item], next_cursor: null });
});

function drawn(element: ReactNode, role = "owner"): string {
  queries.setQueryData(me.queryKey, { role } as never);
  return renderToStaticMarkup(createElement(QueryClientProvider, { client: queries }, element));
}
const textOf = (markup: string) => markup.replace(/<[^>]*>/g, "");
const details = (of = item) =>
  drawn(
    createElement(ItemDetails, {
      item: of,
      reveal: { isLoading: false, error: null, revealed: null, start: () => {} },
      edit: { isOpen: false, start: () => {}, stop: () => {} },
    }),
  );
const buttons = (of = item, role?: string) => {
  const props = { item: of, approvalBlock: null, isUnread: () => false, onAnswer: () => {} };
  const markup = drawn(createElement(Actions, props), role);
  const all = [...markup.matchAll(/<button.*?>(.*?)<\/button>/gs)].map(([, label]) => textOf(label ?? "").trim());
  return { text: textOf(markup), all };
};

it("is displayed and answered without a document", () => expect(answerableItem(item)).toBe(item));

it("says what was found, with nothing hidden", () => {
  const markup = details(quarantined({ why: ["a\u202eb<i>", "second"] }));
  const text = textOf(markup);
  expect(text).toContain("This request is quarantined. It did not run.");
  expect(text).toContain("What was found:a\\u{202e}b&lt;i&gt;second");
  expect(text).toContain("Release it if this is only text. Otherwise, discard it.");
  for (const part of ["linear.create_issue", "triage-bot", "A key", "[redacted]", "The docs say so.", "inv_9", "ses_1"])
    expect(text).toContain(part);
  expect(markup).not.toMatch(/\u202e|<i>/);
});

it("says why it can only be discarded, and has no other button", () => {
  const only = quarantined({ only_discard: "the session has ended" });
  expect(textOf(details(only))).toContain("This request can only be discarded: the session has ended");
  expect(textOf(details(only))).not.toContain("Release it");
  expect(buttons(only).all).toEqual(["Discard … d"]);
  expect(questions(only)).toEqual(["discard"]);
});

it("has two answers for people who may decide, and none for others", () => {
  expect(buttons().all).toEqual(["Release as text … t", "Discard … d"]);
  expect(questions(item)).toEqual(["release", "discard"]);
  expect(buttons(item, "member")).toEqual({
    text: "You can read this item. Only admins and owners can release or discard it.",
    all: [],
  });
});

it("is released with a reason, and the new request is in the inbox", async () => {
  const next = approval({ shown: null });
  replies = {
    "/release": () => Response.json({ ...next.invocation, action: "linear.create_issue" }),
    "/v1/inbox/inv_1": () => Response.json(next),
  };
  const outcome = await submitAnswer(item, { kind: "release", reason: " an example " });
  expect(sent).toEqual([{ url: "http://127.0.0.1/v1/invocations/inv_9/release", body: { reason: "an example" } }]);
  expect(outcome).toEqual({
    tone: "good",
    title: "Released as text",
    action: "linear.create_issue",
    text: "The request is proposed again and needs approval.",
    mayWait: false,
    successor: "inv_1",
  });
  expect(ids()).toEqual(["inv_1"]);
});

it("says so when the new request is not pending", async () => {
  replies = { "/release": () => Response.json({ ...item.invocation, id: "inv_8", status: "denied" }) };
  const outcome = await submitAnswer(item, { kind: "release", reason: "text" });
  expect(outcome).toMatchObject({ tone: "warn", title: "Released, but the new request is denied", successor: "inv_8" });
});

it("is discarded, with or without a reason", async () => {
  replies = { "/discard": () => Response.json(item.invocation) };
  const outcome = await submitAnswer(item, { kind: "discard", reason: "" });
  expect(sent).toEqual([{ url: "http://127.0.0.1/v1/invocations/inv_9/discard", body: { reason: "" } }]);
  expect(outcome).toMatchObject({ tone: "good", title: "Discarded", mayWait: false });
  expect(ids()).toEqual([]);
});

it("stays when the session has ended, and goes when someone else was first", async () => {
  const problem = (code: string) =>
    Response.json({ type: code, code, status: 409, title: "t", hint: "h" }, { status: 409 });
  replies = {
    "/release": () => problem("proposer_gone"),
    "/v1/inbox/inv_9": () => Response.json({ ...item, only_discard: "the session has ended" }),
  };
  const ended = await submitAnswer(item, { kind: "release", reason: "text" });
  expect(ended).toMatchObject({ title: "The session has ended", text: "Nothing was released.", mayWait: true });
  await vi.waitFor(() =>
    expect(queries.getQueryData(inbox.queryKey)?.items[0]).toMatchObject({ only_discard: "the session has ended" }),
  );
  replies = { "/discard": () => problem("already_answered") };
  const late = await submitAnswer(item, { kind: "discard", reason: "" });
  expect(late).toMatchObject({ title: "Already answered by someone else", mayWait: false });
  expect(ids()).toEqual([]);
});

it("is neither approved nor denied", async () => {
  expect(await submitAnswer(item, { kind: "deny", reason: "" })).toMatchObject({ title: "Answer not sent" });
  expect(sent).toEqual([]);
});
