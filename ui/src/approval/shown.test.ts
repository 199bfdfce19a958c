// Everything displayed comes from the document, and a document that this page does not know is not answered here.
import { expect, it } from "vitest";
import { approval, document, flow } from "../../tests/unit/document";
import { type Approval, answerableItem, displayed, type ShownApproval, TOO_OLD } from "./shown";

it("takes the request from the document, whatever the item says", () => {
  const found = displayed(approval()) as ShownApproval;
  const { invocation, votes, votes_needed, passkey_needed, ...request } = found;
  expect(JSON.stringify([request, invocation])).not.toContain("forged");
  expect(request).toMatchObject({
    description: "Creates an issue.",
    why: ["R2 actions need approval by default."],
    only_once: "a rule forbids it",
    changed: ["the destination"],
    undo: "Archive the issue.",
    history: { approved: 2, denied: 1 },
  });
  expect(invocation).toMatchObject({
    action: "linear.create_issue",
    agent: "triage-bot",
    session: "ses_1",
    risk: "R2",
    params: { title: "Login fails" },
    reason: "Three customers asked.",
    subject_digest: document.subject,
    expires_at: "2099-01-01T00:00:00Z",
    edits: document.edits,
  });
  expect([votes, votes_needed, passkey_needed]).toEqual([[], 2, true]);
  expect(found.shown, "the digest is computed from this object").toBe(document);
});

const changed = (change: object) => ({ ...document, ...change });

it.each<[string, unknown]>([
  ["a new field", changed({ more: 1 })],
  ["a new field inside", changed({ proposer: { ...document.proposer, more: null } })],
  ["a new field of a destination", changed({ destinations: [{ ...document.destinations[0], port: 1 }] })],
  ["a new field of a preview", changed({ preview: { summary: "s", changes: [], basis: [], cost: 1 } })],
  ["a new field of a hidden value", changed({ hidden: [{ pointer: "/a", characters: 1, rule: "r", more: 1 }] })],
  ["a hidden value without its rule", changed({ hidden: [{ pointer: "/a", characters: 1 }] })],
  ["a hidden value that is a text", changed({ hidden: ["/a"] })],
  ["no list of hidden values", changed({ hidden: null })],
  ["a new field of an edit", changed({ edits: [{ ...document.edits[0], more: 1 }] })],
  ["an edit without its changes", changed({ edits: [{ by: "a", note: "", at: "b" }] })],
  ["an edited value without its sides", changed({ edits: [{ ...document.edits[0], changes: [{ field: "/a" }] }] })],
  ["no list of edits", changed({ edits: null })],
  ["a missing field", Object.fromEntries(Object.entries(document).filter(([name]) => name !== "reason"))],
  ["a missing field inside", changed({ earlier: { approved: 0, denied: 0 } })],
  ["another type", changed({ why: "because" })],
  ["another version", changed({ version: "countersign/shown/v2" })],
  ["no object", "a text"],
  ["a name that every object has", changed({ constructor: 1 })],
  ["no parameters", Object.fromEntries(Object.entries(document).filter(([name]) => name !== "params"))],
  ["a flow that is null", changed({ flow: null })],
  ["a flow that is undefined", changed({ flow: undefined })],
  ["a new field of a flow", changed({ flow: { ...flow, more: 1 } })],
  ["a missing field of a flow", changed({ flow: { ...flow, observing: undefined } })],
  ["a flow without its places", changed({ flow: { ...flow, to: null } })],
  ["another type in a flow", changed({ flow: { ...flow, untrusted: [1] } })],
  ["a new field of a passage", changed({ flow: { ...flow, passages: [{ ...flow.passages[0], more: 1 }] } })],
  ["a passage without its text", changed({ flow: { ...flow, passages: [{ pointer: "/title" }] } })],
])("does not answer a document with %s", (_, shown) => {
  expect(displayed(approval({ shown } as Partial<Approval>))).toBe(TOO_OLD);
});

it("knows hidden values", () => {
  const shown = changed({ hidden: [{ pointer: "/title", characters: 11, rule: "the name of the field" }] });
  expect((displayed(approval({ shown })) as ShownApproval).shown).toBe(shown);
});

it("knows where data goes", () => {
  for (const shown of [changed({ flow }), changed({ flow: { ...flow, to: [], passages: [] } })])
    expect((displayed(approval({ shown })) as ShownApproval).shown).toBe(shown);
});

it("does not answer without a document, or with that of another request", () => {
  expect(displayed(approval({ shown: null }))).toMatch(/did not send/);
  expect(displayed(approval({ shown: { ...document, invocation: "inv_2" } }))).toMatch(/another request/);
});

it("leaves items without a document as they are", () => {
  const item = { kind: "unknown", invocation: { id: "inv_1" } } as unknown as Parameters<typeof answerableItem>[0];
  expect(answerableItem(item)).toBe(item);
});
