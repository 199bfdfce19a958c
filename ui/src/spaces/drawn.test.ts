// What is drawn about spaces and their members, for admins and for members, with nothing hidden.
import { QueryClientProvider } from "@tanstack/react-query";
import { createElement, type ReactNode } from "react";
import { renderToStaticMarkup } from "react-dom/server";
import { beforeEach, expect, it, vi } from "vitest";
import type { Space } from "../settings/queries";
import type { SpaceMember } from "./queries";

vi.stubGlobal("location", { origin: "http://127.0.0.1" });
vi.stubGlobal("sessionStorage", { getItem: () => null });
vi.mock("../text/now", () => ({ useNow: () => Date.parse("2026-11-18T08:00:00Z") }));
const { me, queries } = await import("../api/queries");
const { OpenHint } = await import("../agents/OpenHint");
const { sources } = await import("../catalog/queries");
const { spaces } = await import("../settings/queries");
const { Spaces } = await import("../settings/Spaces");
const { Ending } = await import("./Ending");
const { sessions, spaceMembers } = await import("./queries");
const { readReach } = await import("./reach");
const { ReachFields } = await import("./ReachFields");
const { SpaceChoice } = await import("./SpaceChoice");
const { SpaceMembers } = await import("./SpaceMembers");

const space = (more: Partial<Space> = {}): Space => ({
  id: "spc_1",
  slug: "support",
  name: "Support",
  risk_band: "amber",
  outbound_redaction: false,
  open_to: "members",
  may_open: true,
  ...more,
});
const member = (more: Partial<SpaceMember> = {}): SpaceMember => ({
  user: "usr_1",
  name: "Ada",
  role: "member",
  kind: "person",
  capabilities: ["linear:read"],
  added_at: "2026-11-18T07:59:00Z",
  ...more,
});

beforeEach(() => queries.clear());

function drawn(element: ReactNode): string {
  return renderToStaticMarkup(createElement(QueryClientProvider, { client: queries }, element));
}
const textOf = (markup: string) => markup.replace(/<[^>]*>/g, "");

function membersOf(listed: SpaceMember[], role: string, open_to = "members"): string {
  queries.setQueryData(me.queryKey, { role, user: "usr_9" } as never);
  queries.setQueryData(spaceMembers("spc_1").queryKey, listed);
  return drawn(createElement(SpaceMembers, { space: space({ open_to }) }));
}

it("says who may use what, with nothing hidden", () => {
  const hostile = { name: "A\u202eda<b>", capabilities: ["linear:read", "x\u200b:*", "<i>"] };
  const markup = membersOf([member(hostile)], "admin");
  const text = textOf(markup);
  expect(text).toContain("A\\u{202e}da&lt;b&gt;");
  expect(text).toContain("may use linear:read x\\u{200b}:* &lt;i&gt; · added");
  expect(markup).toContain('title="reading from linear"');
  expect(markup).not.toMatch(/[\u202e\u200b]|<b>|<i>/);
});

it("says everything in words, also of somebody who became an admin", () => {
  const text = textOf(
    membersOf([member({ capabilities: ["*"] }), member({ user: "usr_2", name: "Ben", role: "admin" })], "member"),
  );
  expect(text).toMatch(/Adamay use everything · .*Benmay use everything, as admin · /);
  expect(text).not.toContain("linear:read");
});

it("marks service accounts and the person who reads it", () => {
  const text = textOf(membersOf([member({ kind: "service" }), member({ user: "usr_9", name: "Ben" })], "member"));
  expect(text).toMatch(/Adaservice accountmay use.*Benyoumay use/);
});

it("has buttons for admins and owners, and none for members", () => {
  for (const role of ["admin", "owner"]) {
    const markup = membersOf([member()], role);
    expect(markup).toContain('aria-label="Change what Ada may use in Support"');
    expect(markup).toContain('aria-label="Remove Ada from Support"');
    expect(markup).toContain('aria-label="Add a member to Support"');
  }
  expect(membersOf([member()], "member")).not.toContain("<button");
});

it("says what an empty list means", () => {
  expect(textOf(membersOf([], "member"))).toContain("No members yet. Only admins and owners can open sessions here.");
  expect(textOf(membersOf([], "member", "everyone"))).toContain("Nobody is listed. Every member");
});

it("offers every source, also one that was disconnected, and names what it does not know", () => {
  queries.setQueryData(sources.queryKey, { items: [{ source: "slack" }, { source: "linear" }] } as never);
  const fields = (capabilities: string[]) =>
    drawn(createElement(ReachFields, { reach: readReach(capabilities), onChange: () => {} }));
  const markup = fields(["gone:read", "linear:*", "github:merge"]);
  const chosen = [...markup.matchAll(/<option value="(\w+)" selected="">/g)].map(([, access]) => access);
  expect(textOf(markup)).toMatch(/gone.*linear.*slack/);
  expect(chosen).toEqual(["read", "all", "none"]);
  expect(textOf(markup)).toContain("Not known to this page, and kept: github:merge");
  expect(fields(["*"])).not.toContain("<select");
});

it("names the sessions that end, and says in a confirmation that none does", () => {
  const session = { id: "ses_1", agent: "triage\u202e", title: "Tickets", capabilities: ["linear:read"] };
  const open = { ...session, space: "spc_1", created_by: "usr_1", expires_at: "2026-11-19T00:00:00Z" };
  queries.setQueryData(sessions.queryKey, [{ ...open, kind: "interactive", created_at: "2026-11-18T07:59:00Z" }]);
  const ending = (capabilities: string[] | null, isConfirmation: boolean) =>
    textOf(drawn(createElement(Ending, { space: space(), member: member(), capabilities, isConfirmation })));
  expect(ending(null, true)).toBe("This session ends at once:triage\\u{202e}: Tickets, opened 1m 00s ago");
  expect(ending(["slack:*"], false)).toContain("triage");
  expect(ending(["linear:*"], false)).toBe("");
  expect(ending(["linear:*"], true)).toBe("No open session ends.");
});

it("says of each space who it is open to, and where the person cannot open sessions", () => {
  queries.setQueryData(me.queryKey, { role: "member", user: "usr_9" } as never);
  queries.setQueryData(spaces.queryKey, [
    space({ open_to: "everyone" }),
    space({ id: "spc_2", name: "Production", may_open: false }),
    space({ id: "spc_3", name: "Lab", open_to: "gue\u200bsts" }),
  ]);
  const markup = drawn(createElement(Spaces));
  const rows = markup.split("<li ").slice(1).map(textOf);
  expect(rows[0]).toContain("open to everyone");
  expect(rows[1]).toContain("open to its members");
  expect(rows[2]).toContain("open to: gue\\u{200b}sts");
  expect(rows.map((row) => row.includes("You cannot open sessions here."))).toEqual([false, true, false]);
  expect(markup).toContain('aria-label="Members of Production"');
  expect(markup).not.toMatch(/Add a space|aria-label="Edit/);
});

it("names only spaces in which the person can open sessions", () => {
  const hint = (...known: Space[]) => {
    queries.setQueryData(spaces.queryKey, known);
    return textOf(drawn(createElement(OpenHint)));
  };
  const closed = space({ id: "spc_2", name: "Production", may_open: false });
  expect(hint(space(), closed, space({ id: "spc_3", name: "Ma\u200bin" }))).toMatch(/in: Support, Ma\\u\{200b\}in\.$/);
  expect(hint(closed)).toBe("No space is open to you. Ask an admin to add you to one.");
});

it("asks for a space only where there are several", () => {
  const choice = (all: Space[]) =>
    drawn(createElement(SpaceChoice, { spaces: all, space: "spc_2", onSpace: () => {} }));
  expect(choice([space()])).toBe("");
  const markup = choice([space(), space({ id: "spc_2", name: "M\u202eain" })]);
  expect(markup).toContain('<option value="spc_2" selected="">M\\u{202e}ain (amber)</option>');
});
