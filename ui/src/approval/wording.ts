// Words about a request that several views share.
import type { Schemas } from "../api/client";
import { rows } from "../text/rows";
import type { ShownDocument } from "./shown";

export const STAYS = "stays on the gateway";
export const NO_UNDO = "Not possible from here";

/** The person named in a document opened the session, or is responsible for the automation. */
export function openedByLabel({ automation }: ShownDocument["proposer"]): string {
  return automation === null ? "Session opened by" : "Responsible person";
}

/** Whether the changes of a preview only repeat the parameters. */
export function isRepeat(changes: Schemas["PreviewChange"][], params: unknown): boolean {
  const shown = new Set(rows(params).map((row) => `${row.type} ${row.value}`));
  const isShown = (value: unknown) => rows(value).every((row) => shown.has(`${row.type} ${row.value}`));
  return changes.length > 0 && changes.every((change) => change.before == null && isShown(change.after));
}
