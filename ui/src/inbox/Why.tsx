// Why a person is asked, how the mode was decided, and what people answered to the same action before.
import type { Schemas } from "../api/client";
import { useNow } from "../text/now";
import { inWords } from "../text/reasons";
import { ago } from "../text/time";
import { Line } from "../text/Visible";
import { Badge } from "../ui/Bits";
import { ModeBadge, MODES } from "../ui/Mode";
import { Fact, Facts, Section } from "./Section";

type Approval = Schemas["ApprovalItem"];

/** What the decision is made of; the document calls it an object only. */
export interface Decision {
  mode: string;
  mode_source: string;
  reason: string;
  guardrails: { guardrail: string; from: string; to: string; reason: string }[];
  gates: { gate: string; verdict: string; reason: string }[];
}

const FROM: Record<string, string> = { inferred: "by its risk", org_rule: "by a rule", automation_rule: "by the automation's rule", grant: "by a grant" };

export function Why({ item }: { item: Approval }) {
  return (
    <Section title="Why a person is asked">
      <ul className="list-disc space-y-1 pl-5 marker:text-faint">
        {item.why.map((reason, index) => <li key={index}><Line text={inWords(reason)} /></li>)}
        {item.only_once != null && <li>It can be answered once only: <Line text={item.only_once} /></li>}
      </ul>
    </Section>
  );
}

export function DecisionSteps({ decision }: { decision: Decision }) {
  return (
    <details className="group">
      <summary className="eyebrow cursor-pointer py-1">How it was decided</summary>
      <div className="mt-2">
        <Facts>
          <Fact name={FROM[decision.mode_source] ?? decision.mode_source.replace("_", " ")}><Line text={inWords(decision.reason)} /></Fact>
          {decision.guardrails.map((step) => (
            <Fact key={step.guardrail} name={`guardrail: ${step.guardrail}`}>
              from {MODES[step.from]?.word ?? step.from} to {MODES[step.to]?.word ?? step.to}: <Line text={step.reason} />
            </Fact>
          ))}
          {decision.gates.map((step) => (
            <Fact key={step.gate} name={<>gate: <Line text={step.gate} /></>}>
              <Badge tone={step.verdict === "pass" ? "good" : "bad"}>{step.verdict}</Badge> <Line text={step.reason} />
            </Fact>
          ))}
          <Fact name="so"><ModeBadge mode={decision.mode} /></Fact>
        </Facts>
      </div>
    </details>
  );
}

export function History({ item }: { item: Approval }) {
  const { approved, denied, last } = item.history;
  return (
    <Section title="Answers before">
      {last == null ? (
        <p className="text-soft">Nobody has answered this action before.</p>
      ) : (
        <div className="space-y-1">
          <p>{approved} yes, {denied} no</p>
          <Vote vote={last} />
        </div>
      )}
    </Section>
  );
}

export function Votes({ item }: { item: Approval }) {
  if (item.votes_needed <= 1 && item.votes.length === 0) return null;
  const yes = item.votes.filter((vote) => vote.verdict === "approved").length;
  return (
    <Section title="Votes" aside={<span className="text-xs text-faint">{yes} of {item.votes_needed} needed</span>}>
      {item.votes.length === 0 ? <p className="text-soft">Nobody has voted yet.</p> : item.votes.map((vote) => <Vote key={vote.id} vote={vote} />)}
    </Section>
  );
}

function Vote({ vote }: { vote: Schemas["VoteView"] }) {
  const now = useNow();
  return (
    <p className="text-soft">
      <span className="font-medium text-ink"><Line text={vote.name} /></span> {vote.verdict} ({vote.extent}, by {vote.channel}{vote.signed === true && ", signed with a passkey"}) {ago(vote.at, now)}
      {vote.note !== "" && <>: <Line text={vote.note} /></>}
    </p>
  );
}
