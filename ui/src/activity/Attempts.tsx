// The attempts of an invocation: the error of each, and whether it was retried.
import { useQuery } from "@tanstack/react-query";
import { moment, took } from "../text/time";
import { Line } from "../text/Visible";
import { Badge } from "../ui/Bits";
import { Section } from "../ui/Section";
import { type Attempt, attempts, type Invocation, isOver } from "./queries";

export function Attempts({ view }: { view: Invocation }) {
  const failed = useQuery(attempts(view.id, view.attempts)).data?.items ?? [];
  if (view.attempts === 0 && failed.length === 0) return null;
  const isGood = view.status === "succeeded" || view.status === "reverted";
  return (
    <Section title="Attempts" aside={<span className="text-xs text-faint">{view.attempts}</span>}>
      <ol aria-label="Attempts" className="divide-y divide-edge overflow-hidden rounded-xl border border-edge bg-card">
        {failed.map((attempt) => (
          <AttemptError key={attempt.number} attempt={attempt} />
        ))}
        {isGood && (
          <li className="flex flex-wrap items-center gap-x-2 px-4 py-2.5">
            <Badge tone="good">{view.attempts}</Badge> <span>succeeded</span>
          </li>
        )}
        {!isOver(view.status) && (
          <li className="flex items-center gap-2 px-4 py-2.5">
            <Badge tone="accent">{view.attempts}</Badge> in progress
          </li>
        )}
        {isOver(view.status) && !isGood && failed.length === 0 && (
          <li className="px-4 py-2.5 text-soft">{view.attempts === 1 ? "1 attempt." : `${view.attempts} attempts.`}</li>
        )}
      </ol>
    </Section>
  );
}

function AttemptError({ attempt }: { attempt: Attempt }) {
  return (
    <li className="space-y-0.5 px-4 py-2.5">
      <p className="flex flex-wrap items-center gap-x-2">
        <Badge tone="bad">{attempt.number}</Badge>
        <span className="font-medium">
          <Line text={attempt.class.replaceAll("_", " ")} />
        </span>
        <span className="text-xs text-faint">
          {moment(attempt.started_at)} · {took(Date.parse(attempt.ended_at) - Date.parse(attempt.started_at))}
        </span>
      </p>
      <p className="text-soft wrap-anywhere">
        <Line text={attempt.message} />
      </p>
      <p className="text-xs text-faint">
        {attempt.sent ? "the request may have reached the target" : "the request did not reach the target"} ·{" "}
        {attempt.retried ? "retried" : "not retried"}
      </p>
    </li>
  );
}
