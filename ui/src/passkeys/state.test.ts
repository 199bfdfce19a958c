// Who may confirm a passkey, and which passkeys sign.
import { expect, it } from "vitest";
import { mayConfirm, passkeyState } from "./state";

const AT = "2026-11-18T08:00:00Z";
const waiting = { user: "usr_1", confirmed_at: null, removed_at: null };
const confirmed = { ...waiting, confirmed_at: AT };
const removed = { ...waiting, removed_at: AT };

it.each([
  ["another admin", { user: "usr_2", role: "admin" }, true],
  ["another owner", { user: "usr_2", role: "owner" }, true],
  ["another member", { user: "usr_2", role: "member" }, false],
  ["its owner", { user: "usr_1", role: "owner" }, false],
  ["an agent's session", { user: null, role: null }, false],
  ["someone unknown", {}, false],
])("%s: %s", (_, viewer, may) => expect(mayConfirm(waiting, viewer)).toBe(may));

it("is not offered for one that needs no confirmation", () => {
  const admin = { user: "usr_2", role: "admin" };
  expect(mayConfirm(confirmed, admin)).toBe(false);
  expect(mayConfirm(removed, admin)).toBe(false);
});

it("knows whether a person can sign", () => {
  expect(passkeyState([])).toBe("none");
  expect(passkeyState([removed, { ...confirmed, removed_at: AT }])).toBe("none");
  expect(passkeyState([removed, waiting])).toBe("waiting");
  expect(passkeyState([waiting, confirmed])).toBe("usable");
});
