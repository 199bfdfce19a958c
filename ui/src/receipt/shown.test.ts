// The documents in a receipt are those that its votes name, and are about the same invocation.
import { createHash } from "node:crypto";
import { expect, it } from "vitest";
import { document } from "../../tests/unit/document";
import type { Fields } from "./fields";
import { checkShown, shownDigest } from "./shown";

const DIGEST = await shownDigest(document);
const ABOUT = {
  org: document.org,
  invocation: document.invocation,
  action: document.action,
  shown_digest: document.subject,
};
const vote = (shown_digest: string) => ({ user: "usr_1", verdict: "approved", shown_digest });
const receipt = (more: Fields = {}): Fields => ({
  ...ABOUT,
  approvals: [vote(DIGEST)],
  shown: [document],
  ...more,
});

it("computes the digest of the canonical form, whatever the order of the fields", async () => {
  expect(DIGEST).toMatch(/^sha256:[0-9a-f]{64}$/);
  expect(await shownDigest(Object.fromEntries(Object.entries(document).reverse()))).toBe(DIGEST);
  const written = '{"a":["€",null],"b":1}';
  expect(await shownDigest({ b: 1.0, a: ["€", null] })).toBe(
    `sha256:${createHash("sha256").update(written).digest("hex")}`,
  );
});

it("accepts the document that a vote names, and tells how many votes have one", async () => {
  expect(await checkShown(receipt())).toBe("kept for 1 of 1 vote");
  const two = { approvals: [vote(DIGEST), vote(`sha256:${"0".repeat(64)}`)] };
  expect(await checkShown(receipt(two)), "a vote without a document").toBe("kept for 1 of 2 votes");
});

it.each<[string, Fields]>([
  ["a changed word", { shown: [{ ...document, reason: "Two customers asked." }] }],
  ["an added field", { shown: [{ ...document, more: null }] }],
  ["a document that no vote names", { approvals: [] }],
  ["one document too many", { shown: [document, { ...document, salt: "0" }] }],
  ["another invocation", { invocation: "inv_2" }],
  ["another organization", { org: "org_2" }],
  ["another action", { action: "linear.delete_issue" }],
  ["another subject", { shown_digest: `sha256:${"0".repeat(64)}` }],
])("refuses %s", async (_, more) => {
  await expect(checkShown(receipt(more))).rejects.toMatchObject({ code: "shown_document" });
});

it("refuses what is no document", async () => {
  await expect(checkShown(receipt({ shown: ["a text"] }))).rejects.toThrow();
});

it.each<[string, Fields, string]>([
  ["of version 0.1", { shown: undefined }, "kept for 0 of 1 vote"],
  ["without documents", { shown: [] }, "kept for 0 of 1 vote"],
  ["without votes", { shown: [], approvals: [] }, "nobody voted"],
])("accepts a receipt %s", async (_, more, said) => {
  expect(await checkShown(receipt(more))).toBe(said);
});
