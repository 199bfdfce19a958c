// The steps as cards: action or model, parameters, condition, output name and limits.
import { useMemo, useState } from "react";
import { at, below, errorsOf } from "../../form/problems";
import { SchemaForm } from "../../form/SchemaForm";
import { TemplateInput } from "../../form/TemplateInput";
import { FieldErrors } from "../../form/templates";
import { Line } from "../../text/Visible";
import { plain } from "../../text/visible";
import { Badge } from "../../ui/Bits";
import { Button } from "../../ui/Button";
import { AGENT_TASK, type Fields, fields, list, move, put, putAt, steps as stepsOf, text } from "../definition";
import { OutlookBadge } from "../detail/Plan";
import { namesAt, type Place } from "../names";
import { ActionChooser } from "./ActionChooser";
import { AgentForm } from "./agent/AgentForm";
import { AGENT_OPTION, withAction } from "./agent/agent";
import { Card, Labelled } from "./Cards";
import { stepName } from "./document";
import type { Editing } from "./FormSide";

interface Props extends Editing {
  place: Place["list"];
  steps: unknown;
  usedNames: readonly string[];
  onSteps: (steps: unknown[]) => void;
}

const MAX_STEPS = { plan: 50, on_failure: 5 };
/** With more steps, each is collapsed at first. */
const FEW = 6;

export function Steps({ steps, place, usedNames, onSteps, ...editing }: Props) {
  const all = list(steps).map(fields);
  const names = [...usedNames, ...stepsOf(steps).map((step) => step.step_id)];
  return (
    <div className="space-y-3">
      {all.map((step, index) => (
        <Step
          key={index}
          {...editing}
          place={{ list: place, index }}
          step={step}
          names={names}
          isLast={index === all.length - 1}
          isFew={all.length <= FEW}
          onStep={(next) => onSteps(putAt(all, index, next))}
          onMove={(by) => onSteps(move(all, index, by))}
        />
      ))}
      {all.length < MAX_STEPS[place] && (
        <div className="rounded-xl border border-dashed border-strong p-3">
          <p className="mb-2 text-xs text-faint">{all.length > 0 ? "Next step" : "First step"}</p>
          <ActionChooser
            value=""
            actions={[AGENT_OPTION, ...editing.actions]}
            onChoose={(action) => onSteps([...all, { step_id: stepName(action, names), action, config: {} }])}
          />
        </div>
      )}
    </div>
  );
}

interface StepProps extends Editing {
  place: Place;
  step: Fields;
  names: readonly string[];
  isLast: boolean;
  isFew: boolean;
  onStep: (step: Fields | undefined) => void;
  onMove: (by: -1 | 1) => void;
}

function Step({
  place,
  step,
  names: usedNames,
  isLast,
  isFew,
  onStep,
  onMove,
  definition,
  problems,
  outlooks,
  actions,
  schema,
}: StepProps) {
  const pointer = `${place.list === "plan" ? "/plan" : "/execution/on_failure"}/${place.index}`;
  const id = `${place.list}-${place.index}`;
  const [stepId, action] = [text(step.step_id), text(step.action)];
  const [isOpen, setOpen] = useState(isFew || Object.keys(fields(step.config)).length === 0);
  const problemCount = below(problems, pointer).length;
  const options = useMemo(() => [AGENT_OPTION, ...actions], [actions]);
  const known = actions.find((each) => each.action === action);
  const isAgent = action === AGENT_TASK;
  const outlook = outlooks.find((each) => each.step_id === stepId);
  const names = useMemo(
    () => namesAt(definition, { list: place.list, index: place.index }),
    [definition, place.list, place.index],
  );
  const set = (name: string) => (value: unknown) => onStep(put(step, name, value === "" ? undefined : value));
  const choose = (next: string) =>
    onStep({ ...withAction(step, next), ...(stepId === "" ? { step_id: stepName(next, usedNames) } : {}) });
  const rename = stepId === "" ? "this step" : plain(stepId);
  const head = (
    <>
      <span className="flex min-w-0 flex-1 items-center gap-2">
        <span
          className={`flex size-6 items-center justify-center shrink-0 rounded-full bg-accent-wash text-xs font-semibold
            text-accent`}
          aria-hidden="true"
        >
          {place.index + 1}
        </span>
        <input
          className={`input min-w-0 flex-1 !border-transparent !bg-transparent !px-1.5 !py-1 font-semibold
            hover:!border-strong focus:!border-strong`}
          aria-label={`Name of step ${place.index + 1}`}
          value={stepId}
          onChange={(event) => onStep({ ...step, step_id: event.target.value })}
        />
      </span>
      {!isOpen && (
        <code className="min-w-0 truncate font-mono text-[0.8125rem] text-faint max-sm:hidden">
          <Line text={action} />
        </code>
      )}
      {!isOpen && problemCount > 0 && (
        <Badge tone="bad">
          {problemCount} {problemCount === 1 ? "problem" : "problems"}
        </Badge>
      )}
      {outlook !== undefined && <OutlookBadge mode={outlook.mode} />}
    </>
  );
  return (
    <Card
      name={rename}
      head={head}
      onRemove={() => onStep(undefined)}
      onMove={onMove}
      isFirst={place.index === 0}
      isLast={isLast}
      isOpen={isOpen}
      onToggle={() => setOpen(!isOpen)}
    >
      <FieldErrors messages={[...at(problems, pointer), ...at(problems, `${pointer}/step_id`)]} />
      {outlook !== undefined && outlook.mode !== "allow" && (
        <p className="rounded-lg bg-warn-wash px-3 py-2 text-warn">
          Step {place.index + 1} {outlook.mode === "deny" ? "would be denied" : "needs approval"}:{" "}
          <Line text={outlook.reason} />
        </p>
      )}
      <div>
        <ActionChooser
          value={action}
          actions={options}
          onChoose={choose}
          isInvalid={at(problems, `${pointer}/action`).length > 0}
        />
        {(known !== undefined || isAgent) && (
          <p className="mt-1 text-xs text-faint">
            <Line text={(known ?? AGENT_OPTION).description} />
          </p>
        )}
        <FieldErrors messages={at(problems, `${pointer}/action`)} />
      </div>
      {isAgent && <AgentForm {...{ id, step, pointer, problems, names, actions, onStep }} />}
      {action !== "" && !isAgent && (
        <SchemaForm
          id={`${id}-config`}
          schema={known?.input_schema ?? FREE}
          value={known === undefined ? { config: fields(step.config) } : fields(step.config)}
          names={names}
          errors={errorsOf(problems, `${pointer}/config`)}
          onChange={(config) => set("config")(known === undefined ? fields(config.config) : config)}
        />
      )}
      <More
        {...{
          id,
          step,
          pointer,
          problems,
          names,
          set,
          bounds: fields(fields(schema.$defs).StepBounds),
          root: schema,
        }}
      />
    </Card>
  );
}

/** Parameters of an unknown action, as JSON. */
const FREE = {
  type: "object",
  properties: {
    config: { description: "Unknown action. Enter its parameters as JSON.", type: "object" },
  },
};

interface MoreProps extends Pick<Editing, "problems"> {
  id: string;
  step: Fields;
  pointer: string;
  names: ReturnType<typeof namesAt>;
  set: (name: string) => (value: unknown) => void;
  bounds: Fields;
  root: Fields;
}

function More({ id, step, pointer, problems, names, set, bounds, root }: MoreProps) {
  const [isWhen, setWhen] = useState(false);
  const [isBounded, setBounded] = useState(false);
  const [hasWhen, hasBounds] = [step.when != null || isWhen, step.bounds != null || isBounded];
  const boundsSchema = useMemo(() => ({ ...bounds, description: undefined, $defs: root.$defs }), [bounds, root]);
  return (
    <div className="space-y-4 border-t border-edge pt-4">
      <div className="grid gap-4 sm:grid-cols-2">
        <Labelled id={`${id}-output`} name="Output name" about="Later steps use the result by this name.">
          <input
            id={`${id}-output`}
            className="input !font-mono !text-[0.8125rem]"
            placeholder="not used later"
            spellCheck={false}
            value={text(step.output_as)}
            onChange={(event) => set("output_as")(event.target.value)}
          />
          <FieldErrors messages={at(problems, `${pointer}/output_as`)} />
        </Labelled>
        {hasWhen && (
          <Labelled
            id={`${id}-when`}
            name="Condition"
            about="The step is skipped when this expression is false, empty or zero."
          >
            <TemplateInput
              id={`${id}-when`}
              value={text(step.when)}
              names={names}
              label="Condition"
              isCode
              onChange={set("when")}
              placeholder="{{ … }}"
              isInvalid={at(problems, `${pointer}/when`).length > 0}
            />
            <FieldErrors messages={at(problems, `${pointer}/when`)} />
          </Labelled>
        )}
      </div>
      {hasBounds && (
        <SchemaForm
          id={`${id}-bounds`}
          isComplete
          schema={boundsSchema}
          value={fields(step.bounds)}
          errors={errorsOf(problems, `${pointer}/bounds`)}
          onChange={(value) => set("bounds")(Object.keys(value).length === 0 ? undefined : value)}
        />
      )}
      {step.action !== AGENT_TASK && <FieldErrors messages={at(problems, `${pointer}/output_schema`)} />}
      <div className="-ml-2 flex flex-wrap gap-1">
        {!hasWhen && (
          <Button variant="quiet" className="!px-2" onClick={() => setWhen(true)}>
            + Condition
          </Button>
        )}
        {!hasBounds && (
          <Button variant="quiet" className="!px-2" onClick={() => setBounded(true)}>
            + Limits
          </Button>
        )}
      </div>
    </div>
  );
}
