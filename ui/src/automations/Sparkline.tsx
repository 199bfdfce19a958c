// The last runs of an automation as bars: how each ended by its colour, how long it took by its height. Each leads to its run.
import { Link } from "@tanstack/react-router";
import type { Schemas } from "../api/client";
import { useNow } from "../text/now";
import { ago, took } from "../text/time";

export type RecentRun = Schemas["RecentRun"];

const COLOURS: Record<string, string> = { succeeded: "bg-good", failed: "bg-bad", timed_out: "bg-bad", waiting: "bg-warn", running: "bg-accent" };

export function Sparkline({ recent }: { recent: readonly RecentRun[] }) {
  const now = useNow();
  if (recent.length === 0) return <span className="text-faint">never ran</span>;
  return (
    <ol aria-label="Last runs, the newest last" className="flex h-7 items-end gap-0.5">
      {recent.map((each) => {
        const said = `${each.status.replace("_", " ")}, ${ago(each.created_at, now)}${each.took_ms == null ? "" : `, took ${took(each.took_ms)}`}`;
        return (
          <li key={each.run} className="flex h-full w-2 items-end">
            <Link to="/runs/$run" params={{ run: each.run }} aria-label={`Run ${said}`} title={said} className="flex h-full w-full items-end hover:opacity-70">
              <span className={`w-full rounded-sm ${COLOURS[each.status] ?? "bg-strong"}`} style={{ height: `${height(each, recent) * 100}%` }} />
            </Link>
          </li>
        );
      })}
    </ol>
  );
}

/** From a quarter to the whole, by how long it took beside the others; a tenfold time is a step as high as any other. */
export function height(run: RecentRun, all: readonly RecentRun[]): number {
  const size = (ms: number | null | undefined) => Math.log10(1 + Math.max(0, ms ?? 0));
  const most = Math.max(...all.map((each) => size(each.took_ms)));
  return most === 0 ? 0.6 : 0.25 + 0.75 * (size(run.took_ms) / most);
}
