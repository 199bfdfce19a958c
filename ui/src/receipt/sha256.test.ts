// The digest without `crypto.subtle` is the same as with it.
import { createHash } from "node:crypto";
import { expect, it, vi } from "vitest";
import { hex, sha256, utf8 } from "./bytes";
import { plainSha256 } from "./sha256";

it("computes the digest of every length around the block size", () => {
  for (const length of [...Array.from({ length: 140 }, (_, n) => n), 1_000, 65_537]) {
    const bytes = Uint8Array.from({ length }, (_, n) => (n * 31 + length) % 256);
    expect(hex(plainSha256(bytes)), String(length)).toBe(createHash("sha256").update(bytes).digest("hex"));
  }
});

it("is used where the browser has no other", async () => {
  const parts = [utf8("a"), utf8("bc")] as const;
  const expected = await sha256(...parts);
  vi.stubGlobal("crypto", {});
  expect(await sha256(...parts)).toEqual(expected);
  vi.unstubAllGlobals();
});
