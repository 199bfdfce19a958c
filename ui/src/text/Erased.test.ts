// What was erased is said with its date, wherever it would be shown.
import { createElement, type ReactNode } from "react";
import { renderToStaticMarkup } from "react-dom/server";
import { expect, it, vi } from "vitest";
import type { Schemas } from "../api/client";

vi.stubGlobal("location", { origin: "http://127.0.0.1", search: "" });
vi.mock("./now", () => ({ useNow: () => Date.parse("2026-11-18T12:00:00Z") }));
vi.mock("@tanstack/react-router", () => ({ Link: ({ children }: { children: ReactNode }) => children }));
const { InvocationRow } = await import("../activity/InvocationRow");
const { Erased } = await import("./Erased");
const { day } = await import("./time");

const AT = "2026-11-17T12:00:00Z";
const textOf = (element: ReactNode) => renderToStaticMarkup(element).replace(/<[^>]*>/g, "");

it("names the date, and what is kept", () => {
  expect(textOf(createElement(Erased, { title: "Inputs", at: AT }))).toBe(
    `InputsErased on ${day(AT)} at the end of the retention. The receipt&#x27;s facts and proofs are kept.`,
  );
});

it("is not the same as no parameters", () => {
  const item: Schemas["ActivityItem"] = {
    id: "inv_1",
    action: "linear.create_issue",
    agent: "triage",
    attempts: 1,
    dry_run: false,
    erased_at: null,
    mode: "allow",
    mode_source: "inferred",
    params_line: "{}",
    requested_at: AT,
    risk: "R2",
    session: "ses_1",
    space: "main",
    status: "succeeded",
  };
  expect(textOf(createElement(InvocationRow, { item }))).toContain("No parameters");
  const erased = textOf(createElement(InvocationRow, { item: { ...item, erased_at: AT } }));
  expect(erased).toContain("Parameters erased");
  expect(erased).not.toContain("No parameters");
});
