// Changes that wait for a second owner: who can do what about them, and what is said about them.
import type { Schemas } from "../api/client";

export type ProposedChange = Schemas["ProposedChangeView"];
export type ProposedPart = Schemas["ProposedPart"];

/** What the signed-in person can do: answer it, withdraw their own, or only follow it. */
export type Involvement = "answer" | "own" | "watch";

interface Viewer {
  user?: string | null;
  role?: string | null;
}

/** null for those whose inbox does not list it. The gateway enforces who may answer. */
export function involvement({ proposed_by }: ProposedChange, { user, role }: Viewer): Involvement | null {
  if (user != null && proposed_by === user) return "own";
  if (role === "owner") return "answer";
  return role === "admin" ? "watch" : null;
}

/** One row of the inbox. */
export interface ProposedRow {
  kind: "change";
  /** `pch_…` */
  key: string;
  change: ProposedChange;
  involvement: Involvement;
}

/** The rows of the inbox: those that the person can answer first, and each part newest first, as they came. */
export function proposedRows(all: readonly ProposedChange[], viewer: Viewer): ProposedRow[] {
  const rows = all.flatMap((change): ProposedRow[] => {
    const involved = change.status === "waiting" ? involvement(change, viewer) : null;
    return involved === null ? [] : [{ kind: "change", key: change.id, change, involvement: involved }];
  });
  return [...rows.filter(isAnswerable), ...rows.filter((row) => !isAnswerable(row))];
}

export function isAnswerable(row: ProposedRow): boolean {
  return row.involvement === "answer";
}

/** What is loosened, each said once. */
export function loosensText({ changes }: ProposedChange): string {
  return [...new Set(changes.map(({ loosens }) => loosens))].join("; ");
}

const RESULTS: Record<string, string> = {
  waiting: "Waits for a second owner. Nothing has changed yet.",
  approved: "Approved. The change is in effect.",
  denied: "Denied. Nothing was changed.",
  withdrawn: "Withdrawn. Nothing was changed.",
  expired: "Expired. Nobody answered in time, and nothing was changed.",
  failed: "Approved, but the change could not be made. Nothing was changed.",
};

export function statusText(status: string): string {
  return RESULTS[status] ?? `Status: ${status}`;
}
