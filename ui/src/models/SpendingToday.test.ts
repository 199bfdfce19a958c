// The card says in words what its bars show, and offers a change to owners alone.
import { QueryClientProvider } from "@tanstack/react-query";
import { createElement } from "react";
import { renderToStaticMarkup } from "react-dom/server";
import { beforeEach, expect, it, vi } from "vitest";
import { number } from "../text/number";
import { costText } from "./price";
import type { Spending } from "./queries";

vi.stubGlobal("location", { origin: "http://127.0.0.1" });
vi.stubGlobal("sessionStorage", { getItem: () => null });
vi.mock("../text/now", () => ({ useNow: () => Date.parse("2026-11-19T12:00:00Z") }));
const { me, queries } = await import("../api/queries");
const { SpendingCard } = await import("./SpendingToday");

const signedInAs = (role: string) => queries.setQueryData(me.queryKey, { role } as never);
const draw = (spending: Spending) =>
  renderToStaticMarkup(
    createElement(QueryClientProvider, { client: queries }, createElement(SpendingCard, { spending })),
  );
const textOf = (markup: string) => markup.replace(/<[^>]*>/g, "");
const spent = (spent_usd: number, reserved_usd: number, tokens: number) => [
  { day: "2026-11-19", spent_usd, reserved_usd, tokens },
];

beforeEach(() => signedInAs("owner"));

it("says what is spent, reserved and left", () => {
  const markup = draw({ budget: { usd_per_day: 10, tokens_per_day: 5_000 }, days: spent(3.25, 0.75, 1_000) });
  const text = textOf(markup);
  expect(text).toContain(
    `Cost${costText(3.25)} of ${costText(10)} used · ${costText(0.75)} reserved for calls in progress · `,
  );
  expect(text).toContain(` · ${costText(6)} left`);
  expect(text).toContain(`Tokens${number(1_000)} of ${number(5_000)} used · ${number(4_000)} left`);
  expect([...markup.matchAll(/width:([\d.]+)%/g)].map(([, share]) => share)).toEqual(["32.5", "7.5", "20", "0"]);
});

it("says that there is no limit, without a bar", () => {
  const markup = draw({ budget: {}, days: [] });
  expect(textOf(markup)).toContain(`Cost${costText(0)} used · no limit in USD`);
  expect(textOf(markup)).toContain("Tokens0 used · no limit of tokens");
  expect(markup).not.toContain("width:");
});

it("says when a limit is used up", () => {
  expect(textOf(draw({ budget: { usd_per_day: 3 }, days: spent(2, 1, 0) }))).toContain("used up");
});

it("lets owners change the limits, and tells admins who can", () => {
  expect(draw({ budget: {}, days: [] })).toContain("Change limits");
  signedInAs("admin");
  const text = textOf(draw({ budget: {}, days: [] }));
  expect(text).not.toContain("Change limits");
  expect(text).toContain("Only owners can change the limits.");
});
