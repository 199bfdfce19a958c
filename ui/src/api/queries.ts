// Shared API queries, each under one key so that a change can invalidate it. The inbox is in inbox.ts.
import { infiniteQueryOptions, QueryClient, queryOptions } from "@tanstack/react-query";
import { ApiError, api, type Schemas, take } from "./client";

export { type InboxItem, keyOf } from "./inboxList";
export type Run = Schemas["RunView"];
export type RunDetail = Schemas["RunDetail"];

const PAGE = 100;

export const queries = new QueryClient({
  defaultOptions: {
    queries: {
      staleTime: 5_000,
      // The gateway may run on this machine, so requests are sent even when the browser is offline.
      networkMode: "always",
      // Retry only when there was no response.
      retry: (count, error) => count < 2 && (!(error instanceof ApiError) || error.status === 0 || error.status >= 502),
    },
  },
});

type Page<T> = { items: T[]; next_cursor?: string | null };

/** Loads all pages of a list, up to a limit. */
export async function all<T>(page: (query: { limit: number; cursor?: string }) => Promise<Page<T>>): Promise<T[]> {
  const found: T[] = [];
  let cursor: string | null = null;
  do {
    const next: Page<T> = await page({ limit: PAGE, ...(cursor === null ? {} : { cursor }) });
    found.push(...next.items);
    cursor = next.next_cursor ?? null;
  } while (cursor !== null && found.length < 2_000);
  return found;
}

export const me = queryOptions({
  queryKey: ["me"],
  queryFn: ({ signal }) => take(api.GET("/v1/me", { signal })),
  staleTime: 60_000,
});

export const org = queryOptions({
  queryKey: ["org"],
  queryFn: ({ signal }) => take(api.GET("/v1/org", { signal })),
  staleTime: 60_000,
});

/** One item with the document that an answer is about. The list has none. */
export const inboxItem = (invocation: string) =>
  queryOptions({
    queryKey: ["inbox-item", invocation],
    queryFn: ({ signal }) => take(api.GET("/v1/inbox/{invocation}", { params: { path: { invocation } }, signal })),
    retry: false,
    staleTime: 30_000,
    // Structural sharing copies objects and loses a parameter named `__proto__`.
    structuralSharing: false,
  });

export const run = (id: string) =>
  queryOptions({
    queryKey: ["run", id],
    queryFn: ({ signal }) => take(api.GET("/v1/runs/{run}", { params: { path: { run: id } }, signal })),
  });

export const automations = infiniteQueryOptions({
  queryKey: ["automations"],
  queryFn: ({ pageParam, signal }) =>
    take(
      api.GET("/v1/automations", {
        params: { query: { limit: PAGE, ...(pageParam === null ? {} : { cursor: pageParam }) } },
        signal,
      }),
    ),
  initialPageParam: null as string | null,
  getNextPageParam: (page) => page.next_cursor ?? null,
  refetchInterval: 30_000,
});
