// The loaded list stays correct while items come and go, without reloading it.
import { expect, it } from "vitest";
import { append, type InboxItem, keyOf, type LoadedInbox, mergeNewest, withItem, without } from "./inboxList";

const item = (n: number, votes = 0) =>
  ({
    kind: "approval",
    votes_needed: votes,
    invocation: { id: `inv_${String(n).padStart(3, "0")}` },
  }) as unknown as InboxItem;
const asked = (n: number) =>
  ({ kind: "grant_request", id: `grq_${String(n).padStart(3, "0")}` }) as unknown as InboxItem;
const waiting = (numbers: number[], next_cursor: string | null = null): LoadedInbox => ({
  items: numbers.map((n) => item(n)),
  next_cursor,
});
const keys = (found: LoadedInbox) => found.items.map(keyOf).map((key) => Number(key.slice(4)));

it("lays the newest page over what is loaded", () => {
  const known = waiting([9, 8, 7, 3, 2], "002");
  const found = mergeNewest(known, waiting([11, 9, 7], "007"));
  expect(keys(found)).toEqual([11, 9, 7, 3, 2]);
  expect(found.next_cursor).toBe("002");
  expect(found.items[1], "what did not change is the same object").toBe(known.items[0]);
});

it("begins again when too much came to know what lies between", () => {
  expect(mergeNewest(waiting([3, 2], "002"), waiting([9, 8], "008"))).toEqual(waiting([9, 8], "008"));
});

it("knows that a page without an end is everything", () => {
  expect(keys(mergeNewest(waiting([9, 3, 2], "002"), waiting([9])))).toEqual([9]);
  expect(mergeNewest(waiting([9, 3, 2], "002"), waiting([9])).next_cursor).toBeNull();
  expect(mergeNewest(waiting([9, 8, 7]), waiting([10, 9], "009"))).toEqual(waiting([10, 9, 8, 7]));
});

it("goes on from where the next page was asked for, and nowhere else", () => {
  expect(keys(append(waiting([9, 8], "008"), "008", waiting([8, 7, 6])))).toEqual([9, 8, 7, 6]);
  expect(keys(append(waiting([9, 8], "008"), "005", waiting([4])))).toEqual([9, 8]);
});

it("lists the turns one after the other", () => {
  const turn = (n: number, of: number) => ({ ...item(n), turn: of }) as InboxItem;
  const known: LoadedInbox = { items: [item(5), item(3), turn(9, 1)], next_cursor: null };
  expect(keys(withItem(known, item(4)))).toEqual([5, 4, 3, 9]);
  expect(keys(withItem(known, turn(8, 1)))).toEqual([5, 3, 9, 8]);
  const newest: LoadedInbox = { items: [item(6), item(5), item(3)], next_cursor: "0-003" };
  expect(keys(mergeNewest(known, newest))).toEqual([6, 5, 3, 9]);
});

it("lists a quarantined item at its turn", () => {
  const held = (n: number, turn: number) => ({ ...item(n), kind: "quarantined", turn }) as InboxItem;
  const known: LoadedInbox = { items: [item(5), item(3)], next_cursor: null };
  expect(keys(withItem(known, held(4, 0)))).toEqual([5, 4, 3]);
  expect(keys(withItem(known, held(9, 1)))).toEqual([5, 3, 9]);
});

it("takes out what is gone, and leaves alone what is not", () => {
  const known = waiting([9, 8]);
  expect(keys(without(known, new Set(["inv_009"])))).toEqual([8]);
  expect(without(known, new Set(["inv_001"]))).toBe(known);
});

it("puts an item at its place, once", () => {
  expect(keys(withItem(waiting([9, 5]), item(7)))).toEqual([9, 7, 5]);
  expect(keys(withItem(waiting([9, 5]), item(9, 2)))).toEqual([9, 5]);
  expect(withItem(waiting([9, 5]), item(9, 2)).items[0]).toMatchObject({ votes_needed: 2 });
  expect(keys(withItem(waiting([9, 5]), asked(3)))).toEqual([9, 5, 3]);
  expect(keys(withItem(waiting([9, 5], "005"), item(3)))).toEqual([9, 5]);
});
