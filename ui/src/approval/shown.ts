// The request as a person is shown it. Everything that is displayed comes from the document whose digest the answer
// names.
import type { Schemas } from "../api/client";
import type { InboxItem } from "../api/inboxList";
import { policyPartsOf } from "../policies/explain/decision";

export type ShownDocument = Schemas["ShownDocument"];
export type Approval = Extract<InboxItem, { kind: "approval" }>;
/** A pending approval as displayed, with its document. */
export type ShownApproval = Approval & { shown: ShownDocument };
/** What can be answered: an approval only with its document. */
export type Answerable = ShownApproval | Exclude<InboxItem, Approval>;

export const TOO_OLD = "This page is older than the gateway. Reload the page.";
const VERSION = "countersign/shown/v1";

/** The item with every part of the request taken from its document, or the reason why it cannot be answered here. */
export function displayed(item: Approval): ShownApproval | string {
  const { shown } = item;
  if (shown == null) return "The gateway did not send the request. Reload the page.";
  if (!isKnown(shown)) return TOO_OLD;
  if (shown.invocation !== item.invocation.id) return "The gateway sent another request. Reload the page.";
  const { action, description, risk, params, proposer, reason, why, only_once, changed, edits, undo, earlier } = shown;
  return {
    ...item,
    shown,
    description,
    why,
    only_once,
    changed,
    undo,
    history: { approved: earlier.approved, denied: earlier.denied, last: null },
    invocation: {
      ...item.invocation,
      action,
      risk,
      params,
      reason,
      agent: proposer.agent,
      session: proposer.session,
      subject_digest: shown.subject,
      edits,
      // These are not in the document, and a pending invocation is never a dry run. Of the decision, the policies and
      // facts are kept: they are shown apart from the document, as votes are.
      decision: policyPartsOf(item.invocation.decision) as never,
      dry_run: false,
      idempotency_key: null,
      preview: null,
      automation: null,
      run: null,
    },
  };
}

/** Any item of the inbox, ready to be displayed and answered, or the reason why it is not. */
export function answerableItem(item: InboxItem): Answerable | string {
  return item.kind === "approval" ? displayed(item) : item;
}

type Check = (value: unknown) => boolean;
/** What is checked in place of a field that is not there. No JSON has this value. */
const ABSENT = Symbol("absent");

const text: Check = (value) => typeof value === "string";
const number: Check = (value) => typeof value === "number";
const flag: Check = (value) => typeof value === "boolean";
const anything: Check = (value) => value !== ABSENT;
const orAbsent =
  (check: Check): Check =>
  (value) =>
    value === ABSENT || check(value);
const orNull =
  (check: Check): Check =>
  (value) =>
    value === null || check(value);
const list =
  (check: Check): Check =>
  (value) =>
    Array.isArray(value) && value.every(check);

/**
 * An object with exactly these fields; only one that is `orAbsent` may be left out. A field that is new in the API does
 * not compile until it is displayed.
 */
function object<T>(checks: { [Name in keyof Required<T>]: Check }): Check {
  const names = Object.keys(checks) as (keyof T)[];
  return (value) =>
    typeof value === "object" &&
    value !== null &&
    Object.keys(value).every((name) => Object.hasOwn(checks, name)) &&
    names.every((name) => checks[name](Object.hasOwn(value, name) ? (value as T)[name] : ABSENT));
}

const change = object<Schemas["PreviewChange"]>({ field: text, before: anything, after: anything });

const flow = object<Schemas["ShownFlow"]>({
  to: list(text),
  audience: text,
  chosen_by: text,
  why: text,
  observing: flag,
  untrusted: list(text),
  private: list(text),
  passages: list(
    object<Schemas["ShownPassage"]>({ pointer: text, text, characters: number, action: text, invocation: text }),
  ),
});

const isKnown = object<ShownDocument>({
  version: (value) => value === VERSION,
  salt: text,
  org: text,
  invocation: text,
  subject: text,
  action: text,
  description: text,
  risk: text,
  params: anything,
  hidden: list(object<Schemas["ShownHidden"]>({ pointer: text, characters: number, rule: text })),
  destinations: list(
    object<Schemas["ShownDestination"]>({ source: text, address: orNull(text), account: orNull(text) }),
  ),
  proposer: object<Schemas["ShownProposer"]>({
    agent: text,
    session: text,
    opened_by: text,
    started_by: orNull(text),
    automation: orNull(text),
  }),
  reason: text,
  why: list(text),
  only_once: orNull(text),
  changed: list(text),
  edits: list(object<Schemas["ShownEdit"]>({ by: text, note: text, at: text, changes: list(change) })),
  diff: orNull(text),
  preview: orNull(
    object<Schemas["PreviewView"]>({
      summary: text,
      changes: list(change),
      basis: list(object<Schemas["PreviewBasis"]>({ name: text, value: anything })),
    }),
  ),
  undo: orNull(text),
  read_before: list(object<Schemas["ShownRead"]>({ action: text, times: number, untrusted: flag })),
  earlier: object<Schemas["ShownAnswers"]>({
    approved: number,
    denied: number,
    last: orNull(object<Schemas["ShownAnswer"]>({ name: text, verdict: text, note: text, at: text })),
  }),
  flow: orAbsent(flow),
});
