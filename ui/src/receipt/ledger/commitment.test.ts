// The commitment covers the documents where a receipt has them, and is that of version 0.1 where it has none.
import { createHash } from "node:crypto";
import { expect, it } from "vitest";
import { canonical } from "../canonical";
import { RECEIPT } from "../documents";
import type { Fields } from "../fields";
import type { Body } from "./bundle";
import { commitment as commitmentOf } from "./commitment";

const PARTS = [...RECEIPT.parts];
const commitment = (receipt: Fields, body: Body) => commitmentOf(RECEIPT, receipt, body);

const SEED = Buffer.alloc(32, 9);
const body = { envelope: {}, seed: SEED.toString("base64") };
const hash = (...parts: (string | Buffer)[]) =>
  parts.reduce((all, part) => all.update(part), createHash("sha256")).digest();
const old: Fields = { version: "countersign/receipt/v1", agent: "bot", inputs: { a: 1 }, outputs: null };

/** What is left of a receipt after its contents were erased. */
function erased(receipt: Fields, parts: string[]) {
  const facts = Object.fromEntries(Object.entries(receipt).filter(([name]) => !PARTS.includes(name)));
  return {
    facts,
    salt: hash(SEED, "facts").toString("base64"),
    erased: parts.map((name) => hash(hash(SEED, name), canonical(receipt[name] ?? null)).toString("hex")),
    erasure: { index: 0, entry: {}, proof: [] },
  };
}

it("leaves the commitment of a receipt without documents as it was", async () => {
  const parts = ["error", "idempotency_key", "inputs", "outputs", "repair", "rollback", "verification"];
  const facts = hash(hash(SEED, "facts"), canonical({ version: old.version, agent: old.agent }));
  const hashes = parts.map((name) => hash(hash(SEED, name), canonical(old[name] ?? null)));
  expect(await commitment(old, body)).toBe(hash("countersign/commitment/v1\n", facts, ...hashes).toString("hex"));
  expect(await commitment({}, erased(old, parts))).toBe(await commitment(old, body));
});

it("commits to the documents, also to none of them", async () => {
  const receipts = [old, { ...old, shown: [] }, { ...old, shown: null }, { ...old, shown: [{ reason: "ada" }] }];
  const all = await Promise.all(receipts.map((receipt) => commitment(receipt, body)));
  expect(new Set(all).size).toBe(receipts.length);
});

it("is the same after the documents were erased", async () => {
  const receipt = { ...old, shown: [{ reason: "ada" }] };
  const left = erased(receipt, PARTS);
  expect(left.facts).not.toHaveProperty("shown");
  expect(left.erased).toHaveLength(8);
  expect(await commitment({}, left)).toBe(await commitment(receipt, body));
  const without = { ...left, erased: left.erased.slice(0, 7) };
  expect(await commitment({}, without), "the last hash cannot be dropped").not.toBe(await commitment(receipt, body));
});

it.each([0, 6, 9])("refuses %i hashes", async (count) => {
  const left = { ...erased(old, PARTS), erased: Array.from({ length: count }, () => "0".repeat(64)) };
  await expect(commitment({}, left)).rejects.toThrow("the number of hashes");
});
