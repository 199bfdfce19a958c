// A document, an inbox item that says something else everywhere, and a quarantined item.
import type { InboxItem } from "../../src/api/inboxList";
import type { Approval, ShownDocument } from "../../src/approval/shown";

export const document: ShownDocument = {
  version: "countersign/shown/v1",
  salt: "00112233445566778899aabbccddeeff",
  org: "org_1",
  invocation: "inv_1",
  subject: `sha256:${"5".repeat(64)}`,
  action: "linear.create_issue",
  description: "Creates an issue.",
  risk: "R2",
  params: { title: "Login fails" } as never,
  hidden: [],
  destinations: [
    { source: "linear", address: "https://api.linear.app/graphql", account: "acme-bot (version 3)" },
    { source: "data", address: null, account: null },
  ],
  proposer: { agent: "triage-bot", session: "ses_1", opened_by: "Ada", started_by: null, automation: null },
  reason: "Three customers asked.",
  why: ["R2 actions need approval by default."],
  only_once: "a rule forbids it",
  changed: ["the destination"],
  edits: [
    {
      by: "Cleo",
      note: "a typo",
      at: "2026-01-02T00:00:00Z",
      changes: [{ field: "/title", before: "Sign-in fails" as never, after: "Login fails" as never }],
    },
  ],
  diff: "/catalog/linear",
  preview: {
    summary: "Creates one issue.",
    changes: [{ field: "state", before: null as never, after: "open" as never }],
    basis: [{ name: "team", value: "ENG" as never }],
  },
  undo: "Archive the issue.",
  read_before: [
    { action: "linear.list_issues", times: 3, untrusted: true },
    { action: "data.get", times: 1, untrusted: false },
  ],
  earlier: {
    approved: 2,
    denied: 1,
    last: { name: "Ben", verdict: "approved", note: "fine", at: "2026-01-01T00:00:00Z" },
  },
};

/** For a document that says where data goes. */
export const flow: NonNullable<ShownDocument["flow"]> = {
  to: ["C0123"],
  audience: "public",
  chosen_by: "model",
  why: "a model chose where it goes, after reading `linear.get_issue`, where strangers may write",
  observing: false,
  untrusted: ["linear.get_issue"],
  private: ["data.get"],
  passages: [
    {
      pointer: "/title",
      text: "the release is on the third of May",
      characters: 34,
      action: "linear.get_issue",
      invocation: "inv_0",
    },
  ],
};

const forged = "forged";

export function approval(more: Partial<Approval> = {}): Approval {
  return {
    kind: "approval",
    shown: document,
    description: forged,
    why: [forged],
    only_once: forged,
    changed: [forged],
    undo: forged,
    history: { approved: 9, denied: 9, last: { name: forged } as never },
    votes: [],
    votes_needed: 2,
    passkey_needed: true,
    invocation: {
      id: "inv_1",
      action: forged,
      agent: forged,
      session: forged,
      risk: forged,
      params: { forged } as never,
      reason: forged,
      edits: [{ by: forged, note: forged, at: forged, changes: [] }],
      subject_digest: forged,
      decision: { reason: forged } as never,
      idempotency_key: forged,
      automation: forged,
      attempts: 0,
      dry_run: false,
      mode: "require_approval",
      requested_at: "2026-01-01T00:00:00Z",
      expires_at: "2099-01-01T00:00:00Z",
      space: "default",
      status: "pending",
    },
    ...more,
  };
}

export type Quarantined = Extract<InboxItem, { kind: "quarantined" }>;

export function quarantined(more: Partial<Quarantined> = {}): Quarantined {
  const { invocation } = approval();
  return {
    kind: "quarantined",
    held_until: "2026-11-24T10:00:00Z",
    why: ["something that looks like a credential (github token)"],
    turn: 0,
    invocation: {
      ...invocation,
      id: "inv_9",
      action: "linear.create_issue",
      agent: "triage-bot",
      session: "ses_1",
      risk: "R2",
      params: { title: "A key", description: "[redacted]" } as never,
      reason: "The docs say so.",
      status: "quarantined",
      expires_at: null,
    },
    ...more,
  };
}
