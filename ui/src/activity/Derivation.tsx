// The decision as a list of steps, from the policy to the result.
import type { ReactNode } from "react";
import { moment } from "../text/time";
import { Line } from "../text/Visible";
import { Badge } from "../ui/Bits";
import { Icon, type IconName } from "../ui/icons";
import { MODES } from "../ui/Mode";
import type { Step } from "./derivation";

const RING: Record<Step["tone"], string> = {
  good: "border-good text-good",
  warn: "border-warn text-warn",
  bad: "border-bad text-bad",
  plain: "border-strong text-faint",
};
const GATES: Record<string, string> = { pass: "passed", quarantine: "quarantined" };
const ICONS: Record<Step["tone"], IconName> = { good: "check", warn: "clock", bad: "close", plain: "more" };

export function Derivation({ steps }: { steps: Step[] }) {
  return (
    <ol aria-label="Decision">
      {steps.map((step, index) => (
        <StepRow key={index} step={step} isLast={index === steps.length - 1} />
      ))}
    </ol>
  );
}

function StepRow({ step, isLast }: { step: Step; isLast: boolean }) {
  const title: ReactNode =
    step.kind === "vote" ? (
      <>
        Vote by <Line text={step.title} />
      </>
    ) : (
      <Line text={step.title} />
    );
  return (
    <li className="grid grid-cols-[1.5rem_minmax(0,1fr)] gap-x-3">
      <span className="flex flex-col items-center" aria-hidden="true">
        <span className={`grid size-6 shrink-0 place-items-center rounded-full border-2 bg-card ${RING[step.tone]}`}>
          <Icon name={ICONS[step.tone]} className="size-3" />
        </span>
        {!isLast && <span className="w-0.5 flex-1 bg-edge" />}
      </span>
      <div className={isLast ? "" : "pb-4"}>
        <p className="flex flex-wrap items-center justify-between gap-x-2">
          <span className={step.kind === "result" ? "font-semibold" : "font-medium"}>{title}</span>
          {step.verdict !== "" && (
            <Badge tone={step.tone}>
              <Line text={MODES[step.verdict]?.label ?? GATES[step.verdict] ?? step.verdict.replace("_", " ")} />
            </Badge>
          )}
        </p>
        {step.reason !== "" && (
          <p className="text-soft wrap-anywhere">
            <Line text={step.reason} />
          </p>
        )}
        {step.at !== undefined && (
          <p className="text-xs text-faint">
            {moment(step.at)}
            {step.signIn && (
              <>
                {" · "}
                <Line text={step.signIn} />
              </>
            )}
          </p>
        )}
      </div>
    </li>
  );
}
