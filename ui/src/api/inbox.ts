// The inbox, kept up to date by events.
import { queryOptions } from "@tanstack/react-query";
import { ApiError, api, take } from "./client";
import {
  append,
  asListed,
  type InboxItem,
  keyOf,
  type LoadedInbox,
  mergeNewest,
  overlaps,
  takesTurns,
  withItem,
  without,
} from "./inboxList";
import { inboxItem, queries } from "./queries";

const PAGE = 100;
/** With more new pages than this, the list is reloaded. */
const MAX_NEW_PAGES = 5;
/** An organization has a few hundred places for pending items. */
const MAX_TURN_PAGES = 20;
const MAX_REMOVED = 2_000;

/** Removed items. A response that was in flight may still contain them. */
const removed = new Set<string>();

async function page(cursor: string | null, signal?: AbortSignal): Promise<LoadedInbox> {
  const query = { limit: PAGE, ...(cursor === null ? {} : { cursor }) };
  const found = await take(api.GET("/v1/inbox", { params: { query }, ...(signal && { signal }) }));
  return without({ items: found.items, next_cursor: found.next_cursor ?? null }, removed);
}

/** All pages, while the inbox takes turns. */
async function complete(first: LoadedInbox, signal?: AbortSignal): Promise<LoadedInbox> {
  let found = first;
  for (let pages = 1; pages < MAX_TURN_PAGES && found.next_cursor !== null; pages += 1)
    found = append(found, found.next_cursor, await page(found.next_cursor, signal));
  return without(found, removed);
}

/** The inbox. A refetch loads only the newest page and merges it. */
export const inbox = queryOptions({
  queryKey: ["inbox"],
  queryFn: async ({ signal }): Promise<LoadedInbox> => {
    let newest = await page(null, signal);
    const known = () => queries.getQueryData<LoadedInbox>(["inbox"]);
    if (takesTurns(newest) || takesTurns(known())) return await complete(newest, signal);
    for (let pages = 1; pages < MAX_NEW_PAGES; pages += 1) {
      const [before, cursor] = [known(), newest.next_cursor];
      if (before === undefined || cursor === null || overlaps(before, newest)) break;
      newest = append(newest, cursor, await page(cursor, signal));
    }
    return without(mergeNewest(known(), newest), removed);
  },
  // Structural sharing would compare ten thousand items; `mergeNewest` compares only what can have changed.
  structuralSharing: false,
  // Events announce changes; this is for when the stream is interrupted.
  refetchInterval: 30_000,
});

let isLoadingMore = false;

export async function moreOfInbox(): Promise<void> {
  const cursor = queries.getQueryData(inbox.queryKey)?.next_cursor ?? null;
  if (cursor === null || isLoadingMore) return;
  isLoadingMore = true;
  try {
    const next = await page(cursor);
    queries.setQueryData(inbox.queryKey, (known) => known && without(append(known, cursor, next), removed));
  } finally {
    isLoadingMore = false;
  }
}

export function removeItems(keys: Iterable<string>): void {
  for (const key of keys) removed.add(key);
  // Forgets the oldest; their responses have arrived long ago.
  for (const key of removed) if (removed.size > MAX_REMOVED) removed.delete(key);
  queries.setQueryData(inbox.queryKey, (known) => known && without(known, removed));
}

/** Refetches one item that changed and may still be pending. */
export async function refreshItem(invocation: string): Promise<void> {
  try {
    const item: InboxItem = await queries.fetchQuery({ ...inboxItem(invocation), staleTime: 0 });
    removed.delete(keyOf(item));
    queries.setQueryData(inbox.queryKey, (known) => known && withItem(known, asListed(item)));
  } catch (error) {
    if (error instanceof ApiError && [404, 409, 410].includes(error.status)) removeItems([invocation]);
  }
}

let isRefreshing = false;
let isRefreshQueued = false;

/** One request at a time, and one more if another was requested meanwhile. */
export async function refreshInbox(): Promise<void> {
  isRefreshQueued = true;
  if (isRefreshing) return;
  isRefreshing = true;
  while (isRefreshQueued) {
    isRefreshQueued = false;
    await queries.refetchQueries({ queryKey: inbox.queryKey });
  }
  isRefreshing = false;
}
