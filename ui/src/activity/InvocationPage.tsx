// One invocation: parameters, result, decision, receipt and related items.
import { useQuery } from "@tanstack/react-query";
import { Link, useParams } from "@tanstack/react-router";
import { Edits } from "../approval/edit/Edits";
import { Details } from "../approval/ItemDetails";
import { AgentReason } from "../approval/RequestFacts";
import { fields } from "../automations/definition";
import { costText, usd } from "../models/price";
import { DecisionParts } from "../policies/explain/DecisionParts";
import { Erased } from "../text/Erased";
import { useNow } from "../text/now";
import { Params } from "../text/Params";
import { ago, moment, took } from "../text/time";
import { Line } from "../text/Visible";
import { Badge, Loading, ProblemCard, RiskBadge, StatusBadge } from "../ui/Bits";
import { Icon } from "../ui/icons";
import { Section } from "../ui/Section";
import { Attempts } from "./Attempts";
import { Derivation } from "./Derivation";
import { derivation } from "./derivation";
import { decision, type Invocation, invocation } from "./queries";
import { Receipts } from "./Receipt";
import { Related } from "./Related";

const NANO = 1e9;

export function InvocationPage() {
  const { invocation: id } = useParams({ strict: false }) as { invocation: string };
  const { data, error } = useQuery(invocation(id));
  if (data === undefined)
    return error === null ? (
      <Loading what="the invocation" />
    ) : (
      <div className="p-4">
        <ProblemCard error={error} />
      </div>
    );
  return (
    <article aria-label="Invocation">
      <Head view={data} />
      <div className="mx-auto grid max-w-6xl gap-6 p-4 md:p-6 lg:grid-cols-[minmax(0,1fr)_23rem]">
        <div className="min-w-0 space-y-6">
          <ReleasedAs invocation={data.released_as} />
          <Outcome view={data} />
          <Edits edits={data.edits} />
          {data.erased_at == null ? (
            <Params params={data.params} />
          ) : (
            <Erased title="Parameters and result" at={data.erased_at} />
          )}
          <AgentReason reason={data.reason} />
          {data.erased_at == null && data.result != null && <Params params={data.result} title="Result" />}
          <Attempts view={data} />
          <Details rows={ids(data)} />
        </div>
        <div className="min-w-0 space-y-6">
          <Decision view={data} />
          {data.receipt != null && <Receipts key={data.receipt} latest={data.receipt} view={data} />}
          <Related view={data} />
        </div>
      </div>
    </article>
  );
}

/** What a call of a model cost; null for other actions, and where the price is unknown. */
function costOf({ action, result }: Invocation): number | null {
  const { cost } = fields(action.startsWith("model.") ? result : null);
  const nano = usd(fields(cost).nano_usd as number | null | undefined);
  return nano === null ? null : nano / NANO;
}

function Head({ view }: { view: Invocation }) {
  const now = useNow();
  const cost = costOf(view);
  const length = view.finished_at == null ? null : Date.parse(view.finished_at) - Date.parse(view.requested_at);
  return (
    <header
      className={`flex shrink-0 flex-wrap items-center gap-x-3 gap-y-2 border-b border-edge bg-card px-4 py-2.5
        md:px-6`}
    >
      <Link to="/activity" aria-label="Back to activity" className="-ml-2 rounded-md p-2 text-accent hover:bg-sunk">
        <Icon name="back" />
      </Link>
      <div className="min-w-0 flex-1">
        <h1 className="flex flex-wrap items-center gap-x-2 gap-y-1 text-base font-semibold">
          <span className="min-w-0 wrap-anywhere">
            <Line text={view.action} />
          </span>{" "}
          <RiskBadge risk={view.risk} /> <StatusBadge status={view.status} />
          {view.dry_run && <Badge>dry run</Badge>}
        </h1>
        <p className="text-xs text-faint">
          requested by <Line text={view.agent} />{" "}
          <time dateTime={view.requested_at} title={moment(view.requested_at)}>
            {ago(view.requested_at, now)}
          </time>
          {length !== null && ` · took ${took(length)}`}
          {cost !== null && ` · cost ${costText(cost)}`}
          {view.space !== undefined && (
            <>
              {" "}
              · space <Line text={view.space} />
            </>
          )}
        </p>
      </div>
    </header>
  );
}

/** The most important fact first: pending, unknown or failed. */
function Outcome({ view }: { view: Invocation }) {
  if (view.status === "pending" || view.status === "unknown") {
    return (
      <p className="rounded-xl bg-warn-wash px-4 py-3 text-warn">
        {view.status === "pending" ? "Waiting for approval. " : "The outcome is unknown. "}
        <Link to="/inbox/$key" params={{ key: view.id }} className="font-medium underline">
          Open it in the inbox
        </Link>
      </p>
    );
  }
  if (view.error == null) return null;
  return (
    <div className="rounded-xl bg-bad-wash px-4 py-3 text-bad">
      <p className="font-semibold">
        <Line text={view.error.class.replaceAll("_", " ")} />
      </p>
      <p className="wrap-anywhere">
        <Line text={view.error.message} />
      </p>
      {view.attempts > 0 && (
        <p className="text-xs">
          {view.error.sent ? "The request may have reached the target." : "The request did not reach the target."}
        </p>
      )}
    </div>
  );
}

/** From a quarantined invocation to the one that a person released in its place. */
function ReleasedAs({ invocation }: { invocation: Invocation["released_as"] }) {
  if (invocation == null) return null;
  return (
    <p className="rounded-xl bg-sunk px-4 py-3">
      A person released this request as text.{" "}
      <Link to="/activity/$invocation" params={{ invocation }} className="font-medium text-accent underline">
        Open the new invocation
      </Link>
    </p>
  );
}

function Decision({ view }: { view: Invocation }) {
  const { data, error } = useQuery(decision(view.session, view.id, view.status));
  return (
    <>
      <Section title="Decision">
        {data === undefined ? (
          error === null ? (
            <Loading what="the decision" />
          ) : (
            <ProblemCard error={error} />
          )
        ) : (
          <div className="rounded-xl border border-edge bg-card p-4">
            <Derivation steps={derivation(data.decision, data.votes, view)} />
          </div>
        )}
      </Section>
      <DecisionParts decision={data?.decision} hasSteps />
    </>
  );
}

function ids(view: Invocation): [string, string][] {
  const rows: [string, string | null | undefined][] = [
    ["invocation", view.id],
    ["session", view.session],
    ["run", view.run],
    ["automation", view.automation],
    ["receipt", view.receipt],
    ["requested", moment(view.requested_at)],
    ["finished", view.finished_at == null ? null : moment(view.finished_at)],
    ["subject digest", view.subject_digest],
    ["idempotency key", view.idempotency_key],
  ];
  return rows.flatMap(([name, value]) => (value == null ? [] : [[name, value] as [string, string]]));
}
