// Links from an invocation to its session, run and automation.
import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { useNow } from "../text/now";
import { summary } from "../text/summary";
import { ago } from "../text/time";
import { Line } from "../text/Visible";
import { StatusBadge } from "../ui/Bits";
import { Section } from "../ui/Section";
import { type Invocation, ofSession } from "./queries";

export function Related({ view }: { view: Invocation }) {
  const others = useQuery(ofSession(view.session)).data?.items.filter((each) => each.id !== view.id) ?? [];
  const now = useNow();
  const link = "text-accent hover:underline";
  return (
    <Section title="Related">
      <div className="overflow-hidden rounded-xl border border-edge bg-card">
        <ul className="space-y-1 px-4 py-3">
          {view.run != null && (
            <li>
              <Link to="/runs/$run" params={{ run: view.run }} className={link}>
                Run
              </Link>
            </li>
          )}
          {view.automation != null && (
            <li>
              <Link to="/automations/$automation" params={{ automation: view.automation }} className={link}>
                {" "}
                Automation{" "}
              </Link>
            </li>
          )}
          <li>
            <Link to="/activity" search={{ session: view.session }} className={link}>
              All activity of this session
            </Link>
          </li>
          <li>
            <Link to="/activity" search={{ action: view.action }} className={link}>
              All calls of <Line text={view.action} />
            </Link>
          </li>
        </ul>
        {others.length > 0 && (
          <ul aria-label="Same session" className="divide-y divide-edge border-t border-edge">
            {others.slice(0, 6).map((each) => (
              <li key={each.id}>
                <Link
                  to="/activity/$invocation"
                  params={{ invocation: each.id }}
                  className="flex items-center gap-3 px-4 py-2 hover:bg-sunk"
                >
                  <span className="min-w-0 flex-1">
                    <span className="block truncate">
                      <Line text={each.action} />
                    </span>
                    <span className="block truncate text-xs text-faint">
                      {ago(each.requested_at, now)} ·{" "}
                      <Line text={each.erased_at == null ? summary(each.params) : "erased"} />
                    </span>
                  </span>
                  <StatusBadge status={each.status} />
                </Link>
              </li>
            ))}
          </ul>
        )}
      </div>
    </Section>
  );
}
