// Decisions in words come from fields, never from the gateway's sentences.
import { expect, test } from "vitest";
import { modeReason, signInText, voteText } from "./reasons";

test("a default is explained by the risk, whatever the sentence is", () => {
  expect(modeReason("inferred", "any sentence", "R1")).toBe("No rule matches. R1 actions are allowed by default.");
  expect(modeReason("inferred", "", "R2")).toBe("No rule matches. R2 actions need approval by default.");
  expect(modeReason("inferred", "", "R4")).toBe("No rule matches. R4 actions are denied by default.");
});

test("the sentence of a rule is left as it is", () => {
  const reason = "rule of the org for `a.b`: no rule; deny is the default for R2";
  expect(modeReason("org_rule", reason, "R2")).toBe(reason);
  expect(modeReason("automation_rule", "inferred: x", "R2")).toBe("inferred: x");
});

test("a vote says how far it goes and where it was given", () => {
  expect(voteText({ extent: "once", channel: "api" })).toBe("once, via the API");
  expect(voteText({ extent: "grant", channel: "web", signed: true })).toBe(
    "with a grant, via the web, signed with a passkey",
  );
  expect(voteText({ extent: "new", channel: "pager" })).toBe("new, via pager");
});

test("a vote says how its person was signed in, and since when", () => {
  const at = "2026-11-18T08:00:00Z";
  const text = (method: string | null, signed_in_at?: string | null) => signInText({ method, signed_in_at }, at);
  expect(text("identity", "2026-11-18T05:00:00Z")).toBe(
    "Signed in with a browser, by the identity provider, 3h 00m before.",
  );
  expect(text("api_token", "2026-11-15T07:00:00Z")).toBe("Signed in with an API token, 3d 1h before.");
  expect(text("slack", null)).toBe("Signed in with a linked Slack account.");
  expect(text("browser")).toBe("Signed in with a browser, by an API token.");
  expect(text("pigeon", "not a time")).toBe("Signed in with pigeon.");
  expect(text("browser", "2026-11-18T09:00:00Z")).toBe("Signed in with a browser, by an API token.");
  expect(text(null, at)).toBe("");
});
