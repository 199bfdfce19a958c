// All runs, newest first, with filters.
import { useInfiniteQuery } from "@tanstack/react-query";
import { Link, useNavigate, useSearch } from "@tanstack/react-router";
import { useVirtualizer } from "@tanstack/react-virtual";
import { useEffect, useRef } from "react";
import { automations, type Run } from "../api/queries";
import { costText, usd } from "../models/price";
import { useNow } from "../text/now";
import { ago, took } from "../text/time";
import { Line } from "../text/Visible";
import { plain } from "../text/visible";
import { Empty, Loading, PageHead, ProblemCard, StatusBadge } from "../ui/Bits";
import { Button } from "../ui/Button";
import { type RunFilter, runs } from "./queries";
import { startedBy } from "./timeline";

const ROW = 60;
const STATUSES = ["waiting", "running", "pending", "succeeded", "failed", "timed_out", "cancelled"];

export function RunsPage() {
  const filter = useSearch({ strict: false }) as RunFilter;
  const navigate = useNavigate();
  const { data, error, isPending, hasNextPage, fetchNextPage } = useInfiniteQuery(runs(filter));
  const all = data?.pages.flatMap((page) => page.items) ?? [];
  const isFiltered = filter.automation !== undefined || filter.status !== undefined;
  const show = (next: RunFilter) => void navigate({ to: "/runs", search: next, replace: true });
  return (
    <>
      <PageHead title="Runs" about="Runs of automations, step by step">
        <Filters filter={filter} onFilter={show} />
      </PageHead>
      {error !== null && (
        <div className="p-4">
          <ProblemCard error={error} />
        </div>
      )}
      {isPending && error === null && <Loading what="runs" />}
      {!isPending &&
        all.length === 0 &&
        error === null &&
        (isFiltered ? (
          <Empty icon="runs" title="No runs found">
            <p>No run matches these filters.</p>
            <Button onClick={() => show({})}>Clear filters</Button>
          </Empty>
        ) : (
          <Empty icon="runs" title="No runs yet">
            <p>A run starts when a trigger fires, or when you start it.</p>
            <p>
              <Link to="/automations" className="font-medium text-accent underline">
                Choose an automation
              </Link>
              , or use the command line:
            </p>
            <pre
              className={`rounded-lg border border-edge bg-card px-4 py-3 text-left font-mono text-xs
              whitespace-pre-wrap`}
            >
              countersign automations run NAME --watch
            </pre>
          </Empty>
        ))}
      {all.length > 0 && <Rows all={all} onEnd={() => void (hasNextPage && fetchNextPage())} />}
    </>
  );
}

function Filters({ filter, onFilter }: { filter: RunFilter; onFilter: (filter: RunFilter) => void }) {
  const known = useInfiniteQuery(automations).data?.pages.flatMap((page) => page.items) ?? [];
  const { automation, status } = filter;
  const isListed = automation === undefined || known.some((each) => each.id === automation);
  const set = (name: keyof RunFilter, value: string) => {
    const { [name]: _, ...rest } = filter;
    onFilter(value === "" ? rest : { ...rest, [name]: value });
  };
  return (
    <div className="flex gap-2 max-md:w-full max-md:flex-col">
      <select
        className="input md:!w-52"
        aria-label="Automation"
        value={automation ?? ""}
        onChange={(event) => set("automation", event.target.value)}
      >
        <option value="">Any automation</option>
        {!isListed && <option value={automation}>Archived automation</option>}
        {known.map((each) => (
          <option key={each.id} value={each.id}>
            {plain(each.name)}
          </option>
        ))}
      </select>
      <select
        className="input md:!w-36"
        aria-label="Status"
        value={status ?? ""}
        onChange={(event) => set("status", event.target.value)}
      >
        <option value="">Any status</option>
        {STATUSES.map((each) => (
          <option key={each} value={each}>
            {each.replace("_", " ")}
          </option>
        ))}
      </select>
    </div>
  );
}

function Rows({ all, onEnd }: { all: Run[]; onEnd: () => void }) {
  const scroll = useRef<HTMLDivElement>(null);
  const now = useNow();
  const rows = useVirtualizer({
    count: all.length,
    getScrollElement: () => scroll.current,
    estimateSize: () => ROW,
    overscan: 8,
  });
  const visibleRows = rows.getVirtualItems();
  const isAtEnd = (visibleRows.at(-1)?.index ?? 0) >= all.length - 10;
  useEffect(() => {
    if (isAtEnd) onEnd();
  });
  return (
    <div ref={scroll} className="min-h-0 flex-1 overflow-y-auto bg-card">
      <ul aria-label="Runs" className="relative" style={{ height: rows.getTotalSize() }}>
        {visibleRows.map((row) => {
          const run = all[row.index] as Run;
          return (
            <li
              key={run.id}
              className="absolute inset-x-0 top-0"
              style={{ height: ROW, transform: `translateY(${row.start}px)` }}
            >
              <Link
                to="/runs/$run"
                params={{ run: run.id }}
                className={`grid h-full grid-cols-[minmax(0,1fr)_auto] items-center gap-x-4 border-b border-edge px-4
                  hover:bg-sunk md:grid-cols-[minmax(0,1fr)_6rem_7rem_8rem] md:px-6`}
              >
                <span className="min-w-0">
                  <span className="block truncate font-medium">
                    <Line text={run.automation_name} /> <span className="font-normal text-faint">#{run.number}</span>
                  </span>
                  <span className="block truncate text-xs text-faint">
                    {startedBy(run.trigger_type)}
                    <CostPart run={run} />
                    <span className="md:hidden"> · {ago(run.created_at, now)}</span>
                    {run.error != null && (
                      <>
                        {" "}
                        · <Line text={`${run.error.class}: ${run.error.message}`} />
                      </>
                    )}
                  </span>
                </span>
                <span className="justify-self-end md:justify-self-start">
                  <StatusBadge status={run.status} />
                </span>
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

/** Only runs with models cost something. */
function CostPart({ run }: { run: Run }) {
  const cost = usd(run.cost_usd) ?? 0;
  return cost > 0 && ` · cost ${costText(cost)}`;
}

function length(run: Run, now: number): string {
  if (run.started_at == null) return run.finished_at == null ? "queued" : "not started";
  return took((run.finished_at == null ? now : Date.parse(run.finished_at)) - Date.parse(run.started_at));
}
