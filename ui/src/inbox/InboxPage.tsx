// The inbox: list on the left, item or group on the right; on a phone one after the other. Everything works with the
// keyboard.
import { useQuery } from "@tanstack/react-query";
import { useNavigate, useParams } from "@tanstack/react-router";
import { lazy, memo, Suspense, useCallback, useEffect, useMemo, useRef, useState } from "react";
import { inbox, moreOfInbox } from "../api/inbox";
import { type InboxItem, keyOf } from "../api/queries";
import type { Answer } from "../approval/answer";
import { type Approval, findGroups, groupKeyOf, isGroupKey, type ListRow, listRows } from "../approval/bulk/groups";
import { openBulk } from "../approval/DialogHost";
import { sendAnswer, useAnswered } from "../approval/sending";
import type { Answerable } from "../approval/shown";
import { useHotkeys } from "../frame/hotkeys";
import { DefaultNotice } from "../loosening/DefaultNotice";
import { isAnswerable } from "../loosening/proposed";
import { useProposedRows } from "../loosening/queries";
import { PaceNotice } from "../pace/PaceNotice";
import { Empty, Loading, PageHead, ProblemCard } from "../ui/Bits";
import { Button } from "../ui/Button";
import { GroupPane } from "./GroupPane";
import { InboxList } from "./InboxList";
import { Back, ItemPane } from "./ItemPane";
import { KeyHelp } from "./KeyHelp";
import { useMultiselect } from "./multiselect";
import { useSelection } from "./selection";

const ProposedPane = lazy(async () => ({ default: (await import("../loosening/ProposedPane")).ProposedPane }));

/** Answer keys are ignored for this long after the page moved on by itself. */
const SETTLE_MS = 1_000;
const isWide = () => matchMedia("(width >= 48rem)").matches;
const more = () => void moreOfInbox().catch(() => undefined);

export function InboxPage() {
  const { key } = useParams({ strict: false }) as { key?: string };
  const navigate = useNavigate();
  const { data, error, isPending } = useQuery(inbox);
  const answered = useAnswered();
  const [isHelp, setHelp] = useState(false);
  const [isPicking, setPicking] = useState(false);
  const [opened, setOpened] = useState<ReadonlySet<string>>(new Set());
  const moved = useRef(0);
  const [marked, mark] = useSelection(key);

  const isComplete = data !== undefined && data.next_cursor === null;
  const items = useMemo(
    () => (data?.items ?? []).filter((item) => answered.get(keyOf(item)) !== "done"),
    [data, answered],
  );
  const groups = useMemo(() => findGroups(items), [items]);
  // Opening one item of a group expands the group.
  const around = useMemo(() => {
    const group = groupKeyOf(items, marked);
    return group !== null && groups.has(group) ? group : null;
  }, [items, groups, marked]);
  // Proposed changes are few and come first.
  const proposed = useProposedRows();
  const rows = useMemo(
    () => [...proposed, ...listRows(items, groups, around === null ? opened : new Set([...opened, around]))],
    [proposed, items, groups, opened, around],
  );
  const place = rows.findIndex((row) => row.key === marked);
  const row = rows[place];
  const picking = useMultiselect(rows);
  // The pane follows the URL, a moment after the selection.
  const listed = useMemo(() => items.find((item) => keyOf(item) === key), [items, key]);
  const several = key === undefined ? undefined : groups.get(key);

  const open = useCallback(
    (to: ListRow | undefined, replace = true) => {
      if (to === undefined) return;
      mark(to.key);
      void navigate({ to: "/inbox/$key", params: { key: to.key }, replace });
    },
    [navigate, mark],
  );
  const first = rows.find((each) => each.kind !== "change" || isAnswerable(each)) ?? rows[0];
  // A group may be answered completely; a grant request may be beyond the loaded part.
  const isLost = key !== undefined && isGroupKey(key) && several === undefined && !isPending;
  const isBlank = (key === undefined || isLost) && first !== undefined;
  useEffect(() => {
    if (isBlank && isWide()) {
      moved.current = Date.now();
      open(first);
    } else if (isLost) void navigate({ to: "/inbox", replace: true });
    if (key?.startsWith("grq_") === true && listed === undefined) more();
  }, [isBlank, isLost, first, open, navigate, key, listed]);

  /** The page goes to the new request, unless the person left the released one meanwhile. */
  const release = async (item: Answerable, answer: Answer) => {
    const outcome = await sendAnswer(item, answer);
    if (outcome?.successor === undefined || location.pathname !== `/inbox/${keyOf(item)}`) return;
    moved.current = Date.now();
    mark(outcome.successor);
    void navigate({ to: "/inbox/$key", params: { key: outcome.successor }, replace: true });
  };
  const onAnswer = (item: Answerable, answer: Answer) => {
    if (answer.kind === "release") {
      void release(item, answer);
      return;
    }
    const from = rows.findIndex((each) => each.key === keyOf(item));
    void sendAnswer(item, answer);
    moved.current = Date.now();
    const next = rows[from + 1] ?? rows[from - 1];
    if (isWide() && next !== undefined) open(next);
    else if (!isWide()) void navigate({ to: "/inbox" });
  };
  const fold = (of: string, isOpen: boolean) => {
    setOpened((before) => new Set(isOpen ? [...before, of] : [...before].filter((each) => each !== of)));
    // Collapsing a group selects the group row instead of its item.
    if (!isOpen && row?.kind === "item" && row.inside === of) open(rows.find((each) => each.key === of));
  };
  const done = () => {
    clear();
    void navigate({ to: "/inbox", replace: true });
  };
  const clear = () => {
    picking.clear();
    setPicking(false);
    moved.current = Date.now();
  };
  const back = () => {
    if (picking.keys.size > 0 || isPicking) clear();
    else if (row?.kind === "item" && row.inside !== null && isWide()) fold(row.inside, false);
    else if (!isWide()) void navigate({ to: "/inbox" });
  };

  useHotkeys({
    j: () => open(rows[Math.min(place + 1, rows.length - 1)]),
    k: () => open(rows[Math.max(place - 1, 0)]),
    x: () => row !== undefined && picking.toggle(row.key),
    Enter: () => (row?.kind === "group" ? fold(row.key, !row.isOpen) : open(rows[Math.max(place, 0)])),
    Escape: back,
    "?": () => setHelp(true),
  });

  const does = useStableCallbacks({
    // Keys answer the shown item, and only while it is selected.
    isReady: (id) => id === marked && Date.now() - moved.current > SETTLE_MS,
    onAnswer,
    onClear: clear,
    onDone: done,
  });
  const isSeveral = picking.items.length > 0;
  const pending = items.length + proposed.filter(isAnswerable).length;
  const count = `${pending}${isComplete ? "" : "+"}`;
  return (
    <div className="flex min-h-0 flex-1">
      <section
        className={`min-h-0 w-full flex-col border-edge bg-card md:flex md:w-80 md:shrink-0 md:border-r lg:w-104
          ${key === undefined ? "flex" : "hidden"}`}
        aria-label="Inbox"
      >
        <PageHead
          isNarrow
          title="Inbox"
          about={
            isPending
              ? "…"
              : pending === 0
                ? "nothing pending"
                : pending === 1
                  ? "1 pending item"
                  : `${count} pending items`
          }
        >
          {items.length > 1 && (
            <Button variant="quiet" className="md:hidden" onClick={() => (isPicking ? clear() : setPicking(true))}>
              {isPicking ? "Done" : "Select"}
            </Button>
          )}
          <button
            type="button"
            onClick={() => setHelp(true)}
            className="hidden size-7 rounded-md border border-edge text-faint hover:bg-sunk md:block"
            aria-label="Keyboard shortcuts"
          >
            ?
          </button>
        </PageHead>
        <DefaultNotice />
        <PaceNotice />
        {error !== null && data === undefined && (
          <div className="p-3">
            <ProblemCard error={error} />
          </div>
        )}
        {isPending && error === null && <Loading what="the inbox" />}
        {data !== undefined && rows.length === 0 && (
          <Empty icon="inbox" title="Nothing needs approval">
            <p>Requests from agents appear here automatically.</p>
          </Empty>
        )}
        {rows.length > 0 && (
          <InboxList
            rows={rows}
            selected={marked}
            sending={answered}
            picking={picking}
            isPicking={isPicking}
            onOpen={open}
            onFold={fold}
            onMore={more}
          />
        )}
        {isSeveral && (
          <SelectionBar
            count={picking.items.length}
            ask={(verdict) => openBulk({ verdict, items: picking.items, onDone: done })}
          />
        )}
      </section>
      <section className={`min-h-0 min-w-0 flex-1 flex-col ${key === undefined ? "hidden md:flex" : "flex"}`}>
        {isSeveral ? (
          <GroupPane key="picked" items={picking.items} isPicked isReady={() => true} onClear={clear} onDone={done} />
        ) : (
          key !== undefined &&
          !isLost && (
            <DetailPane
              id={key}
              several={several}
              listed={listed}
              isLoaded={data !== undefined}
              isComplete={isComplete}
              does={does}
            />
          )
        )}
        {key === undefined && data !== undefined && rows.length === 0 && <EmptyInbox />}
      </section>
      <KeyHelp isOpen={isHelp} onClose={() => setHelp(false)} />
    </div>
  );
}

interface PaneCallbacks {
  isReady: (id: string) => boolean;
  onAnswer: (item: Answerable, answer: Answer) => void;
  onClear: () => void;
  onDone: () => void;
}

/** A stable object with the current callbacks, so that nothing re-renders because of it. */
function useStableCallbacks(now: PaneCallbacks): PaneCallbacks {
  const latest = useRef(now);
  latest.current = now;
  const [same] = useState<PaneCallbacks>(() => ({
    isReady: (id) => latest.current.isReady(id),
    onAnswer: (...args) => latest.current.onAnswer(...args),
    onClear: () => latest.current.onClear(),
    onDone: () => latest.current.onDone(),
  }));
  return same;
}

interface DetailPaneProps {
  id: string;
  several: Approval[] | undefined;
  listed: InboxItem | undefined;
  isLoaded: boolean;
  isComplete: boolean;
  does: PaneCallbacks;
}

/** The pane beside the list. It re-renders for another item, not when the selection moves. */
const DetailPane = memo(function DetailPane({ id, several, does, ...of }: DetailPaneProps) {
  const isReady = () => does.isReady(id);
  if (several !== undefined)
    return (
      <>
        <Back />
        <GroupPane
          key={id}
          items={several}
          isPicked={false}
          isReady={isReady}
          onClear={does.onClear}
          onDone={does.onDone}
        />
      </>
    );
  if (id.startsWith("pch_"))
    return (
      <>
        <Back />
        <Suspense fallback={<Loading what="the proposed change" />}>
          <ProposedPane key={id} id={id} isReady={isReady} />
        </Suspense>
      </>
    );
  return <ItemPane id={id} isReady={isReady} onAnswer={does.onAnswer} {...of} />;
});

/** On a phone: actions for the selection. */
function SelectionBar({ count, ask }: { count: number; ask: (verdict: "approve" | "deny") => void }) {
  return (
    <div
      role="toolbar"
      aria-label="Selected requests"
      className="flex gap-2 border-t border-edge bg-card px-4 py-3 md:hidden"
    >
      <Button variant="primary" className="flex-1" onClick={() => ask("approve")}>
        Approve {count} …
      </Button>
      <Button variant="bad" className="flex-1" onClick={() => ask("deny")}>
        Deny {count} …
      </Button>
    </div>
  );
}

function EmptyInbox() {
  return (
    <Empty icon="check" title="All done">
      <p>Requests that need approval appear here with their parameters, a preview and the reason.</p>
      <p>To try it, make a request as the demo agent:</p>
      <pre
        className={`rounded-lg border border-edge bg-card px-4 py-3 text-left font-mono text-xs leading-5
        whitespace-pre-wrap`}
      >
        countersign actions run linear.create_issue --param team_id=team-1 --param title='Written by an agent'
      </pre>
    </Empty>
  );
}
