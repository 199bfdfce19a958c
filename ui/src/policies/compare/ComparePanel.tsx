// Whether a change of policies makes any decision less strict, searched for by a solver.
import { useMutation } from "@tanstack/react-query";
import { useEffect } from "react";
import { Line } from "../../text/Visible";
import { Loading, ProblemCard } from "../../ui/Bits";
import { Button } from "../../ui/Button";
import { compare } from "../queries";
import type { ComparisonRequest } from "../types";
import { ComparisonView } from "./ComparisonView";

/** Begins when it is drawn. */
export function ComparePanel({ request }: { request: ComparisonRequest }) {
  const run = useMutation({ mutationFn: (sent: ComparisonRequest) => compare(sent), networkMode: "always" });
  const { mutate } = run;
  // biome-ignore lint/correctness/useExhaustiveDependencies: once, when the panel is opened.
  useEffect(() => mutate(request), []);
  const isStale = run.variables !== undefined && JSON.stringify(run.variables) !== JSON.stringify(request);
  return (
    <section aria-label="Comparison" className="space-y-4">
      <div className="flex flex-wrap items-end gap-3">
        <div className="min-w-0 flex-1 basis-56">
          <h2 className="font-semibold">Comparison</h2>
          <p className="text-soft">
            Searches all possible calls for one whose decision becomes less strict. Facts can have any value.
          </p>
        </div>
        {isStale && !run.isPending && <Button onClick={() => mutate(request)}>Compare again</Button>}
      </div>
      {isStale && !run.isPending && (
        <p role="status" className="rounded-xl bg-warn-wash px-4 py-3 text-warn">
          The text has changed since this comparison.
        </p>
      )}
      {run.isPending && <Loading what="the comparison" />}
      {run.error !== null && <ProblemCard error={run.error} />}
      {run.data !== undefined && !run.isPending && <ComparisonView comparison={run.data} />}
      {run.data?.solver != null && !run.isPending && (
        <p className="text-xs text-faint">
          Compared by <Line text={run.data.solver} />
        </p>
      )}
    </section>
  );
}
