// Who can do what about a proposed change, and what the inbox lists of it.
import { expect, it } from "vitest";
import { involvement, isAnswerable, loosensText, type ProposedChange, proposedRows, statusText } from "./proposed";

const change = (id: string, proposed_by: string, more: Partial<ProposedChange> = {}): ProposedChange => ({
  id,
  status: "waiting",
  changes: [{ change: "rule.set", subject: "rul_1", name: "linear.update_issue", loosens: "allows without asking" }],
  digest: "sha256:00",
  proposed_by,
  proposed_at: "2026-11-18T10:00:00Z",
  expires_at: "2026-11-21T10:00:00Z",
  ...more,
});

it.each([
  ["owner", "usr_b", "answer"],
  ["owner", "usr_a", "own"],
  ["admin", "usr_a", "own"],
  ["admin", "usr_b", "watch"],
  ["member", "usr_a", "own"],
  ["member", "usr_b", null],
  [undefined, undefined, null],
])("%s %s: %s", (role, user, expected) => expect(involvement(change("pch_1", "usr_a"), { role, user })).toBe(expected));

it("lists what the person can answer first, and only what waits", () => {
  const all = [
    change("pch_4", "usr_me"),
    change("pch_3", "usr_other"),
    change("pch_2", "usr_other", { status: "approved" }),
    change("pch_1", "usr_other"),
  ];
  const rows = proposedRows(all, { user: "usr_me", role: "owner" });
  expect(rows.map((row) => row.key)).toEqual(["pch_3", "pch_1", "pch_4"]);
  expect(rows.filter(isAnswerable)).toHaveLength(2);
  expect(proposedRows(all, { user: "usr_me", role: "admin" }).filter(isAnswerable)).toEqual([]);
  expect(proposedRows(all, { user: "usr_x", role: "member" })).toEqual([]);
});

it("says each loosening once", () => {
  const part = (loosens: string) => ({ change: "rule.set", subject: "", name: "", loosens });
  const changes = [part("allows without asking"), part("lets more people in"), part("allows without asking")];
  expect(loosensText(change("pch_1", "usr_a", { changes }))).toBe("allows without asking; lets more people in");
});

it("never claims a change that was not made, also for a status that is newer than this page", () => {
  for (const status of ["waiting", "denied", "withdrawn", "expired", "failed"])
    expect(statusText(status)).toMatch(/Nothing (has|was)|nothing was/);
  expect(statusText("approved")).toContain("in effect");
  expect(statusText("deferred")).toBe("Status: deferred");
});
