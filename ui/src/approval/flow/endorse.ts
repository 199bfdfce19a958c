// Trusts what a session had read when it asked. Nothing is approved by that.
import { ApiError, api, take } from "../../api/client";
import { refreshItem } from "../../api/inbox";
import { shownDigest } from "../../receipt/shown";
import type { ShownApproval, ShownDocument } from "../shown";

export const MAX_NOTE = 500;

/** Whether trust in what was read changes anything: a model chose the place after reading texts by strangers. */
export function canEndorse({ shown: { flow }, invocation }: Pick<ShownApproval, "shown" | "invocation">): boolean {
  return invocation.status === "pending" && flow != null && flow.chosen_by === "model" && flow.untrusted.length > 0;
}

/** Trusts what the displayed document lists. Loads the item again if it is not the current one. */
export async function endorse(shown: ShownDocument, note: string): Promise<string[]> {
  const { invocation } = shown;
  try {
    const body = { shown_digest: await shownDigest(shown), note: note.trim() };
    const options = { params: { path: { invocation } }, body };
    return (await take(api.POST("/v1/invocations/{invocation}/endorse", options))).origins;
  } catch (error) {
    if (error instanceof ApiError && [404, 409, 410].includes(error.status)) await refreshItem(invocation);
    throw error;
  }
}
