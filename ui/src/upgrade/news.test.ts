// The notice about the upgrade is for those whom the gateway names the time, and once per person and browser.
import { beforeEach, expect, it, vi } from "vitest";

vi.stubGlobal("location", { origin: "http://127.0.0.1", search: "" });
const { isClosed, markClosed, upgradeOf } = await import("./news");

const AT = "2026-11-18T08:00:00Z";
const stored = new Map<string, string>();

beforeEach(() => {
  stored.clear();
  vi.stubGlobal("localStorage", {
    getItem: (name: string) => stored.get(name) ?? null,
    setItem: (name: string, value: string) => void stored.set(name, value),
  });
});

it.each([
  ["an owner who was there before", { user: "usr_1", role: "owner", upgraded_at: AT }, true],
  ["an admin who was there before", { user: "usr_1", role: "admin", upgraded_at: AT }, true],
  ["everyone else", { user: "usr_1", role: "member", upgraded_at: null }, false],
  ["a gateway that does not say", { user: "usr_1", role: "owner" }, false],
  ["a time that is none", { user: "usr_1", role: "owner", upgraded_at: "soon" }, false],
  ["a session", { session: "ses_1", upgraded_at: AT }, false],
])("%s: %j is told: %s", (_, me, expected) => expect(upgradeOf({ org: "org_1", ...me }) !== null).toBe(expected));

it("is closed for one person of one organization", () => {
  expect(isClosed("org_1", "usr_1")).toBe(false);
  markClosed("org_1", "usr_1");
  expect([...stored.keys()]).toEqual(["countersign.upgrade.org_1.usr_1"]);
  expect([isClosed("org_1", "usr_1"), isClosed("org_1", "usr_2"), isClosed("org_2", "usr_1")]).toEqual([
    true,
    false,
    false,
  ]);
});

it("is not shown where it could not be closed for good", () => {
  vi.stubGlobal("localStorage", {
    getItem: () => {
      throw new Error("no storage");
    },
  });
  expect(isClosed("org_3", "usr_1")).toBe(true);
});

it("can be closed where the storage is full", () => {
  vi.stubGlobal("localStorage", {
    getItem: () => null,
    setItem: () => {
      throw new Error("full");
    },
  });
  expect(isClosed("org_4", "usr_1")).toBe(false);
  markClosed("org_4", "usr_1");
  expect(isClosed("org_4", "usr_1")).toBe(true);
});
