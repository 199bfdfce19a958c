// A long list of rows with the same height. Only visible rows are rendered, and the next page is loaded near the end.
import { useVirtualizer } from "@tanstack/react-virtual";
import { type ReactNode, useEffect, useRef } from "react";

const ROW = 64;

interface Props<T> {
  name: string;
  items: readonly T[];
  row: (item: T) => ReactNode;
  hasMore: boolean;
  onMore: () => void;
  /** Whether the list is scrolled to the top. */
  onTop: (is: boolean) => void;
}

export function EndlessList<T extends { id: string }>({ name, items, row, hasMore, onMore, onTop }: Props<T>) {
  const scroll = useRef<HTMLDivElement>(null);
  const rows = useVirtualizer({
    count: items.length,
    getScrollElement: () => scroll.current,
    estimateSize: () => ROW,
    overscan: 8,
  });
  const visibleRows = rows.getVirtualItems();
  const last = visibleRows.at(-1)?.index ?? 0;
  useEffect(() => {
    if (hasMore && last >= items.length - 20) onMore();
  }, [hasMore, last, items.length, onMore]);
  return (
    <div
      ref={scroll}
      className="min-h-64 flex-1 overflow-y-auto bg-card"
      onScroll={(event) => onTop(event.currentTarget.scrollTop < ROW)}
    >
      <ul aria-label={name} className="relative" style={{ height: rows.getTotalSize() }}>
        {visibleRows.map(({ index, start }) => {
          const item = items[index] as T;
          return (
            <li
              key={item.id}
              className="absolute inset-x-0 top-0"
              style={{ height: ROW, transform: `translateY(${start}px)` }}
              aria-setsize={hasMore ? -1 : items.length}
              aria-posinset={index + 1}
            >
              {row(item)}
            </li>
          );
        })}
      </ul>
    </div>
  );
}
