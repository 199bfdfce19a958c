// Connects a source in steps: server, authentication, check, review.
import { useQuery } from "@tanstack/react-query";
import { useLocation } from "@tanstack/react-router";
import { useRef, useState } from "react";
import { useMay } from "../../api/permissions";
import { Empty, Loading, PageHead, ProblemCard } from "../../ui/Bits";
import { Icon } from "../../ui/icons";
import { type Connector, type Integration, integrations } from "../queries";
import { CheckStep } from "./CheckStep";
import type { Authentication, ServerAddress } from "./connect";
import { DoneStep, ReviewStep } from "./ReviewSteps";
import { AddressStep, AuthenticationStep, IntegrationStep } from "./SetupSteps";

type Step = "address" | "authentication" | "check" | "review" | "done";
const STEPS: readonly (readonly [Step, string])[] = [
  ["address", "Server"],
  ["authentication", "Authentication"],
  ["check", "Check"],
  ["review", "Review"],
  ["done", "Done"],
];

export function ConnectPage() {
  const isAdmin = useMay("admin");
  return (
    <>
      <PageHead title="Connect a source" about="Its tools become actions that agents can use" />
      {isAdmin === false ? (
        <Empty icon="catalog" title="Only admins can connect sources">
          <p>
            A connected source acts for the whole organization, so an admin or owner connects it and reviews its tools.
          </p>
        </Empty>
      ) : (
        <WhenKnown />
      )}
    </>
  );
}

function WhenKnown() {
  const { data, error } = useQuery(integrations);
  if (error !== null) return <ProblemCard error={error} />;
  return data === undefined ? <Loading what="integrations" /> : <Wizard known={data.items} />;
}

function Wizard({ known }: { known: Integration[] }) {
  const hash = useLocation({ select: (at) => at.hash });
  const [integration, setIntegration] = useState(known.find((each) => each.source === hash) ?? null);
  const [step, setStep] = useState<Step>(integration === null ? "address" : "authentication");
  const [address, setAddress] = useState<ServerAddress>({ kind: "mcp", source: "", place: "", base_url: "" });
  const [authentication, setAuthentication] = useState<Authentication>({ method: "none", header: "", secret: "" });
  const [connector, setConnector] = useState<Connector | null>(null);
  const top = useRef<HTMLDivElement>(null);
  const go = (next: Step) => {
    setStep(next);
    // Screen readers announce the next step.
    requestAnimationFrame(() => top.current?.focus());
  };
  const source = integration?.source ?? address.source;
  return (
    <div className="mx-auto w-full max-w-3xl space-y-5 p-4 md:p-6">
      <Progress step={step} isShort={integration !== null} />
      <div ref={top} tabIndex={-1} className="space-y-5 focus:outline-none">
        {step === "address" && (
          <AddressStep
            integrations={known}
            address={address}
            connector={connector}
            onChange={setAddress}
            onIntegration={(chosen) => {
              setIntegration(chosen);
              go("authentication");
            }}
            onNext={() => {
              setAuthentication((now) => (now.secret === "" ? { ...now, secret: `${address.source}-token` } : now));
              go("authentication");
            }}
          />
        )}
        {step === "authentication" && integration !== null && (
          <IntegrationStep
            integration={integration}
            onBack={() => {
              setIntegration(null);
              go("address");
            }}
            onNext={() => go("done")}
          />
        )}
        {step === "authentication" && integration === null && (
          <AuthenticationStep
            address={address}
            authentication={authentication}
            onChange={setAuthentication}
            onBack={() => go("address")}
            onNext={() => go("check")}
          />
        )}
        {step === "check" && (
          <CheckStep
            address={address}
            authentication={authentication}
            connector={connector}
            onConnected={setConnector}
            onBack={go}
            onNext={() => go("review")}
          />
        )}
        {step === "review" && <ReviewStep source={source} onNext={() => go("done")} />}
        {step === "done" && <DoneStep source={source} />}
      </div>
    </div>
  );
}

function Progress({ step, isShort }: { step: Step; isShort: boolean }) {
  const shown = isShort
    ? STEPS.filter(([each]) => each === "address" || each === "authentication" || each === "done")
    : STEPS;
  const at = shown.findIndex(([each]) => each === step);
  return (
    <ol aria-label="Steps" className="flex items-center gap-1.5 text-xs">
      {shown.map(([each, name], index) => (
        <li
          key={each}
          aria-current={index === at ? "step" : undefined}
          className={`flex min-w-0 flex-1 flex-col gap-1.5 border-t-2 pt-1.5 aria-[current]:max-sm:flex-none
            ${index <= at ? "border-accent" : "border-edge"} ${index === at ? "font-semibold text-ink" : "text-faint"}`}
        >
          <span className="flex items-center gap-1">
            {index < at ? <Icon name="check" className="size-3 text-good" /> : `${index + 1}.`}{" "}
            <span className={index === at ? "" : "max-sm:sr-only"}>{name}</span>
          </span>
        </li>
      ))}
    </ol>
  );
}
