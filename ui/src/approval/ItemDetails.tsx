// Everything about one inbox item, the most important first: action, agent, parameters.
import { type ReactNode, type Ref, useEffect, useState } from "react";
import type { Schemas } from "../api/client";
import { DecisionParts } from "../policies/explain/DecisionParts";
import { shownDigest } from "../receipt/shown";
import { Params } from "../text/Params";
import { moment, span } from "../text/time";
import { Block, Line } from "../text/Visible";
import { Badge, RISK, RiskBadge, StatusBadge } from "../ui/Bits";
import { Countdown } from "../ui/Countdown";
import { Icon } from "../ui/icons";
import { Fact, Facts, Section } from "../ui/Section";
import { EditParams } from "./edit/EditParams";
import { Edits } from "./edit/Edits";
import type { Edit } from "./edit/useEdit";
import { DataFlow } from "./flow/DataFlow";
import { HiddenValues } from "./hidden/HiddenValues";
import type { Reveal } from "./hidden/useReveal";
import { Preview } from "./Preview";
import { Findings } from "./quarantine/Findings";
import { type Decision, DecisionSteps, History, Reasons, Votes } from "./Reasons";
import { AgentReason, DefinitionChanges, RequestFacts } from "./RequestFacts";
import { SignatureNotice } from "./SignatureNotice";
import type { Answerable, ShownApproval, ShownDocument } from "./shown";
import { needsSignature } from "./signing";
import { NO_UNDO } from "./wording";

interface Props {
  item: Answerable;
  /** The hidden values of its document. */
  reveal: Reveal;
  edit: Edit;
  /** Placed after everything that describes the request. */
  end?: Ref<HTMLDivElement>;
}

export function ItemDetails({ item, reveal, edit, end }: Props) {
  switch (item.kind) {
    case "approval":
      return <PendingApproval item={item} reveal={reveal} edit={edit} end={end} />;
    case "unknown":
      return <UnknownOutcome item={item} end={end} />;
    case "grant_request":
      return <GrantRequest item={item} end={end} />;
    case "quarantined":
      return <QuarantinedRequest item={item} end={end} />;
  }
}

interface PendingApprovalProps {
  item: ShownApproval;
  reveal: Reveal;
  edit: Edit;
  end?: Ref<HTMLDivElement> | undefined;
}

/** The request comes from the document. Time left, votes, policies, facts and the passkey are not part of it. */
function PendingApproval({ item, reveal, edit, end }: PendingApprovalProps) {
  const { shown } = item;
  const { revealed } = reveal;
  return (
    <div className="space-y-6">
      <Head view={item.invocation} badge={<RiskBadge risk={item.invocation.risk} />} description={shown.description} />
      <AskedAgain changed={shown.changed} />
      <DefinitionChanges path={shown.diff} />
      <HiddenValues places={shown.hidden} reveal={reveal} />
      <Edits edits={shown.edits} />
      <div className="space-y-3">
        <Params params={revealed === null ? shown.params : revealed.params} revealed={revealed?.pointers} />
        <EditParams key={shown.invocation} shown={shown} edit={edit} />
      </div>
      <Preview preview={shown.preview} params={shown.params} />
      <RequestFacts shown={shown} />
      <DataFlow key={shown.invocation} item={item} />
      <AgentReason reason={shown.reason} />
      <Reasons shown={shown} />
      <History shown={shown} />
      {needsSignature(item) && <SignatureNotice />}
      <div ref={end} />
      <DecisionParts decision={item.invocation.decision} />
      <Votes item={item} />
      <DocumentIds item={item} />
    </div>
  );
}

type UnknownItem = Extract<Answerable, { kind: "unknown" }>;

function UnknownOutcome({ item, end }: { item: UnknownItem; end?: Ref<HTMLDivElement> | undefined }) {
  const view = item.invocation;
  return (
    <div className="space-y-6">
      <Head view={view} badge={<Badge tone="warn">unknown</Badge>} />
      <Unknown view={view} />
      <Params params={view.params} />
      <Facts>
        <Fact name="Risk">
          <RiskBadge risk={view.risk} /> {RISK[view.risk] ?? ""}
        </Fact>
        <Fact name="Undo">{item.undo == null ? NO_UNDO : <Line text={item.undo} />}</Fact>
      </Facts>
      <div ref={end} />
      <DecisionSteps decision={view.decision as unknown as Decision} risk={view.risk} />
      <DecisionParts decision={view.decision} />
      <Ids view={view} />
    </div>
  );
}

type QuarantinedItem = Extract<Answerable, { kind: "quarantined" }>;

function QuarantinedRequest({ item, end }: { item: QuarantinedItem; end?: Ref<HTMLDivElement> | undefined }) {
  const view = item.invocation;
  return (
    <div className="space-y-6">
      <Head view={view} badge={<StatusBadge status={view.status} />} />
      <Findings item={item} />
      <Params params={view.params} />
      <Facts>
        <Fact name="Risk">
          <RiskBadge risk={view.risk} /> {RISK[view.risk] ?? ""}
        </Fact>
      </Facts>
      <AgentReason reason={view.reason} />
      <div ref={end} />
      <Ids view={view} />
    </div>
  );
}

function Head({
  view,
  badge,
  description,
}: {
  view: Schemas["InvocationView"];
  badge: ReactNode;
  description?: string | undefined;
}) {
  return (
    <header className="space-y-1.5">
      <div className="flex flex-wrap items-center gap-x-2.5 gap-y-1">
        <h2 className="text-lg font-semibold wrap-anywhere">
          <Line text={view.action} />
        </h2>
        {badge}
        {view.status === "pending" && view.expires_at != null && (
          <span className="ml-auto flex items-center gap-1 text-faint">
            <Icon name="clock" />
            <Countdown until={view.expires_at} />
          </span>
        )}
      </div>
      {description !== undefined && description !== "" && (
        <p className="text-soft">
          <Block text={description} />
        </p>
      )}
      <p className="text-soft">
        Requested by{" "}
        <span className="font-medium text-ink">
          <Line text={view.agent} />
        </span>
      </p>
    </header>
  );
}

function AskedAgain({ changed }: { changed: string[] }) {
  if (changed.length === 0) return null;
  return (
    <div className="space-y-1 rounded-xl bg-warn-wash px-4 py-3 text-warn">
      <p className="font-semibold">
        Changed since it was first asked: <Line text={changed.join(", ")} />
      </p>
      <p>This is what would happen now. Earlier answers no longer count.</p>
    </div>
  );
}

function Unknown({ view }: { view: Schemas["InvocationView"] }) {
  return (
    <div className="space-y-1 rounded-xl bg-warn-wash px-4 py-3 text-warn">
      <p className="font-semibold">The outcome is unknown</p>
      <p>The action may have happened. Check the target system, then record the outcome.</p>
      {view.error != null && (
        <p>
          Last error after {view.attempts} {view.attempts === 1 ? "attempt" : "attempts"}:{" "}
          <Line text={view.error.class} />: <Line text={view.error.message} />.{" "}
          {view.error.sent ? "The request may have reached the target." : "The request did not reach the target."}
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
          <h2 className="text-lg font-semibold wrap-anywhere">
            Grant for <Line text={item.action} />
          </h2>
          <Badge tone="accent">grant</Badge>
          <span className="ml-auto flex items-center gap-1 text-faint">
            <Icon name="clock" />
            <Countdown until={item.expires_at} />
          </span>
        </div>
        <p className="text-soft">
          Requested by{" "}
          <span className="font-medium text-ink">
            <Line text={item.agent} />
          </span>
        </p>
      </header>
      <Section title="What the grant allows">
        <Facts>
          <Fact name="Action">
            <Line text={item.action} />
          </Fact>
          <Fact name="Calls">at most {item.max_calls}</Fact>
          <Fact name="Duration">{span(item.lifetime_s)}</Fact>
          <Fact name="Applies to">this session only</Fact>
        </Facts>
      </Section>
      <Section title="Reason given by the agent">
        <p>
          <Block text={item.reason} quoted />
        </p>
      </Section>
      <div ref={end} />
      <Details
        rows={[
          ["request", item.id],
          ["session", item.session],
          ["requested", moment(item.requested_at)],
        ]}
      />
    </div>
  );
}

function DocumentIds({ item: { shown, invocation } }: { item: ShownApproval }) {
  const digest = useDigest(shown);
  return (
    <Details
      rows={[
        ["invocation", shown.invocation],
        ["session", shown.proposer.session],
        ["requested", moment(invocation.requested_at)],
        ["document", digest ?? "…"],
        ["subject", shown.subject],
      ]}
    />
  );
}

function useDigest(shown: ShownDocument): string | null {
  const [found, setFound] = useState<{ of: ShownDocument; digest: string } | null>(null);
  useEffect(() => {
    let isCurrent = true;
    const set = (digest: string) => isCurrent && setFound({ of: shown, digest });
    shownDigest(shown).then(set, () => undefined);
    return () => {
      isCurrent = false;
    };
  }, [shown]);
  return found?.of === shown ? found.digest : null;
}

function Ids({ view }: { view: Schemas["InvocationView"] }) {
  const rows: [string, string][] = [
    ["invocation", view.id],
    ["session", view.session],
    ["requested", moment(view.requested_at)],
    ["subject digest", view.subject_digest],
  ];
  if (view.idempotency_key != null) rows.push(["idempotency key", view.idempotency_key]);
  if (view.receipt != null) rows.push(["receipt", view.receipt]);
  return <Details rows={rows} />;
}

export function Details({ rows }: { rows: [string, string][] }) {
  return (
    <details>
      <summary className="eyebrow cursor-pointer py-1">IDs</summary>
      <div className="mt-2 font-mono text-xs">
        <Facts>
          {rows.map(([name, value]) => (
            <Fact key={name} name={name}>
              <Block text={value} />
            </Fact>
          ))}
        </Facts>
      </div>
    </details>
  );
}
