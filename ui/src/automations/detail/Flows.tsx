// The flows of an automation: what its steps send where, and whether a person is asked.
import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { useMay } from "../../api/permissions";
import { FlowFacts } from "../../policy/FlowFacts";
import { OBSERVED } from "../../policy/flow";
import { Codes } from "../../text/Codes";
import { Line } from "../../text/Visible";
import { plain } from "../../text/visible";
import { Badge, ProblemCard } from "../../ui/Bits";
import { Button } from "../../ui/Button";
import { Fact, Section } from "../../ui/Section";
import { outcomeOf } from "../flow";
import { type Flow, flows } from "../queries";
import { TemplateText } from "../TemplateText";
import { ConsentDialog } from "./ConsentDialog";

export function Flows({ automation }: { automation: string }) {
  const { data, error } = useQuery(flows(automation));
  const mayConsent = useMay("admin") === true;
  // The dialog stays about the same flow while the list is refetched.
  const [asked, setAsked] = useState<Flow | null>(null);
  if (data === undefined && error !== null)
    return (
      <Section title="Data flows">
        <ProblemCard error={error} />
      </Section>
    );
  if (data === undefined || data.flows.length === 0) return null;
  return (
    <Section title="Data flows">
      {!data.holds && <p className="text-soft">{OBSERVED}</p>}
      <ul aria-label="Data flows" className="space-y-3">
        {data.flows.map((flow, index) => (
          <FlowCard
            key={index}
            flow={flow}
            holds={data.holds}
            onConsent={mayConsent && (flow.consents ?? []).length > 0 ? () => setAsked(flow) : null}
          />
        ))}
      </ul>
      {asked !== null && <ConsentDialog consents={asked.consents ?? []} onClose={() => setAsked(null)} />}
    </Section>
  );
}

interface CardProps {
  flow: Flow;
  holds: boolean;
  /** null if there is nothing to agree to, or the person may not. */
  onConsent: (() => void) | null;
}

function FlowCard({ flow, holds, onConsent }: CardProps) {
  const outcome = outcomeOf(flow, holds);
  return (
    <li className="overflow-hidden rounded-xl border border-edge bg-card">
      <div className="flex flex-wrap items-center gap-x-2.5 gap-y-1 px-4 py-3">
        <h4 className="min-w-0 grow basis-full font-semibold wrap-anywhere sm:basis-0">
          <Line text={flow.step_id} />
          <code className="ml-2.5 font-mono text-[0.8125rem] font-normal text-faint">
            <Line text={flow.action} />
          </code>
        </h4>
        <Badge tone={outcome.tone}>
          <Line text={outcome.text} />
        </Badge>
        {onConsent !== null && (
          <Button onClick={onConsent}>
            Consent<span className="sr-only"> to the flow of {plain(flow.step_id)}</span>
          </Button>
        )}
      </div>
      <dl className="divide-y divide-edge border-t border-edge">
        <FlowFacts flow={flow} place={(text) => <TemplateText text={text} />} />
        {flow.why !== "" && (
          <Fact name="Why">
            <Codes text={flow.why} />
          </Fact>
        )}
      </dl>
    </li>
  );
}
