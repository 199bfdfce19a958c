// The inbox list. Only visible rows are rendered, so that ten thousand items are as fast as ten.
import { useVirtualizer } from "@tanstack/react-virtual";
import { useEffect, useRef, useState } from "react";
import { keyOf } from "../api/queries";
import type { ListRow } from "../approval/bulk/groups";
import { InboxRow, type RowCallbacks } from "./InboxRow";
import { type Multiselect, selectable } from "./multiselect";

const ROW = 68;

interface Props {
  rows: ListRow[];
  selected: string | undefined;
  sending: ReadonlyMap<string, "sending" | "done">;
  picking: Multiselect;
  /** Whether checkboxes are always visible (touch). */
  isPicking: boolean;
  onOpen: (row: ListRow, replace: boolean) => void;
  onFold: (key: string, isOpen: boolean) => void;
  onMore: () => void;
}

export function InboxList({ rows, selected, sending, picking, isPicking, onOpen, onFold, onMore }: Props) {
  const does = useStableCallbacks({ onOpen, onFold, onPick: picking.toggle });
  const scroll = useRef<HTMLDivElement>(null);
  const drawer = useVirtualizer({
    count: rows.length,
    getScrollElement: () => scroll.current,
    estimateSize: () => ROW,
    overscan: 8,
  });
  const visibleRows = drawer.getVirtualItems();
  const last = visibleRows.at(-1)?.index ?? 0;
  useEffect(() => {
    if (last >= rows.length - 20) onMore();
  }, [last, rows.length, onMore]);

  const place = rows.findIndex((row) => row.key === selected);
  // biome-ignore lint/correctness/useExhaustiveDependencies: only a new selection scrolls; new rows above must not.
  useEffect(() => {
    if (place >= 0) drawer.scrollToIndex(place, { align: "auto" });
  }, [selected, drawer]);

  return (
    <div ref={scroll} className="min-h-0 flex-1 overflow-y-auto" tabIndex={-1}>
      <ul aria-label="Pending items" className="relative" style={{ height: drawer.getTotalSize() }}>
        {visibleRows.map(({ index, start }) => {
          const row = rows[index] as ListRow;
          return (
            <li
              key={row.key}
              className="absolute inset-x-0 top-0"
              style={{ height: ROW, transform: `translateY(${start}px)` }}
              aria-setsize={rows.length}
              aria-posinset={index + 1}
            >
              <InboxRow
                row={row}
                isSelected={row.key === selected}
                isSending={row.kind === "item" && sending.get(row.key) === "sending"}
                pick={pick(row, picking)}
                isPicking={isPicking}
                does={does}
              />
            </li>
          );
        })}
      </ul>
    </div>
  );
}

function pick(row: ListRow, { keys }: Multiselect): "all" | "some" | "none" | null {
  if (keys.size === 0) return selectable(row).length === 0 ? null : "none";
  const offered = selectable(row);
  const picked = offered.filter((item) => keys.has(keyOf(item))).length;
  return offered.length === 0 ? null : picked === 0 ? "none" : picked === offered.length ? "all" : "some";
}

/** A stable object with the current callbacks, so that unchanged rows do not re-render. */
function useStableCallbacks(now: RowCallbacks): RowCallbacks {
  const latest = useRef(now);
  latest.current = now;
  const [same] = useState<RowCallbacks>(() => ({
    onOpen: (...args) => latest.current.onOpen(...args),
    onFold: (...args) => latest.current.onFold(...args),
    onPick: (...args) => latest.current.onPick(...args),
  }));
  return same;
}
