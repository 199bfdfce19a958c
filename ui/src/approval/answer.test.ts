// Messages for answers that were not counted, and what an answer carries.
import { createHash } from "node:crypto";
import { expect, it, vi } from "vitest";
import { approval, document } from "../../tests/unit/document";
import { Digits, parse } from "../api/json";
import { canonical } from "../receipt/canonical";
import { displayed, type ShownApproval } from "./shown";

const sent: { url: string; body: unknown; text: string }[] = [];
vi.stubGlobal("location", { origin: "http://127.0.0.1" });
vi.stubGlobal("sessionStorage", { getItem: () => null });
vi.stubGlobal("fetch", async (request: Request) => {
  if (request.method === "POST") {
    const text = await request.text();
    sent.push({ url: request.url, body: JSON.parse(text), text });
  }
  return Response.json({ action: "linear.create_issue", status: "succeeded" });
});
const { ApiError } = await import("../api/client");
const { failedOutcome, submitAnswer } = await import("./answer");

const problem = (status: number, code: string) =>
  new ApiError({ type: code, code, status, title: "t", detail: "it is denied", hint: "nothing is left to do" });

it.each([
  [409, "already_answered", "Already answered by someone else", false],
  [409, "shown_digest_mismatch", "The request has changed", true],
  [409, "hidden_values", "Hidden values were not revealed", true],
  [409, "stopped", "Stopped", true],
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

it("says what to do about hidden values", () => {
  expect(failedOutcome(problem(409, "hidden_values"), "x.y").text).toBe("Reveal them, then approve.");
});

it("quotes why something is stopped", () =>
  expect(failedOutcome(problem(409, "stopped"), "x.y").quote).toContain("it is denied"));

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

it.each([
  [{ kind: "approve", extent: "once", note: "" } as const, "approve"],
  [{ kind: "deny", reason: "no" } as const, "deny"],
])("names the digest of the document it was given, computed here (%o)", async (answer, verb) => {
  const shown = { ...document, params: { amount: new Digits("1.0"), text: "é" } as never };
  const item = displayed(approval({ shown })) as ShownApproval;
  await submitAnswer(item, answer);
  const { url, body } = sent.at(-1) ?? { url: "", body: {} };
  expect(url).toContain(`/v1/invocations/inv_1/${verb}`);
  const canonicalText = canonical({ ...document, params: { amount: 1, text: "é" } });
  expect(body).toMatchObject({
    shown_digest: `sha256:${createHash("sha256").update(canonicalText).digest("hex")}`,
    channel: "web",
  });
});

it("sends the conditions of a grant or rule with every digit, and none without them", async () => {
  const item = displayed(approval()) as ShownApproval;
  const where = { channel: { equals: "C1" }, "/a.b": { equals: parse("9007199254740993") as Digits } };
  await submitAnswer(item, { kind: "approve", extent: "always", note: "", where });
  expect(sent.at(-1)?.text).toContain('"where":{"channel":{"equals":"C1"},"/a.b":{"equals":9007199254740993}}');
  await submitAnswer(item, { kind: "approve", extent: "always", note: "" });
  expect(sent.at(-1)?.body).not.toHaveProperty("where");
});
