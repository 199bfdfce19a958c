// Everything about one item. What decides comes first: what is asked for, by whom, with which parameters. Where it comes
// from and which ids it has comes last.
import type { ReactNode, Ref } from "react";
import type { Schemas } from "../api/client";
import type { InboxItem } from "../api/queries";
import { moment, span } from "../text/time";
import { Block, Line } from "../text/Visible";
import { Badge, RISK, RiskBadge } from "../ui/Bits";
import { Icon } from "../ui/icons";
import { Countdown } from "./Countdown";
import { MustSign } from "./MustSign";
import { Params } from "./Params";
import { Preview } from "./Preview";
import { Fact, Facts, Section } from "./Section";
import { mustSign } from "./signing";
import { type Decision, DecisionSteps, History, Votes, Why } from "./Why";

interface Props {
  item: InboxItem;
  /** Whether the source is still asked what would happen. */
  isAsking: boolean;
  /** Stands behind everything that says what would be done. */
  end?: Ref<HTMLDivElement>;
}

export function Sheet({ item, isAsking, end }: Props) {
  if (item.kind === "grant_request") return <GrantRequest item={item} end={end} />;
  const view = item.invocation;
  return (
    <div className="space-y-6">
      <Head view={view} badge={item.kind === "unknown" ? <Badge tone="warn">unknown</Badge> : <RiskBadge risk={view.risk} />} description={item.kind === "approval" ? item.description : undefined} />
      {item.kind === "unknown" && <Unknown view={view} />}
      <Params params={view.params} />
      {item.kind === "approval" && <Preview preview={item.preview} params={view.params} isAsking={isAsking} />}
      <Facts>
        <Fact name="risk"><RiskBadge risk={view.risk} /> {RISK[view.risk] ?? ""}</Fact>
        <Fact name="undo">{item.undo == null ? "it cannot be undone from here" : <Line text={item.undo} />}</Fact>
      </Facts>
      {mustSign(item) && <MustSign />}
      <div ref={end} />
      {item.kind === "approval" && (
        <>
          <Votes item={item} />
          <Why item={item} />
          <History item={item} />
        </>
      )}
      <DecisionSteps decision={view.decision as unknown as Decision} />
      <Ids view={view} />
    </div>
  );
}

function Head({ view, badge, description }: { view: Schemas["InvocationView"]; badge: ReactNode; description?: string | undefined }) {
  return (
    <header className="space-y-1.5">
      <div className="flex flex-wrap items-center gap-x-2.5 gap-y-1">
        <h2 className="text-lg font-semibold wrap-anywhere"><Line text={view.action} /></h2>
        {badge}
        {view.dry_run && <Badge>dry run</Badge>}
        {view.status === "pending" && view.expires_at != null && (
          <span className="ml-auto flex items-center gap-1 text-faint"><Icon name="clock" /><Countdown until={view.expires_at} /></span>
        )}
      </div>
      {description !== undefined && description !== "" && <p className="text-soft"><Block text={description} /></p>}
      <p className="text-soft">asked for by <span className="font-medium text-ink"><Line text={view.agent} /></span></p>
    </header>
  );
}

function Unknown({ view }: { view: Schemas["InvocationView"] }) {
  return (
    <div className="space-y-1 rounded-xl bg-warn-wash px-4 py-3 text-warn">
      <p className="font-semibold">Nobody knows whether it happened.</p>
      <p>Look at the target, then say what you found.</p>
      {view.error != null && (
        <p>
          Last error, after {view.attempts} {view.attempts === 1 ? "attempt" : "attempts"}: <Line text={view.error.class} />: <Line text={view.error.message} />{" "}
          ({view.error.sent ? "may have reached the target" : "did not reach the target"})
        </p>
      )}
    </div>
  );
}

function GrantRequest({ item, end }: { item: Schemas["GrantRequestView"]; end?: Ref<HTMLDivElement> | undefined }) {
  return (
    <div className="space-y-6">
      <header className="space-y-1.5">
        <div className="flex flex-wrap items-center gap-2.5">
          <h2 className="text-lg font-semibold wrap-anywhere">A grant of <Line text={item.action} /></h2>
          <Badge tone="accent">grant</Badge>
          <span className="ml-auto flex items-center gap-1 text-faint"><Icon name="clock" /><Countdown until={item.expires_at} /></span>
        </div>
        <p className="text-soft">asked for by <span className="font-medium text-ink"><Line text={item.agent} /></span></p>
      </header>
      <Section title="What would be allowed without asking">
        <Facts>
          <Fact name="action"><Line text={item.action} /></Fact>
          <Fact name="calls">at most {item.max_calls}</Fact>
          <Fact name="for">{span(item.lifetime_s)}</Fact>
          <Fact name="who">this session only</Fact>
        </Facts>
      </Section>
      <Section title="Why, in the agent's words"><p><Block text={item.reason} quoted /></p></Section>
      <div ref={end} />
      <Details rows={[["request", item.id], ["session", item.session], ["asked", moment(item.requested_at)]]} />
    </div>
  );
}

function Ids({ view }: { view: Schemas["InvocationView"] }) {
  const rows: [string, string][] = [["invocation", view.id], ["session", view.session], ["asked", moment(view.requested_at)], ["digest", view.shown_digest]];
  if (view.idempotency_key != null) rows.push(["key", view.idempotency_key]);
  if (view.receipt != null) rows.push(["receipt", view.receipt]);
  return <Details rows={rows} />;
}

export function Details({ rows }: { rows: [string, string][] }) {
  return (
    <details>
      <summary className="eyebrow cursor-pointer py-1">Ids</summary>
      <div className="mt-2 font-mono text-xs">
        <Facts>{rows.map(([name, value]) => <Fact key={name} name={name}><Block text={value} /></Fact>)}</Facts>
      </div>
    </details>
  );
}
