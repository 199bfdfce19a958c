// Why approval is needed, how the decision was made, and earlier answers to the same action.
import type { Schemas } from "../api/client";
import { GUARDRAILS, modeReason, voteText } from "../policy/reasons";
import { useNow } from "../text/now";
import { ago } from "../text/time";
import { Line } from "../text/Visible";
import { Badge } from "../ui/Bits";
import { MODES, ModeBadge } from "../ui/Mode";
import { Fact, Facts, Section } from "../ui/Section";
import type { ShownDocument } from "./shown";

/** The fields of a decision; the OpenAPI document has no schema for it. */
export interface Decision {
  mode: string;
  mode_source: string;
  reason: string;
  guardrails: { guardrail: string; from: string; to: string; reason: string }[];
  gates: { gate: string; verdict: string; reason: string }[];
}

const FROM: Record<string, string> = {
  inferred: "Default for its risk",
  org_rule: "Rule",
  automation_rule: "Automation rule",
  grant: "Grant",
};

export function Reasons({ shown: { why, only_once } }: { shown: ShownDocument }) {
  return (
    <Section title="Why approval is needed">
      <ul className="list-disc space-y-1 pl-5 marker:text-faint">
        {why.map((text, index) => (
          <li key={index}>
            <Line text={text} />
          </li>
        ))}
        {only_once !== null && (
          <li>
            This request can only be approved once: <Line text={only_once} />
          </li>
        )}
      </ul>
    </Section>
  );
}

export function DecisionSteps({ decision, risk }: { decision: Decision; risk: string }) {
  return (
    <details className="group">
      <summary className="eyebrow cursor-pointer py-1">Decision</summary>
      <div className="mt-2">
        <Facts>
          <Fact name={FROM[decision.mode_source] ?? decision.mode_source.replace("_", " ")}>
            <Line text={modeReason(decision.mode_source, decision.reason, risk)} />
          </Fact>
          {decision.guardrails.map((step, index) => (
            <Fact key={index} name={`Guardrail: ${GUARDRAILS[step.guardrail]?.title ?? step.guardrail}`}>
              {MODES[step.from]?.label ?? step.from} → {MODES[step.to]?.label ?? step.to}: <Line text={step.reason} />
            </Fact>
          ))}
          {decision.gates.map((step) => (
            <Fact
              key={step.gate}
              name={
                <>
                  Gate: <Line text={step.gate} />
                </>
              }
            >
              <Badge tone={step.verdict === "pass" ? "good" : "bad"}>
                {step.verdict === "pass" ? "passed" : step.verdict}
              </Badge>{" "}
              <Line text={step.reason} />
            </Fact>
          ))}
          <Fact name="Result">
            <ModeBadge mode={decision.mode} />
          </Fact>
        </Facts>
      </div>
    </details>
  );
}

export function History({ shown }: { shown: ShownDocument }) {
  const { approved, denied, last } = shown.earlier;
  return (
    <Section title="Previous decisions">
      {last === null ? (
        <p className="text-soft">This action has not been approved or denied before.</p>
      ) : (
        <div className="space-y-1">
          <p>
            This action was approved {times(approved)} and denied {times(denied)}.
          </p>
          <Vote vote={last} given="" />
        </div>
      )}
    </Section>
  );
}

export function Votes({ item }: { item: Schemas["ApprovalItem"] }) {
  if (item.votes_needed <= 1 && item.votes.length === 0) return null;
  const approvals = item.votes.filter((vote) => vote.verdict === "approved").length;
  return (
    <Section
      title="Votes"
      aside={
        <span className="text-xs text-faint">
          {approvals} of {item.votes_needed} required
        </span>
      }
    >
      {item.votes.length === 0 ? (
        <p className="text-soft">No votes yet.</p>
      ) : (
        item.votes.map((vote) => <Vote key={vote.id} vote={vote} given={`(${voteText(vote)}) `} />)
      )}
    </Section>
  );
}

/** `given` says how the answer was given, where that is known. */
function Vote({ vote, given }: { vote: Schemas["ShownAnswer"]; given: string }) {
  const now = useNow();
  return (
    <p className="text-soft">
      <span className="font-medium text-ink">
        <Line text={vote.name} />
      </span>{" "}
      <Line text={vote.verdict} /> {given}
      {ago(vote.at, now)}
      {vote.note !== "" && (
        <>
          : <Line text={vote.note} />
        </>
      )}
    </p>
  );
}

const times = (count: number) => (count === 1 ? "once" : `${count} times`);
