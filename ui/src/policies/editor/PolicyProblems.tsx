// The problems of a policy, each with a link to its place.
import { Badge } from "../../ui/Bits";
import { Spans } from "../markdown/Markdown";
import type { PolicyProblem } from "../types";

interface Props {
  problems: readonly PolicyProblem[];
  onShow?: (problem: PolicyProblem) => void;
}

export function PolicyProblems({ problems, onShow }: Props) {
  if (problems.length === 0) return null;
  return (
    <section aria-label="Problems" className="rounded-xl border border-edge bg-card">
      <ul className="divide-y divide-edge">
        {problems.map((problem, index) => (
          <li key={index} className="flex gap-3 px-4 py-2.5">
            <span>
              <Badge tone={problem.severity === "error" ? "bad" : "warn"}>{problem.severity}</Badge>
            </span>
            <div className="min-w-0 flex-1">
              <p className="wrap-anywhere">
                <Spans text={problem.message} />
              </p>
              {problem.help != null && (
                <p className="text-soft wrap-anywhere">
                  <Spans text={problem.help} />
                </p>
              )}
              {onShow !== undefined && problem.line != null && (
                <button type="button" className="text-xs text-accent hover:underline" onClick={() => onShow(problem)}>
                  line {problem.line}, column {problem.column ?? 1}
                </button>
              )}
            </div>
          </li>
        ))}
      </ul>
    </section>
  );
}
