// The fields that a fact can name.
import type { SchemaAction } from "../types";

/** Parameters of the actions that `of` names, as paths: `input.amount_cents`. */
export function fieldsOfActions(actions: readonly SchemaAction[], of: readonly string[]): string[] {
  const isNamed = ({ address, groups }: SchemaAction) =>
    of.some((each) =>
      each.endsWith(".*") ? groups.includes(`source:${each.slice(0, -2)}`) : each === address || groups.includes(each),
    );
  const found = actions.filter(isNamed).flatMap(({ input }) => input.map(({ path }) => `input.${path}`));
  return [...new Set(found)].sort();
}
