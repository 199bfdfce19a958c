// Groups of requests. A group is one row of the list and can be answered at once, each item with its own digest.
//
// Similar requests are a group: the same action by the same agent in the same session with the same parameter names.
// So are the requests of one run: a step of the plan waits by itself, so several are what a model asked in one turn.
import { type InboxItem, keyOf } from "../../api/inboxList";
import type { ProposedRow } from "../../loosening/proposed";
import { rows, type ValueRow } from "../../text/rows";
import type { Approval } from "../shown";
import { documentRows } from "./documentRows";

export type { Approval };

export interface ItemGroup {
  /** `alk_…` */
  key: string;
  items: Approval[];
}

export type ListRow =
  | { kind: "item"; key: string; item: InboxItem; inside: string | null }
  | { kind: "group"; key: string; items: Approval[]; isOpen: boolean }
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

/** The key of the group that an item belongs to, if there are others: the run (`run_…`), or what is similar. */
function groupOf(item: Approval): string {
  return item.invocation.run ?? similarity(item);
}

/** The group of the item with this key; null if there is none. */
export function groupKeyOf(items: readonly InboxItem[], key: string | undefined): string | null {
  const item = key === undefined ? undefined : items.find((each) => keyOf(each) === key);
  return item?.kind === "approval" ? groupOf(item) : null;
}

export function isGroupKey(key: string): boolean {
  return /^(alk|run)_/.test(key);
}

/** The run of a group of the list; null if its requests are similar. */
export function runOf(items: readonly Approval[]): string | null {
  return items[0]?.invocation.run ?? null;
}

export function fitsInTable(item: Approval): boolean {
  return displaySize(item).isShort;
}

/** Items that a bulk answer can include: a signed approval needs its own signature. */
export function answerable<T extends Approval>(verdict: "approve" | "deny", items: readonly T[]): T[] {
  return items.filter((item) => verdict === "deny" || item.passkey_needed !== true);
}

/** Similar requests, for one table each, in the order of the first item. */
export function groupItems(items: readonly Approval[]): ItemGroup[] {
  return [...collect(items, similarity)].map(([key, same]) => ({ key, items: same }));
}

function collect(items: readonly Approval[], keyFor: (item: Approval) => string): Map<string, Approval[]> {
  const found = new Map<string, Approval[]>();
  for (const item of items) {
    const key = keyFor(item);
    const same = found.get(key);
    if (same === undefined) found.set(key, [item]);
    else same.push(item);
  }
  return found;
}

/** Groups of more than one item, by key. Those of a run are in the order in which they were asked. */
export function findGroups(items: readonly InboxItem[]): ReadonlyMap<string, Approval[]> {
  const approvals = items.filter((item) => item.kind === "approval");
  const found = [...collect(approvals, groupOf)].filter(([, same]) => same.length > 1);
  return new Map(found.map(([key, same]) => [key, runOf(same) === null ? same : same.toSorted(byId)]));
}

/** IDs start with the time. */
function byId(a: Approval, b: Approval): number {
  return a.invocation.id < b.invocation.id ? -1 : 1;
}

/** The rows of the list: a group is one row at its first item, followed by its items while it is expanded. */
export function listRows(
  items: readonly InboxItem[],
  groups: ReadonlyMap<string, Approval[]>,
  opened: ReadonlySet<string>,
): ListRow[] {
  const out: ListRow[] = [];
  const placed = new Set<string>();
  for (const item of items) {
    const key = item.kind === "approval" ? groupOf(item) : "";
    const same = groups.get(key);
    if (same === undefined) {
      out.push({ kind: "item", key: keyOf(item), item, inside: null });
    } else if (!placed.has(key)) {
      placed.add(key);
      out.push({ kind: "group", key, items: same, isOpen: opened.has(key) });
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
