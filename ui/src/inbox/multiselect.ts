// The selected requests, to answer them at once.
import { useMemo, useRef, useState } from "react";
import { keyOf } from "../api/inboxList";
import { type Approval, fitsInTable, type ListRow, MAX_BULK } from "../approval/bulk/groups";

export interface Multiselect {
  /** Selected pending items, in list order. */
  items: Approval[];
  keys: ReadonlySet<string>;
  /** Toggles a row, or with `isRange` everything between it and the last one. */
  toggle: (key: string, isRange?: boolean) => void;
  clear: () => void;
}

/** The selectable items of a row: none where an item must be answered by itself. */
export function selectable(row: ListRow): Approval[] {
  if (row.kind === "change") return [];
  const items = row.kind === "group" ? row.items : row.item.kind === "approval" ? [row.item] : [];
  return items.filter(fitsInTable);
}

export function useMultiselect(rows: readonly ListRow[]): Multiselect {
  const [keys, setKeys] = useState<ReadonlySet<string>>(new Set());
  const anchor = useRef<string | null>(null);
  const items = useMemo(() => {
    if (keys.size === 0) return [];
    const found = new Map(
      rows
        .flatMap(selectable)
        .filter((item) => keys.has(keyOf(item)))
        .map((item) => [keyOf(item), item]),
    );
    return [...found.values()];
  }, [rows, keys]);

  const toggle = (key: string, isRange = false) => {
    const at = rows.findIndex((row) => row.key === key);
    const from = isRange ? rows.findIndex((row) => row.key === anchor.current) : -1;
    const chosen = rows
      .slice(from === -1 ? at : Math.min(at, from), (from === -1 ? at : Math.max(at, from)) + 1)
      .flatMap(selectable)
      .map(keyOf);
    anchor.current = key;
    const isDrop = !isRange && chosen.every((each) => keys.has(each));
    const there = items.map(keyOf).filter((each) => !isDrop || !chosen.includes(each));
    setKeys(new Set([...new Set(isDrop ? there : [...there, ...chosen])].slice(0, MAX_BULK)));
  };
  return { items, keys, toggle, clear: () => setKeys(new Set()) };
}
