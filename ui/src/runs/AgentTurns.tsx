// The turns of a step that a model performs: how each reply ended, what it used and cost, and the calls that it wants.
import { Link } from "@tanstack/react-router";
import { type ReactNode, useMemo } from "react";
import { costText } from "../models/price";
import { useNow } from "../text/now";
import { number } from "../text/number";
import { moment, untilText } from "../text/time";
import { Line } from "../text/Visible";
import { plain } from "../text/visible";
import { Badge } from "../ui/Bits";
import {
  type AgentCall,
  type Asked,
  againText,
  type Cost,
  callState,
  classText,
  costOf,
  stateOf,
  type Turn,
  turnsOf,
} from "./agent";

interface Props {
  asked: readonly Asked[];
  /** The invocation that the run waits for. */
  awaits: string | null;
}

export function AgentTurns({ asked, awaits }: Props) {
  const turns = useMemo(() => turnsOf(asked), [asked]);
  if (turns.length === 0) return <p className="text-soft">The model has not been asked yet.</p>;
  const sum = (of: "input" | "output") => turns.reduce((total, turn) => total + turn[of], 0);
  return (
    <div className="space-y-2">
      <ol aria-label="Turns" className="space-y-2">
        {turns.map((turn) => (
          <TurnCard key={turn.turn} turn={turn} awaits={awaits} />
        ))}
      </ol>
      {turns.length > 1 && (
        <p className="px-1 text-xs text-faint tabular-nums">
          Total of {turns.length} turns: {usageText(sum("input"), sum("output"), costOf(asked))}
        </p>
      )}
    </div>
  );
}

function usageText(input: number, output: number, cost: Cost): string {
  const tokens = `${number(input)} tokens in, ${number(output)} out`;
  if (cost.isPartial)
    return `${tokens} · ${cost.usd > 0 ? `${costText(cost.usd)} and an unknown part` : "cost unknown"}`;
  return `${tokens} · ${costText(cost.usd)}`;
}

function TurnCard({ turn, awaits }: { turn: Turn; awaits: string | null }) {
  const { last, before } = turn;
  const state = stateOf(last, awaits);
  const problems = last.problems ?? [];
  return (
    <li className="overflow-hidden rounded-xl border border-edge bg-card">
      <div className="flex flex-wrap items-center gap-x-3 gap-y-1 px-4 py-2.5">
        <span className="font-medium">Turn {turn.turn}</span>
        <Badge tone={state.tone}>{state.name}</Badge>
        {before.length > 0 && <span className="text-xs text-faint">{againText(before.length)}</span>}
        {last.stop != null && (
          <span className="text-xs text-faint tabular-nums">{usageText(turn.input, turn.output, turn.cost)}</span>
        )}
        <InvocationLink invocation={last.invocation} isPending={last.finished_at == null && last.invocation === awaits}>
          Model call<span className="sr-only"> of turn {turn.turn}</span>
        </InvocationLink>
      </div>
      {before.map((each) => (
        <EarlierAsk key={each.ask} asked={each} />
      ))}
      {last.error != null && <NoReply error={last.error} retryAt={last.retry_at} />}
      {problems.length > 0 && (
        <div className="border-t border-edge px-4 py-2 text-warn">
          <p>The answer does not fit:</p>
          <ul className="list-inside list-disc wrap-anywhere">
            {problems.map((problem, index) => (
              <li key={index}>
                <Line text={problem} />
              </li>
            ))}
          </ul>
        </div>
      )}
      {last.calls.length > 0 && (
        <ul aria-label={`Calls of turn ${turn.turn}`}>
          {last.calls.map((call, index) => (
            <CallRow key={index} call={call} />
          ))}
        </ul>
      )}
    </li>
  );
}

/** A time that was followed by another one. */
function EarlierAsk({ asked }: { asked: Asked }) {
  return (
    <p className="border-t border-edge px-4 py-2 text-soft wrap-anywhere">
      Request {asked.ask}: {asked.error == null ? stateOf(asked).name : "no reply"}
      {asked.error != null && (
        <>
          , <Line text={`${classText(asked.error.class)}: ${asked.error.message}`} />
        </>
      )}
    </p>
  );
}

function NoReply({ error, retryAt }: { error: NonNullable<Asked["error"]>; retryAt: string | null | undefined }) {
  const now = useNow();
  return (
    <p className="border-t border-edge px-4 py-2 text-bad wrap-anywhere">
      <span className="font-medium">
        <Line text={classText(error.class)} />
      </span>
      : <Line text={error.message} />
      {retryAt != null && Date.parse(retryAt) > now && (
        <span className="block text-soft">
          Asked again{" "}
          <time dateTime={retryAt} title={moment(retryAt)}>
            {untilText(retryAt, now)}
          </time>
        </span>
      )}
    </p>
  );
}

function CallRow({ call }: { call: AgentCall }) {
  const state = callState(call);
  const name = call.action ?? call.name;
  return (
    <li className="flex flex-wrap items-center gap-x-3 gap-y-1 border-t border-edge px-4 py-2">
      <code className="min-w-0 font-mono text-[0.8125rem] wrap-anywhere">
        <Line text={name} />
      </code>
      <Badge tone={state.tone}>{state.name}</Badge>
      {call.class != null && (
        <span className="text-xs text-bad">
          <Line text={classText(call.class)} />
        </span>
      )}
      <InvocationLink invocation={call.invocation} isPending={call.status === "waiting"}>
        Invocation<span className="sr-only"> of {plain(name)}</span>
      </InvocationLink>
    </li>
  );
}

/** To the inbox while it waits, and to the record afterwards. */
function InvocationLink({
  invocation,
  isPending,
  children,
}: {
  invocation: string | null | undefined;
  isPending: boolean;
  children: ReactNode;
}) {
  if (invocation == null) return null;
  const look = "ml-auto text-xs font-medium text-accent hover:underline";
  return isPending ? (
    <Link to="/inbox/$key" params={{ key: invocation }} className={look}>
      Open in the inbox<span className="sr-only">: </span>
      <span className="sr-only">{children}</span>
    </Link>
  ) : (
    <Link to="/activity/$invocation" params={{ invocation }} className={look}>
      {children}
    </Link>
  );
}
