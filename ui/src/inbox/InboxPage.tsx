// The inbox: what waits on the left, one item or several on the right; on a phone one after the other. Everything works by
// keys.
import { useQuery } from "@tanstack/react-query";
import { useNavigate, useParams } from "@tanstack/react-router";
import { memo, useCallback, useEffect, useMemo, useRef, useState } from "react";
import { inbox, moreOfInbox } from "../api/inbox";
import { type InboxItem, keyOf } from "../api/queries";
import { useHotkeys } from "../frame/hotkeys";
import { Empty, Loading, PageHead, ProblemCard } from "../ui/Bits";
import { Button } from "../ui/Button";
import { type Approval, findAlike, likenessOf, type ListRow, listRows } from "./alike";
import type { Answer } from "./answer";
import { askTogether } from "./asking";
import { Back, Detail } from "./Detail";
import { Help } from "./Help";
import { List } from "./List";
import { useMark } from "./mark";
import { usePicking } from "./picking";
import { sendAnswer, useAnswered } from "./sending";
import { Together } from "./Together";

/** After the page moved on by itself, keys that answer are not listened to for so long. */
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
  const [marked, mark] = useMark(key);

  const isComplete = data !== undefined && data.next_cursor === null;
  const items = useMemo(() => (data?.items ?? []).filter((item) => answered.get(keyOf(item)) !== "done"), [data, answered]);
  const alike = useMemo(() => findAlike(items), [items]);
  // Whoever looks at one of those that are alike sees them all.
  const around = useMemo(() => {
    const like = likenessOf(items, marked);
    return like !== null && alike.has(like) ? like : null;
  }, [items, alike, marked]);
  const rows = useMemo(() => listRows(items, alike, around === null ? opened : new Set([...opened, around])), [items, alike, opened, around]);
  const place = rows.findIndex((row) => row.key === marked);
  const row = rows[place];
  const picking = usePicking(rows);
  // What is beside the list is what the address says, and comes a moment after the mark.
  const listed = useMemo(() => items.find((item) => keyOf(item) === key), [items, key]);
  const several = key === undefined ? undefined : alike.get(key);

  const open = useCallback(
    (to: ListRow | undefined, replace = true) => {
      if (to === undefined) return;
      mark(to.key);
      void navigate({ to: "/inbox/$key", params: { key: to.key }, replace });
    },
    [navigate, mark],
  );
  const first = rows[0];
  // What was alike may all be answered; a request for a grant may lie beyond what is loaded.
  const isLost = key?.startsWith("alk_") === true && several === undefined && !isPending;
  const isBlank = (key === undefined || isLost) && first !== undefined;
  useEffect(() => {
    if (isBlank && isWide()) {
      moved.current = Date.now();
      open(first);
    } else if (isLost) void navigate({ to: "/inbox", replace: true });
    if (key?.startsWith("grq_") === true && listed === undefined) more();
  }, [isBlank, isLost, first, open, navigate, key, listed]);

  const onAnswer = (item: InboxItem, given: Answer) => {
    const from = rows.findIndex((each) => each.key === keyOf(item));
    void sendAnswer(item, given);
    moved.current = Date.now();
    const next = rows[from + 1] ?? rows[from - 1];
    if (isWide() && next !== undefined) open(next);
    else if (!isWide()) void navigate({ to: "/inbox" });
  };
  const fold = (of: string, isOpen: boolean) => {
    setOpened((before) => new Set(isOpen ? [...before, of] : [...before].filter((each) => each !== of)));
    // One of them is looked at: they fold around it, and the row that stands for all has the place.
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
    Enter: () => (row?.kind === "alike" ? fold(row.key, !row.isOpen) : open(rows[Math.max(place, 0)])),
    Escape: back,
    "?": () => setHelp(true),
  });

  const does = useSame({
    // Keys answer what is shown, and only while that is what is marked.
    isReady: (id) => id === marked && Date.now() - moved.current > SETTLE_MS,
    onAnswer,
    onClear: clear,
    onDone: done,
  });
  const isSeveral = picking.items.length > 0;
  const count = `${items.length}${isComplete ? "" : "+"}`;
  return (
    <div className="flex min-h-0 flex-1">
      <section className={`min-h-0 w-full flex-col border-edge bg-card md:flex md:w-80 md:shrink-0 md:border-r lg:w-96 ${key === undefined ? "flex" : "hidden"}`} aria-label="Inbox">
        <PageHead isNarrow title="Inbox" about={isPending ? "…" : items.length === 0 ? "nothing waits" : items.length === 1 ? "1 item waits" : `${count} items wait`}>
          {items.length > 1 && <Button look="quiet" className="md:hidden" onClick={() => (isPicking ? clear() : setPicking(true))}>{isPicking ? "Done" : "Pick"}</Button>}
          <button type="button" onClick={() => setHelp(true)} className="hidden size-7 rounded-md border border-edge text-faint hover:bg-sunk md:block" aria-label="Keys">?</button>
        </PageHead>
        {error !== null && data === undefined && <div className="p-3"><ProblemCard error={error} /></div>}
        {isPending && error === null && <Loading what="what waits" />}
        {data !== undefined && items.length === 0 && (
          <Empty icon="inbox" title="Nothing waits for a person"><p>What agents ask for appears here by itself.</p></Empty>
        )}
        {items.length > 0 && <List rows={rows} selected={marked} sending={answered} picking={picking} isPicking={isPicking} onOpen={open} onFold={fold} onMore={more} />}
        {isSeveral && <Bar count={picking.items.length} ask={(verdict) => askTogether({ verdict, items: picking.items, onDone: done })} />}
      </section>
      <section className={`min-h-0 min-w-0 flex-1 flex-col ${key === undefined ? "hidden md:flex" : "flex"}`}>
        {isSeveral ? <Together key="picked" items={picking.items} isPicked isReady={() => true} onClear={clear} onDone={done} />
          : key !== undefined && !isLost && <Beside id={key} several={several} listed={listed} isLoaded={data !== undefined} isComplete={isComplete} does={does} />}
        {key === undefined && data !== undefined && items.length === 0 && <Quiet />}
      </section>
      <Help isOpen={isHelp} onClose={() => setHelp(false)} />
    </div>
  );
}

interface Does {
  isReady: (id: string) => boolean;
  onAnswer: (item: InboxItem, given: Answer) => void;
  onClear: () => void;
  onDone: () => void;
}

/** The same object for ever, that does what is meant now: what did not change is not drawn again because of it. */
function useSame(now: Does): Does {
  const latest = useRef(now);
  latest.current = now;
  const [same] = useState<Does>(() => ({
    isReady: (id) => latest.current.isReady(id),
    onAnswer: (...given) => latest.current.onAnswer(...given),
    onClear: () => latest.current.onClear(),
    onDone: () => latest.current.onDone(),
  }));
  return same;
}

interface BesideProps {
  id: string;
  several: Approval[] | undefined;
  listed: InboxItem | undefined;
  isLoaded: boolean;
  isComplete: boolean;
  does: Does;
}

/** What stands beside the list. It is drawn anew when it is another, and not because the mark moved. */
const Beside = memo(function Beside({ id, several, does, ...of }: BesideProps) {
  const isReady = () => does.isReady(id);
  if (several !== undefined) return <><Back /><Together key={id} items={several} isPicked={false} isReady={isReady} onClear={does.onClear} onDone={does.onDone} /></>;
  return <Detail id={id} isReady={isReady} onAnswer={does.onAnswer} {...of} />;
});

/** On a phone: what can be done with what is picked. */
function Bar({ count, ask }: { count: number; ask: (verdict: "approve" | "deny") => void }) {
  return (
    <div role="toolbar" aria-label="What is picked" className="flex gap-2 border-t border-edge bg-card px-4 py-3 md:hidden">
      <Button look="primary" className="flex-1" onClick={() => ask("approve")}>Approve {count} …</Button>
      <Button look="bad" className="flex-1" onClick={() => ask("deny")}>Deny {count} …</Button>
    </div>
  );
}

function Quiet() {
  return (
    <Empty icon="check" title="All answered">
      <p>When an agent asks for something that needs a person, it stands here with its parameters, what would happen, and why you are asked.</p>
      <p>To see it work, let the demo agent ask:</p>
      <pre className="rounded-lg border border-edge bg-card px-4 py-3 text-left font-mono text-xs leading-5 whitespace-pre-wrap">
        countersign actions run linear.create_issue --param team_id=team-1 --param title='Written by an agent'
      </pre>
    </Empty>
  );
}
