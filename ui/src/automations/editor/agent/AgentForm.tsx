// The form of a step that a model performs.
import { useMemo } from "react";
import type { Names } from "../../../form/insert";
import { at, below, type DocumentProblem, problemText } from "../../../form/problems";
import { TemplateInput } from "../../../form/TemplateInput";
import { FieldErrors } from "../../../form/templates";
import { useJsonText } from "../../../form/useJsonText";
import { number } from "../../../text/number";
import { type Fields, fields, put, text } from "../../definition";
import type { Action } from "../../queries";
import { Labelled } from "../Cards";
import { goalNames, USUAL } from "./agent";
import { ContextField } from "./ContextField";
import { ModelChoice } from "./ModelChoice";
import { NumberInput } from "./NumberInput";
import { ToolsField } from "./ToolsField";

interface Props {
  id: string;
  step: Fields;
  /** JSON pointer to the step. */
  pointer: string;
  problems: readonly DocumentProblem[];
  names: Names;
  actions: readonly Action[];
  onStep: (step: Fields) => void;
}

export function AgentForm({ id, step, pointer, problems, names, actions, onStep }: Props) {
  const config = fields(step.config);
  const change = (next: Fields) => onStep({ ...step, config: next });
  const set = (name: string) => (value: unknown) => change(put(config, name, value));
  const messages = (name: string) => below(problems, `${pointer}/config/${name}`).map(problemText);
  const factNames = useMemo(() => goalNames(names), [names]);
  return (
    <div className="space-y-4">
      <FieldErrors messages={at(problems, `${pointer}/config`)} />
      <Labelled
        id={`${id}-goal`}
        name="Goal"
        about="What the model has to do. Put data into the context: templates here can use run.* only."
      >
        <TemplateInput
          id={`${id}-goal`}
          value={text(config.goal)}
          names={factNames}
          label="Goal"
          isLong
          isInvalid={messages("goal").length > 0}
          onChange={(goal) => set("goal")(goal === "" ? undefined : goal)}
        />
        <FieldErrors messages={messages("goal")} />
      </Labelled>
      <ContextField
        id={`${id}-context`}
        value={config.context}
        names={names}
        messages={messages("context")}
        onChange={set("context")}
      />
      <ToolsField
        value={config.tools}
        actions={actions}
        pointer={`${pointer}/config/tools`}
        problems={problems}
        onChange={(tools) => set("tools")(tools.length === 0 ? undefined : tools)}
      />
      <ModelChoice id={id} config={config} messages={messages} onConfig={change} />
      <Bounds id={id} config={config} messages={messages} onConfig={change} />
      <OutputSchema
        id={`${id}-output-schema`}
        value={step.output_schema}
        messages={below(problems, `${pointer}/output_schema`).map(problemText)}
        onChange={(schema) => onStep(put(step, "output_schema", schema))}
      />
    </div>
  );
}

interface BoundsProps {
  id: string;
  config: Fields;
  messages: (name: string) => string[];
  onConfig: (config: Fields) => void;
}

function Bounds({ id, config, messages, onConfig }: BoundsProps) {
  const isUnlimited = config.budget_usd === null;
  const field = (name: keyof typeof USUAL) => ({
    id: `${id}-${name}`,
    value: config[name],
    usual: `${number(USUAL[name])} (default)`,
    isInvalid: messages(name).length > 0,
    onChange: (value: unknown) => onConfig(put(config, name, value)),
  });
  return (
    <div className="grid gap-4 sm:grid-cols-3">
      <Labelled id={`${id}-max_turns`} name="Max turns" about="Replies of the model: 1 to 50.">
        <NumberInput {...field("max_turns")} />
        <FieldErrors messages={messages("max_turns")} />
      </Labelled>
      <Labelled
        id={`${id}-max_output_tokens`}
        name="Max output tokens"
        about={`Of one reply: 64 to ${number(16_000)}.`}
      >
        <NumberInput {...field("max_output_tokens")} />
        <FieldErrors messages={messages("max_output_tokens")} />
      </Labelled>
      <div className="min-w-0 space-y-1">
        <Labelled id={`${id}-budget_usd`} name="Budget in USD">
          <NumberInput {...field("budget_usd")} {...(isUnlimited && { usual: "no limit" })} disabled={isUnlimited} />
          <FieldErrors messages={messages("budget_usd")} />
        </Labelled>
        <label className="flex items-center gap-2 text-xs text-soft">
          <input
            type="checkbox"
            className="size-4 accent-accent"
            checked={isUnlimited}
            onChange={(event) => onConfig(put(config, "budget_usd", event.target.checked ? null : undefined))}
          />
          No limit for this step
        </label>
      </div>
    </div>
  );
}

interface SchemaProps {
  id: string;
  value: unknown;
  messages: string[];
  onChange: (schema: unknown) => void;
}

function OutputSchema({ id, value, messages, onChange }: SchemaProps) {
  const { text: typed, error, change } = useJsonText(value ?? undefined, onChange);
  const isInvalid = error !== null || messages.length > 0;
  return (
    <Labelled
      id={id}
      name="Output schema"
      about="JSON Schema that the answer must fit. Without a schema, the answer is text."
    >
      <textarea
        id={id}
        rows={2}
        className={`input field-sizing-content max-h-80 resize-none !font-mono !text-[0.8125rem]
          ${isInvalid ? "!border-bad" : ""}`}
        spellCheck={false}
        placeholder='{ "type": "object", "properties": { … } }'
        value={typed}
        aria-invalid={isInvalid || undefined}
        onChange={(event) => change(event.target.value)}
      />
      <FieldErrors messages={error === null ? messages : [error, ...messages]} />
    </Labelled>
  );
}
