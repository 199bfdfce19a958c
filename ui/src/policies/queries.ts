// API queries of policies, facts, cases and starters. All of them need the admin role. Their keys start with `policy`,
// so that an approved change refreshes them.
import { queryOptions } from "@tanstack/react-query";
import { api, take } from "../api/client";
import { write } from "../api/write";
import { policyChanged } from "../policy/queries";
import { because } from "./reason";
import type {
  BacktestRequest,
  Case,
  CaseView,
  CheckAnswer,
  CheckRequest,
  Comparison,
  ComparisonRequest,
  FactDefinition,
  FactView,
  PolicyRequest,
  PolicySuggestion,
  PolicyView,
  Report,
  Starter,
} from "./types";

/** The document describes modes as strings and parameters as objects; `types.ts` says what they are. */
const narrowed = <T>(answer: Promise<unknown>): Promise<T> => answer as Promise<T>;
const items = async <T>(answer: Promise<{ items: unknown[] }>): Promise<T[]> => (await answer).items as T[];
/** Numbers of parameters keep their digits. */
const bodySerializer = (body: unknown) => write(body);

export const policies = queryOptions({
  queryKey: ["policy", "texts"],
  queryFn: ({ signal }) => items<PolicyView>(take(api.GET("/v1/policies", { signal }))),
  refetchInterval: 30_000,
});

export const policySchema = queryOptions({
  queryKey: ["policy", "schema"],
  queryFn: ({ signal }) => take(api.GET("/v1/policies/schema", { signal })),
  staleTime: 60_000,
});

export const reports = (days: number) =>
  queryOptions({
    queryKey: ["policy", "reports", days],
    queryFn: ({ signal }) =>
      items<Report>(take(api.GET("/v1/policies/reports", { params: { query: { days } }, signal }))),
    refetchInterval: 60_000,
  });

export const flowReport = (days: number) =>
  queryOptions({
    queryKey: ["policy", "flow-report", days],
    queryFn: ({ signal }) => take(api.GET("/v1/flow/report", { params: { query: { days } }, signal })),
    refetchInterval: 60_000,
  });

export const suggestions = queryOptions({
  queryKey: ["policy", "suggestions"],
  queryFn: ({ signal }) =>
    items<PolicySuggestion>(take(api.GET("/v1/policy-suggestions", { params: { query: { days: 30 } }, signal }))),
  structuralSharing: false,
});

export const facts = queryOptions({
  queryKey: ["policy", "facts"],
  queryFn: ({ signal }) => items<FactView>(take(api.GET("/v1/facts", { signal }))),
  refetchInterval: 30_000,
  // Structural sharing copies objects and would lose a condition on a parameter named `__proto__`.
  structuralSharing: false,
});

export const cases = queryOptions({
  queryKey: ["policy", "cases"],
  queryFn: ({ signal }) => items<CaseView>(take(api.GET("/v1/policy-cases", { signal }))),
  structuralSharing: false,
});

export const starters = queryOptions({
  queryKey: ["policy", "starters"],
  queryFn: ({ signal }) => items<Starter>(take(api.GET("/v1/policy-starters", { signal }))),
  staleTime: Infinity,
  structuralSharing: false,
});

/** The results of the cases with the present policies. */
export const caseResults = (all: readonly CaseView[]) =>
  queryOptions({
    queryKey: ["policy", "case-results", all.map((each) => `${each.name} ${each.updated_at}`)],
    queryFn: async ({ signal }) => (await check({ policies: [], facts: [], cases: [...all] }, signal)).cases,
  });

/** Stored cases are sent without what the API adds to them. */
export function check({ cases: all, ...more }: CheckRequest, signal: AbortSignal): Promise<CheckAnswer> {
  const body = { ...more, cases: all.map(bare) } as never;
  return narrowed(take(api.POST("/v1/policies/check", { body, bodySerializer, signal })));
}

export const compare = (body: ComparisonRequest) =>
  narrowed<Comparison>(take(api.POST("/v1/policies/compare", { body })));

export const backtestStream = (body: BacktestRequest, signal: AbortSignal) =>
  narrowed<ReadableStream<Uint8Array>>(
    take(api.POST("/v1/policies/backtest", { body: body as never, bodySerializer, parseAs: "stream", signal })),
  );

/** Saves, and refreshes also when the change waits for a second owner. */
export async function changing<T>(answer: Promise<T>): Promise<T> {
  try {
    return await answer;
  } finally {
    void policyChanged();
  }
}

export function savePolicy(policy: string, body: PolicyRequest, reason = ""): Promise<PolicyView> {
  const options = { params: { path: { policy } }, body, headers: because(reason) };
  return changing(narrowed(take(api.PUT("/v1/policies/{policy}", options))));
}

export const deletePolicy = (policy: string, reason = "") =>
  changing(take(api.DELETE("/v1/policies/{policy}", { params: { path: { policy } }, headers: because(reason) })));

export function saveFact(fact: FactDefinition, reason = ""): Promise<FactView> {
  const params = { path: { fact: fact.name } };
  const options = { params, body: fact as never, bodySerializer, headers: because(reason) };
  return changing(narrowed(take(api.PUT("/v1/facts/{fact}", options))));
}

export const deleteFact = (fact: string, reason = "") =>
  changing(take(api.DELETE("/v1/facts/{fact}", { params: { path: { fact } }, headers: because(reason) })));

export function saveCase(one: Case): Promise<CaseView> {
  const options = { params: { path: { case: one.name } }, body: bare(one) as never, bodySerializer };
  return changing(narrowed(take(api.PUT("/v1/policy-cases/{case}", options))));
}

export const deleteCase = (name: string) =>
  changing(take(api.DELETE("/v1/policy-cases/{case}", { params: { path: { case: name } } })));

/** A case without what the API adds to it. */
export function bare({ name, request, expect, policies, only = [] }: Case): Case {
  return {
    name,
    request,
    expect,
    ...(policies == null ? {} : { policies }),
    ...(only.length === 0 ? {} : { only }),
  };
}
