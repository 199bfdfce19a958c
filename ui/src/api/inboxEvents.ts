// What an event means for the inbox.
import type { LiveEvent } from "./stream";

/** The list may have a new item, the item may still be pending but changed, or it is no longer pending. */
export type InboxEffect = "new" | "changed" | "gone";

const NEW_EVENTS = new Set([
  "action.approval_requested",
  "grant.requested",
  // It is usually held for a person.
  "action.quarantined",
]);

const FINAL_EVENTS = new Set([
  "action.denied",
  "action.expired",
  "action.executed",
  "action.reconciled",
  "action.released",
  "action.discarded",
  "grant.answered",
]);

/** null if the inbox is not affected. `isAnotherNeeded` says whether more votes are required than an event counts. */
export function inboxEffect(
  { type, data }: Pick<LiveEvent, "type" | "data">,
  isAnotherNeeded: () => boolean,
): InboxEffect | null {
  if (NEW_EVENTS.has(type)) return "new";
  if (type === "action.approval_given") return isAnotherNeeded() ? "changed" : "gone";
  if (!FINAL_EVENTS.has(type)) return null;
  return data.status === "unknown" ? "changed" : "gone";
}
