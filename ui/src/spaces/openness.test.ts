// Who a space is open to is said for both values, and for one that is newer than the page.
import { expect, it } from "vitest";
import type { Space } from "../settings/queries";
import { changeText, membersText, noMembersText, OPENNESS, openable, opennessText } from "./openness";

it("has members as the default", () => expect(OPENNESS[0][0]).toBe("members"));

it.each([
  ["everyone", "open to everyone"],
  ["members", "open to its members"],
  ["guests", "open to: guests"],
])("%s: %s", (open_to, text) => expect(opennessText(open_to)).toBe(text));

it("never says of a space that is not open to everyone that everyone can open sessions", () => {
  for (const open_to of ["members", "guests"]) {
    expect(membersText(open_to)).toMatch(/^Only listed members can open/);
    expect(noMembersText(open_to)).toBe("No members yet. Only admins and owners can open sessions here.");
  }
  expect(membersText("everyone")).toMatch(/^Every member of the organization/);
  expect(noMembersText("everyone")).toContain("Every member of the organization can use every source here.");
});

it("says what follows from a change, and nothing without one", () => {
  expect(changeText("members", "everyone")).toBe(
    "Every member of the organization can then open sessions here and use every source.",
  );
  expect(changeText("everyone", "members")).toMatch(/no longer open sessions here.*end at once/);
  expect(changeText("members", "members")).toBeNull();
  expect(changeText("everyone", "everyone")).toBeNull();
});

it("lists the spaces in which the person can open sessions, in the same order", () => {
  const space = (id: string, may_open: boolean): Space => ({
    id,
    slug: id,
    name: id,
    risk_band: "green",
    outbound_redaction: false,
    open_to: "members",
    may_open,
  });
  const all = [space("a", true), space("b", false), space("c", true)];
  expect(openable(all).map(({ id }) => id)).toEqual(["a", "c"]);
});
