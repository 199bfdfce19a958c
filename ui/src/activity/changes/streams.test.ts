// Several lists become one, newest first, with every item once, whatever the length of their pages.
import { expect, it } from "vitest";
import { type MergedPage, nextPage, type Stream, streams } from "./streams";

type Item = { id: string };
const items = (...ids: number[]) => ids.map((id) => ({ id: `chg_${String(id).padStart(3, "0")}` }));

/** Pages of a list, newest first; the cursor is the place where the next one begins. */
const served = (lists: Record<string, Item[]>, size: number) => (prefix: string, cursor: string | null) => {
  const from = Number(cursor ?? 0);
  const all = lists[prefix] ?? [];
  const next_cursor = from + size < all.length ? String(from + size) : null;
  return Promise.resolve({ items: all.slice(from, from + size), next_cursor });
};

async function everything(lists: Record<string, Item[]>, size: number): Promise<Item[]> {
  const found: Item[] = [];
  let rest: Stream<Item>[] | null = streams(Object.keys(lists));
  for (let pages = 0; rest !== null; pages += 1) {
    expect(pages).toBeLessThan(100);
    const page: MergedPage<Item> = await nextPage(rest, served(lists, size));
    found.push(...page.items);
    rest = page.rest;
  }
  return found;
}

const lists = {
  "member.": items(90, 89, 88, 10, 9),
  "passkey.": items(95, 50, 8, 7, 6, 5, 4, 3, 2, 1),
  "slack.": [],
};

it.each([1, 2, 3, 4, 100])("joins lists with pages of %i", async (size) =>
  expect(await everything(lists, size)).toEqual(items(95, 90, 89, 88, 50, 10, 9, 8, 7, 6, 5, 4, 3, 2, 1)),
);

it("leaves a single list as it is", async () => {
  const page = await nextPage(streams<Item>([""]), served({ "": items(3, 2, 1) }, 2));
  expect(page.items).toEqual(items(3, 2));
  expect(page.rest).toEqual([{ prefix: "", held: [], cursor: "2", isDone: false }]);
});

it("waits for a page that is empty and has another after it", async () => {
  const empty = await nextPage(streams<Item>(["a."]), () => Promise.resolve({ items: [], next_cursor: "1" }));
  expect(empty).toEqual({ items: [], rest: [{ prefix: "a.", held: [], cursor: "1", isDone: false }] });
});
