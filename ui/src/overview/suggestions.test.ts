// Cards about people and rules: what they say, who may create a rule, and that it is exactly the suggested one.
import { QueryClientProvider } from "@tanstack/react-query";
import { createElement, type ReactNode } from "react";
import { renderToStaticMarkup } from "react-dom/server";
import { expect, it, vi } from "vitest";
import { Digits, parse } from "../api/json";
import type { Overview, Suggestion } from "./queries";

const sent: { method: string; url: string; text: string }[] = [];
vi.stubGlobal("location", { origin: "http://127.0.0.1" });
vi.stubGlobal("sessionStorage", { getItem: () => null });
vi.stubGlobal("localStorage", { getItem: () => null });
vi.stubGlobal("fetch", async (request: Request) => {
  sent.push({ method: request.method, url: request.url, text: await request.text() });
  return Response.json({});
});
const { me, queries } = await import("../api/queries");
const { asCharted, createRule } = await import("./queries");
const { People } = await import("./People");
const { Suggestions } = await import("./Suggestions");

function drawn(element: ReactNode, role = "admin"): string {
  queries.setQueryData(me.queryKey, { role } as never);
  return renderToStaticMarkup(createElement(QueryClientProvider, { client: queries }, element));
}
const textOf = (markup: string) => markup.replace(/<[^>]*>/g, "").replaceAll("&quot;", '"');
const suggestion = {
  action: "slack.send_message",
  where: { channel: { equals: "C1" } } as never,
  where_words: 'channel is "C1"',
  questions: 14,
};
const card = (more: Partial<Suggestion> = {}, role?: string) =>
  drawn(createElement(Suggestions, { suggestions: [{ ...suggestion, ...more }] }), role);

it("says which rule would have answered questions, with nothing hidden", () => {
  expect(textOf(card())).toContain('slack.send_message where channel is "C1": 14 questions, all approved.');
  const markup = card({ action: "x.y\u202e", where_words: 'a is "<i>\u200b"' });
  expect(textOf(markup)).toContain('x.y\\u{202e} where a is "&lt;i&gt;\\u{200b}"');
  expect(markup).not.toMatch(/[\u202e\u200b]|<i>/);
});

it("has a button for people who may create rules, and none for others", () => {
  expect(textOf(card())).toContain("Create this rule …");
  expect(card({}, "member")).not.toContain("<button");
});

it("says who answered how many questions, and how fast", () => {
  const people = [
    { name: "A\u202eda", answers: 1_200, per_day: 171.4, median_s: 4.2 },
    { name: "Ben", answers: 1, per_day: 0.1 },
  ];
  const markup = drawn(createElement(People, { people }));
  expect(textOf(markup)).toContain("A\\u{202e}da1,200171.44.2s");
  expect(textOf(markup)).toContain("Ben10.1–");
  expect(markup).not.toContain("\u202e");
});

it("draws no card without content", () => {
  expect(drawn(createElement(People, { people: [] }))).toBe("");
  expect(drawn(createElement(Suggestions, { suggestions: [] }))).toBe("");
});

it("creates a rule with every digit and every name of the suggested condition", async () => {
  const where = '{"amount":{"equals":9007199254740993},"/a.b":{"equals":1.50},"__proto__":{"equals":"x"}}';
  const text = `{"totals":{"cost_usd":9007199254740993},"people":[{"per_day":1e1}],"suggestions":[{"where":${where}}]}`;
  const view = asCharted(parse(text) as unknown as Overview);
  expect(view.totals.cost_usd).toBeTypeOf("number");
  expect(view.people?.[0]?.per_day).toBe(10);
  const [suggested] = view.suggestions ?? [];
  expect(suggested?.where).toMatchObject({ amount: { equals: new Digits("9007199254740993") } });
  await createRule({ ...suggestion, where: suggested?.where as never });
  expect(sent.map(({ method, url }) => `${method} ${url}`)).toEqual(["PUT http://127.0.0.1/v1/rules"]);
  expect(sent[0]?.text).toBe(`{"action":"slack.send_message","mode":"allow","where":${where}}`);
});
