// A backtest of one change: the days, the progress and the result.
import { useEffect, useState } from "react";
import { number, percent } from "../../text/number";
import { ProblemCard } from "../../ui/Bits";
import { Button } from "../../ui/Button";
import { Segments } from "../Badges";
import type { Change } from "../types";
import { BacktestView } from "./BacktestView";
import { type Progress, share } from "./result";
import { useBacktest } from "./run";

const DAYS: readonly (readonly [number, string])[] = [
  [1, "1 day"],
  [7, "7 days"],
  [30, "30 days"],
];

interface Props {
  request: Change;
  /** Why it cannot be started; null if it can. */
  problem?: string | null;
  title?: string;
  about?: string;
  /** Whether it is started when it is drawn. */
  startsAtOnce?: boolean;
}

const ABOUT = "Decides past calls again with this change. Nothing is executed.";

export function BacktestPanel({
  request,
  problem = null,
  title = "Backtest",
  about = ABOUT,
  startsAtOnce = false,
}: Props) {
  const [days, setDays] = useState(30);
  const { isRunning, progress, result, error, start, cancel } = useBacktest();
  // biome-ignore lint/correctness/useExhaustiveDependencies: once, when the panel is opened.
  useEffect(() => {
    if (startsAtOnce) void start({ ...request, days });
  }, []);
  const isStale =
    result !== null && JSON.stringify({ ...result.of, days: 0 }) !== JSON.stringify({ ...request, days: 0 });
  return (
    <section aria-label="Backtest" className="space-y-4">
      <div className="flex flex-wrap items-end gap-3">
        <div className="min-w-0 flex-1 basis-56">
          <h2 className="font-semibold">{title}</h2>
          <p className="text-soft">{about}</p>
        </div>
        <Segments name="Time" value={days} choices={DAYS} onChange={setDays} />
        {isRunning ? (
          <Button onClick={cancel}>Cancel</Button>
        ) : (
          <Button
            variant={startsAtOnce || result !== null ? "plain" : "primary"}
            disabled={problem !== null}
            onClick={() => void start({ ...request, days })}
          >
            {result === null ? "Run backtest" : "Run again"}
          </Button>
        )}
      </div>
      {problem !== null && <p className="rounded-xl bg-warn-wash px-4 py-3 text-warn">{problem}</p>}
      {isRunning && <ProgressBar progress={progress} />}
      {error !== null && <ProblemCard error={error} />}
      {isStale && !isRunning && (
        <p role="status" className="rounded-xl bg-warn-wash px-4 py-3 text-warn">
          The change was edited after this backtest. Run the backtest again.
        </p>
      )}
      {result !== null && !isRunning && <BacktestView result={result.value} days={result.of.days} />}
    </section>
  );
}

function ProgressBar({ progress }: { progress: Progress | null }) {
  const part = progress === null ? 0 : share(progress);
  return (
    <div className="space-y-1.5 rounded-xl border border-edge bg-card px-4 py-3">
      <p className="flex justify-between gap-3 text-soft tabular-nums">
        <span>
          {progress === null ? "Starting …" : `${number(progress.done)} of ${number(progress.of)} calls decided again`}
        </span>
        {progress !== null && <span>{percent(part)}</span>}
      </p>
      <progress aria-label="Progress of the backtest" className="progress" value={part} max={1} />
    </div>
  );
}
