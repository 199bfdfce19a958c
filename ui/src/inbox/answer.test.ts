// What a person is told when their answer did not count: whose fault, and what to do.
import { expect, it, vi } from "vitest";

vi.stubGlobal("location", { origin: "http://127.0.0.1" });
vi.stubGlobal("sessionStorage", { getItem: () => null });
const { Refusal } = await import("../api/client");
const { refused } = await import("./answer");

const problem = (status: number, code: string) =>
  new Refusal({ type: code, code, status, title: "t", detail: "it is denied", hint: "nothing is left to do" });

it.each([
  [409, "already_answered", "Somebody else was faster", false],
  [409, "shown_digest_mismatch", "It is not what you were shown", true],
  [410, "expired", "Too late: it expired", false],
  [403, "passkey_needed", "It must be signed with a passkey", true],
  [403, "assertion_refused", "What your passkey signed was refused", true],
  [403, "forbidden", "You may not answer this", true],
  [0, "unreachable", "Nobody knows whether your answer arrived", true],
  [500, "internal", "Your answer was refused", true],
])("%i %s: %s", (status, code, title, mayWait) => {
  const said = refused(problem(status, code), "linear.create_issue");
  expect(said).toMatchObject({ tone: "warn", title, mayWait, action: "linear.create_issue" });
});

it("keeps the gateway's own words apart, to be drawn with nothing hidden in them", () => {
  const error = new Refusal({ type: "x", code: "already_answered", status: 409, title: "t", detail: "a\u202eb", hint: "h" });
  expect(refused(error, "x.y").quote).toContain("a\u202eb");
  expect(refused(error, "x.y").text).not.toContain("\u202e");
});
