// Roles include each other; an unknown role has no permission.
import { expect, it } from "vitest";
import { isAtLeast } from "./role";

it("takes a greater role for a lesser one, never the other way round", () => {
  expect(isAtLeast("owner", "admin")).toBe(true);
  expect(isAtLeast("admin", "admin")).toBe(true);
  expect(isAtLeast("member", "admin")).toBe(false);
  expect(isAtLeast("admin", "owner")).toBe(false);
});

it("gives nothing to somebody without a role", () => {
  for (const role of [null, undefined, "root", ""]) expect(isAtLeast(role, "member")).toBe(false);
});
