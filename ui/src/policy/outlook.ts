// Forecasts how a change affects the matrix, in the order of decisions: automation rule, organization rule, default of
// the risk, then guardrails, which only make it stricter. The gateway has the final say.
import type { Mode } from "../catalog/queries";
import { dependsOf } from "../policies/explain/decision";
import type { Band, MatrixRow, Rule } from "./queries";

const ORDER: readonly Mode[] = ["allow", "require_approval", "deny"];
const RISKS = ["R0", "R1", "R2", "R3", "R4"];

export const stricter = (a: Mode, b: Mode): Mode => (ORDER.indexOf(a) >= ORDER.indexOf(b) ? a : b);
const isLooser = (a: Mode, b: Mode): boolean => ORDER.indexOf(a) < ORDER.indexOf(b);
const atLeast = (risk: string, tier: string): boolean =>
  RISKS.indexOf(risk) >= RISKS.indexOf(tier) || !RISKS.includes(risk);

export type RuleKey = Pick<Rule, "action" | "mode" | "where" | "step"> & { automation?: string | null };

export function inferred(risk: string): Mode {
  if (!atLeast(risk, "R2")) return "allow";
  return risk === "R4" ? "deny" : "require_approval";
}

/** The most permissive mode a rule can set: R3 and above always need approval. */
export function ceiling(risk: string): Mode {
  return atLeast(risk, "R3") ? "require_approval" : "allow";
}

export function bandFloor(band: Band, risk: string): Mode {
  if (band === "black" && atLeast(risk, "R2")) return "deny";
  if (band === "red" && atLeast(risk, "R3")) return "deny";
  return (band === "red" || band === "amber") && atLeast(risk, "R2") ? "require_approval" : "allow";
}

/**
 * The matching rule: automation rules before organization rules, the most specific first. The matrix is about an action
 * whatever its parameters, so rules for certain parameters or for one step are left out.
 */
export function ruleFor<R extends RuleKey>(
  row: Pick<MatrixRow, "source" | "action">,
  rules: readonly R[],
  automation: string | null,
): R | null {
  for (const scope of automation === null ? [null] : [automation, null]) {
    for (const key of [row.action, `${row.source}.*`, "*"]) {
      const found = rules.find((rule) => isSameKey(rule, { action: key, automation: scope }));
      if (found !== undefined) return found;
    }
  }
  return null;
}

function computed(row: MatrixRow, rules: readonly RuleKey[], band: Band, automation: string | null): Mode {
  const ruleMode = (ruleFor(row, rules, automation)?.mode as Mode | undefined) ?? inferred(row.risk);
  return stricter(stricter(ruleMode, ceiling(row.risk)), bandFloor(band, row.risk));
}

export interface Change {
  row: MatrixRow;
  from: Mode;
  to: Mode;
  /** False where drift or a policy may apply, which the page cannot see. */
  isSure: boolean;
}

interface PolicyState {
  rules: readonly RuleKey[];
  band: Band;
}

/** The rows whose mode changes with `next`. Sources in `reviewed` have no drift. */
export function outlook(
  rows: readonly MatrixRow[],
  now: PolicyState,
  next: PolicyState,
  automation: string | null,
  reviewed: ReadonlySet<string>,
): Change[] {
  return rows.flatMap((row) => {
    const before = computed(row, now.rules, now.band, automation);
    const after = computed(row, next.rules, next.band, automation);
    if (before === after) return [];
    // A policy holds already, or drift may, which is not known here; a rule changes neither.
    const floor = row.guardrails.includes("policy") || isLooser(before, row.mode) ? row.mode : "allow";
    const to = stricter(after, floor);
    if (to === row.mode) return [];
    const hasDrift = isLooser(to, row.mode) && !reviewed.has(row.source);
    // Nothing is stricter than a denial.
    const isSure = to === "deny" || (!hasDrift && dependsOf(row).length === 0);
    return [{ row, from: row.mode, to, isSure }];
  });
}

type Key = Omit<RuleKey, "mode">;

/** Whether a rule applies only to certain parameters or to one step of an automation. */
export function isBound({ where, step }: Pick<Rule, "where" | "step">): boolean {
  return where != null || step != null;
}

/** Whether one rule replaces the other. Bound rules are never compared: they do not change the forecast. */
function isSameKey(one: Key, other: Key): boolean {
  if (isBound(one) || isBound(other)) return false;
  return one.action === other.action && (one.automation ?? null) === (other.automation ?? null);
}

/** The rules with this one added or replaced. */
export function withRule(rules: readonly RuleKey[], rule: RuleKey): RuleKey[] {
  return [...withoutRule(rules, rule), rule];
}

export function withoutRule(rules: readonly RuleKey[], rule: RuleKey): RuleKey[] {
  return rules.filter((each) => !isSameKey(each, rule));
}
