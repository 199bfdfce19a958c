// What a proposed change would have done: the change that a backtest tries, and what a solver compares, read from the
// recorded states before and after it.
import type { Schemas } from "../../api/client";
import { type Json, parse } from "../../api/json";
import { isFields } from "../../text/rows";
import type { Change, ComparisonRequest, FactDefinition } from "../types";

type ProposedPart = Pick<Schemas["ProposedPart"], "change" | "subject" | "name"> & {
  before?: unknown;
  after?: unknown;
};

export interface Tests {
  backtest: Change;
  /** Null where a solver has nothing to compare. */
  compare: ComparisonRequest | null;
}

/** Null for a change whose effect on past calls cannot be computed. */
export function testsOf({ change, subject, name, before, after }: ProposedPart): Tests | null {
  switch (change) {
    case "policy.set": {
      if (!isFields(after) || typeof after.text !== "string") return null;
      // An observing policy decides nothing.
      if (after.state === "observing") return withoutPolicy(name);
      return { backtest: { policies: [{ text: after.text }] }, compare: { text: after.text } };
    }
    case "policy.removed":
      return withoutPolicy(name);
    case "rule.set": {
      const rule = ruleOf(after);
      return rule === null ? null : { backtest: { rule }, compare: null };
    }
    case "rule.removed":
      return { backtest: { remove_rule: subject }, compare: null };
    case "fact.set":
      return isFields(after) ? { backtest: { facts: [after as unknown as FactDefinition] }, compare: null } : null;
    case "space.changed": {
      if (!isFields(before) || !isFields(after) || typeof after.risk_band !== "string") return null;
      if (after.risk_band === before.risk_band) return null;
      return { backtest: { band: { space: subject, band: after.risk_band } }, compare: null };
    }
    default:
      return null;
  }
}

const withoutPolicy = (name: string): Tests => ({
  backtest: { remove: [name] },
  compare: { text: "", remove: name },
});

/** Its condition was recorded as JSON text. */
function ruleOf(state: unknown): NonNullable<Change["rule"]> | null {
  if (!isFields(state) || typeof state.action !== "string" || typeof state.mode !== "string") return null;
  const { automation, where } = state;
  return {
    action: state.action,
    mode: state.mode as NonNullable<Change["rule"]>["mode"],
    ...(typeof automation === "string" ? { automation } : {}),
    ...(where == null ? {} : { where: typeof where === "string" ? parse(where) : (where as Json) }),
  };
}
