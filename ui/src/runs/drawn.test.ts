// What is drawn of a model's turns and of what was said: in words, and as plain text.
import { createElement, type ReactNode } from "react";
import { renderToStaticMarkup } from "react-dom/server";
import { expect, it, vi } from "vitest";
import { number } from "../text/number";
import type { Asked } from "./agent";
import type { Said } from "./Transcript";

vi.stubGlobal("location", { origin: "http://127.0.0.1" });
vi.stubGlobal("sessionStorage", { getItem: () => null });
vi.mock("../text/now", () => ({ useNow: () => Date.parse("2026-11-18T10:00:00Z") }));
vi.mock("@tanstack/react-router", () => ({
  Link: ({ to, params, children }: { to: string; params: Record<string, string>; children: ReactNode }) =>
    createElement("a", { href: to.replace(/\$(\w+)/, (_, name: string) => params[name] ?? "") }, children),
}));
const { AgentTurns } = await import("./AgentTurns");
const { Transcript } = await import("./Transcript");

const asked = (more: Partial<Asked> = {}): Asked => ({
  turn: 1,
  ask: 1,
  invocation: "inv_model",
  stop: "calls",
  input_tokens: 1_200,
  output_tokens: 30,
  cost_usd: 0.0015,
  calls: [],
  started_at: "2026-11-18T09:59:00Z",
  finished_at: "2026-11-18T09:59:10Z",
  ...more,
});
const turns = (all: Asked[], awaits: string | null = null) =>
  renderToStaticMarkup(createElement(AgentTurns, { asked: all, awaits }));
const textOf = (markup: string) => markup.replace(/<[^>]*>/g, "");

it("links calls to their records, and those that wait to the inbox", () => {
  const calls = [
    { name: "linear__list_issues", action: "linear.list_issues", status: "succeeded", invocation: "inv_1" },
    { name: "linear__create_issue", action: "linear.create_issue", status: "waiting", invocation: "inv_2" },
    { name: "linear__lst", status: "failed", class: "unknown_action" },
  ];
  const markup = turns([asked({ calls })]);
  expect([...markup.matchAll(/href="([^"]+)"/g)].map(([, href]) => href)).toEqual([
    "/activity/inv_model",
    "/activity/inv_1",
    "/inbox/inv_2",
  ]);
  expect(textOf(markup)).toMatch(/Turn 1called tools1.200 tokens in, 30 out · .*0[.,]0015Model call/);
  expect(textOf(markup)).toContain("linear__lstfailedno such tool");
});

it("tells every time that a turn was asked, and the sum", () => {
  const error = { class: "model_rate_limited", message: "status 429" };
  const none = { stop: null, cost_usd: null, input_tokens: 0, output_tokens: 0 };
  const text = textOf(
    turns([
      asked({ ...none, error, retry_at: "2026-11-18T09:59:20Z" }),
      asked({ ask: 2 }),
      asked({ ...none, turn: 2, error, retry_at: "2026-11-18T10:00:30Z" }),
    ]),
  );
  expect(text).toContain("asked again once");
  expect(text).toContain("Request 1: no reply, too many requests to the provider: status 429");
  expect(text).toContain("Asked again in 30s");
  expect(text.match(/Asked again/g)).toHaveLength(1);
  expect(text).toContain(`Total of 2 turns: ${number(1_200)} tokens in, 30 out`);
});

it("tells why an answer does not fit, and where the price is unknown", () => {
  const text = textOf(turns([asked({ stop: "done", problems: ["/kind: <b>\u202e"], cost_usd: null })]));
  expect(text).toContain("answer does not fit");
  expect(text).toContain("/kind: &lt;b&gt;\\u{202e}");
  expect(text).toContain("cost unknown");
});

it("leads to the question that waits for approval", () => {
  const markup = turns([asked({ stop: null, finished_at: null })], "inv_model");
  expect(textOf(markup)).toContain("waiting for approval");
  expect(markup).toContain('href="/inbox/inv_model"');
  expect(textOf(turns([]))).toBe("The model has not been asked yet.");
});

const HOSTILE = "![x](https://evil.example/a.png) [click](javascript:alert(1)) <img src=x> # Title\u202e";
const said = (more: Partial<Said> = {}): Said => ({
  system: "Goal:\nSort the issue.",
  context: HOSTILE,
  turns: [
    {
      turn: 1,
      text: HOSTILE,
      calls: [{ name: HOSTILE, params: { title: HOSTILE } as never, result: HOSTILE }],
      problems: [HOSTILE],
    },
  ],
  is_whole: true,
  ...more,
});

it("shows what was said as plain text only", () => {
  const markup = renderToStaticMarkup(createElement(Transcript, { said: said() }));
  expect(markup).not.toMatch(/<(img|a|h1|script|iframe)\b|\u202e/);
  expect(textOf(markup).match(/!\[x\]\(https:\/\/evil\.example\/a\.png\)/g)).toHaveLength(6);
  expect(textOf(markup)).toContain("A model and outside sources wrote this text.");
  expect(textOf(markup)).not.toContain("no longer stored");
});

it("says what is missing", () => {
  const parts = {
    is_whole: false,
    context: "",
    turns: [{ turn: 1, text: "", calls: [{ name: "a", params: null as never }] }],
  };
  const text = textOf(renderToStaticMarkup(createElement(Transcript, { said: said(parts) })));
  expect(text).toContain("Part of this transcript is no longer stored.");
  expect(text).toContain("ContextEmpty");
  expect(text).toContain("Turn 1Call of aParametersNoneNo result is stored.");
});
