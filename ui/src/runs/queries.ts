// API queries of the run pages.
import { infiniteQueryOptions, keepPreviousData, queryOptions } from "@tanstack/react-query";
import { api, take } from "../api/client";

const PAGE = 100;

export interface RunFilter {
  automation?: string;
  status?: string;
}

export const runs = (filter: RunFilter) =>
  infiniteQueryOptions({
    queryKey: ["runs", "list", filter],
    queryFn: ({ pageParam, signal }) =>
      take(
        api.GET("/v1/runs", {
          params: { query: { limit: PAGE, ...filter, ...(pageParam === null ? {} : { cursor: pageParam }) } },
          signal,
        }),
      ),
    initialPageParam: null as string | null,
    getNextPageParam: (page) => page.next_cursor ?? null,
    refetchInterval: 15_000,
  });

/** The invocation of a step, refetched when the status of the step changes. */
export const invocation = (id: string, status: string) =>
  queryOptions({
    queryKey: ["invocation", id, status],
    queryFn: ({ signal }) =>
      take(api.GET("/v1/invocations/{invocation}", { params: { path: { invocation: id } }, signal })),
  });

/** What was said in an attempt of a step. `progress` changes whenever more may have been said. */
export const transcript = (run: string, step: string, attempt: number, progress: string) =>
  queryOptions({
    queryKey: ["transcript", run, step, attempt, progress],
    queryFn: ({ signal }) =>
      take(
        api.GET("/v1/runs/{run}/steps/{step}/transcript", {
          params: { path: { run, step }, query: { attempt } },
          signal,
        }),
      ),
    placeholderData: keepPreviousData,
    // Structural sharing copies objects and loses a parameter named `__proto__`.
    structuralSharing: false,
  });
