// The effect of a change before it is saved.
import { useQuery } from "@tanstack/react-query";
import { useMemo } from "react";
import { sources } from "../catalog/queries";
import { Line } from "../text/Visible";
import { ModeBadge } from "../ui/Mode";
import type { Change } from "./outlook";

const MOST_SHOWN = 6;

/** Sources whose tools are all reviewed; null while loading. */
export function useReviewed(): ReadonlySet<string> | null {
  const { data } = useQuery(sources);
  return useMemo(
    () =>
      data === undefined ? null : new Set(data.items.filter((each) => each.to_review === 0).map((each) => each.source)),
    [data],
  );
}

export function Forecast({ changes, isMore = false }: { changes: Change[] | null; isMore?: boolean }) {
  if (changes === null) return <p className="animate-pulse text-faint">Calculating the effect …</p>;
  const isUnsure = changes.some((change) => !change.isSure);
  return (
    <section aria-label="Effect" className="space-y-2 rounded-xl border border-edge bg-page p-3">
      <h3 className="eyebrow">
        {changes.length === 0
          ? "No decision changes in this space"
          : `${changes.length} ${changes.length === 1 ? "decision changes" : "decisions change"} in this space`}
      </h3>
      <ul className="space-y-1.5">
        {changes.slice(0, MOST_SHOWN).map(({ row, from, to, isSure }) => (
          <li key={row.action} className="flex flex-wrap items-center gap-1.5">
            <span className="min-w-0 flex-1 truncate">
              <Line text={row.action} />
            </span>
            <ModeBadge mode={from} />
            <span role="img" aria-label="becomes" className="text-faint">
              →
            </span>
            <ModeBadge mode={to} />
            {!isSure && <span className="text-xs text-warn">maybe</span>}
          </li>
        ))}
      </ul>
      {changes.length > MOST_SHOWN && <p className="text-xs text-faint">and {changes.length - MOST_SHOWN} more</p>}
      {isUnsure && (
        <p className="text-xs text-faint">
          Maybe: a tool that is not reviewed in its current form needs approval regardless of rules, and a policy can
          make the decision stricter for some parameters.
        </p>
      )}
      {isMore && <p className="text-xs text-faint">Also applies to sources connected later.</p>}
    </section>
  );
}
