// Names and filters that a template can use, and the names that a text uses.
import type { Name, NameGroup, Names } from "../form/insert";
import { AGENT_TASK, type Fields, inputs, onFailure, plan } from "./definition";

/** A step of the plan or of the on-failure steps. */
export interface Place {
  list: "plan" | "on_failure";
  index: number;
}

const RUN: Name[] = [
  { write: "run.id", about: "ID of the run" },
  { write: "run.started_at", about: "start time" },
  { write: "run.automation_name", about: "name of the automation" },
  { write: "run.automation_id", about: "ID of the automation" },
  { write: "run.automation_version", about: "version" },
  { write: "run.trigger_type", about: "schedule, webhook, event or person" },
  { write: "run.trigger_id", about: "ID of the trigger" },
  { write: "run.space", about: "space" },
  { write: "run.creator", about: "creator of the automation" },
  { write: "run.attempt", about: "attempt number of the step" },
];

const FAILURE: Name[] = [
  { write: "run.failed_step_id", about: "failed step" },
  { write: "run.error.class", about: "error class" },
  { write: "run.error.message", about: "error message" },
];

const FILTERS: Name[] = [
  { write: "default('none')", about: "value when empty" },
  { write: "length", about: "number of items" },
  { write: "truncate(80)", about: "shorten to a number of characters" },
  { write: "date('%Y-%m-%d')", about: "format a time" },
  { write: "join(', ')", about: "join a list" },
  { write: "first", about: "first item" },
  { write: "last", about: "last item" },
  { write: "sort", about: "sorted" },
  { write: "reverse", about: "reversed" },
  { write: "lower", about: "lowercase" },
  { write: "upper", about: "uppercase" },
  { write: "trim", about: "without surrounding spaces" },
  { write: "replace('a', 'b')", about: "replace text" },
  { write: "slugify", about: "URL slug" },
  { write: "tojson", about: "as JSON" },
  { write: "int", about: "integer" },
  { write: "float", about: "number" },
  { write: "round", about: "rounded" },
  { write: "abs", about: "absolute value" },
];

export function namesAt(definition: Fields, place: Place): Names {
  const [steps, late] = [plan(definition), onFailure(definition)];
  const before = place.list === "plan" ? steps.slice(0, place.index) : [...steps, ...late.slice(0, place.index)];
  const groups: NameGroup[] = [
    {
      title: "Inputs",
      names: inputs(definition).map(({ name, type }) => ({ write: member("inputs", name), about: type })),
    },
    {
      title: "Outputs of earlier steps",
      names: before
        .filter((step) => step.output_as !== "")
        .map(({ output_as, action }) => ({
          write: output_as,
          about: action === AGENT_TASK ? "answer of the model" : `output of ${action}`,
        })),
    },
    { title: "This run", names: place.list === "plan" ? RUN : [...FAILURE, ...RUN] },
  ];
  return { groups: groups.filter((group) => group.names.length > 0), filters: FILTERS };
}

function member(object: string, name: string): string {
  return /^[A-Za-z_]\w*$/.test(name) ? `${object}.${name}` : `${object}[${JSON.stringify(name)}]`;
}

/** The names that the templates in a value use: inputs one by one, outputs as a whole. */
export function used(value: unknown, results: readonly string[]): string[] {
  const found = new Set<string>();
  const walk = (each: unknown): void => {
    if (typeof each === "string") {
      const expressions =
        each
          .replace(/\{%-?\s*raw\s*-?%\}[\s\S]*?\{%-?\s*endraw\s*-?%\}/g, "")
          .match(/\{\{[\s\S]*?\}\}|\{%[\s\S]*?%\}/g) ?? [];
      for (const expression of expressions) {
        const bare = expression.replace(/"[^"]*"|'[^']*'/g, "''");
        for (const [, name] of bare.matchAll(/(?<![\w.])(inputs\.\w+|[a-z]\w*)/g)) {
          if (name !== undefined && (name.startsWith("inputs.") || results.includes(name))) found.add(name);
        }
      }
    } else if (typeof each === "object" && each !== null) Object.values(each).forEach(walk);
  };
  walk(value);
  return [...found];
}
