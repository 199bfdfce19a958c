// Providers of language models: what is asked of the gateway, and what is out of date after a change.
import { queryOptions } from "@tanstack/react-query";
import { api, type Schemas, take } from "../api/client";
import { org, queries } from "../api/queries";

export type Provider = Schemas["ModelProviderView"];
export type ProviderRequest = Schemas["ModelProviderRequest"];
export type Model = Schemas["ModelView"];
export type Price = Schemas["ModelPrice"];
export type Preset = Schemas["ModelPresetView"];
export type Spending = Schemas["SpendingView"];
export type Budget = Schemas["ModelBudget"];

/** Admins only. There are few, so one page has them all. */
export const providers = queryOptions({
  queryKey: ["models"],
  queryFn: async ({ signal }) => (await take(api.GET("/v1/models", { signal }))).items,
  refetchInterval: 30_000,
});

/** The servers whose settings are known; they change only with the version of the program. */
export const presets = queryOptions({
  queryKey: ["model-presets"],
  queryFn: async ({ signal }) => (await take(api.GET("/v1/model-presets", { signal }))).items,
  staleTime: Number.POSITIVE_INFINITY,
});

/** Today, and the limits. Two days: the browser's clock may already be past midnight. */
export const spending = queryOptions({
  queryKey: ["model-spending"],
  queryFn: ({ signal }): Promise<Spending> =>
    take(api.GET("/v1/models/spending", { params: { query: { days: 2 } }, signal })),
  refetchInterval: 15_000,
});

/** For owners. Both limits are sent; one that is absent is no limit. */
export function putBudget(model_budget: Budget): Promise<unknown> {
  return take(api.PATCH("/v1/org", { body: { model_budget } })).finally(() =>
    Promise.all([spending, org].map(({ queryKey }) => queries.invalidateQueries({ queryKey }))),
  );
}

/** Also after an error: a provider is saved before it is tested. */
function changed(): Promise<void> {
  return queries.invalidateQueries({ queryKey: ["models"] });
}

export function putProvider(provider: string, body: ProviderRequest): Promise<Provider> {
  return take(api.PUT("/v1/models/{provider}", { params: { path: { provider } }, body })).finally(changed);
}

export function testProvider(provider: string): Promise<Provider> {
  return take(api.POST("/v1/models/{provider}/test", { params: { path: { provider } } })).finally(changed);
}

export function removeProvider(provider: string): Promise<unknown> {
  return take(api.DELETE("/v1/models/{provider}", { params: { path: { provider } } })).finally(changed);
}
