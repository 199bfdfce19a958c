// Which names a template may use at a place of a definition, the filters there are, and which names a text uses.
import type { Name, NameGroup, Names } from "../form/insert";
import { type Fields, inputs, onFailure, plan } from "./definition";

/** A step of the plan, or one of those that are done on a failure. */
export interface Place {
  list: "plan" | "on_failure";
  index: number;
}

const RUN: Name[] = [
  { write: "run.id", about: "the run's id" },
  { write: "run.started_at", about: "when it started" },
  { write: "run.automation_name", about: "the automation's name" },
  { write: "run.automation_id", about: "the automation's id" },
  { write: "run.automation_version", about: "which version runs" },
  { write: "run.trigger_type", about: "schedule, webhook, event or person" },
  { write: "run.trigger_id", about: "the trigger's id" },
  { write: "run.space", about: "the space it works in" },
  { write: "run.creator", about: "who answers for it" },
  { write: "run.attempt", about: "which try of the step" },
];

const FAILURE: Name[] = [
  { write: "run.failed_step_id", about: "the step that failed" },
  { write: "run.error.class", about: "what kind of failure" },
  { write: "run.error.message", about: "the failure in words" },
];

export const FILTERS: Name[] = [
  { write: "default('none')", about: "instead of nothing" },
  { write: "length", about: "how many" },
  { write: "truncate(80)", about: "at most so many characters" },
  { write: "date('%Y-%m-%d')", about: "a time as text" },
  { write: "join(', ')", about: "a list as one text" },
  { write: "first", about: "the first of a list" },
  { write: "last", about: "the last of a list" },
  { write: "sort", about: "in order" },
  { write: "reverse", about: "backwards" },
  { write: "lower", about: "in small letters" },
  { write: "upper", about: "in capitals" },
  { write: "trim", about: "without blanks around it" },
  { write: "replace('a', 'b')", about: "one text for another" },
  { write: "slugify", about: "for an address" },
  { write: "tojson", about: "as JSON" },
  { write: "int", about: "as a whole number" },
  { write: "float", about: "as a number" },
  { write: "round", about: "rounded" },
  { write: "abs", about: "without its sign" },
];

export function namesAt(definition: Fields, place: Place): Names {
  const [steps, late] = [plan(definition), onFailure(definition)];
  const before = place.list === "plan" ? steps.slice(0, place.index) : [...steps, ...late.slice(0, place.index)];
  const groups: NameGroup[] = [
    { title: "Inputs", names: inputs(definition).map(({ name, type }) => ({ write: member("inputs", name), about: type })) },
    { title: "Results of steps before", names: before.filter((step) => step.output_as !== "").map((step) => ({ write: step.output_as, about: `what ${step.action} gave` })) },
    { title: "This run", names: place.list === "plan" ? RUN : [...FAILURE, ...RUN] },
  ];
  return { groups: groups.filter((group) => group.names.length > 0), filters: FILTERS };
}

function member(object: string, name: string): string {
  return /^[A-Za-z_]\w*$/.test(name) ? `${object}.${name}` : `${object}[${JSON.stringify(name)}]`;
}

/** The names that the templates in a value use, of those that may be used: inputs one by one, results as a whole. */
export function used(value: unknown, results: readonly string[]): string[] {
  const found = new Set<string>();
  const walk = (each: unknown): void => {
    if (typeof each === "string") {
      const expressions = each.replace(/\{%-?\s*raw\s*-?%\}[^]*?\{%-?\s*endraw\s*-?%\}/g, "").match(/\{\{[^]*?\}\}|\{%[^]*?%\}/g) ?? [];
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
