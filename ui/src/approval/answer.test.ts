// Messages for answers that were not counted.
import { expect, it, vi } from "vitest";

vi.stubGlobal("location", { origin: "http://127.0.0.1" });
vi.stubGlobal("sessionStorage", { getItem: () => null });
const { ApiError } = await import("../api/client");
const { failedOutcome } = await import("./answer");

const problem = (status: number, code: string) =>
  new ApiError({ type: code, code, status, title: "t", detail: "it is denied", hint: "nothing is left to do" });

it.each([
  [409, "already_answered", "Already answered by someone else", false],
  [409, "shown_digest_mismatch", "The request has changed", true],
  [410, "expired", "The request has expired", false],
  [403, "passkey_needed", "A passkey signature is required", true],
  [403, "assertion_refused", "The passkey signature was rejected", true],
  [403, "forbidden", "Permission denied", true],
  [0, "unreachable", "It is unknown whether your answer arrived", true],
  [500, "internal", "Answer rejected", true],
])("%i %s: %s", (status, code, title, mayWait) => {
  const said = failedOutcome(problem(status, code), "linear.create_issue");
  expect(said).toMatchObject({ tone: "warn", title, mayWait, action: "linear.create_issue" });
});

it("keeps the gateway's own words apart, to be drawn with nothing hidden in them", () => {
  const error = new ApiError({
    type: "x",
    code: "already_answered",
    status: 409,
    title: "t",
    detail: "a\u202eb",
    hint: "h",
  });
  expect(failedOutcome(error, "x.y").quote).toContain("a\u202eb");
  expect(failedOutcome(error, "x.y").text).not.toContain("\u202e");
});
