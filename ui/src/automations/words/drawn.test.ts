// The box for words: out of the way when closed, honest without a provider; and the answer of a model is only text.
import { QueryClientProvider } from "@tanstack/react-query";
import { createElement, type ReactNode } from "react";
import { renderToStaticMarkup } from "react-dom/server";
import { beforeEach, expect, it, vi } from "vitest";
import { fromValue } from "../editor/document";

const fetched = vi.fn((request: Request) => {
  const { signal } = request;
  return new Promise((_, reject) => signal.addEventListener("abort", () => reject(signal.reason)));
});
vi.stubGlobal("fetch", fetched);
vi.stubGlobal("location", { origin: "http://127.0.0.1" });
vi.stubGlobal("sessionStorage", { getItem: () => null });
vi.mock("@tanstack/react-router", () => ({
  Link: ({ to, target, children }: { to: string; target?: string; children: ReactNode }) =>
    createElement("a", { href: to, target }, children),
}));
const { me, queries } = await import("../../api/queries");
const { providers } = await import("../../models/queries");
const { propose } = await import("../queries");
const { Answer } = await import("./Answer");
const { InWords } = await import("./InWords");
const { WordsForm } = await import("./WordsForm");

const EMPTY = { schema_version: "1.0", name: "", goal: "", plan: [] };
const models = [{ name: "small", context: 32_000, max_output: 4_096 }];
const LOCAL = { provider: "local", enabled: true, models };
const CLOUD = { provider: "cloud", enabled: true, models };
const ANSWER = {
  definition: null,
  notes: "",
  questions: [],
  gaps: [],
  problems: [],
  turns: 2,
  refused: 0,
  cost_usd: 0.01,
};
const draw = (element: ReactNode) =>
  renderToStaticMarkup(createElement(QueryClientProvider, { client: queries }, element));
const textOf = (markup: string) => markup.replace(/<[^>]*>/g, "");

function box(listed: unknown[], { role = "admin", isOpenAtFirst = true, isSaved = false } = {}) {
  queries.setQueryData(me.queryKey, { role, user: "usr_1" } as never);
  queries.setQueryData(providers.queryKey, listed as never);
  const saved = isSaved ? ({ id: "aut_1", version: 1, definition: { ...EMPTY, name: "A" } } as never) : null;
  const doc = fromValue(isSaved ? { ...EMPTY, name: "A" } : EMPTY);
  return draw(createElement(InWords, { saved, start: EMPTY, doc, isOpenAtFirst, onDefinition: () => {} }));
}

function form(more: object) {
  box([LOCAL]);
  const none = () => {};
  const props = { words: "x", onWords: none, wanted: null, onWanted: none, onPropose: none, onCancel: none };
  const state = { isChange: false, isBroken: false, isWaiting: false };
  return draw(createElement(WordsForm, { ...props, ...state, ...more }));
}

beforeEach(() => queries.clear());

it("is one button until it is opened", () => {
  const markup = box([LOCAL], { isOpenAtFirst: false });
  expect(textOf(markup)).toBe("Write in words");
  expect(markup).toContain('aria-expanded="false"');
  expect(textOf(box([LOCAL], { isOpenAtFirst: false, isSaved: true }))).toBe("Change in words");
});

it("says where to set up a provider, and asks for nothing then", () => {
  for (const listed of [[], [{ ...LOCAL, enabled: false }]]) {
    const markup = box(listed);
    expect(textOf(markup)).toContain("This needs a provider of language models: set one up under Models");
    expect(markup).toContain('<a href="/models" target="_blank">');
    expect(markup).not.toContain("<textarea");
  }
});

it("offers the providers that are enabled, if there are several", () => {
  expect(box([LOCAL])).not.toContain("<select");
  const markup = box([LOCAL, CLOUD, { ...LOCAL, provider: "off", enabled: false }]);
  expect(textOf(markup)).toMatch(/Provider to asklocalcloudModel to asksmall/);
  expect(box([LOCAL, CLOUD], { role: "member" })).toMatch(/<textarea(?!.*<select)/);
});

it("says what the model does with the definition in the editor", () => {
  expect(textOf(box([LOCAL]))).toContain("The model writes a new definition.");
  expect(textOf(box([LOCAL], { isSaved: true }))).toContain("The model changes the definition in the editor.");
});

it("shows progress, and can be cancelled", () => {
  const markup = form({ isWaiting: true });
  expect(textOf(markup)).toContain("Cancel requestThe model writes a definition. This takes up to some minutes.");
  expect(markup).toMatch(/<button type="submit"[^>]*disabled=""/);
  expect(form({})).not.toMatch(/<button type="submit"[^>]*disabled=""|Cancel request/);
  expect(form({ words: "  " })).toMatch(/<button type="submit"[^>]*disabled=""/);
  expect(form({ isBroken: true })).toMatch(/<button type="submit"[^>]*disabled=""/);
});

it("ends the request when it is cancelled", async () => {
  const stop = new AbortController();
  const asked = propose({ words: "a" }, stop.signal);
  await vi.waitFor(() => expect(fetched).toHaveBeenCalledOnce());
  stop.abort();
  await expect(asked).rejects.toMatchObject({ name: "AbortError" });
  expect(await (fetched.mock.calls[0] as [Request])[0].json()).toEqual({ words: "a" });
});

it("shows what the model says as text, and who says it", () => {
  const answer = {
    ...ANSWER,
    notes: "[click](https://evil.example) <b>now</b> \u202eabc",
    questions: ["Which channel?"],
    gaps: ["No action sends mail."],
    problems: [{ pointer: "/plan/0/action", message: "is unknown", suggestion: "linear.list_issues" }],
    failure: "the budget is spent",
  };
  const markup = draw(createElement(Answer, { answer, outcome: "The editor is unchanged." }));
  expect(markup).not.toMatch(/<a |<b>|\u202e/);
  expect(textOf(markup)).toMatch(
    /spent.*Said by the model.*\[click\].*Questions.*Which channel\?.*Cannot be done.*No action sends mail/s,
  );
  expect(textOf(markup)).toMatch(/\/plan\/0\/action is unknown; did you mean linear\.list_issues\?/);
  expect(textOf(markup)).toMatch(/The editor is unchanged\. The model was asked 2 times/);
});

it("says nothing in the name of a model that said nothing", () => {
  const markup = draw(createElement(Answer, { answer: ANSWER, outcome: "The editor is unchanged." }));
  expect(markup).not.toMatch(/Said by the model|Questions|Cannot be done/);
});
