// API queries of the pages about changes.
import { infiniteQueryOptions, queryOptions } from "@tanstack/react-query";
import { api, type Schemas, take } from "../../api/client";
import { unlessUnlogged } from "../queries";
import { type ChangeFilters, prefixesOf } from "./filters";
import { nextPage, type Stream, streams } from "./streams";

export type Change = Schemas["ChangeView"];

/** Events mark it as stale. The page decides when to refetch: a long list must not move while someone reads it. */
export const changes = (filters: ChangeFilters) =>
  infiniteQueryOptions({
    queryKey: ["changes", filters],
    queryFn: ({ pageParam, signal }) =>
      nextPage(pageParam, (change, cursor) => {
        const { user, subject } = filters;
        const query = {
          limit: 100,
          ...(change === "" ? {} : { change }),
          ...(user === undefined ? {} : { user }),
          ...(subject === undefined ? {} : { subject }),
          ...(cursor === null ? {} : { cursor }),
        };
        return take(api.GET("/v1/changes", { params: { query }, signal }));
      }),
    initialPageParam: streams(prefixesOf(filters)) as Stream<Change>[],
    getNextPageParam: (page) => page.rest,
    staleTime: 60_000,
  });

export const change = (id: string) =>
  queryOptions({
    queryKey: ["change", id],
    queryFn: ({ signal }) => take(api.GET("/v1/changes/{change}", { params: { path: { change: id } }, signal })),
    // A record never changes.
    staleTime: Infinity,
    // Structural sharing copies objects and loses a field named `__proto__`.
    structuralSharing: false,
  });

/** A change record with its ledger proof, as the gateway wrote it; null in the first second, before it is logged. */
export const changeBundle = (id: string) =>
  queryOptions({
    queryKey: ["bundle", id],
    queryFn: ({ signal }) =>
      unlessUnlogged(
        take(api.GET("/v1/changes/{change}/bundle", { params: { path: { change: id } }, parseAs: "text", signal })),
      ),
    staleTime: 0,
  });
