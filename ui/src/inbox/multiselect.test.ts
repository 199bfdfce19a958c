// Only approvals can be selected; everything else is answered by itself.
import { expect, it } from "vitest";
import { approval, quarantined } from "../../tests/unit/document";
import type { InboxItem } from "../api/inboxList";
import { selectable } from "./multiselect";

const row = (item: InboxItem) => ({ kind: "item" as const, key: "k", item, inside: null });

it("selects an approval, and each of a group", () => {
  const one = approval({ shown: null });
  expect(selectable(row(one))).toEqual([one]);
  expect(selectable({ kind: "group", key: "k", items: [one, one], isOpen: false })).toHaveLength(2);
});

it("selects nothing else", () => {
  const others = [quarantined(), { kind: "unknown" }, { kind: "grant_request" }] as InboxItem[];
  expect(others.flatMap((item) => selectable(row(item)))).toEqual([]);
});
