// The list of what waits. Only the rows that can be seen are drawn, so that ten thousand are no slower than ten.
import { Link } from "@tanstack/react-router";
import { useVirtualizer } from "@tanstack/react-virtual";
import { useEffect, useRef } from "react";
import { type InboxItem, keyOf } from "../api/queries";
import { Line } from "../text/Visible";
import { Badge, RiskBadge } from "../ui/Bits";
import { Countdown } from "./Countdown";
import { glance } from "./glance";

const ROW = 68;

interface Props {
  items: InboxItem[];
  selected: string | undefined;
  sending: ReadonlyMap<string, "sending" | "done">;
  hasMore: boolean;
  onMore: () => void;
}

export function List({ items, selected, sending, hasMore, onMore }: Props) {
  const scroll = useRef<HTMLDivElement>(null);
  const rows = useVirtualizer({ count: items.length, getScrollElement: () => scroll.current, estimateSize: () => ROW, overscan: 8 });
  const drawn = rows.getVirtualItems();
  const last = drawn.at(-1)?.index ?? 0;
  useEffect(() => {
    if (hasMore && last >= items.length - 20) onMore();
  }, [hasMore, last, items.length, onMore]);

  const place = items.findIndex((item) => keyOf(item) === selected);
  useEffect(() => {
    if (place >= 0) rows.scrollToIndex(place, { align: "auto" });
  }, [place, rows]);

  return (
    <div ref={scroll} className="min-h-0 flex-1 overflow-y-auto" tabIndex={-1}>
      <ul aria-label="What waits for a person" className="relative" style={{ height: rows.getTotalSize() }}>
        {drawn.map((row) => {
          const item = items[row.index] as InboxItem;
          const key = keyOf(item);
          return (
            <li key={key} className="absolute inset-x-0 top-0" style={{ height: ROW, transform: `translateY(${row.start}px)` }} aria-setsize={items.length} aria-posinset={row.index + 1}>
              <Row item={item} id={key} isSelected={key === selected} isSending={sending.get(key) === "sending"} />
            </li>
          );
        })}
      </ul>
    </div>
  );
}

function Row({ item, id, isSelected, isSending }: { item: InboxItem; id: string; isSelected: boolean; isSending: boolean }) {
  const view = item.kind === "grant_request" ? item : item.invocation;
  const until = item.kind === "unknown" ? null : view.expires_at;
  return (
    <Link to="/inbox/$key" params={{ key: id }} aria-current={isSelected ? "true" : undefined}
      className={`flex h-full flex-col justify-center gap-1 border-b border-edge px-4 ${isSelected ? "bg-accent-wash shadow-[inset_3px_0_0_var(--accent)]" : "hover:bg-sunk"} ${isSending ? "opacity-50" : ""}`}>
      <span className="flex items-center gap-2">
        <Kind item={item} />
        <span className="min-w-0 flex-1 truncate font-medium"><Line text={view.action} /></span>
        {item.kind === "approval" && item.votes_needed > 1 && <Badge>{item.votes.length}/{item.votes_needed}</Badge>}
        <span className="text-xs">{isSending ? "sending …" : until != null && <Countdown until={until} />}</span>
      </span>
      <span className="truncate text-soft">
        <span className="text-faint"><Line text={view.agent} /></span>
        {" · "}
        <Line text={item.kind === "grant_request" ? item.reason : glance(item.invocation.params)} />
      </span>
    </Link>
  );
}

function Kind({ item }: { item: InboxItem }) {
  if (item.kind === "grant_request") return <Badge tone="accent">grant</Badge>;
  if (item.kind === "unknown") return <Badge tone="warn">unknown</Badge>;
  return <RiskBadge risk={item.invocation.risk} />;
}
