// Groups of similar requests: the same action by the same agent in the same session with the same parameter names. A
// group is one row of the list and can be answered at once, each item with its own digest.
import { type InboxItem, keyOf } from "../../api/inboxList";
import type { ProposedRow } from "../../loosening/proposed";
import { rows, type ValueRow } from "../../text/rows";
import type { Approval } from "../shown";
import { documentRows } from "./documentRows";

export type { Approval };

export interface ItemGroup {
  /** `alk_…`, stable while the group exists. */
  key: string;
  items: Approval[];
}

export type ListRow =
  | { kind: "item"; key: string; item: InboxItem; inside: string | null }
  | { kind: "alike"; key: string; items: Approval[]; isOpen: boolean }
  | ProposedRow;

/** Longer requests do not fit in the table and are answered one by one. */
const MOST_VALUES = 30;
const MOST_CHARACTERS = 2_000;
const MOST_FACT_CHARACTERS = 6_000;
/** The most requests in one bulk answer. */
export const MAX_BULK = 20;

interface DisplaySize {
  values: ValueRow[];
  likeness: string;
  isShort: boolean;
}

const known = new WeakMap<object, DisplaySize>();

/** The parameters and the other facts of the document as rows, and the group key. Computed once per item. */
function displaySize({ invocation, shown, description }: Approval): DisplaySize {
  const source = shown ?? invocation;
  const before = known.get(source);
  if (before !== undefined) return before;
  const params = rows(invocation.params);
  const facts = shown == null ? [] : documentRows(shown);
  const { action, agent, session, risk, dry_run } = invocation;
  const alike = [action, agent, session, risk, dry_run, params.map((row) => row.path), shown == null || description];
  const isShort =
    params.length <= MOST_VALUES && length(params) <= MOST_CHARACTERS && length(facts) <= MOST_FACT_CHARACTERS;
  const found = { values: [...params, ...facts], likeness: `alk_${hash(JSON.stringify(alike))}`, isShort };
  known.set(source, found);
  return found;
}

function length(values: ValueRow[]): number {
  return values.reduce((sum, row) => sum + row.path.length + row.value.length, 0);
}

export function similarity(item: Approval): string {
  return displaySize(item).likeness;
}

/** The group of the item with this key; null if there is none. */
export function groupKeyOf(items: readonly InboxItem[], key: string | undefined): string | null {
  const item = key === undefined ? undefined : items.find((each) => keyOf(each) === key);
  return item?.kind === "approval" ? similarity(item) : null;
}

export function fitsInTable(item: Approval): boolean {
  return displaySize(item).isShort;
}

/** Items that a bulk answer can include: a signed approval needs its own signature. */
export function answerable<T extends Approval>(verdict: "approve" | "deny", items: readonly T[]): T[] {
  return items.filter((item) => verdict === "deny" || item.passkey_needed !== true);
}

/** Groups in the order of their first item. */
export function groupItems(items: readonly Approval[]): ItemGroup[] {
  const found = new Map<string, Approval[]>();
  for (const item of items) {
    const same = found.get(similarity(item));
    if (same === undefined) found.set(similarity(item), [item]);
    else same.push(item);
  }
  return [...found].map(([key, same]) => ({ key, items: same }));
}

/** Groups of more than one item, by key. */
export function findGroups(items: readonly InboxItem[]): ReadonlyMap<string, Approval[]> {
  const found = groupItems(items.filter((item) => item.kind === "approval")).filter((each) => each.items.length > 1);
  return new Map(found.map((each) => [each.key, each.items]));
}

/** The rows of the list: a group is one row, followed by its items while it is expanded. */
export function listRows(
  items: readonly InboxItem[],
  alike: ReadonlyMap<string, Approval[]>,
  opened: ReadonlySet<string>,
): ListRow[] {
  const out: ListRow[] = [];
  for (const item of items) {
    const key = item.kind === "approval" ? similarity(item) : "";
    const same = alike.get(key);
    if (same === undefined) {
      out.push({ kind: "item", key: keyOf(item), item, inside: null });
    } else if (same[0] === item) {
      out.push({ kind: "alike", key, items: same, isOpen: opened.has(key) });
      if (opened.has(key))
        out.push(...same.map((each) => ({ kind: "item" as const, key: keyOf(each), item: each, inside: key })));
    }
  }
  return out;
}

export interface Compared {
  /** Values that all items share. */
  common: ValueRow[];
  /** Names of the differing values, and the values of each item. */
  differing: string[];
  values: ValueRow[][];
}

export function compare(items: readonly Approval[]): Compared {
  const all = items.map((item) => displaySize(item).values);
  const first = all[0] ?? [];
  const isCommon = first.map((row, at) =>
    all.every((each) => each[at]?.type === row.type && each[at]?.value === row.value),
  );
  return {
    common: first.filter((row, at) => isCommon[at] && row.path !== "" && !(row.isLabel && row.value === "")),
    differing: first.filter((_, at) => !isCommon[at]).map((row) => row.path),
    values: all.map((each) => each.filter((_, at) => !isCommon[at])),
  };
}

/** A short hash (FNV-1a), not for security. */
function hash(text: string): string {
  let [a, b] = [0x811c9dc5, 0xc2b2ae35];
  for (let at = 0; at < text.length; at += 1) {
    a = Math.imul(a ^ text.charCodeAt(at), 0x01000193);
    b = Math.imul(b ^ text.charCodeAt(at), 0x85ebca6b) ^ (b >>> 13);
  }
  return [a, b].map((part) => (part >>> 0).toString(16).padStart(8, "0")).join("");
}
