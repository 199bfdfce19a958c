// The steps of a run with status, duration and position in time.
import { useState } from "react";
import type { RunDetail } from "../api/queries";
import { useNow } from "../text/now";
import { took } from "../text/time";
import { Line } from "../text/Visible";
import { Badge, StatusBadge } from "../ui/Bits";
import { Icon } from "../ui/icons";
import { type Asked, turnsOf } from "./agent";
import { StepDetail } from "./StepDetail";
import { type Row, timeline } from "./timeline";

const DOTS: Record<string, string> = {
  succeeded: "bg-good",
  failed: "bg-bad",
  waiting: "bg-warn",
  running: "bg-accent animate-pulse",
};

export function Timeline({ run }: { run: RunDetail }) {
  const rows = timeline(run, useNow());
  const [open, setOpen] = useState<string | null>(null);
  return (
    <ol aria-label="Steps" className="divide-y divide-edge overflow-hidden rounded-xl border border-edge bg-card">
      {rows.map((row) => (
        <Step
          key={row.stepId}
          run={run}
          row={row}
          isOpen={open === row.stepId}
          onToggle={() => setOpen(open === row.stepId ? null : row.stepId)}
        />
      ))}
    </ol>
  );
}

interface StepProps {
  run: RunDetail;
  row: Row;
  isOpen: boolean;
  onToggle: () => void;
}

function Step({ run, row, isOpen, onToggle }: StepProps) {
  const colour = DOTS[row.status] ?? "bg-strong";
  const last = row.tries.at(-1);
  const canOpen = row.tries.some((each) => each.invocation != null || each.turns != null);
  return (
    <li>
      <button
        type="button"
        disabled={!canOpen}
        aria-expanded={canOpen ? isOpen : undefined}
        onClick={onToggle}
        className={`grid w-full grid-cols-[auto_minmax(0,1fr)_auto_auto] items-center gap-x-3 gap-y-1.5 px-4 py-3
          text-left enabled:hover:bg-sunk disabled:cursor-default
          lg:grid-cols-[auto_minmax(0,16rem)_minmax(0,1fr)_4.5rem_6rem_auto]`}
      >
        <span className={`size-2.5 rounded-full ${colour}`} />
        <span className="min-w-0">
          <span className="block truncate font-medium">
            <Line text={row.stepId} />
            {row.isOnFailure && (
              <>
                {" "}
                <Badge>on failure</Badge>
              </>
            )}
          </span>
          <span className="block text-xs text-faint wrap-anywhere">
            <Line text={row.action} />
            {row.tries.length > 1 && ` · ${row.tries.length} attempts`}
            {last?.turns != null && ` · ${turnCount(last.turns)}`}
          </span>
        </span>
        <Bar row={row} colour={colour} className="hidden lg:block" />
        <span className="hidden text-right text-soft tabular-nums lg:block">{row.ms === null ? "" : took(row.ms)}</span>
        <span className="flex items-center justify-end gap-x-2 gap-y-1 max-lg:flex-col-reverse max-lg:items-end">
          <span className="text-xs text-faint tabular-nums lg:hidden">{row.ms === null ? "" : took(row.ms)}</span>
          <StatusBadge status={row.status} />
        </span>
        <span className="sr-only">{canOpen ? "Details" : ""}</span>
        <Icon
          name="back"
          className={`size-4 text-faint transition-transform ${canOpen ? "" : "invisible"}
            ${isOpen ? "rotate-90" : "-rotate-90"}`}
        />
        {row.ms !== null && <Bar row={row} colour={colour} className="col-span-3 col-start-2 lg:hidden" />}
      </button>
      {last?.error != null && (
        <p className="mx-4 mb-3 rounded-lg bg-bad-wash px-3 py-2 text-bad">
          <span className="font-medium">
            <Line text={last.error.class} />
          </span>
          : <Line text={last.error.message} />
        </p>
      )}
      {isOpen && <StepDetail run={run} tries={row.tries} />}
    </li>
  );
}

function turnCount(asked: readonly Asked[]): string {
  const count = turnsOf(asked).length;
  return count === 1 ? "1 turn" : `${count} turns`;
}

function Bar({ row, colour, className }: { row: Row; colour: string; className: string }) {
  return (
    <span className={`h-2 overflow-hidden rounded-full bg-sunk ${className}`} aria-hidden="true">
      {row.ms !== null && (
        <span
          className={`block h-2 min-w-1 rounded-full ${colour}`}
          style={{ marginLeft: `${Math.min(row.from * 100, 99)}%`, width: `${row.length * 100}%` }}
        />
      )}
    </span>
  );
}
