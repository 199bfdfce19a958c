// What is drawn about edits, who may edit, and that nothing is approved meanwhile.
import { QueryClientProvider } from "@tanstack/react-query";
import { createElement, type ReactNode } from "react";
import { renderToStaticMarkup } from "react-dom/server";
import { expect, it, vi } from "vitest";
import { approval, document } from "../../../tests/unit/document";
import type { Request } from "../RequestView";
import { displayed, type ShownApproval, type ShownDocument } from "../shown";
import { type Edit, FINISH_EDITING } from "./useEdit";

vi.stubGlobal("location", { origin: "http://127.0.0.1" });
vi.stubGlobal("sessionStorage", { getItem: () => null });
vi.stubGlobal("localStorage", { getItem: () => null });
const { me, queries } = await import("../../api/queries");
const { RequestActions } = await import("../RequestView");
const { EditParams } = await import("./EditParams");
const { Edits } = await import("./Edits");

function drawn(element: ReactNode, role = "owner"): string {
  queries.setQueryData(me.queryKey, { role } as never);
  return renderToStaticMarkup(createElement(QueryClientProvider, { client: queries }, element));
}
const textOf = (markup: string) => markup.replace(/<[^>]*>/g, "");
const editing = (isOpen: boolean): Edit => ({ isOpen, start: () => {}, stop: () => {} });
const part = (isOpen: boolean, role?: string, more: Partial<ShownDocument> = {}) =>
  drawn(createElement(EditParams, { shown: { ...document, ...more }, edit: editing(isOpen) }), role);

it("says who edited what, when and why, with nothing hidden", () => {
  const edits = [
    {
      by: "Cl\u202eeo",
      note: "<b>typo</b>\u200b",
      at: "2026-01-02T00:00:00Z",
      changes: [
        { field: "/ti\u200btle", before: "a\u202e" as never, after: "<i>b</i>" as never },
        { field: "/new", before: null as never, after: { deep: [1] } as never },
      ],
    },
    { by: "Ben", note: "", at: "2026-01-03T00:00:00Z", changes: [] },
  ];
  const markup = drawn(createElement(Edits, { edits }));
  const text = textOf(markup);
  expect(text).toMatch(/Edited by Cl\\u\{202e\}eo on .*2026.*: &lt;b&gt;typo&lt;\/b&gt;\\u\{200b\}/);
  expect(text).toContain("/ti\\u{200b}tle");
  expect(text).toContain("&lt;i&gt;b&lt;/i&gt;");
  expect(text).toContain("deep[0]1");
  expect(text).toMatch(/Edited by Ben on [^:]*2026[^"]*$/);
  expect(markup).not.toMatch(/[\u202e\u200b]|<b>|<i>/);
  expect(markup.match(/aria-label="was"/g)).toHaveLength(1);
  expect(markup.match(/aria-label="is"/g)).toHaveLength(2);
});

it("draws nothing without edits", () => {
  expect(drawn(createElement(Edits, { edits: [] }))).toBe("");
  expect(drawn(createElement(Edits, {}))).toBe("");
});

it("has a button for people who may answer, and none for others", () => {
  expect(textOf(part(false, "owner"))).toBe("Edit parameters");
  expect(textOf(part(false, "admin"))).toBe("Edit parameters");
  expect(part(false, "member")).toBe("");
  expect(part(true, "member")).toBe("");
});

it("opens with nothing to save, and says that saving approves nothing", () => {
  const text = textOf(part(true));
  expect(text).toContain("Saving approves nothing: you are shown the corrected request next.");
  expect(text).toContain("No changes yet.");
  expect(text).toContain("Why (the agent is told)");
  expect(text).not.toContain("placeholder");
  expect(part(true)).toMatch(/<button type="submit"[^>]* disabled=""[^>]*>Save changes/);
  expect(part(true)).toMatch(/<textarea[^>]* maxLength="500"/i);
});

it("says what a placeholder means where values are hidden", () => {
  const hidden = [{ pointer: "/title", characters: 11, rule: "the name of the field" }];
  expect(textOf(part(true, "owner", { hidden }))).toContain("a placeholder that you leave as it is keeps its value.");
});

it("approves nothing while the parameters are being edited, and leaves denying possible", () => {
  const item = displayed(approval({ shown: { ...document, only_once: null } })) as ShownApproval;
  const request: Request = { state: "shown", item };
  const reveal = { isLoading: false, error: null, revealed: null, start: () => {} };
  const buttons = (isOpen: boolean) => {
    const props = { request, reveal, edit: editing(isOpen), isUnread: () => false, onAnswer: () => {} };
    const markup = drawn(createElement(RequestActions, props));
    const works = [...markup.matchAll(/<button(.*?)>(.*?)<\/button>/gs)].filter(
      ([, attributes]) => !/ disabled=""/.test(attributes ?? ""),
    );
    return { text: textOf(markup), works: works.map(([, , label]) => textOf(label ?? "").trim()) };
  };
  expect(buttons(true).text).toContain(FINISH_EDITING);
  expect(buttons(true).works).toEqual(["Deny d"]);
  expect(buttons(false).text).not.toContain(FINISH_EDITING);
  expect(buttons(false).works).toContain("Approve once a");
});
