// What is drawn about hidden and revealed values, and which buttons work.
import { QueryClientProvider } from "@tanstack/react-query";
import { createElement, type ReactNode } from "react";
import { renderToStaticMarkup } from "react-dom/server";
import { expect, it, vi } from "vitest";
import { approval, document } from "../../../tests/unit/document";
import { displayed, type ShownApproval } from "../shown";
import { approvalBlock, REVEAL_FIRST, type Revealed, reveal } from "./revealed";

vi.stubGlobal("location", { origin: "http://127.0.0.1" });
vi.stubGlobal("sessionStorage", { getItem: () => null });
vi.stubGlobal("localStorage", { getItem: () => null });
const { ApiError } = await import("../../api/client");
const { me, queries } = await import("../../api/queries");
const { Params } = await import("../../text/Params");
const { Actions, openQuestions } = await import("../Actions");
const { HiddenValues } = await import("./HiddenValues");

const places = [
  { pointer: "/a", characters: 1, rule: "the name\u202eof the field" },
  { pointer: "/deep/0/b\u200b", characters: 12, rule: "<b>rule</b>" },
];
const params = { a: "[redacted]", deep: [{ "b\u200b": "[redacted]", c: 1 }] } as never;
const shown = { ...document, only_once: null, params, hidden: places };
const item = displayed(approval({ shown })) as ShownApproval;
const revealed = reveal(shown, [
  { pointer: "/a", value: "s\u202ecret<i>" },
  { pointer: "/deep/0/b\u200b", value: { user: "u", list: [2] } },
]);

function drawn(element: ReactNode, role: string): string {
  queries.setQueryData(me.queryKey, { role } as never);
  return renderToStaticMarkup(createElement(QueryClientProvider, { client: queries }, element));
}
const textOf = (markup: string) => markup.replace(/<[^>]*>/g, "");
const box = (role: string, state: { revealed?: Revealed; error?: unknown } = {}) =>
  drawn(
    createElement(HiddenValues, {
      places,
      reveal: { isLoading: false, error: null, revealed: null, start: () => {}, ...state },
    }),
    role,
  );

it("says how many values are hidden, where, and why", () => {
  const text = textOf(box("admin"));
  expect(text).toContain("2 values are hidden. Reveal them before you approve.");
  expect(text).toContain("/a: 1 character, hidden because of: the name");
  expect(text).toContain("12 characters, hidden because of: &lt;b&gt;rule&lt;/b&gt;");
  expect(text).toContain("Reveal hidden values");
  expect(text).toContain("It is recorded that you saw them.");
  expect(box("admin")).not.toMatch(/[\u202e\u200b]/);
});

it("has no button for people who may not answer, and none after revealing", () => {
  expect(box("member")).not.toContain("<button");
  expect(textOf(box("member"))).toContain("Only admins and owners can reveal hidden values.");
  expect(box("owner", { revealed })).not.toContain("<button");
  expect(textOf(box("owner", { revealed }))).toContain("2 hidden values are revealed below.");
});

it("says when the values do not fit, and what the gateway answered", () => {
  expect(textOf(box("owner", { error: new Error("x") }))).toContain("do not match this request. Reload the page.");
  const problem = { type: "x", code: "expired", status: 410, title: "It has expired", hint: "h" };
  expect(textOf(box("owner", { error: new ApiError(problem) }))).toContain("It has expired");
});

it("marks revealed values, everything inside them, and nothing else", () => {
  const markup = drawn(createElement(Params, { params: revealed.params, revealed: revealed.pointers }), "owner");
  const rows = markup.split("<dt").slice(1).map(textOf);
  expect(rows.map((row) => row.includes(" revealed"))).toEqual([true, true, true, false]);
  expect(markup).not.toMatch(/[\u202e\u200b]|<i>/);
  const before = drawn(createElement(Params, { params }), "owner");
  expect(textOf(before)).not.toContain("revealed");
});

it("shows a whole that is revealed, and revealed values beyond the cut", () => {
  const whole = { params: "secret", revealed: new Set([""]) };
  expect(textOf(drawn(createElement(Params, whole), "owner"))).toMatch(/revealed.*secret/);
  const many = { params: Array.from({ length: 1_000 }, (_, n) => `v${n}`), revealed: new Set(["/999"]) };
  const text = textOf(drawn(createElement(Params, many), "owner"));
  expect(text).toContain("v999");
  expect(text).not.toContain("v998");
  expect(text).toContain("599 more values");
});

it("disables every way to approve, with the reason, and leaves denying possible", () => {
  const buttons = (block: string | null) => {
    const props = { item, approvalBlock: block, isUnread: () => false, onAnswer: () => {} };
    const markup = drawn(createElement(Actions, props), "owner");
    const all = [...markup.matchAll(/<button(.*?)>(.*?)<\/button>/gs)];
    const works = all.filter(([, attributes]) => !/ disabled=""/.test(attributes ?? ""));
    return { text: textOf(markup), count: all.length, works: works.map(([, , label]) => textOf(label ?? "")) };
  };
  const blocked = buttons(approvalBlock(item, null));
  expect(blocked.text).toContain(REVEAL_FIRST);
  expect(blocked.works.map((label) => label.trim())).toEqual(["Deny d"]);
  const open = buttons(approvalBlock(item, revealed));
  expect(open.text).not.toContain(REVEAL_FIRST);
  expect(open.works).toHaveLength(open.count);
});

it("answers keys only as far as the buttons do", () => {
  expect(openQuestions(item, REVEAL_FIRST)).toEqual(["deny"]);
  expect(openQuestions(item, null)).toEqual(["approve", "grant", "always", "deny"]);
});
