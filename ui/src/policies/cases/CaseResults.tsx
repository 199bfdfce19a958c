// Results of cases: the failed ones first, with what was expected.
import { Line } from "../../text/Visible";
import { Badge } from "../../ui/Bits";
import { modeLabel } from "../Badges";
import type { CaseResult } from "../types";
import { counted, listed } from "../words";

export function CaseResults({ results }: { results: readonly CaseResult[] }) {
  const failed = results.filter(({ passed }) => !passed);
  return (
    <div className="space-y-2 rounded-xl border border-edge bg-card px-4 py-3">
      <p role="status">
        {failed.length === 0 ? (
          <Badge tone="good">
            {results.length === 1 ? "the case passes" : `all ${counted(results.length, "case")} pass`}
          </Badge>
        ) : (
          <Badge tone="bad">
            {failed.length} of {counted(results.length, "case")} {failed.length === 1 ? "fails" : "fail"}
          </Badge>
        )}
      </p>
      {failed.length > 0 && (
        <ul aria-label="Failed cases" className="space-y-1.5">
          {failed.map((each) => (
            <li key={each.name}>
              <span className="font-medium wrap-anywhere">
                <Line text={each.name} />
              </span>
              <span className="block text-xs text-soft wrap-anywhere">
                <ResultText result={each} />
              </span>
            </li>
          ))}
        </ul>
      )}
    </div>
  );
}

/** “expected denied, got allowed; held: cap”. */
export function ResultText({ result: { expected, got, held, problem } }: { result: CaseResult }) {
  if (problem != null) return <Line text={problem} />;
  return (
    <>
      expected {modeLabel(expected)}, got {modeLabel(got ?? "nothing")}
      {held.length > 0 && (
        <>
          {" "}
          by <Line text={listed(held)} />
        </>
      )}
    </>
  );
}
