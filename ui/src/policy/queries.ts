// API queries of the policy page. All of them need the admin role.
import { infiniteQueryOptions, queryOptions } from "@tanstack/react-query";
import { api, type Schemas, take } from "../api/client";
import { queries } from "../api/queries";
import type { Mode } from "../catalog/queries";

export type Rule = Schemas["RuleView"];
export type Grant = Schemas["GrantView"];
export type Space = Schemas["SpaceView"];
export type Band = "green" | "amber" | "red" | "black";

/** The OpenAPI document types mode and band as strings. */
export type MatrixRow = Omit<Schemas["MatrixRow"], "mode"> & { mode: Mode };
export type Matrix = Omit<Schemas["MatrixView"], "band" | "rows"> & { band: Band; rows: MatrixRow[] };

export const matrix = (space: string, automation: string) =>
  queryOptions({
    queryKey: ["policy", "matrix", space, automation],
    queryFn: ({ signal }) => {
      const query = { ...(space === "" ? {} : { space }), ...(automation === "" ? {} : { automation }) };
      return take(api.GET("/v1/policy/matrix", { params: { query }, signal })) as Promise<Matrix>;
    },
    refetchInterval: 30_000,
  });

/** All rules: the forecast needs every one. */
export const rules = queryOptions({
  queryKey: ["policy", "rules"],
  queryFn: async ({ signal }) => {
    const all: Rule[] = [];
    let cursor: string | null = null;
    do {
      const query: { limit: number; cursor?: string } = { limit: 100, ...(cursor === null ? {} : { cursor }) };
      const page: { items: Rule[]; next_cursor?: string | null } = await take(
        api.GET("/v1/rules", { params: { query }, signal }),
      );
      all.push(...page.items);
      cursor = page.next_cursor ?? null;
    } while (cursor !== null);
    return all;
  },
  refetchInterval: 30_000,
});

export const grants = infiniteQueryOptions({
  queryKey: ["policy", "grants"],
  queryFn: ({ pageParam, signal }) =>
    take(
      api.GET("/v1/grants", {
        params: { query: { limit: 50, ...(pageParam === null ? {} : { cursor: pageParam }) } },
        signal,
      }),
    ),
  initialPageParam: null as string | null,
  getNextPageParam: (page) => page.next_cursor ?? null,
  refetchInterval: 15_000,
});

export const spaces = queryOptions({
  queryKey: ["policy", "spaces"],
  queryFn: ({ signal }) => take(api.GET("/v1/spaces", { params: { query: { limit: 100 } }, signal })),
});

export const sessions = queryOptions({
  queryKey: ["policy", "sessions"],
  queryFn: ({ signal }) => take(api.GET("/v1/sessions", { params: { query: { limit: 50 } }, signal })),
});

/** Call after a change to rules, grants, bands, policies, facts or gates. The catalog shows modes too. */
export async function policyChanged(): Promise<void> {
  await Promise.all(["policy", "sources"].map((name) => queries.invalidateQueries({ queryKey: [name] })));
}
