// Adds a starter part by part: facts, then the policy, then the cases. Each part may wait for a second owner, and what
// needs it is then left for later.
import { ApiError, Proposed } from "../../api/client";
import { nameOf } from "../editor/draft";
import type { PolicyState } from "../types";
import type { Filled } from "./fill";

export type Outcome = "waiting" | "saving" | "saved" | "proposed" | "failed" | "skipped";

export interface Part {
  kind: "fact" | "policy" | "case";
  name: string;
  outcome: Outcome;
  /** Of a proposed change. */
  proposed?: string;
  error?: unknown;
}

export function partsOf({ policies, facts, cases }: Filled): Part[] {
  const part = (kind: Part["kind"]) => (name: string) => ({ kind, name, outcome: "waiting" as const });
  return [
    ...facts.map(({ name }) => name).map(part("fact")),
    ...policies.map(nameOf).map(part("policy")),
    ...cases.map(({ name }) => name).map(part("case")),
  ];
}

export interface Save {
  fact: (fact: Filled["facts"][number]) => Promise<unknown>;
  policy: (name: string, text: string, state: PolicyState) => Promise<unknown>;
  case: (one: Filled["cases"][number]) => Promise<unknown>;
}

export interface Adding {
  filled: Filled;
  state: PolicyState;
  save: Save;
  /** Called for each step. */
  onChange: (parts: Part[]) => void;
}

/** Returns the parts as they are at the end. What an earlier attempt has saved is not sent again. */
export async function add({ filled, state, save, onChange }: Adding, earlier: readonly Part[] = []): Promise<Part[]> {
  let parts = partsOf(filled).map((part, at) =>
    earlier[at]?.outcome === "saved" ? { ...part, ...earlier[at] } : part,
  );
  const isMissing = (kind: Part["kind"]) => parts.some((each) => each.kind === kind && each.outcome !== "saved");
  const set = (at: number, next: Partial<Part>) => {
    parts = parts.map((part, index) => (index === at ? { ...part, ...next } : part));
    onChange(parts);
  };
  const { facts, policies, cases } = filled;
  const sends = [
    ...facts.map((fact) => () => save.fact(fact)),
    ...policies.map((text) => () => save.policy(nameOf(text), text, state)),
    ...cases.map((one) => () => save.case(one)),
  ];
  for (const [index, { kind, outcome }] of parts.entries()) {
    if (outcome === "saved") continue;
    // A policy cannot read a fact that does not exist, and a case would fail without the policy.
    if ((kind === "policy" && isMissing("fact")) || (kind === "case" && isMissing("policy"))) {
      set(index, { outcome: "skipped" });
      continue;
    }
    set(index, { outcome: "saving" });
    try {
      await sends[index]?.();
      set(index, { outcome: "saved" });
    } catch (error) {
      if (error instanceof Proposed) set(index, { outcome: "proposed", proposed: error.id });
      else set(index, { outcome: "failed", error: error instanceof ApiError ? error : undefined });
    }
  }
  return parts;
}

const WORDS: Record<Outcome, string> = {
  waiting: "not added yet",
  saving: "adding …",
  saved: "added",
  proposed: "waits for a second owner",
  failed: "not added",
  skipped: "not added",
};

/** Why a part was left for later. */
export function outcomeText({ outcome, kind }: Part): string {
  if (outcome !== "skipped") return WORDS[outcome];
  return kind === "policy" ? "not added: its facts are missing" : "not added: the policy is missing";
}
