// Types of policies, facts, cases and backtests. The OpenAPI document describes modes and states as strings, and
// parameters as objects without fields; here they are narrowed.
import type { Schemas } from "../api/client";
import type { Json } from "../api/json";
import type { Mode } from "../catalog/queries";

type With<Name extends keyof Schemas, Narrow> = Omit<Schemas[Name], keyof Narrow> & Narrow;

export type PolicyState = "enforced" | "observing";
type PolicyModeName = "require_approval" | "deny";

export type PolicyView = With<"PolicyView", { mode: PolicyModeName; state: PolicyState; limits: Record<string, Json> }>;
/** The page always says which version it read, so that nobody replaces what they have not seen. */
export type PolicyRequest = With<"PolicyRequest", { state: PolicyState; version: number }>;
export type PolicyProblem = With<"PolicyProblem", { severity: "error" | "warning" }>;
export type CheckedPolicy = With<"CheckedPolicy", { mode: PolicyModeName }>;
export type CheckRequest = With<"PolicyCheck", { facts: FactDefinition[]; cases: Case[] }>;
export type CheckAnswer = With<
  "PolicyCheckResult",
  { problems: PolicyProblem[]; policies: CheckedPolicy[]; cases: CaseResult[] }
>;

/** Something that a policy can read. */
export type PolicyField = Schemas["PolicyField"];
export type SchemaAction = Schemas["PolicyAction"];
/** What a policy can name. */
export type PolicySchema = Schemas["PolicyVocabulary"];

export type ComparisonRequest = Schemas["CompareRequest"];
export type Comparison = With<"Comparison", { actions: ComparedAction[] }>;
export type ComparedAction = With<"ComparedAction", { example?: ComparisonExample | null }>;
type ComparisonExample = With<"ComparisonExample", { params: Json; history: Json; before: Mode; after: Mode }>;

export type Report = Schemas["PolicyReport"];

export type FactKind = "any" | "count" | "sum" | "distinct";
export type FactStatus = "counted" | "tried" | "succeeded" | "unknown" | "denied";
export type FactScope = "session" | "automation" | "space" | "org";
/** A filter: paths with operators, or `$and`, `$or` and `$not`. */
export type Filter = { [path: string]: Json };
interface NarrowFact {
  name: string;
  kind: FactKind;
  where?: Filter | null;
  state?: FactStatus | null;
  per: FactScope;
}
export type FactDefinition = With<"FactRequest", NarrowFact>;
export type FactView = With<"FactView", NarrowFact>;

export type CaseRequest = With<
  "PolicyCaseRequest",
  { params?: { [name: string]: Json }; history?: { [fact: string]: Json }; asked?: Mode | null }
>;
interface NarrowCase {
  name: string;
  request: CaseRequest;
  expect: Mode;
}
export type Case = With<"PolicyCase", NarrowCase>;
export type CaseView = With<"PolicyCaseView", NarrowCase>;
export type CaseResult = With<"PolicyCaseResult", { expected: Mode; got?: Mode | null }>;

export type StarterNeed = With<
  "StarterNeed",
  { kind: "action" | "field" | "integer" | "text" | "list"; default: Json }
>;
export type Starter = With<"PolicyStarter", { needs: StarterNeed[]; facts: FactDefinition[]; cases: Case[] }>;

type RuleChange = Omit<Schemas["RuleRequest"], "where"> & { where?: Json };
export type BacktestRequest = With<
  "BacktestRequest",
  { facts?: FactDefinition[]; rule?: RuleChange | null; grant?: { action: string; where?: Json } | null }
>;
/** What is tested, whatever the days. */
export type Change = Omit<BacktestRequest, "days">;
export type Totals = Record<Mode, number>;
export type BacktestAction = With<
  "BacktestAction",
  { examples: With<"BacktestExample", { before: Mode; after: Mode }>[] }
>;
export type BacktestResult = With<"BacktestResult", { actions: BacktestAction[] }>;

export type PolicySuggestion = With<
  "PolicySuggestion",
  { kind: "grant" | "remove_rule" | "deny"; where?: Filter | null; backtest: BacktestRequest }
>;

/** A policy that holds, in a decision. The OpenAPI document has no schema for a decision. */
export interface DecisionPolicy {
  name: string;
  version: number;
  mode: string;
  why: string;
  observing: boolean;
  /** Why it could not be evaluated. It holds nevertheless. */
  error: string | null;
}

/** A fact that was read, in a decision. */
export interface DecisionFact {
  name: string;
  value: Json;
  adds: number | null;
  limit: number | null;
  words: string;
  since: string;
}
