// Loads the documents of several requests, a few at a time. A request without one is left out, with the reason.
import { ApiError } from "../../api/client";
import type { InboxItem } from "../../api/inboxList";
import { hasHidden } from "../hidden/revealed";
import { displayed, type ShownApproval } from "../shown";
import { type Approval, fitsInTable } from "./groups";
import { eachAtOnce } from "./pool";

export interface LoadedRequests {
  items: ShownApproval[];
  excluded: { item: Approval; reason: string }[];
}

/** Nobody sees hidden values in a bulk answer, so these requests can only be denied there. */
const HIDDEN = "Has hidden values. Open it in the list to reveal them.";

/** `onProgress` is told how many are done. After a stop, nothing more is requested. */
export async function loadDocuments(
  verdict: "approve" | "deny",
  items: readonly Approval[],
  load: (invocation: string) => Promise<InboxItem>,
  onProgress: (done: number) => void,
  stop: AbortSignal,
): Promise<LoadedRequests> {
  const found: (ShownApproval | string)[] = items.map(() => "Not loaded.");
  let done = 0;
  await eachAtOnce(items, async (item, at) => {
    if (stop.aborted) return;
    found[at] = await load(item.invocation.id).then((loaded) => usable(verdict, loaded), failure);
    done += 1;
    onProgress(done);
  });
  const out: LoadedRequests = { items: [], excluded: [] };
  found.forEach((each, at) => {
    if (typeof each !== "string") out.items.push(each);
    else out.excluded.push({ item: items[at] as Approval, reason: each });
  });
  return out;
}

/** The request with its document, or why it cannot be answered in bulk. */
export function usable(verdict: "approve" | "deny", item: InboxItem): ShownApproval | string {
  if (item.kind !== "approval") return "No longer pending.";
  const found = displayed(item);
  if (typeof found === "string") return found;
  if (verdict === "approve" && hasHidden(found)) return HIDDEN;
  if (fitsInTable(found)) return found;
  return "Too long for this table. Open it in the list to answer it.";
}

export function failure(error: unknown): string {
  if (!(error instanceof ApiError)) return "The request could not be loaded.";
  if ([404, 409, 410].includes(error.status)) return "No longer pending.";
  return `The request could not be loaded: ${error.message}`;
}
