// The attempts of a step, last first: with inputs and output, or with the turns of its model.
import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import type { Schemas } from "../api/client";
import type { RunDetail } from "../api/queries";
import { Erased } from "../text/Erased";
import { Params } from "../text/Params";
import { moment, took } from "../text/time";
import { Line } from "../text/Visible";
import { Loading, ProblemCard, StatusBadge } from "../ui/Bits";
import { AgentTurns } from "./AgentTurns";
import { invocation as invocationQuery } from "./queries";
import { TranscriptButton } from "./Transcript";

type StepAttempt = Schemas["RunStepView"];
type OfRun = Pick<RunDetail, "id" | "awaits">;

export function StepDetail({ run, tries }: { run: OfRun; tries: readonly StepAttempt[] }) {
  return (
    <div className="space-y-5 border-t border-edge bg-page px-4 py-4">
      {[...tries].reverse().map((each) => (
        <AttemptRow key={each.attempt} run={run} attempt={each} isOnly={tries.length === 1} />
      ))}
    </div>
  );
}

function AttemptRow({ run, attempt, isOnly }: { run: OfRun; attempt: StepAttempt; isOnly: boolean }) {
  const { turns } = attempt;
  return (
    <div className="space-y-3">
      <div className="flex flex-wrap items-center gap-x-3 gap-y-1 text-xs text-faint">
        {!isOnly && <span className="font-medium text-ink">Attempt {attempt.attempt}</span>}
        {!isOnly && <StatusBadge status={attempt.status} />}
        <span>
          {moment(attempt.started_at)}
          {attempt.finished_at != null && `, ${took(Date.parse(attempt.finished_at) - Date.parse(attempt.started_at))}`}
        </span>
        {turns != null && (
          <span className="ml-auto">
            <TranscriptButton run={run.id} attempt={attempt} />
          </span>
        )}
        {turns == null && attempt.invocation != null && (
          <Link
            to="/activity/$invocation"
            params={{ invocation: attempt.invocation }}
            className="ml-auto font-medium text-accent hover:underline"
          >
            Invocation and receipt
          </Link>
        )}
      </div>
      {!isOnly && attempt.error != null && (
        <p className="text-bad">
          <Line text={`${attempt.error.class}: ${attempt.error.message}`} />
        </p>
      )}
      {turns != null && <AgentTurns asked={turns} awaits={run.awaits ?? null} />}
      {turns == null && attempt.invocation != null && <StepResult id={attempt.invocation} status={attempt.status} />}
    </div>
  );
}

function StepResult({ id, status }: { id: string; status: string }) {
  const { data, error } = useQuery(invocationQuery(id, status));
  if (data === undefined) return error === null ? <Loading what="the invocation" /> : <ProblemCard error={error} />;
  if (data.erased_at != null) return <Erased title="Inputs and output" at={data.erased_at} />;
  return (
    <>
      <Params params={data.params} title="Inputs" />
      {data.result != null && <Params params={data.result} title="Output" />}
    </>
  );
}
