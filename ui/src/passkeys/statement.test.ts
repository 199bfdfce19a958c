// The challenges match those of the gateway, byte by byte.
import { createHash } from "node:crypto";
import { expect, it } from "vitest";
import { hex } from "../receipt/bytes";
import { passkeyChallenge, voteChallenge } from "./statement";

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
