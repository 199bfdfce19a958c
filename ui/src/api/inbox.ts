// What waits for a person, kept up to date: asked for by the page, and corrected by what events tell.
import { queryOptions } from "@tanstack/react-query";
import { api, Refusal, take } from "./client";
import { inboxItem, queries } from "./queries";
import { append, type InboxItem, keyOf, layOver, meets, type Waiting, without, withItem } from "./waiting";

const PAGE = 100;
/** More new pages than this at once, and the list begins again. */
const MOST_NEW_PAGES = 5;
const MOST_GONE = 2_000;

/** What no longer waits; an answer that was under way may still have it. */
const gone = new Set<string>();

async function page(cursor: string | null, signal?: AbortSignal): Promise<Waiting> {
  const query = { limit: PAGE, ...(cursor === null ? {} : { cursor }) };
  const found = await take(api.GET("/v1/inbox", { params: { query }, ...(signal && { signal }) }));
  return without({ items: found.items, next_cursor: found.next_cursor ?? null }, gone);
}

/** What waits. To ask again fetches the newest page only, and lays it over what is loaded. */
export const inbox = queryOptions({
  queryKey: ["inbox"],
  queryFn: async ({ signal }): Promise<Waiting> => {
    let newest = await page(null, signal);
    const known = () => queries.getQueryData<Waiting>(["inbox"]);
    for (let pages = 1; pages < MOST_NEW_PAGES; pages += 1) {
      const [before, cursor] = [known(), newest.next_cursor];
      if (before === undefined || cursor === null || meets(before, newest)) break;
      newest = append(newest, cursor, await page(cursor, signal));
    }
    return without(layOver(known(), newest), gone);
  },
  // Ten thousand items would be compared with each other; `layOver` compares what can have changed.
  structuralSharing: false,
  // Events tell when something changes; this is for when they do not come.
  refetchInterval: 30_000,
});

let isLoadingMore = false;

/** The page after what is loaded. */
export async function moreOfInbox(): Promise<void> {
  const cursor = queries.getQueryData(inbox.queryKey)?.next_cursor ?? null;
  if (cursor === null || isLoadingMore) return;
  isLoadingMore = true;
  try {
    const next = await page(cursor);
    queries.setQueryData(inbox.queryKey, (known) => known && without(append(known, cursor, next), gone));
  } finally {
    isLoadingMore = false;
  }
}

/** These no longer wait. */
export function leave(keys: Iterable<string>): void {
  for (const key of keys) gone.add(key);
  // The oldest come first; whatever was under way has arrived long since.
  for (const key of gone) if (gone.size > MOST_GONE) gone.delete(key);
  queries.setQueryData(inbox.queryKey, (known) => known && without(known, gone));
}

/** One invocation changed and may still wait: it is asked for by itself. */
export async function look(invocation: string): Promise<void> {
  try {
    const item: InboxItem = await queries.fetchQuery({ ...inboxItem(invocation), staleTime: 0 });
    gone.delete(keyOf(item));
    queries.setQueryData(inbox.queryKey, (known) => known && withItem(known, item));
  } catch (error) {
    if (error instanceof Refusal && [404, 409, 410].includes(error.status)) leave([invocation]);
  }
}

let isAsking = false;
let isAskedAgain = false;

/** Something new may wait. One request at a time, and one more when somebody asked meanwhile. */
export async function askAgain(): Promise<void> {
  isAskedAgain = true;
  if (isAsking) return;
  isAsking = true;
  while (isAskedAgain) {
    isAskedAgain = false;
    await queries.refetchQueries({ queryKey: inbox.queryKey });
  }
  isAsking = false;
}
