// One agent: what it did, what it may do, its sessions, and buttons to stop and resume it.
import { useQuery } from "@tanstack/react-query";
import { Link, useParams } from "@tanstack/react-router";
import { InvocationRow } from "../activity/InvocationRow";
import { agentTarget } from "../conduct/conduct";
import { StopButtons } from "../conduct/StopButtons";
import { Ranking } from "../overview/Ranking";
import { useNow } from "../text/now";
import { number } from "../text/number";
import { ago, moment } from "../text/time";
import { Line } from "../text/Visible";
import { Loading, ProblemCard } from "../ui/Bits";
import { Icon } from "../ui/icons";
import { Fact, Facts, Section } from "../ui/Section";
import { Tile } from "../ui/Tile";
import { AgentBadge } from "./AgentBadge";
import { capabilityText } from "./capabilities";
import { amount } from "./counts";
import { OutcomeBar } from "./OutcomeBar";
import { type Agent, type AgentDetail, agentDetail, latest } from "./queries";
import { Sessions } from "./Sessions";

const FAILED = "failed,reverted,unknown";
/** What the numbers of an agent count. */
const WEEK = "7d";

export function AgentPage() {
  const { agent } = useParams({ strict: false }) as { agent: string };
  const { data, error } = useQuery(agentDetail(agent));
  if (data === undefined)
    return error === null ? (
      <Loading what="the agent" />
    ) : (
      <div className="p-4">
        <ProblemCard error={error} />
      </div>
    );
  return (
    <>
      <Head agent={data.agent} />
      <div className="mx-auto w-full max-w-5xl space-y-6 p-4 md:p-6">
        <Numbers agent={data.agent} />
        <Latest agent={data.agent.agent} />
        <Sessions sessions={data.sessions} open={data.agent.open_sessions} />
        <div className="grid items-start gap-6 lg:grid-cols-2">
          <Sources detail={data} />
          <Capabilities detail={data} />
        </div>
      </div>
    </>
  );
}

function Head({ agent }: { agent: Agent }) {
  const now = useNow();
  const target = agentTarget(agent.agent);
  return (
    <header
      className={`flex shrink-0 flex-wrap items-center gap-x-3 gap-y-2 border-b border-edge bg-card px-4 py-2.5
        md:px-6`}
    >
      <Link to="/agents" aria-label="Back to agents" className="-ml-2 rounded-md p-2 text-accent hover:bg-sunk">
        <Icon name="back" />
      </Link>
      <div className="min-w-0 flex-1">
        <h1 className="flex flex-wrap items-center gap-x-2 text-base font-semibold">
          <span className="max-w-full truncate">
            <Line text={agent.agent} />
          </span>{" "}
          <AgentBadge agent={agent} />
        </h1>
        <p className="truncate text-xs text-faint">
          {amount(agent.open_sessions, "open session", "open sessions")} · seen{" "}
          <time dateTime={agent.last_seen} title={moment(agent.last_seen)}>
            {ago(agent.last_seen, now)}
          </time>
        </p>
      </div>
      <div className="flex gap-2 empty:hidden max-md:w-full max-md:[&>*]:flex-1">
        <StopButtons target={target} hasDryRun />
      </div>
    </header>
  );
}

function Numbers({ agent }: { agent: Agent }) {
  const search = { agent: agent.agent, range: WEEK };
  return (
    <section aria-label="Last 7 days" className="space-y-3">
      <h2 className="eyebrow">Last 7 days</h2>
      <ul aria-label="Totals" className="grid grid-cols-2 gap-3 md:grid-cols-4">
        <Tile
          name="Calls"
          value={number(agent.calls)}
          more={`${number(agent.succeeded)} succeeded`}
          link={(inner, look) => (
            <Link to="/activity" search={search} className={look}>
              {inner}
            </Link>
          )}
        />
        <Tile
          name="Questions"
          value={number(agent.asked)}
          more={`${number(agent.waiting)} waiting now`}
          link={(inner, look) => (
            <Link to="/inbox" className={look}>
              {inner}
            </Link>
          )}
        />
        <Tile
          name="Denials"
          value={number(agent.denied)}
          more="by people or policy"
          link={(inner, look) => (
            <Link to="/activity" search={{ ...search, status: "denied" }} className={look}>
              {inner}
            </Link>
          )}
        />
        <Tile
          name="Failures"
          value={number(agent.failed)}
          more="or unknown outcome"
          link={(inner, look) => (
            <Link to="/activity" search={{ ...search, status: FAILED }} className={look}>
              {inner}
            </Link>
          )}
        />
      </ul>
      <OutcomeBar outcomes={agent} />
    </section>
  );
}

function Latest({ agent }: { agent: string }) {
  const { data, error } = useQuery(latest(agent));
  const all = (
    <Link to="/activity" search={{ agent }} className="text-xs text-accent hover:underline">
      All invocations
    </Link>
  );
  return (
    <Section title="What it did" aside={all}>
      {data === undefined && (error === null ? <Loading what="invocations" /> : <ProblemCard error={error} />)}
      {data?.items.length === 0 && (
        <p className="rounded-xl border border-edge bg-card px-4 py-3 text-soft">
          {data.searched_until == null ? "No invocations yet." : `None since ${moment(data.searched_until)}.`}
        </p>
      )}
      {data !== undefined && data.items.length > 0 && (
        <ul
          aria-label="Latest invocations"
          className="overflow-hidden rounded-xl border border-edge bg-card [&>li:last-child>a]:border-b-0"
        >
          {data.items.map((each) => (
            <li key={each.id} className="h-16">
              <InvocationRow item={each} />
            </li>
          ))}
        </ul>
      )}
    </Section>
  );
}

function Sources({ detail: { agent, sources } }: { detail: AgentDetail }) {
  const search = (source: string) => ({ agent: agent.agent, source, range: WEEK });
  if (sources.length === 0)
    return (
      <Section title="Sources used">
        <p className="rounded-xl border border-edge bg-card px-4 py-3 text-soft">None in the last 7 days.</p>
      </Section>
    );
  return (
    <Ranking title="Sources used" about="In the last 7 days." columns={["calls", "failed", "denied"]}>
      {sources.map((each) => (
        <tr key={each.source} className="border-t border-edge">
          <th scope="row" className="max-w-0 truncate px-4 py-2 text-left font-medium">
            <Link to="/catalog/$source" params={{ source: each.source }} className="hover:underline">
              <Line text={each.source} />
            </Link>
          </th>
          <td className="px-2 text-right">
            <Link to="/activity" search={search(each.source)} className="text-accent hover:underline">
              {number(each.calls)}
            </Link>
          </td>
          <td className="px-2 text-right">{number(each.failed)}</td>
          <td className="px-4 text-right">{number(each.denied)}</td>
        </tr>
      ))}
    </Ranking>
  );
}

function Capabilities({ detail: { capabilities } }: { detail: AgentDetail }) {
  return (
    <Section title="What it may do">
      {capabilities.length === 0 ? (
        <p className="rounded-xl border border-edge bg-card px-4 py-3 text-soft">
          Nothing now: it has no open session.
        </p>
      ) : (
        <>
          <Facts>
            {capabilities.map((each) => (
              <Fact
                key={each}
                name={
                  <code className="font-mono text-[0.8125rem]">
                    <Line text={each} />
                  </code>
                }
              >
                <Line text={capabilityText(each)} />
              </Fact>
            ))}
          </Facts>
          <p className="text-xs text-faint">
            The most that its open sessions allow. The policy decides about every call.
          </p>
        </>
      )}
    </Section>
  );
}
