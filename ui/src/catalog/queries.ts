// What the catalog asks of the gateway, and what is out of date after a change.
import { queryOptions } from "@tanstack/react-query";
import { api, type Schemas, take } from "../api/client";
import { queries } from "../api/queries";

export type Connector = Schemas["ConnectorView"];
export type Tool = Schemas["ToolView"];
export type Source = Schemas["SourceSummary"];
export type SourceDetail = Schemas["SourceDetail"];
export type SourceAction = Schemas["SourceAction"];
export type Integration = Schemas["IntegrationView"];
export type Usage = Schemas["UsageView"];
export type Mode = "allow" | "require_approval" | "deny";

export const sources = queryOptions({
  queryKey: ["sources"],
  queryFn: ({ signal }) => take(api.GET("/v1/sources", { signal })),
  refetchInterval: 30_000,
});

export const source = (name: string) =>
  queryOptions({
    queryKey: ["sources", name],
    queryFn: ({ signal }) => take(api.GET("/v1/sources/{source}", { params: { path: { source: name } }, signal })),
    refetchInterval: 30_000,
  });

/** The services that are part of the program; they change only with its version. */
export const integrations = queryOptions({
  queryKey: ["integrations"],
  queryFn: ({ signal }) => take(api.GET("/v1/integrations", { signal })),
  staleTime: Number.POSITIVE_INFINITY,
});

/** A connected server with its current and accepted tools. Admins only. */
export const connector = (name: string) =>
  queryOptions({
    queryKey: ["connectors", name],
    queryFn: ({ signal }) =>
      take(api.GET("/v1/connectors/{connector}", { params: { path: { connector: name } }, signal })),
  });

/** Call after any change to sources or their policy. */
export async function catalogChanged(): Promise<void> {
  await Promise.all(["sources", "connectors", "policy"].map((name) => queries.invalidateQueries({ queryKey: [name] })));
}
