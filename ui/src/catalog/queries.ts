// What the catalog asks of the gateway, and what is out of date after a change.
import { queryOptions } from "@tanstack/react-query";
import { api, type Schemas, take } from "../api/client";
import { queries } from "../api/queries";

export type Connector = Schemas["ConnectorView"];
export type Tool = Schemas["ToolView"];
export type Mode = "allow" | "require_approval" | "deny";

/** What became of the calls of the last days. */
export interface Usage {
  days: number;
  calls: number;
  succeeded: number;
  failed: number;
  unknown: number;
  denied: number;
  p50_ms?: number | null;
  p95_ms?: number | null;
  last_at?: string | null;
}

export interface Source {
  source: string;
  kind: "native" | "integration" | "mcp" | "stdio" | "openapi";
  connected: boolean;
  problem?: string | null;
  connector?: string | null;
  actions: number;
  to_review: number;
  usage: Usage;
}

export interface SourceAction {
  action: string;
  description: string;
  risk: string;
  effect: string;
  undo?: string | null;
  state?: string | null;
  drift?: string | null;
  mode: Mode;
  mode_source: string;
  reason: string;
  input_schema: unknown;
  usage: Usage;
}

export interface SourceDetail {
  source: Source;
  actions: SourceAction[];
}

type Get = (path: string, init: object) => Promise<{ data?: unknown; error?: unknown; response: Response }>;
const get = <T>(path: string, query: Record<string, string>, signal: AbortSignal) =>
  take((api.GET as unknown as Get)(path, { params: { query }, signal })) as Promise<T>;

export const sources = queryOptions({
  queryKey: ["sources"],
  queryFn: ({ signal }) => get<{ items: Source[] }>("/v1/sources", {}, signal),
  refetchInterval: 30_000,
});

export const source = (name: string) =>
  queryOptions({
    queryKey: ["sources", name],
    queryFn: ({ signal }) => get<SourceDetail>(`/v1/sources/${encodeURIComponent(name)}`, {}, signal),
    refetchInterval: 30_000,
  });

/** A connected server with its tools as they are and as they were accepted. Admins only. */
export const connector = (name: string) =>
  queryOptions({
    queryKey: ["connectors", name],
    queryFn: ({ signal }) => take(api.GET("/v1/connectors/{connector}", { params: { path: { connector: name } }, signal })),
  });

/** After anything that may change what a source offers or what is decided about it. */
export async function catalogChanged(): Promise<void> {
  await Promise.all(["sources", "connectors", "policy"].map((name) => queries.invalidateQueries({ queryKey: [name] })));
}
