// One row of the inbox: a request, a group or a proposed change. Rows are plain links and rendered only when they
// change, because thousands scroll past.
import { type MouseEvent, memo } from "react";
import type { InboxItem } from "../api/queries";
import { type Approval, compare, type ListRow, runOf } from "../approval/bulk/groups";
import { ChangeRow } from "../loosening/ChangeRow";
import { summary } from "../text/summary";
import { Excerpt } from "../text/Visible";
import { Badge, RiskBadge, StatusBadge } from "../ui/Bits";
import { Countdown } from "../ui/Countdown";
import { Icon } from "../ui/icons";

export interface RowCallbacks {
  onOpen: (row: ListRow, replace: boolean) => void;
  onPick: (key: string, isRange: boolean) => void;
  onFold: (key: string, isOpen: boolean) => void;
}

interface Props {
  row: ListRow;
  isSelected: boolean;
  isSending: boolean;
  /** null where it cannot be part of a bulk answer. */
  pick: "all" | "some" | "none" | null;
  isPicking: boolean;
  does: RowCallbacks;
}

export const InboxRow = memo(function InboxRow({ row, isSelected, isSending, pick, isPicking, does }: Props) {
  const onClick = (event: MouseEvent) => {
    if (event.button !== 0 || event.ctrlKey || event.metaKey || event.altKey) return;
    event.preventDefault();
    if (event.shiftKey && pick !== null) does.onPick(row.key, true);
    else does.onOpen(row, false);
  };
  const look = isSelected
    ? "bg-accent-wash shadow-[inset_3px_0_0_var(--accent)]"
    : pick === "all" || pick === "some"
      ? "bg-sunk"
      : "hover:bg-sunk";
  return (
    <div className={`group relative flex h-full border-b border-edge ${look} ${isSending ? "opacity-50" : ""}`}>
      <SelectBox row={row} pick={pick} isPicking={isPicking} onPick={does.onPick} />
      <a
        href={`/inbox/${row.key}`}
        onClick={onClick}
        aria-current={isSelected ? "true" : undefined}
        draggable={false}
        className={`flex min-w-0 flex-1 flex-col justify-center gap-1 pr-4 ${isPicking ? "pl-10" : "pl-4"} md:pl-9
          ${row.kind === "item" && row.inside !== null ? "ml-4 border-l-2 border-edge" : ""}`}
      >
        {row.kind === "change" && <ChangeRow row={row} />}
        {row.kind === "group" &&
          (runOf(row.items) === null ? <SimilarRow items={row.items} /> : <QuestionsRow items={row.items} />)}
        {row.kind === "item" && <ItemRow item={row.item} isSending={isSending} />}
      </a>
      {row.kind === "group" && (
        <button
          type="button"
          className="mr-2 self-center rounded-md p-2.5 text-faint hover:bg-edge md:p-1.5"
          onClick={() => does.onFold(row.key, !row.isOpen)}
          aria-expanded={row.isOpen}
          aria-label={row.isOpen ? "Collapse" : "Expand"}
        >
          <Icon name="back" className={`size-4 ${row.isOpen ? "rotate-90" : "-rotate-90"}`} />
        </button>
      )}
    </div>
  );
});

function SelectBox({
  row,
  pick,
  isPicking,
  onPick,
}: Pick<Props, "row" | "pick" | "isPicking"> & Pick<RowCallbacks, "onPick">) {
  if (pick === null) return null;
  const onHover = "md:opacity-0 group-hover:opacity-100 focus-within:opacity-100 [@media(hover:none)]:opacity-100";
  const shown = isPicking ? "" : `max-md:hidden ${pick === "none" ? onHover : ""}`;
  return (
    <label
      className={`absolute inset-y-0 left-0 z-10 flex w-10 cursor-pointer items-center justify-center md:w-9 ${shown}`}
    >
      <input
        type="checkbox"
        className="size-4 accent-accent"
        checked={pick === "all"}
        readOnly
        aria-label={row.kind === "group" ? `Select all ${row.items.length}` : "Select"}
        ref={(box) => {
          if (box !== null) box.indeterminate = pick === "some";
        }}
        onClick={(event) => onPick(row.key, event.shiftKey)}
      />
    </label>
  );
}

const ItemRow = memo(function ItemRow({ item, isSending }: { item: InboxItem; isSending: boolean }) {
  const view = item.kind === "grant_request" ? item : item.invocation;
  const until = item.kind === "unknown" ? null : view.expires_at;
  return (
    <>
      <span className="flex items-center gap-2">
        <Kind item={item} />
        <span className="min-w-0 flex-1 truncate font-medium">
          <Excerpt text={view.action} />
        </span>
        {item.kind === "approval" && item.votes_needed > 1 && (
          <Badge>
            {item.votes.length}/{item.votes_needed}
          </Badge>
        )}
        <span className="text-xs">{isSending ? "sending …" : until != null && <Countdown until={until} />}</span>
      </span>
      <span className="truncate text-soft">
        <span className="text-faint">
          <Excerpt text={view.agent} />
        </span>
        {" · "}
        <Excerpt text={item.kind === "grant_request" ? item.reason : summary(item.invocation.params)} />
      </span>
    </>
  );
});

const SimilarRow = memo(function SimilarRow({ items }: { items: Approval[] }) {
  const [first] = items;
  if (first === undefined) return null;
  const { invocation } = first;
  const until = firstExpiry(items);
  const { differing } = compare(items);
  return (
    <>
      <span className="flex items-center gap-2">
        <Kind item={first} />
        <span className="min-w-0 flex-1 truncate font-medium">
          <Excerpt text={invocation.action} />
        </span>
        <Badge tone="accent">{items.length} similar</Badge>
        <span className="text-xs">{until !== undefined && <Countdown until={until} />}</span>
      </span>
      <span className="truncate text-soft">
        <span className="text-faint">
          <Excerpt text={invocation.agent} />
        </span>
        {" · "}
        {differing.length === 0 ? (
          "identical parameters"
        ) : (
          <>
            differ in{" "}
            {differing.slice(0, 3).map((path, at) => (
              <span key={path}>
                {at > 0 && ", "}
                <Excerpt text={path} />
              </span>
            ))}
            {differing.length > 3 && ` and ${differing.length - 3} more`}
          </>
        )}
      </span>
    </>
  );
});

/** What a model asked in one turn of a step. */
const QuestionsRow = memo(function QuestionsRow({ items }: { items: Approval[] }) {
  const [first] = items;
  if (first === undefined) return null;
  const until = firstExpiry(items);
  const actions = [...new Set(items.map((item) => item.invocation.action))];
  return (
    <>
      <span className="flex items-center gap-2">
        <RiskBadge risk={highestRisk(items)} />
        <span className="min-w-0 flex-1 truncate font-medium">{items.length} questions of one step</span>
        <span className="text-xs">{until !== undefined && <Countdown until={until} />}</span>
      </span>
      <span className="truncate text-soft">
        <span className="text-faint">
          <Excerpt text={first.invocation.agent} />
        </span>
        {" · "}
        {actions.map((action, at) => (
          <span key={action}>
            {at > 0 && ", "}
            <Excerpt text={action} />
          </span>
        ))}
      </span>
    </>
  );
});

function firstExpiry(items: readonly Approval[]): string | undefined {
  return items.flatMap((item) => item.invocation.expires_at ?? []).sort()[0];
}

/** `R0` to `R4`. */
function highestRisk(items: readonly Approval[]): string {
  return (
    items
      .map((item) => item.invocation.risk)
      .sort()
      .at(-1) ?? ""
  );
}

function Kind({ item }: { item: InboxItem }) {
  if (item.kind === "grant_request") return <Badge tone="accent">grant</Badge>;
  if (item.kind === "unknown") return <Badge tone="warn">unknown</Badge>;
  if (item.kind === "quarantined") return <StatusBadge status={item.invocation.status} />;
  return <RiskBadge risk={item.invocation.risk} />;
}
