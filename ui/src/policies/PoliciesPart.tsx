// The part of the policy page about policies as text: the policies, their facts and cases, tests of changes, gates and
// flows.
import { Link } from "@tanstack/react-router";
import { lazy, Suspense } from "react";
import { Loading } from "../ui/Bits";
import { Cases } from "./cases/Cases";
import { Facts } from "./facts/Facts";
import { Flows } from "./flows/Flows";
import { Gates } from "./gates/Gates";
import { Observing } from "./observing/Observing";
import { PolicyList } from "./PolicyList";
import { PARTS, type PartName } from "./parts";
import { Suggestions } from "./suggestions/Suggestions";

// The chart is large.
const BacktestPart = lazy(async () => ({ default: (await import("./backtest/BacktestPart")).BacktestPart }));

export function PoliciesPart({ part }: { part: PartName }) {
  return (
    <div className="space-y-4">
      <nav aria-label="Policies" className="-mx-1 flex flex-wrap gap-1">
        {PARTS.map(([each, name]) => (
          <Link
            key={each}
            to="/policy"
            hash={each}
            aria-current={each === part ? "page" : undefined}
            className={`rounded-lg px-2 py-2 md:px-3 md:py-1.5 ${
              each === part ? "bg-accent-wash font-medium text-accent" : "text-soft hover:bg-sunk hover:text-ink"
            }`}
          >
            {name}
          </Link>
        ))}
      </nav>
      {part === "policies" && <PolicyList />}
      {part === "facts" && <Facts />}
      {part === "cases" && <Cases />}
      {part === "observing" && <Observing />}
      {part === "suggestions" && <Suggestions />}
      {part === "gates" && <Gates />}
      {part === "flows" && <Flows />}
      {part === "backtest" && (
        <Suspense fallback={<Loading what="the backtest" />}>
          <BacktestPart />
        </Suspense>
      )}
    </div>
  );
}
