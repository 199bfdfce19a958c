// Only members who are not listed can be added, and a removal says what it means in this space.
import { expect, it } from "vitest";
import type { Member } from "../people/queries";
import { candidates, removalText } from "./members";

const member = (user: string, role: string, kind = "person"): Member => ({
  user,
  role,
  kind,
  name: user,
  joined_at: "2026-11-18T08:00:00Z",
});

it("offers people and service accounts with the role member who are not listed", () => {
  const all = [
    member("usr_owner", "owner"),
    member("usr_admin", "admin"),
    member("usr_a", "member"),
    member("usr_b", "member"),
    member("usr_bot", "member", "service"),
    member("usr_admin_bot", "admin", "service"),
  ];
  expect(candidates(all, [{ user: "usr_a" }]).map(({ user }) => user)).toEqual(["usr_b", "usr_bot"]);
  expect(candidates(all, all)).toEqual([]);
});

it("says that sessions end only where the member loses the space", () => {
  expect(removalText("members", "member")).toBe(
    "They can no longer open sessions here, and their sessions in this space end at once.",
  );
  expect(removalText("guests", "member")).toContain("end at once");
  expect(removalText("everyone", "member")).toContain("can still open sessions");
  expect(removalText("members", "admin")).toContain("can still open sessions");
  expect(removalText("members", "owner")).toContain("can still open sessions");
});
