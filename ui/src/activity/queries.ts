// API queries of the activity pages.
import { infiniteQueryOptions, queryOptions } from "@tanstack/react-query";
import { ApiError, api, type Schemas, take } from "../api/client";
import { type Filters, toQuery } from "./filters";

export type ActivityItem = Schemas["ActivityItem"];
export type Attempt = Schemas["AttemptView"];
export type Invocation = Schemas["InvocationView"];
export type Receipt = Schemas["ReceiptView"];

const OVER = new Set(["denied", "quarantined", "expired", "succeeded", "failed", "reverted", "unknown", "skipped"]);
export const isOver = (status: string) => OVER.has(status);

/** Events mark it as stale. The page decides when to refetch: a long list must not move while someone reads it. */
export const activity = (filters: Filters) =>
  infiniteQueryOptions({
    queryKey: ["activity", filters],
    queryFn: ({ pageParam, signal }) => {
      const query = {
        ...toQuery(filters, Date.now()),
        limit: 100,
        ...(pageParam === null ? {} : { cursor: pageParam }),
      };
      return take(api.GET("/v1/invocations", { params: { query }, signal }));
    },
    initialPageParam: null as string | null,
    getNextPageParam: (page) => page.next_cursor ?? null,
    staleTime: 60_000,
  });

export const invocation = (id: string) =>
  queryOptions({
    queryKey: ["invocation", id],
    queryFn: ({ signal }) =>
      take(api.GET("/v1/invocations/{invocation}", { params: { path: { invocation: id } }, signal })),
    refetchInterval: ({ state }) => (state.data !== undefined && isOver(state.data.status) ? false : 2_000),
  });

export const decision = (session: string, id: string, status: string) =>
  queryOptions({
    // Votes arrive while it is pending, so a new status needs a new request.
    queryKey: ["decision", id, status],
    queryFn: ({ signal }) =>
      take(
        api.GET("/v1/sessions/{session}/invocations/{invocation}/decision", {
          params: { path: { session, invocation: id } },
          signal,
        }),
      ),
  });

export const attempts = (id: string, count: number) =>
  queryOptions({
    queryKey: ["attempts", id, count],
    queryFn: ({ signal }) =>
      take(api.GET("/v1/invocations/{invocation}/attempts", { params: { path: { invocation: id } }, signal })),
    enabled: count > 0,
  });

export const receipt = (id: string) =>
  queryOptions({
    queryKey: ["receipt", id],
    queryFn: ({ signal }) => take(api.GET("/v1/receipts/{receipt}", { params: { path: { receipt: id } }, signal })),
    staleTime: Infinity,
  });

/** A receipt with its ledger proof, as the gateway wrote it; null in the first second, before it is logged. */
export const bundle = (id: string) =>
  queryOptions({
    queryKey: ["bundle", id],
    queryFn: ({ signal }) =>
      unlessUnlogged(
        take(api.GET("/v1/receipts/{receipt}/bundle", { params: { path: { receipt: id } }, parseAs: "text", signal })),
      ),
    staleTime: 0,
  });

/** Null instead of the error in the first second, before something is logged. */
export async function unlessUnlogged(answer: Promise<string>): Promise<string | null> {
  try {
    return await answer;
  } catch (caught) {
    if (caught instanceof ApiError && caught.problem.code === "not_logged_yet") return null;
    throw caught;
  }
}

/** All receipts of an invocation. A recorded outcome adds a second one. */
export const receiptsOf = (invocation: string, latest: string) =>
  queryOptions({
    queryKey: ["receipts-of", invocation, latest],
    queryFn: ({ signal }) => take(api.GET("/v1/receipts", { params: { query: { invocation, limit: 20 } }, signal })),
    staleTime: Infinity,
  });

export const keys = queryOptions({
  queryKey: ["keys"],
  queryFn: ({ signal }) => take(api.GET("/.well-known/countersign-keys.json", { signal })),
  staleTime: 60_000,
});

/** Invocations of the same session, newest first. */
export const ofSession = (session: string) =>
  queryOptions({
    queryKey: ["of-session", session],
    queryFn: ({ signal }) =>
      take(
        api.GET("/v1/sessions/{session}/invocations", { params: { path: { session }, query: { limit: 8 } }, signal }),
      ),
  });

export const sources = queryOptions({
  queryKey: ["source-names"],
  queryFn: ({ signal }) => take(api.GET("/v1/sources", { signal })),
  staleTime: 60_000,
});
