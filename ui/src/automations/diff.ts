// The differences of two definitions, value by value. Steps are matched by name, so that a moved step is not a changed
// one.
import { rows, type ValueRow } from "../text/rows";
import { type Fields, fields, list, text } from "./definition";

export interface Difference {
  path: string;
  before: ValueRow | null;
  after: ValueRow | null;
}

export function differences(before: Fields, after: Fields): Difference[] {
  const [old, young] = [byPath(before), byPath(after)];
  const paths = [...young.keys(), ...[...old.keys()].filter((path) => !young.has(path))];
  const found: Difference[] = [];
  for (const path of paths) {
    const [a, b] = [old.get(path) ?? null, young.get(path) ?? null];
    if (a?.value !== b?.value || a?.type !== b?.type) found.push({ path, before: a, after: b });
  }
  return found;
}

function byPath(definition: Fields): Map<string, ValueRow> {
  const execution = fields(definition.execution);
  const named: Fields = {
    ...definition,
    plan: byName(definition.plan),
    ...(definition.execution === undefined
      ? {}
      : {
          execution: {
            ...execution,
            ...(execution.on_failure === undefined ? {} : { on_failure: byName(execution.on_failure) }),
          },
        }),
  };
  return new Map(rows(named).map((row) => [row.path, row]));
}

/** The steps by name, and their order. */
function byName(steps: unknown): Fields {
  const all = list(steps).map(fields);
  const names = all.map((step, index) => text(step.step_id) || `step ${index + 1}`);
  if (new Set(names).size < names.length)
    return Object.fromEntries(all.map((step, index) => [`step ${index + 1}`, step]));
  return { ...Object.fromEntries(all.map((step, index) => [names[index] ?? "", step])), order: names.join(", ") };
}
