// The inbox: what waits on the left, one item on the right; on a phone one after the other. Everything works by keys.
import { useInfiniteQuery } from "@tanstack/react-query";
import { useNavigate, useParams } from "@tanstack/react-router";
import { useCallback, useEffect, useMemo, useRef, useState } from "react";
import { inbox, type InboxItem, keyOf } from "../api/queries";
import { useHotkeys } from "../frame/hotkeys";
import { Empty, Loading, PageHead, ProblemCard } from "../ui/Bits";
import type { Answer } from "./answer";
import { Detail } from "./Detail";
import { Help } from "./Help";
import { List } from "./List";
import { sendAnswer, useAnswered } from "./sending";

/** After the page moved on by itself, keys that answer are not listened to for so long. */
const SETTLE_MS = 1_000;
const isWide = () => matchMedia("(width >= 48rem)").matches;

export function InboxPage() {
  const { key } = useParams({ strict: false }) as { key?: string };
  const navigate = useNavigate();
  const { data, error, isPending, hasNextPage, fetchNextPage, isFetchingNextPage } = useInfiniteQuery(inbox);
  const answered = useAnswered();
  const [isHelp, setHelp] = useState(false);
  const moved = useRef(0);

  const all = useMemo(() => data?.pages.flatMap((page) => page.items) ?? [], [data]);
  const items = useMemo(() => all.filter((item) => answered.get(keyOf(item)) !== "done"), [all, answered]);
  const place = items.findIndex((item) => keyOf(item) === key);
  const more = useCallback(() => void (!isFetchingNextPage && fetchNextPage()), [isFetchingNextPage, fetchNextPage]);

  const open = useCallback(
    (item: InboxItem | undefined) => {
      if (item !== undefined) void navigate({ to: "/inbox/$key", params: { key: keyOf(item) }, replace: true });
    },
    [navigate],
  );
  const first = items[0];
  const isBlank = key === undefined && first !== undefined;
  useEffect(() => {
    if (isBlank && isWide()) {
      moved.current = Date.now();
      open(first);
    }
  }, [isBlank, first, open]);

  const onAnswer = (item: InboxItem, given: Answer) => {
    const from = items.findIndex((each) => keyOf(each) === keyOf(item));
    void sendAnswer(item, given);
    moved.current = Date.now();
    const next = items[from + 1] ?? items[from - 1];
    if (isWide() && next !== undefined) open(next);
    else if (!isWide()) void navigate({ to: "/inbox" });
  };

  useHotkeys({
    j: () => open(items[Math.min(place + 1, items.length - 1)]),
    k: () => open(items[Math.max(place - 1, 0)]),
    Enter: () => open(items[Math.max(place, 0)]),
    Escape: () => void (!isWide() && navigate({ to: "/inbox" })),
    "?": () => setHelp(true),
  });

  const count = `${items.length}${hasNextPage ? "+" : ""}`;
  return (
    <div className="flex min-h-0 flex-1">
      <section className={`min-h-0 w-full flex-col border-edge bg-card md:flex md:w-80 md:shrink-0 md:border-r lg:w-96 ${key === undefined ? "flex" : "hidden"}`} aria-label="Inbox">
        <PageHead isNarrow title="Inbox" about={isPending ? "…" : items.length === 0 ? "nothing waits" : items.length === 1 ? "1 item waits" : `${count} items wait`}>
          <button type="button" onClick={() => setHelp(true)} className="hidden size-7 rounded-md border border-edge text-faint hover:bg-sunk md:block" aria-label="Keys">?</button>
        </PageHead>
        {error !== null && <div className="p-3"><ProblemCard error={error} /></div>}
        {isPending && error === null && <Loading what="what waits" />}
        {!isPending && items.length === 0 && error === null && (
          <Empty icon="inbox" title="Nothing waits for a person"><p>What agents ask for appears here by itself.</p></Empty>
        )}
        {items.length > 0 && <List items={items} selected={key} sending={answered} hasMore={hasNextPage} onMore={more} />}
      </section>
      <section className={`min-h-0 min-w-0 flex-1 flex-col ${key === undefined ? "hidden md:flex" : "flex"}`}>
        {key !== undefined && <Detail id={key} listed={items[place]} isListed={!isPending && !hasNextPage} isReady={() => Date.now() - moved.current > SETTLE_MS} onAnswer={onAnswer} />}
        {key === undefined && !isPending && items.length === 0 && <Quiet />}
      </section>
      <Help isOpen={isHelp} onClose={() => setHelp(false)} />
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
