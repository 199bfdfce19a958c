// The list of what waits. Only the rows that can be seen are drawn, so that ten thousand are no slower than ten.
import { useVirtualizer } from "@tanstack/react-virtual";
import { useEffect, useRef, useState } from "react";
import { keyOf } from "../api/queries";
import type { ListRow } from "./alike";
import { pickable, type Picking } from "./picking";
import { type Does, Row } from "./Row";

const ROW = 68;

interface Props {
  rows: ListRow[];
  selected: string | undefined;
  sending: ReadonlyMap<string, "sending" | "done">;
  picking: Picking;
  /** Whether boxes stand before the rows also where there is no pointer to uncover them. */
  isPicking: boolean;
  onOpen: (row: ListRow, replace: boolean) => void;
  onFold: (key: string, isOpen: boolean) => void;
  onMore: () => void;
}

export function List({ rows, selected, sending, picking, isPicking, onOpen, onFold, onMore }: Props) {
  const does = useSame({ onOpen, onFold, onPick: picking.toggle });
  const scroll = useRef<HTMLDivElement>(null);
  const drawer = useVirtualizer({ count: rows.length, getScrollElement: () => scroll.current, estimateSize: () => ROW, overscan: 8 });
  const drawn = drawer.getVirtualItems();
  const last = drawn.at(-1)?.index ?? 0;
  useEffect(() => {
    if (last >= rows.length - 20) onMore();
  }, [last, rows.length, onMore]);

  const place = rows.findIndex((row) => row.key === selected);
  useEffect(() => {
    if (place >= 0) drawer.scrollToIndex(place, { align: "auto" });
    // Only another place is gone to: what comes in above must not move the list under a person's eyes.
  }, [selected, drawer]);

  return (
    <div ref={scroll} className="min-h-0 flex-1 overflow-y-auto" tabIndex={-1}>
      <ul aria-label="What waits for a person" className="relative" style={{ height: drawer.getTotalSize() }}>
        {drawn.map(({ index, start }) => {
          const row = rows[index] as ListRow;
          return (
            <li key={row.key} className="absolute inset-x-0 top-0" style={{ height: ROW, transform: `translateY(${start}px)` }} aria-setsize={rows.length} aria-posinset={index + 1}>
              <Row row={row} isSelected={row.key === selected} isSending={row.kind === "item" && sending.get(row.key) === "sending"}
                pick={pick(row, picking)} isPicking={isPicking} does={does} />
            </li>
          );
        })}
      </ul>
    </div>
  );
}

/** Whether a row is picked, or a part of it; null when it cannot be. */
function pick(row: ListRow, { keys }: Picking): "all" | "some" | "none" | null {
  if (keys.size === 0) return pickable(row).length === 0 ? null : "none";
  const offered = pickable(row);
  const picked = offered.filter((item) => keys.has(keyOf(item))).length;
  return offered.length === 0 ? null : picked === 0 ? "none" : picked === offered.length ? "all" : "some";
}

/** The same object for ever, that does what is meant now: a row that did not change is not drawn again because of it. */
function useSame(now: Does): Does {
  const latest = useRef(now);
  latest.current = now;
  const [same] = useState<Does>(() => ({
    onOpen: (...given) => latest.current.onOpen(...given),
    onFold: (...given) => latest.current.onFold(...given),
    onPick: (...given) => latest.current.onPick(...given),
  }));
  return same;
}
