// The steps of a run under each other: how each stands, how long it took, and when in the run that was.
import type { RunDetail } from "../api/queries";
import { useNow } from "../text/now";
import { took } from "../text/time";
import { Line } from "../text/Visible";
import { Badge, StatusBadge } from "../ui/Bits";
import { type Row, timeline } from "./timeline";

const DOTS: Record<string, string> = {
  succeeded: "bg-good",
  failed: "bg-bad",
  waiting: "bg-warn",
  running: "bg-accent animate-pulse",
};

export function Timeline({ run }: { run: RunDetail }) {
  const rows = timeline(run, useNow());
  return (
    <ol aria-label="Steps" className="divide-y divide-edge overflow-hidden rounded-xl border border-edge bg-card">
      {rows.map((row) => <Step key={row.stepId} row={row} />)}
    </ol>
  );
}

function Step({ row }: { row: Row }) {
  const colour = DOTS[row.status] ?? "bg-strong";
  const last = row.tries.at(-1);
  return (
    <li className="grid grid-cols-[auto_minmax(0,1fr)_auto] items-center gap-x-3 gap-y-1 px-4 py-3 lg:grid-cols-[auto_minmax(0,16rem)_minmax(0,1fr)_4.5rem_6rem]">
      <span className={`size-2.5 rounded-full ${colour}`} aria-hidden="true" />
      <span className="min-w-0">
        <span className="block truncate font-medium"><Line text={row.stepId} />{row.isOnFailure && <> <Badge>on failure</Badge></>}</span>
        <span className="block truncate text-xs text-faint"><Line text={row.action} />{row.tries.length > 1 && ` · ${row.tries.length} tries`}</span>
      </span>
      <span className="hidden h-2 rounded-full bg-sunk lg:block" aria-hidden="true">
        {row.ms !== null && <span className={`block h-2 min-w-1 rounded-full ${colour}`} style={{ marginLeft: `${row.from * 100}%`, width: `${row.length * 100}%` }} />}
      </span>
      <span className="hidden text-right text-soft tabular-nums lg:block">{row.ms === null ? "" : took(row.ms)}</span>
      <span className="flex items-center justify-end gap-2">
        <span className="text-xs text-faint tabular-nums lg:hidden">{row.ms === null ? "" : took(row.ms)}</span>
        <StatusBadge status={row.status} />
      </span>
      {last?.error != null && (
        <p className="col-span-full rounded-lg bg-bad-wash px-3 py-2 text-bad lg:col-start-2">
          <span className="font-medium"><Line text={last.error.class} /></span>: <Line text={last.error.message} />
        </p>
      )}
    </li>
  );
}
