// The challenges match those of the gateway, byte by byte.
import { createHash } from "node:crypto";
import { expect, it } from "vitest";
import { hex } from "../receipt/bytes";
import {
  passkeyChallenge,
  signInChallenge,
  unsignedApprovalsChallenge,
  voteChallenge,
  wholeSeconds,
} from "./statement";

const sha256 = (text: string) => createHash("sha256").update(text).digest("hex");

it("hashes a vote in its one form", async () => {
  const made = await voteChallenge({
    user: "usr_1",
    org: "org_1",
    verdict: "approved",
    invocation: "inv_1",
    shown_digest: "sha256:ab",
  });
  expect(hex(made)).toBe(
    sha256(
      '{"format":"countersign/vote/v1","invocation":"inv_1","org":"org_1",' +
        '"shown_digest":"sha256:ab","user":"usr_1","verdict":"approved"}',
    ),
  );
});

it("hashes a new passkey in its one form", async () => {
  const made = await passkeyChallenge({ user: "usr_1", org: "org_1", credential: "Y3JlZA", public_key: "BAAA" });
  expect(hex(made)).toBe(
    sha256(
      '{"credential":"Y3JlZA","format":"countersign/passkey/v1","org":"org_1","public_key":"BAAA","user":"usr_1"}',
    ),
  );
});

it.each([
  ["countersign/unsigned-approvals/v1", unsignedApprovalsChallenge],
  ["countersign/sign-in/v1", signInChallenge],
])("hashes %s in its one form", async (format, challenge) => {
  const made = await challenge({ user: "usr_1", org: "org_1", at: "2026-11-18T08:00:00Z" });
  expect(hex(made)).toBe(sha256(`{"at":"2026-11-18T08:00:00Z","format":"${format}","org":"org_1","user":"usr_1"}`));
});

it("writes whole seconds, and never a later time", () => {
  expect(wholeSeconds(Date.UTC(2026, 10, 18, 8, 0, 0, 999))).toBe("2026-11-18T08:00:00Z");
  expect(wholeSeconds(Date.UTC(2026, 0, 1))).toBe("2026-01-01T00:00:00Z");
});
