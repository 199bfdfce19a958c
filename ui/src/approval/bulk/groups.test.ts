// Similar requests are grouped; others stay separate.
import { expect, it } from "vitest";
import { quarantined } from "../../../tests/unit/document";
import type { InboxItem } from "../../api/inboxList";
import {
  type Approval,
  answerable,
  compare,
  findGroups,
  fitsInTable,
  groupItems,
  groupKeyOf,
  isGroupKey,
  listRows,
  runOf,
  similarity,
} from "./groups";

let last = 0;
const item = (params: unknown, more: object = {}) => {
  last += 1;
  return {
    kind: "approval",
    invocation: {
      id: `inv_${last}`,
      action: "x.y",
      agent: "bot",
      session: "ses_1",
      risk: "R2",
      dry_run: false,
      params,
      ...more,
    },
  } as unknown as Approval;
};

it.each([
  ["equal", {}, { a: 1 }, true],
  ["other values, also of another type", {}, { a: "two" }, true],
  ["other names", {}, { b: 1 }, false],
  ["one more", {}, { a: 1, b: 2 }, false],
  ["another action", { action: "x.z" }, { a: 1 }, false],
  ["another agent", { agent: "rob" }, { a: 1 }, false],
  ["another session", { session: "ses_2" }, { a: 1 }, false],
  ["a dry run", { dry_run: true }, { a: 1 }, false],
])("is it alike? %s", (_, more, params, expected) => {
  expect(similarity(item(params, more)) === similarity(item({ a: 1 }))).toBe(expected);
});

it("leaves out of a yes to many what must be signed, and of a no nothing", () => {
  const [free, signed] = [item({ a: 1 }), { ...item({ a: 2 }), passkey_needed: true }];
  expect(answerable("approve", [free, signed])).toEqual([free]);
  expect(answerable("deny", [free, signed])).toEqual([free, signed]);
});

it("folds what is alike at the place of the first, and opens it there", () => {
  const [one, other, two] = [item({ a: 1 }), item({ b: 1 }), item({ a: 2 })];
  const all = [one, other, two] as InboxItem[];
  const alike = findGroups(all);
  const folded = listRows(all, alike, new Set());
  expect(folded.map((row) => row.kind)).toEqual(["group", "item"]);
  const opened = listRows(all, alike, new Set([similarity(two)]));
  expect(opened.map((row) => row.key)).toEqual([
    folded[0]?.key,
    one.invocation.id,
    two.invocation.id,
    other.invocation.id,
  ]);
});

it("never groups quarantined requests, however similar", () => {
  const held = (id: string) => quarantined({ invocation: { ...quarantined().invocation, id } });
  const all = [held("inv_91"), item({ a: 1 }), held("inv_92"), item({ a: 2 })] as InboxItem[];
  const alike = findGroups(all);
  expect([...alike.values()].map((items) => items.length)).toEqual([2]);
  expect(listRows(all, alike, new Set()).map((row) => row.kind)).toEqual(["item", "group", "item"]);
  expect(groupKeyOf(all, "inv_91")).toBeNull();
});

it("sets side by side what differs, and above it what does not", () => {
  const found = compare([item({ to: "a", n: 1, s: "x" }), item({ to: "b", n: "1", s: "x" })]);
  expect(found.common.map((row) => row.path)).toEqual(["s"]);
  expect(found.differing).toEqual(["to", "n"]);
  expect(found.values.map((row) => row.map((cell) => `${cell.type} ${cell.value}`))).toEqual([
    ["text a", "number 1"],
    ["text b", "text 1"],
  ]);
});

it("leaves what is long to be read by itself", () => {
  expect(fitsInTable(item({ a: "x".repeat(1_900) }))).toBe(true);
  expect(fitsInTable(item({ a: "x".repeat(2_100) }))).toBe(false);
  expect(fitsInTable(item(Object.fromEntries(Array.from({ length: 31 }, (_, n) => [`p${n}`, 1]))))).toBe(false);
});

const asked = (run: string, params: unknown, more: object = {}) =>
  item(params, { run, session: `ses_${run}`, ...more });

it("folds what a model asked in one turn, in the order in which it asked, at the place of the newest", () => {
  const [one, other, two, three] = [
    asked("run_1", { a: 1 }),
    item({ a: 1 }),
    asked("run_1", { b: 1 }, { action: "x.z" }),
    asked("run_1", { a: 2 }),
  ];
  // Newest first, as the inbox is.
  const all = [three, two, other, one] as InboxItem[];
  const groups = findGroups(all);
  expect([...groups]).toEqual([["run_1", [one, two, three]]]);
  expect(listRows(all, groups, new Set()).map((row) => `${row.kind} ${row.key}`)).toEqual([
    "group run_1",
    `item ${other.invocation.id}`,
  ]);
  expect(listRows(all, groups, new Set(["run_1"])).map((row) => row.key)).toEqual([
    "run_1",
    ...[one, two, three, other].map((each) => each.invocation.id),
  ]);
  expect(groupKeyOf(all, two.invocation.id)).toBe("run_1");
  expect(groupItems([one, two, three]).map(({ items }) => items)).toEqual([[one, three], [two]]);
});

it("keeps runs apart, and shows the only question of a run by itself", () => {
  const all = [asked("run_1", { a: 1 }), asked("run_2", { a: 1 }), item({ a: 1 }), item({ a: 2 })] as InboxItem[];
  const groups = findGroups(all);
  expect([...groups.values()].map((items) => items.length)).toEqual([2]);
  expect([...groups.values()].map(runOf)).toEqual([null]);
  expect(listRows(all, groups, new Set()).map((row) => row.kind)).toEqual(["item", "item", "group"]);
});

it("never takes anything but approvals into the questions of a run", () => {
  const held = quarantined({ invocation: { ...quarantined().invocation, id: "inv_90", run: "run_1" } });
  const all = [asked("run_1", { a: 1 }), held, asked("run_1", { b: 1 })] as InboxItem[];
  expect(findGroups(all).get("run_1")).toHaveLength(2);
  expect(listRows(all, findGroups(all), new Set()).map((row) => row.kind)).toEqual(["group", "item"]);
});

it("knows the address of a group", () => {
  const key =
    findGroups([item({ a: 1 }), item({ a: 2 })] as InboxItem[])
      .keys()
      .next().value ?? "";
  expect([key, "run_1", "inv_1", "grq_1", "pch_1"].map(isGroupKey)).toEqual([true, true, false, false, false]);
});
