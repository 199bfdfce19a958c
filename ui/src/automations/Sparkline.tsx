// The last runs as bars: the color is the status, the height the duration.
import { Link } from "@tanstack/react-router";
import type { Schemas } from "../api/client";
import { useNow } from "../text/now";
import { ago, took } from "../text/time";

export type RecentRun = Schemas["RecentRun"];

const COLOURS: Record<string, string> = {
  succeeded: "bg-good",
  failed: "bg-bad",
  timed_out: "bg-bad",
  waiting: "bg-warn",
  running: "bg-accent",
};

export function Sparkline({ recent }: { recent: readonly RecentRun[] }) {
  const now = useNow();
  if (recent.length === 0) return <span className="text-faint">no runs yet</span>;
  return (
    <ol aria-label="Last runs, newest last" className="flex h-7 items-end gap-0.5">
      {recent.map((each) => {
        const duration = each.took_ms == null ? "" : `, took ${took(each.took_ms)}`;
        const label = `${each.status.replace("_", " ")}, ${ago(each.created_at, now)}${duration}`;
        return (
          <li key={each.run} className="flex h-full w-2 items-end">
            <Link
              to="/runs/$run"
              params={{ run: each.run }}
              aria-label={`Run ${label}`}
              title={label}
              className="flex h-full w-full items-end hover:opacity-70"
            >
              <span
                className={`w-full rounded-sm ${COLOURS[each.status] ?? "bg-strong"}`}
                style={{ height: `${height(each, recent) * 100}%` }}
              />
            </Link>
          </li>
        );
      })}
    </ol>
  );
}

/** Height from 0.25 to 1, on a logarithmic scale of the duration. */
export function height(run: RecentRun, all: readonly RecentRun[]): number {
  const size = (ms: number | null | undefined) => Math.log10(1 + Math.max(0, ms ?? 0));
  const most = Math.max(...all.map((each) => size(each.took_ms)));
  return most === 0 ? 0.6 : 0.25 + 0.75 * (size(run.took_ms) / most);
}
