// Decisions are listed in order, each step with the resulting mode.
import { expect, it } from "vitest";
import { derivation } from "./derivation";

const pass = { gate: "capability", verdict: "pass", reason: "" };
const words = (decision: unknown, status: string, votes: Parameters<typeof derivation>[1] = []) =>
  derivation(decision, votes, { status, risk: "R2" }).map((step) => [step.kind, step.verdict]);

it("begins with what the cascade gave, before a guardrail made it stricter", () => {
  const decision = {
    mode: "require_approval",
    mode_source: "org_rule",
    reason: "rule of the organization for `linear.*`",
    guardrails: [{ guardrail: "band", from: "allow", to: "require_approval", reason: "amber" }],
    gates: [pass],
    quarantined: false,
  };
  const vote = {
    id: "apr_1",
    user: "usr_1",
    name: "Mara",
    verdict: "approved",
    extent: "once",
    channel: "web",
    note: "",
    at: "2026-11-15T00:00:00Z",
  };
  expect(words(decision, "succeeded", [vote])).toEqual([
    ["cascade", "allow"],
    ["guardrail", "require_approval"],
    ["gate", "pass"],
    ["vote", "approved"],
    ["result", "succeeded"],
  ]);
});

it("says in small print how a voter was signed in", () => {
  const vote = {
    id: "apr_1",
    user: "usr_1",
    name: "Mara",
    verdict: "approved",
    extent: "once",
    channel: "web",
    note: "",
    at: "2026-11-15T03:00:00Z",
  };
  const signIns = (...votes: Parameters<typeof derivation>[1]) =>
    derivation({}, votes, { status: "succeeded", risk: "R2" }).flatMap(({ signIn }) => signIn ?? []);
  expect(signIns(vote, { ...vote, method: "identity", signed_in_at: "2026-11-15T00:00:00Z" })).toEqual([
    "",
    "Signed in with a browser, by the identity provider, 3h 00m before.",
  ]);
});

it("tells a grant apart from a rule", () => {
  const decision = {
    mode: "allow",
    mode_source: "grant",
    reason: "no rule; granted",
    guardrails: [],
    gates: [pass],
    quarantined: false,
    grant: "grt_1",
  };
  expect(words(decision, "succeeded")).toEqual([
    ["cascade", "require_approval"],
    ["gate", "pass"],
    ["grant", "allow"],
    ["result", "succeeded"],
  ]);
});

it("does not guess what stood before a gate that refused", () => {
  const decision = {
    mode: "deny",
    mode_source: "inferred",
    reason: "no rule",
    guardrails: [],
    gates: [pass, { gate: "safety", verdict: "quarantine", reason: "a key" }],
    quarantined: true,
  };
  expect(words(decision, "quarantined")).toEqual([
    ["cascade", ""],
    ["gate", "pass"],
    ["gate", "quarantine"],
    ["result", "quarantined"],
  ]);
});

it("draws something of what it does not know", () => {
  expect(words(null, "denied")).toEqual([
    ["cascade", ""],
    ["result", "denied"],
  ]);
});

it("names the policy of each change, and its reason", () => {
  const change = { guardrail: "policy", from: "allow", to: "deny", reason: "policy `cap`: At most 5 000 € an hour" };
  const cap = { name: "cap", version: 3, mode: "deny", why: "At most 5 000 € an hour", observing: false, error: null };
  const titles = (decision: object) =>
    derivation({ mode: "deny", gates: [], guardrails: [change], ...decision }, [], { status: "denied", risk: "R2" })
      .filter(({ kind }) => kind === "guardrail")
      .map(({ title, reason }) => [title, reason]);
  const hours = { ...cap, name: "hours", observing: true };
  expect(titles({ policies: [cap, hours] })).toEqual([["Policy cap denies", "At most 5 000 € an hour"]]);
  expect(titles({})).toEqual([["Guardrail: policy", change.reason]]);
});

it("says how many approvals the policies need", () => {
  const decision = { mode: "require_approval", gates: [], guardrails: [], approvers: 2 };
  const [last] = derivation(decision, [], { status: "pending", risk: "R2" }).slice(-1);
  expect(last?.reason).toBe("Waiting for approval. 2 approvals are needed.");
});
