// The digest without `crypto.subtle` is the same as with it.
import { expect, it, vi } from "vitest";
import { sha256, utf8 } from "./bytes";

it("is the same on a page without crypto.subtle", async () => {
  const parts = [utf8("a"), utf8("bc".repeat(100))] as const;
  const expected = await sha256(...parts);
  vi.stubGlobal("crypto", {});
  expect(await sha256(...parts)).toEqual(expected);
  vi.unstubAllGlobals();
});
