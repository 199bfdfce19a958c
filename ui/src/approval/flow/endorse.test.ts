// What is drawn about a flow, who may trust what was read, and what is sent.
import { createHash } from "node:crypto";
import { QueryClientProvider } from "@tanstack/react-query";
import { createElement, type ReactNode } from "react";
import { renderToStaticMarkup } from "react-dom/server";
import { beforeEach, expect, it, vi } from "vitest";
import { approval, document, flow } from "../../../tests/unit/document";
import { canonical } from "../../receipt/canonical";
import { displayed, type ShownApproval } from "../shown";

interface Sent {
  method: string;
  path: string;
  body: unknown;
}

const sent: Sent[] = [];
let answer = () => Response.json({ origins: flow.untrusted });
vi.stubGlobal("location", { origin: "http://127.0.0.1", search: "" });
vi.stubGlobal("sessionStorage", { getItem: () => null });
vi.stubGlobal("localStorage", { getItem: () => null });
vi.stubGlobal("fetch", async (request: Request) => {
  const text = await request.text();
  sent.push({
    method: request.method,
    path: new URL(request.url).pathname,
    body: text === "" ? null : JSON.parse(text),
  });
  return request.method === "POST" ? answer() : Response.json(approval());
});
vi.mock("@tanstack/react-router", () => ({
  Link: ({ to, params, children }: { to: string; params: { invocation: string }; children: ReactNode }) =>
    createElement("a", { href: to.replace("$invocation", params.invocation) }, children),
}));
const { ApiError } = await import("../../api/client");
const { me, queries } = await import("../../api/queries");
const { canEndorse, endorse } = await import("./endorse");
const { DataFlow } = await import("./DataFlow");

const itemOf = (more: Partial<typeof flow> = {}) =>
  displayed(approval({ shown: { ...document, flow: { ...flow, ...more } } })) as ShownApproval;

function drawn(item: ShownApproval, role = "owner"): string {
  queries.setQueryData(me.queryKey, { role } as never);
  return renderToStaticMarkup(
    createElement(QueryClientProvider, { client: queries }, createElement(DataFlow, { item })),
  );
}
const textOf = (markup: string) =>
  markup
    .replace(/<[^>]*>/g, " ")
    .replace(/\s+/g, " ")
    .trim();

beforeEach(() => {
  sent.length = 0;
  answer = () => Response.json({ origins: flow.untrusted });
});

it("says where the data goes, who may see it, who chose that, and what it is made of", () => {
  const text = textOf(drawn(itemOf()));
  for (const part of [
    "Sent to C0123",
    "Who may see it there Anyone",
    "Place chosen by A model",
    "Read, may contain text by strangers linear.get_issue",
    "Read, not public data.get",
    "Why it is held a model chose where it goes",
    "A passage of /title stands word for word in the result of linear.get_issue :",
    "the release is on the third of May",
  ])
    expect(text).toContain(part);
  expect(text).not.toContain("observed");
  expect(drawn(itemOf())).toContain('href="/activity/inv_0"');
});

it("says what is not known, and what is only recorded", () => {
  const text = textOf(drawn(itemOf({ to: [], private: [], passages: [], observing: true })));
  expect(text).toContain("Sent to A place that is not known");
  expect(text).toContain("Read, not public Nothing");
  expect(text).toContain("Why it would be held");
  expect(text).toContain("Flows are only observed: this is recorded, and the request is not held for it.");
  expect(text).not.toContain("word for word");
});

it("draws nothing without a flow, and hides nothing of a text from outside", () => {
  expect(drawn(displayed(approval()) as ShownApproval)).toBe("");
  const text = "a\u202eb\u200b<i>";
  const passages = [{ pointer: `/${text}`, text: `${text}\nnext`, characters: 900, action: text, invocation: "inv_0" }];
  const hostile = {
    to: [text],
    audience: text,
    chosen_by: text,
    why: text,
    untrusted: [text],
    private: [text],
    passages,
  };
  const markup = drawn(itemOf(hostile));
  expect(markup).not.toMatch(/[\u202e\u200b]|<i>/);
  expect(textOf(markup)).toContain("(the first 12 of 900 characters)");
});

it("has a button where a model chose the place after reading texts by strangers, for people who may answer", () => {
  expect(textOf(drawn(itemOf(), "admin"))).toContain("Trust what was read");
  expect(drawn(itemOf(), "member")).not.toContain("<button");
  for (const item of [itemOf({ chosen_by: "data" }), itemOf({ untrusted: [] })]) {
    expect(canEndorse(item)).toBe(false);
    expect(drawn(item)).not.toContain("<button");
  }
  const item = itemOf();
  expect(canEndorse({ ...item, invocation: { ...item.invocation, status: "approved" } })).toBe(false);
  expect(canEndorse(displayed(approval()) as ShownApproval)).toBe(false);
});

it("sends the digest of the displayed document and the note", async () => {
  const { shown } = itemOf();
  expect(await endorse(shown, " our own issues ")).toEqual(["linear.get_issue"]);
  const digest = createHash("sha256").update(canonical(shown)).digest("hex");
  expect(sent).toEqual([
    {
      method: "POST",
      path: "/v1/invocations/inv_1/endorse",
      body: { shown_digest: `sha256:${digest}`, note: "our own issues" },
    },
  ]);
});

it.each([
  [409, "shown_digest_mismatch", 1],
  [409, "nothing_to_endorse", 1],
  [410, "expired", 1],
  [403, "forbidden", 0],
])("%i %s is reported, and the item is loaded again: %i", async (status, code, times) => {
  answer = () => Response.json({ type: code, code, status, title: "t", hint: "h" }, { status });
  const failed = await endorse(itemOf().shown, "").catch((error: unknown) => error);
  expect(failed).toBeInstanceOf(ApiError);
  expect(sent.filter(({ method }) => method === "GET")).toHaveLength(times);
});
