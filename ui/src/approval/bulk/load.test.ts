// Documents are loaded a few at a time; a request without a usable one is left out, with the reason.
import { expect, it, vi } from "vitest";
import { approval, document } from "../../../tests/unit/document";
import type { Approval, ShownApproval } from "../shown";

vi.stubGlobal("location", { origin: "http://127.0.0.1" });
vi.stubGlobal("sessionStorage", { getItem: () => null });
const { ApiError } = await import("../../api/client");
const { loadDocuments } = await import("./load");

const named = (id: string, more: Partial<Approval> = {}) => {
  const item = approval(more);
  return {
    ...item,
    shown: item.shown && { ...item.shown, invocation: id },
    invocation: { ...item.invocation, id },
  };
};
const problem = (status: number, detail: string) =>
  new ApiError({ type: "x", code: "x", status, title: "t", detail, hint: "h" });
const ids = (items: Approval[]) => items.map((item) => item.invocation.id);

it("keeps the order, reports progress, and excludes what cannot be answered", async () => {
  const listed = ["inv_1", "inv_2", "inv_3", "inv_4", "inv_5", "inv_6", "inv_7"].map((id) => named(id));
  const answers: Record<string, () => Promise<Approval>> = {
    inv_2: () => Promise.reject(problem(503, "The database is unavailable.")),
    inv_3: () => Promise.reject(problem(410, "expired")),
    inv_4: async () => named("inv_4", { shown: { ...document, more: 1 } as never }),
    inv_5: async () => named("inv_5", { shown: { ...document, reason: "x".repeat(7_000) } }),
    inv_6: async () => ({ ...named("inv_6"), kind: "unknown" }) as unknown as Approval,
  };
  const progress: number[] = [];
  let [under, most] = [0, 0];
  const load = async (id: string) => {
    under += 1;
    most = Math.max(most, under);
    await new Promise((done) => setTimeout(done));
    under -= 1;
    return (answers[id] ?? (async () => named(id)))();
  };
  const found = await loadDocuments(
    "approve",
    listed,
    load,
    (done) => progress.push(done),
    new AbortController().signal,
  );
  expect(ids(found.items)).toEqual(["inv_1", "inv_7"]);
  expect((found.items[0] as ShownApproval).invocation.action).toBe(document.action);
  expect(found.excluded.map(({ item, reason }) => `${item.invocation.id} ${reason}`)).toEqual([
    "inv_2 The request could not be loaded: The database is unavailable.",
    "inv_3 No longer pending.",
    "inv_4 This page is older than the gateway. Reload the page.",
    "inv_5 Too long for this table. Open it in the list to answer it.",
    "inv_6 No longer pending.",
  ]);
  expect(progress).toEqual([1, 2, 3, 4, 5, 6, 7]);
  expect(most).toBe(4);
});

it("requests nothing more after the dialog is closed", async () => {
  const stop = new AbortController();
  const asked: string[] = [];
  const load = async (id: string) => {
    asked.push(id);
    stop.abort();
    return named(id);
  };
  await loadDocuments(
    "approve",
    ["inv_1", "inv_2"].map((id) => named(id)),
    load,
    () => {},
    stop.signal,
  );
  expect(asked).toEqual(["inv_1"]);
});

it("leaves requests with hidden values out of an approval, but not out of a denial", async () => {
  const hidden = [{ pointer: "/title", characters: 3, rule: "the name of the field" }];
  const load = async (id: string) => (id === "inv_1" ? named(id, { shown: { ...document, hidden } }) : named(id));
  const listed = ["inv_1", "inv_2"].map((id) => named(id));
  const end = new AbortController().signal;
  const approved = await loadDocuments("approve", listed, load, () => {}, end);
  expect(ids(approved.items)).toEqual(["inv_2"]);
  expect(approved.excluded.map(({ reason }) => reason)).toEqual([
    "Has hidden values. Open it in the list to reveal them.",
  ]);
  const denied = await loadDocuments("deny", listed, load, () => {}, end);
  expect(ids(denied.items)).toEqual(["inv_1", "inv_2"]);
  expect(denied.excluded).toEqual([]);
});
