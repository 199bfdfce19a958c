// The list of invocations. Only visible rows are rendered.
import { Link } from "@tanstack/react-router";
import { useVirtualizer } from "@tanstack/react-virtual";
import { useEffect, useRef } from "react";
import { useNow } from "../text/now";
import { ago, moment, took } from "../text/time";
import { Line } from "../text/Visible";
import { Badge, RiskBadge, StatusBadge } from "../ui/Bits";
import type { ActivityItem } from "./queries";

const ROW = 64;

interface Props {
  items: ActivityItem[];
  hasMore: boolean;
  onMore: () => void;
  /** Whether the list is scrolled to the top. */
  onTop: (is: boolean) => void;
}

export function InvocationList({ items, hasMore, onMore, onTop }: Props) {
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
      <ul aria-label="Invocations" className="relative" style={{ height: rows.getTotalSize() }}>
        {visibleRows.map((row) => {
          const item = items[row.index] as ActivityItem;
          return (
            <li
              key={item.id}
              className="absolute inset-x-0 top-0"
              style={{ height: ROW, transform: `translateY(${row.start}px)` }}
              aria-setsize={hasMore ? -1 : items.length}
              aria-posinset={row.index + 1}
            >
              <Row item={item} />
            </li>
          );
        })}
      </ul>
    </div>
  );
}

function Row({ item }: { item: ActivityItem }) {
  const now = useNow();
  return (
    <Link
      to="/activity/$invocation"
      params={{ invocation: item.id }}
      className={`grid h-full grid-cols-[minmax(0,1fr)_auto] items-center gap-x-4 border-b border-edge px-4
        hover:bg-sunk md:grid-cols-[minmax(0,1fr)_11rem_7rem_4.5rem_7rem] md:px-6`}
    >
      <span className="min-w-0">
        <span className="flex items-center gap-2">
          <RiskBadge risk={item.risk} />
          <span className="truncate font-medium">
            <Line text={item.action} />
          </span>
          {item.dry_run && <Badge>dry run</Badge>}
        </span>
        <span className="block truncate text-xs text-faint">
          <span className="md:hidden">
            <Line text={item.agent} /> ·{" "}
          </span>
          {item.error != null ? (
            <span className="text-bad">
              <Line text={`${item.error.class.replaceAll("_", " ")}: ${item.error.message}`} />
            </span>
          ) : item.params_line === "{}" ? (
            "No parameters"
          ) : (
            <code className="font-mono">
              <Line text={item.params_line} />
            </code>
          )}
        </span>
      </span>
      <span className="hidden min-w-0 md:block">
        <span className="block truncate">
          <Line text={item.agent} />
        </span>
        <span className="block truncate text-xs text-faint">
          {item.run != null ? "automation run" : <Line text={item.space} />}
        </span>
      </span>
      <span className="flex flex-col items-end gap-0.5 md:items-start">
        <StatusBadge status={item.status} />
        <span className="text-xs text-faint md:hidden">{ago(item.requested_at, now)}</span>
      </span>
      <span className="hidden text-soft tabular-nums md:block">
        {item.started_at != null &&
          item.finished_at != null &&
          took(Date.parse(item.finished_at) - Date.parse(item.started_at))}
      </span>
      <time
        dateTime={item.requested_at}
        title={moment(item.requested_at)}
        className="hidden text-right text-faint md:block"
      >
        {ago(item.requested_at, now)}
      </time>
    </Link>
  );
}
