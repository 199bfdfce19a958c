// What a change does to each action, with invocations to open.
import { Link } from "@tanstack/react-router";
import { number } from "../../text/number";
import { Line } from "../../text/Visible";
import { plain } from "../../text/visible";
import { Icon } from "../../ui/icons";
import { ModeBadge } from "../../ui/Mode";
import { Code } from "../Badges";
import type { BacktestAction } from "../types";
import { listed } from "../words";

export function ActionTable({ actions }: { actions: readonly BacktestAction[] }) {
  const changed = actions.filter((each) => each.newly_allowed + each.newly_asked + each.newly_denied > 0);
  if (changed.length === 0) return null;
  return (
    <section aria-label="Changed actions" className="space-y-2">
      <h3 className="eyebrow">Changed decisions by action</h3>
      <ul
        aria-label="Changed actions"
        className="divide-y divide-edge overflow-hidden rounded-xl border border-edge bg-card"
      >
        {changed.map((each) => (
          <li key={each.action}>
            <details className="group">
              <summary className="flex cursor-pointer flex-wrap items-center gap-x-4 gap-y-1 px-4 py-2.5">
                <span className="min-w-0 flex-1 basis-48">
                  <Code text={each.action} />
                </span>
                <Count name="allowed" count={each.newly_allowed} ink="text-good" />
                <Count name="asked" count={each.newly_asked} ink="text-warn" />
                <Count name="denied" count={each.newly_denied} ink="text-bad" />
                <Icon name="back" className="size-4 -rotate-90 text-faint group-open:rotate-90" />
              </summary>
              <ExampleList action={each} />
            </details>
          </li>
        ))}
      </ul>
    </section>
  );
}

function Count({ name, count, ink }: { name: string; count: number; ink: string }) {
  if (count === 0) return null;
  return (
    <span className={`text-xs font-medium tabular-nums ${ink}`}>
      {number(count)} newly {name}
    </span>
  );
}

function ExampleList({ action: { action, examples } }: { action: BacktestAction }) {
  if (examples.length === 0) return <p className="px-4 pb-3 text-faint">No examples.</p>;
  return (
    <ul aria-label={`Examples of ${plain(action)}`} className="space-y-1.5 bg-page px-4 py-3">
      {examples.map((each) => (
        <li key={each.invocation} className="flex flex-wrap items-center gap-2">
          <Link
            to="/activity/$invocation"
            params={{ invocation: each.invocation }}
            className="font-mono text-xs text-accent underline"
          >
            <Line text={each.invocation} />
          </Link>
          <ModeBadge mode={each.before} />
          <span role="img" aria-label="becomes" className="text-faint">
            →
          </span>
          <ModeBadge mode={each.after} />
          {each.policies.length > 0 && (
            <span className="text-xs text-faint">
              by <Line text={listed(each.policies)} />
            </span>
          )}
        </li>
      ))}
    </ul>
  );
}
