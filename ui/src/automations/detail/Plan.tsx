// The steps of a plan, with parameters, inputs, outputs and the policy decision.
import { Link } from "@tanstack/react-router";
import type { ReactNode } from "react";
import { Value } from "../../text/Params";
import { rows } from "../../text/rows";
import { Line } from "../../text/Visible";
import { Badge, type Tone } from "../../ui/Bits";
import type { Step } from "../definition";
import { describeStep } from "../describe";
import { used } from "../names";
import type { Outlook } from "../queries";
import { TemplateText } from "../TemplateText";

interface Props {
  steps: readonly Step[];
  /** Earlier steps whose outputs these can use. */
  before?: readonly Step[];
  outlooks: readonly Outlook[];
  name: string;
}

export function Plan({ steps, before = [], outlooks, name }: Props) {
  const results = [...before, ...steps].flatMap((step) => (step.output_as === "" ? [] : [step.output_as]));
  return (
    <ol aria-label={name}>
      {steps.map((step, index) => (
        <li key={index} className="relative flex gap-4 pb-4 last:pb-0">
          {index < steps.length - 1 && (
            <span className="absolute top-8 bottom-0 left-3.5 w-px bg-strong" aria-hidden="true" />
          )}
          <span
            className={`flex size-7 shrink-0 items-center justify-center rounded-full bg-accent-wash text-xs
              font-semibold text-accent`}
            aria-hidden="true"
          >
            {index + 1}
          </span>
          <Card
            step={step}
            outlook={outlooks.find((each) => each.step_id === step.step_id)}
            takes={used([step.config, step.when], results)}
          />
        </li>
      ))}
    </ol>
  );
}

/** An action leads to its source; another kind of step has none. */
function ActionName({ action }: { action: string }) {
  const [source = "", name] = action.split(".");
  const style = "ml-2.5 font-mono text-[0.8125rem] font-normal";
  if (name === undefined)
    return (
      <span className={`${style} text-faint`}>
        <Line text={action} />
      </span>
    );
  return (
    <Link to="/catalog/$source" params={{ source }} className={`${style} text-accent hover:underline`}>
      <Line text={action} />
    </Link>
  );
}

function Card({ step, outlook, takes }: { step: Step; outlook: Outlook | undefined; takes: string[] }) {
  const model = describeStep(step);
  const values = rows(step.config).filter((row) => row.path !== "");
  return (
    <div className="min-w-0 flex-1 overflow-hidden rounded-xl border border-edge bg-card">
      <div className="flex flex-wrap items-center gap-x-2.5 gap-y-1 px-4 py-3">
        <h3 className="min-w-0 font-semibold wrap-anywhere">
          <Line text={step.step_id} />
          <ActionName action={step.action} />
        </h3>
        {outlook !== undefined && (
          <span className="ml-auto">
            <OutlookBadge mode={outlook.mode} />
          </span>
        )}
      </div>
      {model !== null && (
        <Note name="Model">
          <Line text={model} />
        </Note>
      )}
      {step.when !== "" && (
        <Note name="Condition">
          <TemplateText text={step.when} />
        </Note>
      )}
      {values.length > 0 && (
        <dl className="border-t border-edge px-4 py-2.5">
          {values.map((row) => (
            <div key={row.path} className="grid gap-x-4 py-0.5 sm:grid-cols-[8rem_minmax(0,1fr)]">
              <dt className="wrap-anywhere font-mono text-[0.8125rem] text-faint">
                <Line text={row.path} />
              </dt>
              <dd className="min-w-0">
                {row.type === "text" ? <TemplateText text={row.value} /> : <Value row={row} />}
              </dd>
            </div>
          ))}
        </dl>
      )}
      {takes.length > 0 && (
        <Note name="Uses">
          {takes.map((each) => (
            <Tag key={each} name={each} />
          ))}
        </Note>
      )}
      {step.output_as !== "" && (
        <Note name="Output">
          <Tag name={step.output_as} />
        </Note>
      )}
      {outlook !== undefined && outlook.mode !== "allow" && (
        <Note name="Reason">
          <Line text={outlook.reason} />
        </Note>
      )}
    </div>
  );
}

const MODES: Record<string, [Tone, string]> = {
  allow: ["good", "allowed"],
  require_approval: ["warn", "needs approval"],
  deny: ["bad", "denied"],
};

export function OutlookBadge({ mode }: { mode: string }) {
  const [tone, label] = MODES[mode] ?? ["plain", mode];
  return <Badge tone={tone}>{label}</Badge>;
}

function Note({ name, children }: { name: string; children: ReactNode }) {
  return (
    <div className="grid gap-x-4 border-t border-edge px-4 py-2 sm:grid-cols-[8rem_minmax(0,1fr)]">
      <span className="text-faint">{name}</span>
      <span className="flex min-w-0 flex-wrap gap-1.5 text-soft">{children}</span>
    </div>
  );
}

function Tag({ name }: { name: string }) {
  return (
    <code className="rounded-md bg-sunk px-1.5 font-mono text-[0.8125rem] text-soft">
      <Line text={name} />
    </code>
  );
}
