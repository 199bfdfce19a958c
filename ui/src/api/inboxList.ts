// The loaded part of the inbox, in the order of the gateway. An update costs one page at most: the newest page is
// merged in, and events remove or replace single items.
import { replaceEqualDeep } from "@tanstack/react-query";
import type { Schemas } from "./client";

export type InboxItem = Schemas["InboxItem"];

export interface LoadedInbox {
  items: InboxItem[];
  /** null when everything is loaded. */
  next_cursor: string | null;
}

/** `inv_…` or `grq_…`. */
export function keyOf(item: InboxItem): string {
  return item.kind === "grant_request" ? item.id : item.invocation.id;
}

/** An item as the list has it: without its document. */
export function asListed(item: InboxItem): InboxItem {
  return item.kind === "approval" ? { ...item, shown: null } : item;
}

function turnOf(item: InboxItem): number {
  return item.kind === "unknown" ? 0 : (item.turn ?? 0);
}

/** The inbox has this order: by turn, then newest first. IDs start with the time after the `_`. */
function age(item: InboxItem): string {
  return `${String(100_000 - turnOf(item)).padStart(6, "0")} ${keyOf(item).slice(4)}`;
}

/** Whether so much is pending that the inbox takes turns. Then a new item may be anywhere in it. */
export function takesTurns(page: LoadedInbox | undefined): boolean {
  return page?.items.some((item) => turnOf(item) > 0) ?? false;
}

function oldest(page: LoadedInbox): string {
  const last = page.items.at(-1);
  return page.next_cursor === null || last === undefined ? "" : age(last);
}

/** Whether the newest page overlaps with what was loaded before. */
export function overlaps(known: LoadedInbox, newest: LoadedInbox): boolean {
  const first = known.items[0];
  return first === undefined || age(first) >= oldest(newest);
}

/** Merges the newest page. In its range, only its items are still pending. */
export function mergeNewest(known: LoadedInbox | undefined, newest: LoadedInbox): LoadedInbox {
  if (known === undefined || !overlaps(known, newest)) return newest;
  const before = new Map(known.items.map((item) => [keyOf(item), item]));
  const end = oldest(newest);
  const items = newest.items.map((item) => replaceEqualDeep(before.get(keyOf(item)), item) as InboxItem);
  items.push(...known.items.filter((item) => age(item) < end));
  // A list that was complete stays complete.
  return {
    items,
    next_cursor: newest.next_cursor === null ? null : known.items.length === 0 ? newest.next_cursor : known.next_cursor,
  };
}

/** Appends the next page, unless another request already did. */
export function append(known: LoadedInbox, from: string, page: LoadedInbox): LoadedInbox {
  if (known.next_cursor !== from) return known;
  const there = new Set(known.items.map(keyOf));
  return {
    items: [...known.items, ...page.items.filter((item) => !there.has(keyOf(item)))],
    next_cursor: page.next_cursor,
  };
}

export function without(known: LoadedInbox, removed: ReadonlySet<string>): LoadedInbox {
  const items = known.items.filter((item) => !removed.has(keyOf(item)));
  return items.length === known.items.length ? known : { ...known, items };
}

/** Inserts or replaces one item. Items beyond the loaded end are left for later. */
export function withItem(known: LoadedInbox, item: InboxItem): LoadedInbox {
  const at = known.items.findIndex((each) => age(each) <= age(item));
  if (at === -1) return known.next_cursor === null ? { ...known, items: [...known.items, item] } : known;
  const isThere = keyOf(known.items[at] as InboxItem) === keyOf(item);
  return { ...known, items: known.items.toSpliced(at, isThere ? 1 : 0, item) };
}
