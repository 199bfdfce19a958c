// Events add, refetch and remove items of the inbox.
import { expect, it } from "vitest";
import { inboxEffect } from "./inboxEvents";

it.each([
  ["action.approval_requested", {}, "new"],
  ["grant.requested", {}, "new"],
  ["action.quarantined", { status: "quarantined" }, "new"],
  ["action.released", { released_as: "inv_2" }, "gone"],
  ["action.discarded", {}, "gone"],
  ["action.denied", { status: "denied" }, "gone"],
  ["action.expired", { status: "expired" }, "gone"],
  ["action.executed", { status: "succeeded" }, "gone"],
  ["action.executed", { status: "unknown" }, "changed"],
  ["action.reconciled", { status: "failed" }, "gone"],
  ["grant.answered", {}, "gone"],
  ["action.edited", {}, null],
  ["action.values_revealed", {}, null],
  ["automation.run_started", { status: "unknown" }, null],
])("%s %o: %s", (type, data, effect) => {
  expect(inboxEffect({ type, data }, () => false)).toBe(effect);
});

it("keeps an item that needs another vote", () => {
  const event = { type: "action.approval_given", data: {} };
  expect(inboxEffect(event, () => true)).toBe("changed");
  expect(inboxEffect(event, () => false)).toBe("gone");
});
