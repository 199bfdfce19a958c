// What the notice about the upgrade says, and where its links lead.
import { QueryClientProvider } from "@tanstack/react-query";
import { createElement, type ReactNode } from "react";
import { renderToStaticMarkup } from "react-dom/server";
import { beforeEach, expect, it, vi } from "vitest";
import type { Org } from "../loosening/notice";

vi.stubGlobal("location", { origin: "http://127.0.0.1", search: "" });
vi.stubGlobal("sessionStorage", { getItem: () => null });
const stored = new Map<string, string>();
vi.stubGlobal("localStorage", { getItem: (name: string) => stored.get(name) ?? null });
vi.mock("@tanstack/react-router", () => ({
  Link: ({ to, params, children }: { to: string; params?: { part: string }; children: ReactNode }) =>
    createElement("a", { href: to.replace("$part", params?.part ?? "") }, children),
}));
const { me, org, queries } = await import("../api/queries");
const { DefaultNotice } = await import("../loosening/DefaultNotice");
const { PARTS } = await import("../settings/parts");
const { day } = await import("../text/time");
const { Changes, WhatChanged } = await import("./WhatChanged");

const AT = "2026-11-18T12:00:00Z";
const upgrade = { org: "org_1", user: "usr_1", role: "owner", at: AT };
const drawn = (element: ReactNode) =>
  renderToStaticMarkup(createElement(QueryClientProvider, { client: queries }, element));
const textOf = (markup: string) => markup.replace(/<[^>]*>/g, "");
const changes = (more: { where?: Org; days?: number | null } = {}) =>
  drawn(createElement(Changes, { where: undefined, days: 180, onFollow: () => undefined, ...more }));

beforeEach(() => {
  queries.clear();
  stored.clear();
});

it("is short until it is expanded, and can be closed", () => {
  const markup = drawn(createElement(WhatChanged, { upgrade }));
  expect(textOf(markup)).toMatch(/New since version 0\.1.*2026.*Show what changed/);
  expect(markup).toContain('aria-expanded="false"');
  expect(markup).toContain('aria-label="Close"');
  expect(markup).not.toContain("<ul");
});

it("leads to pages that exist", () => {
  const links = [...changes().matchAll(/href="([^"]*)"/g)].map((found) => found[1] ?? "");
  expect(new Set(links)).toEqual(
    new Set([
      "/activity/changes",
      "/agents",
      "/settings/org",
      "/settings/members",
      "/settings/spaces",
      "/settings/tokens",
    ]),
  );
  const parts = links.flatMap((link) => (link.startsWith("/settings/") ? [link.slice("/settings/".length)] : []));
  for (const part of parts) expect(PARTS.map(({ id }) => id)).toContain(part);
});

it("says what holds in this organization", () => {
  expect(textOf(changes())).toContain("With two owners, a change that loosens");
  const loosening = (where: Org) => textOf(changes({ where }));
  const byDefault = { loosening: "one", loosening_is_default: true };
  expect(loosening(byDefault)).toContain("With two owners, a change that loosens");
  expect(loosening({ loosening: "one", loosening_is_default: false })).toContain("one person may make a change");
  expect(loosening({ loosening: "two_people" })).toContain("In this organization, a change that loosens");
  expect(loosening({ loosening: "two_people", two_people_until: AT })).toContain(
    `Until ${day(AT)}, a change that loosens a protection waits for a second owner, because another owner left.`,
  );
  expect(textOf(changes({ days: 30 }))).toContain("After 30 days, parameters, results");
  expect(textOf(changes({ days: 1 }))).toContain("After 1 day, parameters, results");
  expect(textOf(changes({ days: null }))).toContain("At its end, parameters, results");
});

it("is the only notice until it is closed", () => {
  queries.setQueryData(me.queryKey, { org: "org_1", user: "usr_1", role: "owner", upgraded_at: AT });
  queries.setQueryData(org.queryKey, { loosening: "two_people", loosening_is_default: true } as never);
  expect(drawn(createElement(DefaultNotice))).toBe("");
  stored.set("countersign.upgrade.org_1.usr_1", "closed");
  const notice = () => textOf(drawn(createElement(DefaultNotice)));
  expect(notice()).toContain("waits for a second owner, because this organization has at least two. Tightening");
  const where = { loosening: "two_people", loosening_is_default: true, two_people_until: AT };
  queries.setQueryData(org.queryKey, where as never);
  expect(notice()).toContain(`waits for a second owner until ${day(AT)}, because another owner left. Tightening`);
});
