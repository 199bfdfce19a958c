// Requests that are alike: the same action by the same agent in the same session, with the same parameters or with other
// values in them. They are folded into one row of the list and can be answered together, each with its own digest.
import type { Schemas } from "../api/client";
import { type InboxItem, keyOf } from "../api/waiting";
import { rows, type ValueRow } from "../text/rows";

export type Approval = Extract<InboxItem, { kind: "approval" }>;

export interface Alike {
  /** `alk_…`: the same for as long as there are any. */
  key: string;
  items: Approval[];
}

export type ListRow =
  | { kind: "item"; key: string; item: InboxItem; inside: string | null }
  | { kind: "alike"; key: string; items: Approval[]; isOpen: boolean };

/** What is longer cannot be seen whole among others; it is answered by itself. */
const MOST_VALUES = 30;
const MOST_CHARACTERS = 2_000;
/** So many can be read before one answers; the others come after them. */
export const MOST_TOGETHER = 50;

interface Looks {
  values: ValueRow[];
  likeness: string;
  isShort: boolean;
}

const known = new WeakMap<object, Looks>();

/** The parameters as rows, and what an item has in common with those like it. Both are looked for once. */
function looks({ invocation }: { invocation: Schemas["InvocationView"] }): Looks {
  const before = known.get(invocation);
  if (before !== undefined) return before;
  const values = rows(invocation.params);
  const { action, agent, session, risk, dry_run } = invocation;
  const likeness = hash(JSON.stringify([action, agent, session, risk, dry_run, values.map((row) => row.path)]));
  const isShort = values.length <= MOST_VALUES && values.reduce((sum, row) => sum + row.path.length + row.value.length, 0) <= MOST_CHARACTERS;
  const found = { values, likeness: `alk_${likeness}`, isShort };
  known.set(invocation, found);
  return found;
}

export function likeness(item: Approval): string {
  return looks(item).likeness;
}

/** What the item with this key is like; null when it is like nothing, or not there. */
export function likenessOf(items: readonly InboxItem[], key: string | undefined): string | null {
  const item = key === undefined ? undefined : items.find((each) => keyOf(each) === key);
  return item?.kind === "approval" ? likeness(item) : null;
}

/** Whether all of it can be read in a row beside others. */
export function fitsTogether(item: Approval): boolean {
  return looks(item).isShort;
}

/** What can be answered with others: a yes that must be signed needs a signature of its own. */
export function answerable(verdict: "approve" | "deny", items: readonly Approval[]): Approval[] {
  return items.filter((item) => verdict === "deny" || item.passkey_needed !== true);
}

/** Those that are alike, in the order of the first of each. */
export function sortAlike(items: readonly Approval[]): Alike[] {
  const found = new Map<string, Approval[]>();
  for (const item of items) {
    const same = found.get(likeness(item));
    if (same === undefined) found.set(likeness(item), [item]);
    else same.push(item);
  }
  return [...found].map(([key, same]) => ({ key, items: same }));
}

/** Those that more than one is like, by their likeness. */
export function findAlike(items: readonly InboxItem[]): ReadonlyMap<string, Approval[]> {
  const found = sortAlike(items.filter((item) => item.kind === "approval")).filter((each) => each.items.length > 1);
  return new Map(found.map((each) => [each.key, each.items]));
}

/** The list as it is drawn: what is alike as one row at the place of the first, and below it each of them while it is open. */
export function listRows(items: readonly InboxItem[], alike: ReadonlyMap<string, Approval[]>, opened: ReadonlySet<string>): ListRow[] {
  const out: ListRow[] = [];
  for (const item of items) {
    const key = item.kind === "approval" ? likeness(item) : "";
    const same = alike.get(key);
    if (same === undefined) {
      out.push({ kind: "item", key: keyOf(item), item, inside: null });
    } else if (same[0] === item) {
      out.push({ kind: "alike", key, items: same, isOpen: opened.has(key) });
      if (opened.has(key)) out.push(...same.map((each) => ({ kind: "item" as const, key: keyOf(each), item: each, inside: key })));
    }
  }
  return out;
}

export interface Compared {
  /** What all of them have. */
  common: ValueRow[];
  /** The names of what differs, and the values of each item under them. */
  differing: string[];
  values: ValueRow[][];
}

/** Items that are alike, side by side. */
export function compare(items: readonly Approval[]): Compared {
  const all = items.map((item) => looks(item).values);
  const first = all[0] ?? [];
  const isCommon = first.map((row, at) => all.every((each) => each[at]?.type === row.type && each[at]?.value === row.value));
  return {
    common: first.filter((row, at) => isCommon[at] && row.path !== ""),
    differing: first.filter((_, at) => !isCommon[at]).map((row) => row.path),
    values: all.map((each) => each.filter((_, at) => !isCommon[at])),
  };
}

/** A short name for a long one (FNV-1a over two halves); nobody is asked to trust it. */
function hash(text: string): string {
  let [a, b] = [0x811c9dc5, 0xc2b2ae35];
  for (let at = 0; at < text.length; at += 1) {
    a = Math.imul(a ^ text.charCodeAt(at), 0x01000193);
    b = Math.imul(b ^ text.charCodeAt(at), 0x85ebca6b) ^ (b >>> 13);
  }
  return [a, b].map((part) => (part >>> 0).toString(16).padStart(8, "0")).join("");
}
