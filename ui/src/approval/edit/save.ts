// Saves corrected parameters. Nothing is approved by that: the gateway makes a new document, which is shown next.
import { ApiError, api, take } from "../../api/client";
import { refreshItem } from "../../api/inbox";
import { queries } from "../../api/queries";
import { write } from "../../api/write";
import { shownDigest } from "../../receipt/shown";
import type { ShownDocument } from "../shown";
import type { Params } from "./params";

export const MAX_NOTE = 500;

/** Saves the parameters and loads the item again, also if it changed or was answered meanwhile. */
export async function saveEdit(shown: ShownDocument, params: Params, note: string): Promise<void> {
  const { invocation } = shown;
  try {
    const body = { shown_digest: await shownDigest(shown), params, note, channel: "web" as const };
    await take(
      api.POST("/v1/invocations/{invocation}/edit", {
        params: { path: { invocation } },
        body: body as never,
        // Numbers keep their digits.
        bodySerializer: (value) => write(value),
      }),
    );
  } catch (error) {
    if (isOutdated(error)) await reload(invocation);
    throw error;
  }
  await reload(invocation);
}

/** Whether the displayed request is not the current one. `cannot_edit` is about the corrected parameters. */
function isOutdated(error: unknown): boolean {
  return error instanceof ApiError && [404, 409, 410].includes(error.status) && error.problem.code !== "cannot_edit";
}

async function reload(invocation: string): Promise<void> {
  await refreshItem(invocation);
  void queries.invalidateQueries({ queryKey: ["invocation", invocation] });
}
