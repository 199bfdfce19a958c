// The state before and after a change, value by value.
import { rows, type ValueRow } from "../../text/rows";

export interface StateRow {
  path: string;
  before: ValueRow | null;
  after: ValueRow | null;
  mark: "added" | "removed" | "changed" | "unchanged";
}

/** All values, in the order of the state after; removed ones come last. */
export function stateRows(before: unknown, after: unknown): StateRow[] {
  const [old, now] = [byPath(before), byPath(after)];
  const paths = [...now.keys(), ...[...old.keys()].filter((path) => !now.has(path))];
  return paths.map((path) => {
    const [was, is] = [old.get(path) ?? null, now.get(path) ?? null];
    return { path, before: was, after: is, mark: markOf(was, is) };
  });
}

function markOf(before: ValueRow | null, after: ValueRow | null): StateRow["mark"] {
  if (before === null) return "added";
  if (after === null) return "removed";
  return before.type === after.type && before.value === after.value ? "unchanged" : "changed";
}

/** Null stands for something that does not exist, and has no values. */
function byPath(state: unknown): Map<string, ValueRow> {
  return new Map(state == null ? [] : rows(state).map((row) => [row.path, row]));
}
