// What waits for a person, as far as it is loaded: the newest first, more when one scrolls. A change costs one page at most,
// however many are loaded: the newest page is laid over what is there, and what an event tells of is taken out or exchanged.
import { replaceEqualDeep } from "@tanstack/react-query";
import type { Schemas } from "./client";

export type InboxItem = Schemas["InboxItem"];

export interface Waiting {
  items: InboxItem[];
  /** Where to go on; null when everything is loaded. */
  next_cursor: string | null;
}

/** `inv_…` or `grq_…`. */
export function keyOf(item: InboxItem): string {
  return item.kind === "grant_request" ? item.id : item.invocation.id;
}

/** Ids begin with the time, whatever is before the `_`; the inbox is in this order. */
function age(item: InboxItem): string {
  return keyOf(item).slice(4);
}

function oldest(page: Waiting): string {
  const last = page.items.at(-1);
  return page.next_cursor === null || last === undefined ? "" : age(last);
}

/** Whether nothing can lie between the newest page and what was loaded before. */
export function meets(known: Waiting, newest: Waiting): boolean {
  const first = known.items[0];
  return first === undefined || age(first) >= oldest(newest);
}

/** The newest page laid over what was loaded: as far as it reaches, only what is in it still waits. */
export function layOver(known: Waiting | undefined, newest: Waiting): Waiting {
  if (known === undefined || !meets(known, newest)) return newest;
  const before = new Map(known.items.map((item) => [keyOf(item), item]));
  const end = oldest(newest);
  const items = newest.items.map((item) => replaceEqualDeep(before.get(keyOf(item)), item) as InboxItem);
  items.push(...known.items.filter((item) => age(item) < end));
  // Whoever had loaded everything still has; a page that ends later cannot take that back.
  return { items, next_cursor: newest.next_cursor === null ? null : known.items.length === 0 ? newest.next_cursor : known.next_cursor };
}

/** The page that follows, if nothing else went on from there meanwhile. */
export function append(known: Waiting, from: string, page: Waiting): Waiting {
  if (known.next_cursor !== from) return known;
  const there = new Set(known.items.map(keyOf));
  return { items: [...known.items, ...page.items.filter((item) => !there.has(keyOf(item)))], next_cursor: page.next_cursor };
}

export function without(known: Waiting, gone: ReadonlySet<string>): Waiting {
  const items = known.items.filter((item) => !gone.has(keyOf(item)));
  return items.length === known.items.length ? known : { ...known, items };
}

/** With this item as it is now, at its place. What lies beyond the loaded end is left for when it is loaded. */
export function withItem(known: Waiting, item: InboxItem): Waiting {
  const at = known.items.findIndex((each) => age(each) <= age(item));
  if (at === -1) return known.next_cursor === null ? { ...known, items: [...known.items, item] } : known;
  const isThere = keyOf(known.items[at] as InboxItem) === keyOf(item);
  return { ...known, items: known.items.toSpliced(at, isThere ? 1 : 0, item) };
}
