// The decision drawn as steps under each other, from what the cascade gave to what came of it.
import type { ReactNode } from "react";
import { inWords } from "../text/reasons";
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
const ICONS: Record<Step["tone"], IconName> = { good: "check", warn: "clock", bad: "close", plain: "more" };

export function Derivation({ steps }: { steps: Step[] }) {
  return (
    <ol aria-label="How it was decided">
      {steps.map((step, index) => <One key={index} step={step} isLast={index === steps.length - 1} />)}
    </ol>
  );
}

function One({ step, isLast }: { step: Step; isLast: boolean }) {
  const title: ReactNode = step.kind === "vote" ? <>A vote of <Line text={step.title} /></> : <Line text={step.title} />;
  return (
    <li className="grid grid-cols-[1.5rem_minmax(0,1fr)] gap-x-3">
      <span className="flex flex-col items-center" aria-hidden="true">
        <span className={`grid size-6 shrink-0 place-items-center rounded-full border-2 bg-card ${RING[step.tone]}`}><Icon name={ICONS[step.tone]} className="size-3" /></span>
        {!isLast && <span className="w-0.5 flex-1 bg-edge" />}
      </span>
      <div className={isLast ? "" : "pb-4"}>
        <p className="flex flex-wrap items-center justify-between gap-x-2">
          <span className={step.kind === "result" ? "font-semibold" : "font-medium"}>{title}</span>
          {step.word !== "" && <Badge tone={step.tone}><Line text={MODES[step.word]?.word ?? step.word.replace("_", " ")} /></Badge>}
        </p>
        {step.reason !== "" && <p className="text-soft wrap-anywhere"><Line text={inWords(step.reason)} /></p>}
        {step.at !== undefined && <p className="text-xs text-faint">{moment(step.at)}</p>}
      </div>
    </li>
  );
}
