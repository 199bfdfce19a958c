// The definition as a form.
import { useMemo } from "react";
import { type DocumentProblem, errorsOf } from "../../form/problems";
import { SchemaForm } from "../../form/SchemaForm";
import { type Fields, fields, onFailure, plan, put } from "../definition";
import type { Action, Outlook, Schedule } from "../queries";
import { Part } from "./Cards";
import { Inputs } from "./Inputs";
import { Steps } from "./Steps";
import { Triggers } from "./Triggers";

export interface Editing {
  definition: Fields;
  problems: readonly DocumentProblem[];
  outlooks: readonly Outlook[];
  schedules: readonly Schedule[];
  actions: readonly Action[];
  /** The JSON Schema of definitions from the gateway. */
  schema: Fields;
}

export function FormSide({ onChange, ...editing }: Editing & { onChange: (definition: Fields) => void }) {
  const { definition, problems, schema } = editing;
  const set = (name: string) => (value: unknown) => onChange(put(definition, name, value));
  const execution = fields(definition.execution);
  const setExecution = (next: Fields) => set("execution")(Object.keys(next).length === 0 ? undefined : next);
  const ids = (steps: { step_id: string }[]) => steps.map((step) => step.step_id);
  const { about, bounds } = useMemo(() => parts(schema), [schema]);
  const first = { name: definition.name, goal: definition.goal, tags: fields(definition.metadata).tags };
  const errors = {
    ...errorsOf(
      problems.filter((each) => /^\/(name|goal)/.test(each.pointer)),
      "",
    ),
    ...errorsOf(problems, "/metadata"),
  };
  return (
    <div className="space-y-8">
      <Part title="General">
        <SchemaForm
          id="about"
          isComplete
          schema={about}
          value={first}
          errors={errors}
          onChange={({ name, goal, tags }) => {
            const metadata = put(fields(definition.metadata), "tags", tags);
            onChange(
              put(
                put({ ...definition, name: name ?? "" }, "goal", goal),
                "metadata",
                Object.keys(metadata).length === 0 ? undefined : metadata,
              ),
            );
          }}
        />
      </Part>
      <Part title="Triggers" about="Manual runs are always possible.">
        <Triggers {...editing} onTriggers={(next) => set("triggers")(next)} />
      </Part>
      <Part title="Inputs" about="Steps use these as inputs.name.">
        <Inputs {...editing} onInputs={set("inputs")} />
      </Part>
      <Part title="Steps" about="Steps run in order. Policy decides about each one.">
        <Steps
          {...editing}
          place="plan"
          steps={definition.plan}
          usedNames={ids(onFailure(definition))}
          onSteps={set("plan")}
        />
      </Part>
      <Part title="On failure" about="These steps run once when a run fails.">
        <Steps
          {...editing}
          place="on_failure"
          steps={execution.on_failure}
          usedNames={ids(plan(definition))}
          onSteps={(next) => setExecution(put(execution, "on_failure", next.length === 0 ? undefined : next))}
        />
      </Part>
      <Part title="Limits">
        <div className="rounded-xl border border-edge bg-card p-4">
          <SchemaForm
            id="bounds"
            isComplete
            schema={bounds}
            value={put(execution, "on_failure", undefined)}
            errors={errorsOf(problems, "/execution")}
            onChange={(next) => setExecution(put(next, "on_failure", execution.on_failure))}
          />
        </div>
      </Part>
    </div>
  );
}

function parts(schema: Fields): { about: Fields; bounds: Fields } {
  const { $defs, properties } = { $defs: fields(schema.$defs), properties: fields(schema.properties) };
  const { name, goal } = properties;
  const { tags } = fields(fields($defs.Metadata).properties);
  const execution = fields($defs.Execution);
  return {
    about: {
      type: "object",
      required: ["name"],
      properties: { name, goal, tags: { ...fields(tags), description: "Keywords to find the automation." } },
      $defs,
    },
    bounds: { ...execution, properties: put(fields(execution.properties), "on_failure", undefined), $defs },
  };
}
