// What is drawn about conditions: the choice, the warning, and what the answer allows.
import { createElement, type ReactNode } from "react";
import { renderToStaticMarkup } from "react-dom/server";
import { expect, it, vi } from "vitest";
import type { Allowed } from "./AllowedText";
import { conditionsOf } from "./filter";

vi.stubGlobal("location", { origin: "http://127.0.0.1" });
vi.stubGlobal("sessionStorage", { getItem: () => null });
const { AllowedText } = await import("./AllowedText");
const { Conditions } = await import("./Conditions");

const action = "slack.send_message";
const offered = conditionsOf({ params: { channel: "C0123", text: "Hello all", priority: 2 } as never, hidden: [] });
const only = (...names: string[]) => offered.filter(({ name }) => names.includes(name));

const textOf = (markup: string) => markup.replace(/<[^>]*>/g, "").replaceAll("&quot;", '"');
const drawn = (element: ReactNode) => renderToStaticMarkup(element);
const choice = (chosen: string[], all = offered) =>
  drawn(createElement(Conditions, { action, offered: all, chosen: new Set(chosen), onChange: () => {} }));
const allowed = (more: Partial<Allowed> = {}) =>
  textOf(
    drawn(createElement(AllowedText, { action, isRun: false, limits: null, conditions: only("channel"), ...more })),
  );
const limits = { count: "10", time: "8h", scope: "session" } as const;

it("has a checkbox for each condition, with name and value", () => {
  const markup = choice(["channel", "priority"]);
  const labels = markup.split("<label").slice(1);
  expect(labels.map((label) => / checked=""/.test(label))).toEqual([true, false, true]);
  expect(labels.map((label) => textOf(`<${label}`))).toEqual([
    'channel is "C0123"',
    'text is "Hello all"',
    "priority is 2",
  ]);
  expect(textOf(markup)).toContain("Only where");
  expect(markup).not.toContain("alert");
});

it("warns when nothing is chosen, and says it plainly when nothing is offered", () => {
  const sentence = "This allows every call of slack.send_message, whatever its parameters.";
  expect(textOf(choice([]))).toContain(sentence);
  expect(choice([])).toContain('role="alert"');
  expect(textOf(choice([], []))).toBe(sentence);
  expect(choice([], [])).not.toMatch(/alert|fieldset/);
});

it("hides nothing of a name or a value", () => {
  const params = { "a\u200b.b": "C\u202e1<i>" } as never;
  const all = conditionsOf({ params, hidden: [] });
  const hostile = { action: "x.y\u202e", isRun: false, limits: null, conditions: all };
  const sentence = drawn(createElement(AllowedText, hostile));
  for (const markup of [choice([], all), sentence]) {
    expect(textOf(markup)).toContain('"a\\u{200b}.b" is "C\\u{202e}1&lt;i&gt;"');
    expect(markup).not.toMatch(/[\u202e\u200b]|<i>/);
  }
});

it("keeps a value apart from the words around it", () => {
  const conditions = conditionsOf({ params: { a: 'x" and b is "y' } as never, hidden: [] });
  const markup = drawn(createElement(AllowedText, { action, isRun: false, limits: null, conditions }));
  expect(markup.match(/bg-sunk/g)).toHaveLength(1);
});

it("says what a rule allows", () => {
  expect(allowed()).toBe('From now on slack.send_message runs without asking where channel is "C0123".');
  expect(allowed({ isRun: true })).toBe(
    'From now on slack.send_message runs without asking, in this step of this automation, where channel is "C0123".',
  );
  expect(allowed({ conditions: [] })).toBe(
    "From now on slack.send_message runs without asking, whatever its parameters.",
  );
});

it("says what a grant allows", () => {
  expect(allowed({ limits })).toBe(
    "For the next 10 calls within 8 hours slack.send_message runs without asking, in this session, " +
      'where channel is "C0123".',
  );
  expect(allowed({ limits: { ...limits, scope: "org" }, isRun: true, conditions: only("channel", "priority") })).toBe(
    "For the next 10 calls within 8 hours slack.send_message runs without asking, in every session, " +
      'where channel is "C0123" and priority is 2.',
  );
  expect(allowed({ limits: { ...limits, count: "1", time: "1d" }, isRun: true, conditions: [] })).toBe(
    "For the next call within 1 day slack.send_message runs without asking, in this step of this automation, " +
      "whatever its parameters.",
  );
});

it("says nothing while the limits are invalid", () => {
  expect(allowed({ limits: { ...limits, count: "0" } })).toBe("");
  expect(allowed({ limits: { ...limits, time: "soon" } })).toBe("");
});
