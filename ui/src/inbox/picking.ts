// Which requests are picked, to be answered together.
import { useMemo, useRef, useState } from "react";
import { keyOf } from "../api/queries";
import { type Approval, fitsTogether, type ListRow, MOST_TOGETHER } from "./alike";

export interface Picking {
  /** What is picked and still waits, in the order of the list. */
  items: Approval[];
  keys: ReadonlySet<string>;
  /** Picks the row, or drops it; with `isRange` everything from the last one to it. */
  toggle: (key: string, isRange?: boolean) => void;
  clear: () => void;
}

/** What a row offers to be picked: nothing where it has to be read, or answered, by itself. */
export function pickable(row: ListRow): Approval[] {
  const items = row.kind === "alike" ? row.items : row.item.kind === "approval" ? [row.item] : [];
  return items.filter(fitsTogether);
}

export function usePicking(rows: readonly ListRow[]): Picking {
  const [keys, setKeys] = useState<ReadonlySet<string>>(new Set());
  const anchor = useRef<string | null>(null);
  const items = useMemo(() => {
    if (keys.size === 0) return [];
    const found = new Map(rows.flatMap(pickable).filter((item) => keys.has(keyOf(item))).map((item) => [keyOf(item), item]));
    return [...found.values()];
  }, [rows, keys]);

  const toggle = (key: string, isRange = false) => {
    const at = rows.findIndex((row) => row.key === key);
    const from = isRange ? rows.findIndex((row) => row.key === anchor.current) : -1;
    const chosen = rows.slice(from === -1 ? at : Math.min(at, from), (from === -1 ? at : Math.max(at, from)) + 1).flatMap(pickable).map(keyOf);
    anchor.current = key;
    const isDrop = !isRange && chosen.every((each) => keys.has(each));
    const there = items.map(keyOf).filter((each) => !isDrop || !chosen.includes(each));
    setKeys(new Set([...new Set(isDrop ? there : [...there, ...chosen])].slice(0, MOST_TOGETHER)));
  };
  return { items, keys, toggle, clear: () => setKeys(new Set()) };
}
