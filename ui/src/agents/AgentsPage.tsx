// All agents of the last 30 days, each with a button to stop it. On a phone the button is visible at once.
import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { useState } from "react";
import { agentTarget } from "../conduct/conduct";
import { StopButtons } from "../conduct/StopButtons";
import { useNow } from "../text/now";
import { ago, moment } from "../text/time";
import { Line } from "../text/Visible";
import { Empty, Loading, PageHead, ProblemCard } from "../ui/Bits";
import { Icon } from "../ui/icons";
import { AgentBadge } from "./AgentBadge";
import { amount } from "./counts";
import { OpenHint } from "./OpenHint";
import { OutcomeBar } from "./OutcomeBar";
import { type Agent, agents } from "./queries";

/** With more agents than this there is a search. */
const FEW = 8;

export function AgentsPage() {
  const { data, error } = useQuery(agents);
  const [text, setText] = useState("");
  const wanted = text.trim().toLowerCase();
  const found = data?.filter((each) => each.agent.toLowerCase().includes(wanted)) ?? [];
  return (
    <>
      <PageHead title="Agents" about="Seen in the last 30 days; numbers of the last 7 days" />
      {data === undefined &&
        (error === null ? (
          <Loading what="agents" />
        ) : (
          <div className="p-4">
            <ProblemCard error={error} />
          </div>
        ))}
      {data?.length === 0 && <NoAgents />}
      {data !== undefined && data.length > 0 && (
        <div className="mx-auto w-full max-w-5xl space-y-3 p-4 md:p-6">
          {data.length > FEW && <Search text={text} onChange={setText} />}
          <ul aria-label="Agents" className="grid gap-3 lg:grid-cols-2">
            {found.map((each) => (
              <Card key={each.agent} agent={each} />
            ))}
          </ul>
          {found.length === 0 && <p className="py-8 text-center text-soft">No agent has this name.</p>}
        </div>
      )}
    </>
  );
}

function Search({ text, onChange }: { text: string; onChange: (next: string) => void }) {
  return (
    <label className="relative block">
      <span className="sr-only">Search agents</span>
      <span className="pointer-events-none absolute inset-y-0 left-3 grid place-items-center text-faint">
        <Icon name="search" />
      </span>
      <input
        className="input !pl-9"
        type="search"
        value={text}
        onChange={(event) => onChange(event.target.value)}
        placeholder="Search agents"
      />
    </label>
  );
}

function Card({ agent }: { agent: Agent }) {
  const now = useNow();
  return (
    <li className="relative flex min-w-0 flex-col gap-3 rounded-xl border border-edge bg-card p-4 hover:border-strong">
      <div className="flex items-start gap-3">
        <div className="min-w-0 flex-1">
          <h2 className="flex flex-wrap items-center gap-x-2 gap-y-1 font-semibold">
            <Link
              to="/agents/$agent"
              params={{ agent: agent.agent }}
              className="max-w-full truncate after:absolute after:inset-0 after:rounded-xl"
            >
              <Line text={agent.agent} />
            </Link>
            <AgentBadge agent={agent} />
          </h2>
          <p className="text-xs text-faint">
            {amount(agent.open_sessions, "open session", "open sessions")} · seen{" "}
            <time dateTime={agent.last_seen} title={moment(agent.last_seen)}>
              {ago(agent.last_seen, now)}
            </time>
          </p>
        </div>
        <div className="relative z-10 flex flex-wrap justify-end gap-2">
          <StopButtons target={agentTarget(agent.agent)} />
        </div>
      </div>
      <div className="mt-auto space-y-1.5">
        <p className="flex flex-wrap gap-x-1 text-xs text-soft tabular-nums">
          <span>{amount(agent.calls, "call", "calls")}</span>
          <span>· {amount(agent.asked, "question", "questions")}</span>
          <span>· {amount(agent.denied, "denial", "denials")}</span>
          {agent.waiting > 0 && (
            <Link to="/inbox" className="relative z-10 ml-auto font-medium text-accent underline">
              {agent.waiting} waiting
            </Link>
          )}
        </p>
        <OutcomeBar outcomes={agent} />
      </div>
    </li>
  );
}

function NoAgents() {
  return (
    <Empty icon="agents" title="No agents yet">
      <p>
        An agent is a program that asks Countersign before it acts. It appears here when someone opens a session for it:
      </p>
      <pre
        className={`rounded-lg border border-edge bg-card px-4 py-3 text-left font-mono text-xs leading-5
        whitespace-pre-wrap`}
      >
        countersign sessions create --agent support-triage
      </pre>
      <OpenHint />
    </Empty>
  );
}
