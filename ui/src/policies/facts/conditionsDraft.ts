// The conditions of a fact while they are edited: rows, or JSON where rows cannot say them.
import { parse } from "../../api/json";
import { write } from "../../api/write";
import { isFields } from "../../text/rows";
import type { Filter } from "../types";
import { filterOf, type Row, rowsOf } from "./conditions";

export type ConditionsDraft = { kind: "rows"; rows: Row[] } | { kind: "json"; text: string };

export function draftOf(filter: Filter | null): ConditionsDraft {
  const rows = rowsOf(filter);
  return rows === null ? { kind: "json", text: write(filter, 2) } : { kind: "rows", rows };
}

export function filterOfDraft(draft: ConditionsDraft): { filter: Filter | null } | { problem: string } {
  if (draft.kind === "rows") return filterOf(draft.rows);
  if (draft.text.trim() === "") return { filter: null };
  try {
    const value = parse(draft.text);
    return isFields(value) ? { filter: value as Filter } : { problem: "The conditions must be a JSON object." };
  } catch {
    return { problem: "The conditions are not valid JSON." };
  }
}

/** The same conditions in the other form; null if they are incomplete, or if rows cannot say them. */
export function otherForm(draft: ConditionsDraft): ConditionsDraft | null {
  const read = filterOfDraft(draft);
  if (!("filter" in read)) return null;
  if (draft.kind === "rows") return { kind: "json", text: read.filter === null ? "" : write(read.filter, 2) };
  const rows = rowsOf(read.filter);
  return rows === null ? null : { kind: "rows", rows };
}
