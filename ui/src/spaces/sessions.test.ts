// Sessions that end are foretold: those of this person, in this space, that are open and beyond what is left.
import { expect, it } from "vitest";
import { endingSessions, type Session } from "./sessions";

const NOW = Date.parse("2026-11-18T08:00:00Z");
const session = (id: string, more: Partial<Session> = {}): Session => ({
  id,
  agent: "triage",
  capabilities: ["linear:read"],
  created_at: "2026-11-18T07:00:00Z",
  created_by: "usr_1",
  expires_at: "2026-11-19T07:00:00Z",
  kind: "interactive",
  space: "spc_1",
  title: "",
  ...more,
});
const ALL = [
  session("read"),
  session("both", { capabilities: ["linear:read", "linear:write"] }),
  session("other-space", { space: "spc_2" }),
  session("other-person", { created_by: "usr_2" }),
  session("ended", { ended_at: "2026-11-18T07:30:00Z" }),
  session("expired", { expires_at: "2026-11-18T08:00:00Z" }),
];
const ending = (capabilities: string[] | null, { open_to = "members", role = "member" } = {}) =>
  endingSessions(ALL, { space: { id: "spc_1", open_to }, member: { user: "usr_1", role }, capabilities }, NOW).map(
    ({ id }) => id,
  );

it("ends every open session of a member who is removed", () => expect(ending(null)).toEqual(["read", "both"]));

it("ends the sessions that are beyond what is left", () => {
  expect(ending(["linear:read"])).toEqual(["both"]);
  expect(ending(["slack:*"])).toEqual(["read", "both"]);
  expect(ending(["linear:*"])).toEqual([]);
  expect(ending(["*"])).toEqual([]);
  expect(ending([])).toEqual(["read", "both"]);
});

it("ends none where the member can go on without being listed", () => {
  expect(ending(null, { open_to: "everyone" })).toEqual([]);
  expect(ending(["slack:*"], { open_to: "everyone" })).toEqual(["read", "both"]);
});

it("ends a session for sources that are added later, which only a listed member can have", () => {
  const all = [session("everything", { capabilities: ["*"] }), session("read")];
  const change = { space: { id: "spc_1", open_to: "everyone" }, member: { user: "usr_1", role: "member" } };
  const ids = (capabilities: string[] | null) =>
    endingSessions(all, { ...change, capabilities }, NOW).map(({ id }) => id);
  expect(ids(null)).toEqual(["everything"]);
  expect(ids(["linear:*"])).toEqual(["everything"]);
  expect(ids(["*"])).toEqual([]);
});

it.each(["admin", "owner"])("ends none of an %s", (role) => {
  expect(ending(null, { role })).toEqual([]);
  expect(ending(["slack:*"], { role })).toEqual([]);
});
