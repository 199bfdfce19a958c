// What a change would do, before it is saved: which actions would be decided in another way, and where that is not sure.
import { useQuery } from "@tanstack/react-query";
import { useMemo } from "react";
import { sources } from "../catalog/queries";
import { Line } from "../text/Visible";
import { ModeBadge } from "../ui/Mode";
import type { Change } from "./outlook";

const MOST_SHOWN = 6;

/** The sources of which every tool is as it was reviewed; null until that is known. */
export function useReviewed(): ReadonlySet<string> | null {
  const { data } = useQuery(sources);
  return useMemo(() => (data === undefined ? null : new Set(data.items.filter((each) => each.to_review === 0).map((each) => each.source))), [data]);
}

export function Forecast({ changes, isMore = false }: { changes: Change[] | null; isMore?: boolean }) {
  if (changes === null) return <p className="animate-pulse text-faint">Looking what it would change …</p>;
  const isUnsure = changes.some((change) => !change.isSure);
  return (
    <section aria-label="What would change" className="space-y-2 rounded-xl border border-edge bg-page p-3">
      <h3 className="eyebrow">{changes.length === 0 ? "Nothing would be decided differently in this space" : `In this space ${changes.length} ${changes.length === 1 ? "action" : "actions"} would be decided differently`}</h3>
      <ul className="space-y-1.5">
        {changes.slice(0, MOST_SHOWN).map(({ row, from, to, isSure }) => (
          <li key={row.action} className="flex flex-wrap items-center gap-1.5">
            <span className="min-w-0 flex-1 truncate"><Line text={row.action} /></span>
            <ModeBadge mode={from} /><span aria-label="becomes" className="text-faint">→</span><ModeBadge mode={to} />{!isSure && <span className="text-xs text-warn">perhaps</span>}
          </li>
        ))}
      </ul>
      {changes.length > MOST_SHOWN && <p className="text-xs text-faint">and {changes.length - MOST_SHOWN} more</p>}
      {isUnsure && <p className="text-xs text-faint">Perhaps: a tool that was not reviewed as it is now asks a person, whatever a rule says. The matrix says how it is once it is saved.</p>}
      {isMore && <p className="text-xs text-faint">It also holds for every source that is connected later.</p>}
    </section>
  );
}
