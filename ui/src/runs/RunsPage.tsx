// The runs, the newest first, with what started each and how it stands.
import { useInfiniteQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { useVirtualizer } from "@tanstack/react-virtual";
import { useEffect, useRef } from "react";
import { type Run, runs } from "../api/queries";
import { useNow } from "../text/now";
import { ago, took } from "../text/time";
import { Line } from "../text/Visible";
import { startedBy } from "./timeline";
import { Empty, Loading, PageHead, ProblemCard, StatusBadge } from "../ui/Bits";

const ROW = 60;

export function RunsPage() {
  const { data, error, isPending, hasNextPage, fetchNextPage } = useInfiniteQuery(runs);
  const all = data?.pages.flatMap((page) => page.items) ?? [];
  return (
    <>
      <PageHead title="Runs" about="what is being done, step by step" />
      {error !== null && <div className="p-4"><ProblemCard error={error} /></div>}
      {isPending && error === null && <Loading what="the runs" />}
      {!isPending && all.length === 0 && error === null && (
        <Empty icon="runs" title="Nothing has run yet">
          <p>A run begins when an automation's trigger fires, or when somebody runs it now.</p>
        </Empty>
      )}
      {all.length > 0 && <Rows all={all} onEnd={() => void (hasNextPage && fetchNextPage())} />}
    </>
  );
}

function Rows({ all, onEnd }: { all: Run[]; onEnd: () => void }) {
  const scroll = useRef<HTMLDivElement>(null);
  const now = useNow();
  const rows = useVirtualizer({ count: all.length, getScrollElement: () => scroll.current, estimateSize: () => ROW, overscan: 8 });
  const drawn = rows.getVirtualItems();
  const isAtEnd = (drawn.at(-1)?.index ?? 0) >= all.length - 10;
  useEffect(() => {
    if (isAtEnd) onEnd();
  });
  return (
    <div ref={scroll} className="min-h-0 flex-1 overflow-y-auto bg-card">
      <ul aria-label="Runs" className="relative" style={{ height: rows.getTotalSize() }}>
        {drawn.map((row) => {
          const run = all[row.index] as Run;
          return (
            <li key={run.id} className="absolute inset-x-0 top-0" style={{ height: ROW, transform: `translateY(${row.start}px)` }}>
              <Link to="/runs/$run" params={{ run: run.id }} className="grid h-full grid-cols-[minmax(0,1fr)_auto] items-center gap-x-4 border-b border-edge px-4 hover:bg-sunk md:grid-cols-[minmax(0,1fr)_6rem_7rem_8rem] md:px-6">
                <span className="min-w-0">
                  <span className="block truncate font-medium"><Line text={run.automation_name} /> <span className="font-normal text-faint">#{run.number}</span></span>
                  <span className="block truncate text-xs text-faint">{startedBy(run.trigger_type)}<span className="md:hidden"> · {ago(run.created_at, now)}</span></span>
                </span>
                <span className="justify-self-end md:justify-self-start"><StatusBadge status={run.status} /></span>
                <span className="hidden text-soft tabular-nums md:block">{length(run, now)}</span>
                <span className="hidden text-right text-faint md:block">{ago(run.created_at, now)}</span>
              </Link>
            </li>
          );
        })}
      </ul>
    </div>
  );
}

function length(run: Run, now: number): string {
  if (run.started_at == null) return "to start";
  return took((run.finished_at == null ? now : Date.parse(run.finished_at)) - Date.parse(run.started_at));
}
