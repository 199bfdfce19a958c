// Of each question, the pane shows the document, or why there is none.
import { expect, it, vi } from "vitest";
import { approval, document } from "../../../tests/unit/document";

vi.stubGlobal("location", { origin: "http://127.0.0.1" });
vi.stubGlobal("sessionStorage", { getItem: () => null });
const { ApiError } = await import("../../api/client");
const { questions } = await import("./useQuestions");

const named = (id: string, more: object = {}) => {
  const item = approval();
  return {
    ...item,
    shown: { ...document, invocation: id, ...more },
    invocation: { ...item.invocation, id },
  };
};
const gone = new ApiError({ type: "x", code: "x", status: 410, title: "t", detail: "d", hint: "h" });
const hidden = [{ pointer: "/title", characters: 3, rule: "the name of the field" }];

it("shows nothing before every document is there", () => {
  const items = ["inv_1", "inv_2"].map((id) => named(id));
  const loading = { data: undefined, error: null };
  expect(questions(items, [{ data: named("inv_1"), error: null }, loading])).toBeNull();
  expect(questions(items, [])).toBeNull();
});

it("shows what the document says, and leaves out what cannot be answered together", () => {
  const items = ["inv_1", "inv_2", "inv_3", "inv_4"].map((id) => named(id));
  const found = questions(items, [
    { data: named("inv_1"), error: null },
    { data: named("inv_2"), error: gone },
    { data: named("inv_3", { params: { text: "x".repeat(3_000) } }), error: null },
    { data: named("inv_4", { hidden }), error: null },
  ]);
  expect(found?.items.map(({ invocation }) => `${invocation.id} ${invocation.action}`)).toEqual([
    "inv_1 linear.create_issue",
    "inv_4 linear.create_issue",
  ]);
  expect(found?.excluded.map(({ item, reason }) => `${item.invocation.id} ${reason}`)).toEqual([
    "inv_2 No longer pending.",
    "inv_3 Too long for this table. Open it in the list to answer it.",
  ]);
});
