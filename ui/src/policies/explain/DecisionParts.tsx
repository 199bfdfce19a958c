// The policies and facts of a decision. Observing policies stand apart, because they decided nothing.
import { day } from "../../text/time";
import { Line } from "../../text/Visible";
import { Badge } from "../../ui/Bits";
import { Section } from "../../ui/Section";
import type { DecisionFact, DecisionPolicy } from "../types";
import { factText, policyReason, policyTitle } from "../words";
import { factsOf, otherPolicies, policiesOf } from "./decision";
import { meterOf } from "./meter";

interface Props {
  decision: unknown;
  /** Whether the steps of the decision stand beside it, which show most enforced policies already. */
  hasSteps?: boolean;
}

export function DecisionParts({ decision, hasSteps = false }: Props) {
  const all = policiesOf(decision);
  const enforced = hasSteps ? otherPolicies(decision) : all.filter(({ observing }) => !observing);
  const observing = all.filter((each) => each.observing);
  const facts = factsOf(decision);
  return (
    <>
      {enforced.length > 0 && <PolicyLines title="Policies" policies={enforced} />}
      {facts.length > 0 && <FactLines facts={facts} />}
      {observing.length > 0 && <PolicyLines title="Observing policies" policies={observing} />}
    </>
  );
}

function PolicyLines({ title, policies }: { title: string; policies: readonly DecisionPolicy[] }) {
  return (
    <Section title={title}>
      <ul className="divide-y divide-edge overflow-hidden rounded-xl border border-edge bg-card">
        {policies.map((policy) => (
          <li key={policy.name} className="px-4 py-2">
            <p className="flex flex-wrap items-center gap-2">
              <span className="font-medium wrap-anywhere">
                <Line text={policyTitle(policy)} />
              </span>
              <span className="text-xs text-faint">version {policy.version}</span>
              {policy.error !== null && <Badge tone="warn">could not be evaluated</Badge>}
            </p>
            <p className="text-soft wrap-anywhere empty:hidden">
              <Line text={policyReason(policy)} />
            </p>
          </li>
        ))}
      </ul>
    </Section>
  );
}

function FactLines({ facts }: { facts: readonly DecisionFact[] }) {
  return (
    <Section title="Facts">
      <ul aria-label="Facts" className="divide-y divide-edge overflow-hidden rounded-xl border border-edge bg-card">
        {facts.map((fact) => (
          <li key={fact.name} className="px-4 py-2">
            <p className="wrap-anywhere tabular-nums">
              <span className="font-medium">
                <Line text={fact.name} />:
              </span>{" "}
              {factText(fact)}
            </p>
            <FactMeter fact={fact} />
            <p className="text-xs text-faint wrap-anywhere">
              <Line text={fact.words} />
              {fact.since !== "" && ` · history since ${day(fact.since)}`}
            </p>
          </li>
        ))}
      </ul>
    </Section>
  );
}

/** How much of the limit is used, and what the call adds. The text beside it says the same. */
function FactMeter({ fact }: { fact: DecisionFact }) {
  const meter = meterOf(fact);
  if (meter === null) return null;
  const percent = (share: number) => ({ width: `${share * 100}%` });
  return (
    <div aria-hidden className="relative my-1.5 h-2 max-w-md overflow-hidden rounded-full bg-sunk">
      <div className="flex h-full">
        <span className="h-full bg-strong" style={percent(meter.used)} />
        <span className={`h-full ${meter.isOver ? "bg-bad" : "bg-accent"}`} style={percent(meter.adds)} />
      </div>
      {meter.isOver && <span className="absolute inset-y-0 w-0.5 bg-ink" style={{ left: `${meter.limit * 100}%` }} />}
    </div>
  );
}
