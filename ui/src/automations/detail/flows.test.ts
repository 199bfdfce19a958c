// What is drawn of the flows of an automation, and who can consent.
import { QueryClientProvider } from "@tanstack/react-query";
import { createElement } from "react";
import { renderToStaticMarkup } from "react-dom/server";
import { expect, it, vi } from "vitest";
import type { Flow } from "../queries";

vi.stubGlobal("location", { origin: "http://127.0.0.1", search: "" });
vi.stubGlobal("sessionStorage", { getItem: () => null });
vi.stubGlobal("localStorage", { getItem: () => null });
const { me, queries } = await import("../../api/queries");
const { flows } = await import("../queries");
const { Flows } = await import("./Flows");

const flow: Flow = {
  step_id: "send",
  action: "slack.send_message",
  to: ["{{ channel }}"],
  audience: "public",
  chosen_by: "person",
  private: ["linear.get_issue"],
  untrusted: [],
  mode: "require_approval",
  why: "it sends data of `linear.get_issue`",
  consented: false,
  consents: [{ automation: "aut_1", from: ["linear"], action: "slack.send_message", destination: "*" }],
};

function drawn(all: Flow[], { holds = true, role = "owner" } = {}): string {
  queries.setQueryData(me.queryKey, { role } as never);
  queries.setQueryData(flows("aut_1").queryKey, { holds, flows: all });
  return renderToStaticMarkup(
    createElement(QueryClientProvider, { client: queries }, createElement(Flows, { automation: "aut_1" })),
  );
}
const textOf = (markup: string) => markup.replace(/<[^>]*>/g, " ").replace(/\s+/g, " ");

it("says what each step sends where, and what happens to it", () => {
  const text = textOf(drawn([flow]));
  for (const part of [
    "send slack.send_message",
    "A person is asked each time",
    "Sent to {{ channel }}",
    "Who may see it there Anyone",
    "Place chosen by The person who started the run",
    "Read, may contain text by strangers Nothing",
    "Read, not public linear.get_issue",
    "Why it sends data of",
  ])
    expect(text).toContain(part);
  expect(text).not.toContain("only observed");
});

it("draws nothing without flows, and says if they are only observed", () => {
  expect(drawn([])).toBe("");
  expect(textOf(drawn([flow], { holds: false }))).toContain(
    "Flows are only observed: what would be asked is recorded, nothing is held.",
  );
});

it("has a button for admins and owners where a consent is possible", () => {
  expect(textOf(drawn([flow], { role: "admin" }))).toContain("Consent to the flow of send");
  expect(drawn([flow], { role: "member" })).not.toContain("<button");
  const { consents: _, ...settled } = flow;
  expect(drawn([settled])).not.toContain("<button");
});

it("hides nothing of a text from the definition", () => {
  const text = "a\u202eb\u200b<i>";
  const hostile = { ...flow, step_id: text, action: text, to: [text], private: [text], why: text, mode: text };
  expect(drawn([hostile])).not.toMatch(/[\u202e\u200b]|<i>/);
});
