// The form of a model's step: problems stand at their fields, and nobody is left without a provider.
import { QueryClientProvider } from "@tanstack/react-query";
import { createElement, type ReactNode } from "react";
import { renderToStaticMarkup } from "react-dom/server";
import { beforeEach, expect, it, vi } from "vitest";
import type { DocumentProblem } from "../../../form/problems";
import type { Fields } from "../../definition";
import type { Action } from "../../queries";

vi.stubGlobal("location", { origin: "http://127.0.0.1" });
vi.stubGlobal("sessionStorage", { getItem: () => null });
vi.mock("@tanstack/react-router", () => ({
  Link: ({ to, target, children }: { to: string; target?: string; children: ReactNode }) =>
    createElement("a", { href: to, target }, children),
}));
const { me, queries } = await import("../../../api/queries");
const { providers } = await import("../../../models/queries");
const { AgentForm } = await import("./AgentForm");

const PROVIDER = {
  provider: "local",
  enabled: true,
  has_credential: true,
  tested: { model: "small", calls_tools: true, answers_in_schema: true, at: "2026-11-18T10:00:00Z" },
  auth: { kind: "none" },
  models: [{ name: "small", context: 32_000, max_output: 4_096 }],
};
const ACTIONS = [{ action: "linear.list_issues", description: "Lists.", risk: "R1" }] as unknown as Action[];

function form(
  config: Fields,
  { role = "admin", listed = [PROVIDER] as unknown[], problems = [] as DocumentProblem[] } = {},
) {
  queries.setQueryData(me.queryKey, { role, user: "usr_1" } as never);
  queries.setQueryData(providers.queryKey, listed as never);
  const props = {
    id: "plan-0",
    step: { step_id: "sort", action: "agent_task", config, output_schema: { type: "object" } },
    pointer: "/plan/0",
    problems,
    names: { groups: [], filters: [] },
    actions: ACTIONS,
    onStep: () => {},
  };
  return renderToStaticMarkup(createElement(QueryClientProvider, { client: queries }, createElement(AgentForm, props)));
}
const textOf = (markup: string) => markup.replace(/<[^>]*>/g, "");

beforeEach(() => queries.clear());

it("shows what is set", () => {
  const markup = form({
    goal: "Sort it.",
    context: { title: "{{ inputs.title }}" },
    tools: ["linear.*", "data.gone"],
    provider: "local",
    model: "small",
    max_turns: 4,
    budget_usd: null,
  });
  expect(textOf(markup)).toMatch(/Sort it\..*inputs\.title.*linear\.\*1 action.*data\.gone/s);
  expect(markup).toContain('aria-label="Remove tool linear.*"');
  expect(markup).toContain('<option value="small" selected="">');
  expect(textOf(markup)).toContain("its cost is not counted");
  expect(markup).toMatch(/id="plan-0-max_turns"[^>]*value="4"/);
  expect(markup).toMatch(/<input[^>]*(disabled=""[^>]*id="plan-0-budget_usd"|id="plan-0-budget_usd"[^>]*disabled="")/);
  expect(textOf(markup)).toContain("&quot;type&quot;: &quot;object&quot;");
});

it("puts every problem at its field", () => {
  const at = (pointer: string) => ({ pointer: `/plan/0/${pointer}`, message: `wrong at ${pointer}.` });
  const places = ["goal", "context/title", "tools", "tools/0", "provider", "model", "max_turns", "budget_usd"];
  const problems = [at("config"), ...places.map((place) => at(`config/${place}`)), at("output_schema")];
  const text = textOf(form({ tools: ["linear.lst"], provider: "local" }, { problems }));
  for (const { message } of problems) expect(text.split(message).length - 1, message).toBeGreaterThan(0);
  expect(text).toMatch(
    /Goal.*wrong at config\/goal.*Context.*wrong at config\/context\/title.*linear\.lst.*config\/tools\/0/s,
  );
});

it("says what to do without a provider", () => {
  const markup = form({}, { listed: [] });
  expect(textOf(markup)).toContain("No model providers. Add a provider on the Models page (new tab)");
  expect(markup).toContain('<a href="/models" target="_blank">');
  expect(markup).not.toContain("<select");
});

it("keeps a provider and a model that are gone", () => {
  const text = textOf(form({ provider: "old", model: "older" }));
  expect(text).toContain("old (not found)");
  expect(text).toContain("older (not found)");
});

it("lets members type the names, which only admins can list", () => {
  const markup = form({ provider: "local", model: "small" }, { role: "member" });
  expect(markup).toMatch(/<input[^>]*id="plan-0-provider"[^>]*value="local"/);
  expect(textOf(markup)).toContain("Ask an admin");
});
