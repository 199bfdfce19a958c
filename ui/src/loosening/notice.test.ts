// The notice about loosening is for owners and admins where nobody chose two people, and once per person.
import { expect, it, vi } from "vitest";
import { isClosed, isNews, markClosed } from "./notice";

const org = (loosening: string, loosening_is_default: boolean) => ({ loosening, loosening_is_default });

it.each([
  ["two_people", true, "owner", true],
  ["two_people", true, "admin", true],
  ["two_people", true, "member", false],
  ["two_people", true, null, false],
  ["two_people", false, "owner", false],
  ["one", true, "owner", false],
])("%s, default %s, %s: %s", (loosening, isDefault, role, expected) =>
  expect(isNews(org(loosening, isDefault), role)).toBe(expected),
);

it("is closed for one person of one organization", () => {
  const stored = new Map<string, string>();
  vi.stubGlobal("localStorage", {
    getItem: (name: string) => stored.get(name) ?? null,
    setItem: (name: string, value: string) => void stored.set(name, value),
  });
  expect(isClosed("org_1", "usr_1")).toBe(false);
  markClosed("org_1", "usr_1");
  expect(isClosed("org_1", "usr_1")).toBe(true);
  expect(isClosed("org_1", "usr_2")).toBe(false);
  expect(isClosed("org_2", "usr_1")).toBe(false);
});

it("is not shown where it could not be closed for good", () => {
  vi.stubGlobal("localStorage", {
    getItem: () => {
      throw new Error("no storage");
    },
  });
  expect(isClosed("org_1", "usr_1")).toBe(true);
});
