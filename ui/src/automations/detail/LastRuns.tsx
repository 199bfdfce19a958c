// The last runs of one automation.
import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { useNow } from "../../text/now";
import { ago } from "../../text/time";
import { StatusBadge } from "../../ui/Bits";
import { Section } from "../../ui/Section";
import { type Automation, runsOf } from "../queries";
import { Sparkline } from "../Sparkline";

export function LastRuns({ automation }: { automation: Automation }) {
  const now = useNow();
  const { data } = useQuery(runsOf(automation.id));
  const runs = data?.items ?? [];
  const all = (
    <Link to="/runs" search={{ automation: automation.id }} className="text-xs text-accent hover:underline">
      {" "}
      All runs{" "}
    </Link>
  );
  return (
    <Section title="Last runs" aside={runs.length > 0 && all}>
      <div className="space-y-3 rounded-xl border border-edge bg-card px-4 py-3">
        {runs.length === 0 ? (
          <p className="text-soft">No runs yet.</p>
        ) : (
          <>
            <Sparkline recent={automation.recent} />
            <ul className="-mx-2">
              {runs.map((run) => (
                <li key={run.id}>
                  <Link
                    to="/runs/$run"
                    params={{ run: run.id }}
                    className="flex items-center gap-2 rounded-md px-2 py-1.5 hover:bg-sunk"
                  >
                    <span className="tabular-nums">#{run.number}</span>
                    <span className="min-w-0 flex-1 truncate text-xs text-faint">{ago(run.created_at, now)}</span>
                    <StatusBadge status={run.status} />
                  </Link>
                </li>
              ))}
            </ul>
          </>
        )}
      </div>
    </Section>
  );
}
