// What is drawn of the policies and facts of a decision.
import { createElement } from "react";
import { renderToStaticMarkup } from "react-dom/server";
import { expect, it, vi } from "vitest";

vi.stubGlobal("location", { origin: "http://127.0.0.1", search: "" });
const { DecisionParts } = await import("./DecisionParts");

const decision = {
  guardrails: [{ guardrail: "policy", to: "deny" }],
  policies: [
    { name: "cap", version: 3, mode: "deny", why: "At most 5 000 € an hour" },
    { name: "rate", version: 1, mode: "require_approval", why: "", observing: true, error: "integer overflow" },
  ],
  facts: [{ name: "spent", value: 420_000, adds: 80_000, limit: 500_000, words: "sum of input.amount_cents" }],
};
const drawn = (more: object = {}) => renderToStaticMarkup(createElement(DecisionParts, { decision, ...more }));
const text = (markup: string) => markup.replace(/<[^>]*>/g, " ").replace(/\s+/g, " ");

it("says what each policy does, and what observing ones would have done", () => {
  expect(text(drawn())).toContain("Policy cap denies version 3 At most 5 000 € an hour");
  expect(text(drawn())).toMatch(/Observing policies Policy rate would have asked version 1 could not be evaluated/);
});

it("says a fact with its limit and what the call adds", () => {
  expect(text(drawn())).toContain("spent : 420,000 of 500,000, this call adds 80,000 sum of input.amount_cents");
});

it("repeats no policy that stands in the steps of the decision", () => {
  expect(text(drawn({ hasSteps: true }))).not.toContain("Policy cap");
});

it("draws nothing of a decision without policies", () => {
  expect(renderToStaticMarkup(createElement(DecisionParts, { decision: { mode: "allow" } }))).toBe("");
});

it("hides nothing of a name", () => {
  const hostile = { policies: [{ name: "a\u202eb", version: 1, mode: "deny", why: "<i>\u200b" }] };
  const markup = renderToStaticMarkup(createElement(DecisionParts, { decision: hostile }));
  expect(markup).not.toMatch(/[\u202e\u200b]|<i>/);
});
