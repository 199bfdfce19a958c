// The retention and the legal hold in the settings: what waits, what will be erased, and what is not.
import { QueryClientProvider } from "@tanstack/react-query";
import { createElement, type ReactNode } from "react";
import { renderToStaticMarkup } from "react-dom/server";
import { beforeEach, expect, it, vi } from "vitest";
import type { Schemas } from "../api/client";

const NOW = Date.parse("2026-11-18T12:00:00Z");
vi.stubGlobal("location", { origin: "http://127.0.0.1", search: "" });
vi.stubGlobal("sessionStorage", { getItem: () => null });
vi.mock("../text/now", () => ({ useNow: () => NOW }));
const { me, queries } = await import("../api/queries");
const { day } = await import("../text/time");
const { LegalHold } = await import("./LegalHold");
const { Retention } = await import("./Retention");
const { daysInForce, shortening, shorteningText } = await import("./retention");

type Org = Schemas["OrgView"];
const LATER = "2026-11-25T12:00:00Z";
const org = (more: Partial<Org> = {}): Org => ({
  name: "Acme",
  slug: "acme",
  approval_quorum: 1,
  approval_four_eyes: false,
  receipts_kept_days: 30,
  time_zone: "UTC",
  receipts_kept_days_before: null,
  receipts_shorter_at: null,
  legal_hold: false,
  ...more,
});
const waits = { receipts_kept_days_before: 365, receipts_shorter_at: LATER };

beforeEach(() => queries.clear());

function drawn(element: ReactNode, role = "owner"): string {
  queries.setQueryData(me.queryKey, { role, user: "usr_1" } as never);
  return renderToStaticMarkup(createElement(QueryClientProvider, { client: queries }, element));
}
const textOf = (markup: string) => markup.replace(/<[^>]*>/g, "").replace(/\s+/g, " ");
const retention = (of: Org, days: string, may = true) =>
  textOf(drawn(createElement(Retention, { org: of, days, may, onChange: () => undefined })));

it("knows a shorter retention only while it waits", () => {
  expect(shortening(org(), NOW)).toBeNull();
  expect(shortening(org(waits), NOW)).toEqual({ before: 365, days: 30, at: LATER });
  expect(shortening(org(waits), Date.parse(LATER))).toBeNull();
  expect([org(), org(waits)].map((each) => daysInForce(each, NOW))).toEqual([30, 365]);
});

it("says which period holds until when", () => {
  expect(shorteningText({ before: 365, days: 30, at: LATER })).toBe(`Until ${day(LATER)}, 365 days; then 30.`);
  expect(shorteningText({ before: 2, days: 1, at: LATER })).toBe(`Until ${day(LATER)}, 2 days; then 1.`);
  expect(retention(org(waits), "30")).toContain("365 days; then 30. To keep the longer retention, save 365 again.");
  expect(retention(org(waits), "30", false)).not.toContain("save 365 again");
  expect(retention(org(), "30")).not.toContain("Until");
});

it("warns of a shorter retention before it is saved", () => {
  const warning =
    "Everything older than 7 days is erased 7 days after this takes effect. Erased data cannot be restored.";
  const second = "A second owner must approve it first.";
  expect(retention(org(), "7")).toContain(warning);
  expect(retention(org({ loosening: "one" }), "7")).not.toContain(second);
  expect(retention(org({ loosening: "two_people" }), "7")).toContain(`${warning} ${second}`);
  expect(retention(org({ legal_hold: true }), "1")).toContain(
    "Everything older than 1 day is erased 7 days after this takes effect, " +
      "or when the legal hold ends if that is later.",
  );
  for (const days of ["30", "31", "", "0"]) expect(retention(org(), days)).not.toContain("is erased 7 days after");
});

it("switches the legal hold for owners alone", () => {
  const on = drawn(createElement(LegalHold, { org: org({ legal_hold: true }) }));
  expect(on).toMatch(/<input[^>]*role="switch"[^>]*checked=""/);
  expect(on).not.toContain("disabled");
  const off = drawn(createElement(LegalHold, { org: org() }), "admin");
  expect(off).toMatch(/<input[^>]*role="switch"[^>]*disabled=""/);
  expect(off).toContain('aria-checked="false"');
  expect(textOf(off)).toContain("Only owners can begin or end a legal hold.");
  for (const kept of [
    "contents of receipts",
    "parameters",
    "results",
    "documents shown",
    "inputs of runs",
    "dead letters",
  ])
    expect(textOf(on)).toContain(kept);
});
