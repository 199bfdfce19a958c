// Connecting a source, step by step: where it is, how it is proven that we may, whether it answers, what its tools are,
// and what agents can do from then on.
import { useLocation } from "@tanstack/react-router";
import { useRef, useState } from "react";
import { useMay } from "../api/who";
import { Empty, PageHead } from "../ui/Bits";
import { Icon } from "../ui/icons";
import { type How, INTEGRATIONS, type Where } from "./connect";
import { CheckStep } from "./CheckStep";
import { DoneStep, ReviewStep } from "./LastSteps";
import { HowStep, IntegrationStep, WhereStep } from "./FirstSteps";
import type { Connector } from "./queries";

type Step = "where" | "how" | "check" | "review" | "done";
const STEPS: readonly (readonly [Step, string])[] = [["where", "Where"], ["how", "Proof"], ["check", "Check"], ["review", "Review"], ["done", "Done"]];

export function ConnectPage() {
  const isAdmin = useMay("admin");
  return (
    <>
      <PageHead title="Connect a source" about="its tools become actions that agents can ask for" />
      {isAdmin === false ? (
        <Empty icon="catalog" title="Admins connect sources"><p>A connected source can act for the whole org, so an admin or owner connects it and reviews its tools. What is there already stands in the catalog.</p></Empty>
      ) : (
        <Wizard />
      )}
    </>
  );
}

function Wizard() {
  const asked = useLocation({ select: (at) => at.hash });
  const [integration, setIntegration] = useState<string | null>(INTEGRATIONS.includes(asked) ? asked : null);
  const [step, setStep] = useState<Step>(integration === null ? "where" : "how");
  const [where, setWhere] = useState<Where>({ kind: "mcp", source: "", place: "", base_url: "" });
  const [how, setHow] = useState<How>({ proof: "none", header: "", secret: "" });
  const [made, setMade] = useState<Connector | null>(null);
  const top = useRef<HTMLDivElement>(null);
  const go = (next: Step) => {
    setStep(next);
    // Whoever listens instead of looking hears the next step.
    requestAnimationFrame(() => top.current?.focus());
  };
  const source = integration ?? where.source;
  return (
    <div className="mx-auto w-full max-w-3xl space-y-5 p-4 md:p-6">
      <Progress step={step} isShort={integration !== null} />
      <div ref={top} tabIndex={-1} className="space-y-5 focus:outline-none">
        {step === "where" && <WhereStep where={where} made={made} onChange={setWhere} onIntegration={(name) => { setIntegration(name); go("how"); }} onNext={() => { setHow((now) => (now.secret === "" ? { ...now, secret: `${where.source}-token` } : now)); go("how"); }} />}
        {step === "how" && integration !== null && <IntegrationStep provider={integration} onBack={() => { setIntegration(null); go("where"); }} onNext={() => go("done")} />}
        {step === "how" && integration === null && <HowStep where={where} how={how} onChange={setHow} onBack={() => go("where")} onNext={() => go("check")} />}
        {step === "check" && <CheckStep where={where} how={how} made={made} onMade={setMade} onBack={go} onNext={() => go("review")} />}
        {step === "review" && <ReviewStep source={source} onNext={() => go("done")} />}
        {step === "done" && <DoneStep source={source} />}
      </div>
    </div>
  );
}

function Progress({ step, isShort }: { step: Step; isShort: boolean }) {
  const shown = isShort ? STEPS.filter(([each]) => each === "where" || each === "how" || each === "done") : STEPS;
  const at = shown.findIndex(([each]) => each === step);
  return (
    <ol aria-label="Steps" className="flex items-center gap-1.5 text-xs">
      {shown.map(([each, name], index) => (
        <li key={each} aria-current={index === at ? "step" : undefined} className={`flex min-w-0 flex-1 flex-col gap-1.5 border-t-2 pt-1.5 ${index <= at ? "border-accent" : "border-edge"} ${index === at ? "font-semibold text-ink" : "text-faint"}`}>
          <span className="flex items-center gap-1">{index < at ? <Icon name="check" className="size-3 text-good" /> : `${index + 1}.`} {name}</span>
        </li>
      ))}
    </ol>
  );
}
