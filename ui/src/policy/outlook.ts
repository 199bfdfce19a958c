// What a change would do to the matrix before it is saved. It follows the order of decisions: the most specific rule of
// the automation, then of the org, then what the risk infers; then the guardrails that can only make it stricter. It is a
// forecast from what the page knows; where it cannot know, it says so. The gateway decides.
import type { Mode } from "../catalog/queries";
import type { Band, MatrixRow, Rule } from "./queries";

const ORDER: readonly Mode[] = ["allow", "require_approval", "deny"];
const RISKS = ["R0", "R1", "R2", "R3", "R4"];

export const stricter = (a: Mode, b: Mode): Mode => (ORDER.indexOf(a) >= ORDER.indexOf(b) ? a : b);
const isLooser = (a: Mode, b: Mode): boolean => ORDER.indexOf(a) < ORDER.indexOf(b);
const atLeast = (risk: string, tier: string): boolean => RISKS.indexOf(risk) >= RISKS.indexOf(tier) || !RISKS.includes(risk);

export type RuleKey = Pick<Rule, "action" | "mode"> & { automation?: string | null };

export function inferred(risk: string): Mode {
  if (!atLeast(risk, "R2")) return "allow";
  return risk === "R4" ? "deny" : "require_approval";
}

/** The most permissive a rule can make it: what is hard to undo never happens without a person. */
export function ceiling(risk: string): Mode {
  return atLeast(risk, "R3") ? "require_approval" : "allow";
}

export function bandFloor(band: Band, risk: string): Mode {
  if (band === "black" && atLeast(risk, "R2")) return "deny";
  if (band === "red" && atLeast(risk, "R3")) return "deny";
  return (band === "red" || band === "amber") && atLeast(risk, "R2") ? "require_approval" : "allow";
}

/** Which rule speaks: of the automation before those of the org, and in each the most specific. */
export function ruleFor<R extends RuleKey>(row: Pick<MatrixRow, "source" | "action">, rules: readonly R[], automation: string | null): R | null {
  for (const scope of automation === null ? [null] : [automation, null]) {
    for (const key of [row.action, `${row.source}.*`, "*"]) {
      const found = rules.find((rule) => rule.action === key && (rule.automation ?? null) === scope);
      if (found !== undefined) return found;
    }
  }
  return null;
}

function computed(row: MatrixRow, rules: readonly RuleKey[], band: Band, automation: string | null): Mode {
  const said = (ruleFor(row, rules, automation)?.mode as Mode | undefined) ?? inferred(row.risk);
  return stricter(stricter(said, ceiling(row.risk)), bandFloor(band, row.risk));
}

export interface Change {
  row: MatrixRow;
  from: Mode;
  to: Mode;
  /** Not where drift may hold it, which the page cannot see. */
  isSure: boolean;
}

interface World {
  rules: readonly RuleKey[];
  band: Band;
}

/** The rows that would have another mode, were the world `next`. `reviewed` says of which sources nothing can have drifted. */
export function outlook(rows: readonly MatrixRow[], now: World, next: World, automation: string | null, reviewed: ReadonlySet<string>): Change[] {
  return rows.flatMap((row) => {
    const before = computed(row, now.rules, now.band, automation);
    const after = computed(row, next.rules, next.band, automation);
    if (before === after) return [];
    // Something that is not known here holds it already (drift): a rule does not lift that.
    const held = isLooser(before, row.mode) ? row.mode : "allow";
    const to = stricter(after, held);
    if (to === row.mode) return [];
    const isLoosened = isLooser(to, row.mode);
    return [{ row, from: row.mode, to, isSure: !isLoosened || reviewed.has(row.source) }];
  });
}

/** The rules as they would be with this one, in the place of the one with the same key. */
export function withRule(rules: readonly RuleKey[], rule: RuleKey): RuleKey[] {
  return [...withoutRule(rules, rule), rule];
}

export function withoutRule(rules: readonly RuleKey[], rule: RuleKey): RuleKey[] {
  return rules.filter((each) => each.action !== rule.action || (each.automation ?? null) !== (rule.automation ?? null));
}
