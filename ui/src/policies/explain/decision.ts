// The policies and facts of a decision. The OpenAPI document has no schema for a decision, so every field is checked.
import { Digits, type Json } from "../../api/json";
import { isFields } from "../../text/rows";
import type { DecisionFact, DecisionPolicy } from "../types";

const list = (value: unknown): Record<string, unknown>[] => (Array.isArray(value) ? value.filter(isFields) : []);
const text = (value: unknown): string => (typeof value === "string" ? value : "");

function amount(value: unknown): number | null {
  if (typeof value === "number") return value;
  return value instanceof Digits ? Number(value.text) : null;
}

export function policiesOf(decision: unknown): DecisionPolicy[] {
  if (!isFields(decision)) return [];
  return list(decision.policies).map((each) => ({
    name: text(each.name),
    version: amount(each.version) ?? 0,
    mode: text(each.mode),
    why: text(each.why),
    observing: each.observing === true,
    error: typeof each.error === "string" ? each.error : null,
  }));
}

export function factsOf(decision: unknown): DecisionFact[] {
  if (!isFields(decision)) return [];
  return list(decision.facts).map((each) => ({
    name: text(each.name),
    // A yes or no is sent as 1 or 0.
    value: each.kind === "any" ? amount(each.value) === 1 : ((each.value ?? null) as Json),
    adds: amount(each.adds),
    limit: amount(each.limit),
    words: text(each.words),
    since: text(each.since),
  }));
}

/** A decision with nothing but its policies and facts. */
export function policyPartsOf(decision: unknown): { policies?: DecisionPolicy[]; facts?: DecisionFact[] } {
  const [policies, facts] = [policiesOf(decision), factsOf(decision)];
  return { ...(policies.length > 0 && { policies }), ...(facts.length > 0 && { facts }) };
}

/** How many approvals the policies need; null if one is enough. */
export function approversOf(decision: unknown): number | null {
  const count = isFields(decision) ? amount(decision.approvers) : null;
  return count !== null && count > 1 ? count : null;
}

/** The names of policies that depend on the parameters. */
export function dependsOf(view: unknown): string[] {
  if (!isFields(view) || !Array.isArray(view.depends)) return [];
  return view.depends.filter((each): each is string => typeof each === "string");
}

/**
 * The policy of each change that the guardrail `policy` made. Policies are listed from the mildest to the strictest,
 * and one that is milder than what is decided already changes nothing, so the changes are made by the last ones. Empty
 * if they do not correspond; then the sentences of the gateway are shown.
 */
export function policyChanges(
  decision: unknown,
  guardrails: readonly { guardrail?: unknown; to?: unknown }[],
): DecisionPolicy[] {
  const enforced = policiesOf(decision).filter(({ observing }) => !observing);
  const changes = guardrails.filter(({ guardrail }) => guardrail === "policy");
  const last = enforced.slice(Math.max(0, enforced.length - changes.length));
  return last.length === changes.length && last.every(({ mode }, at) => mode === changes[at]?.to) ? last : [];
}

/** The enforced policies that hold and that no change of the guardrail shows. */
export function otherPolicies(decision: unknown): DecisionPolicy[] {
  const enforced = policiesOf(decision).filter(({ observing }) => !observing);
  const shown = policyChanges(decision, isFields(decision) ? list(decision.guardrails) : []);
  return enforced.filter(({ name }) => shown.every((each) => each.name !== name));
}
