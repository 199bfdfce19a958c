// Every leaf of every small tree is proven at its index and at no other.
import { readFileSync } from "node:fs";
import { expect, it } from "vitest";
import { type Bytes, hex, utf8 } from "../bytes";
import { canonical } from "../canonical";
import { verifyBundle } from "./ledger";
import { leaf, node, rootFrom } from "./merkle";

/** MTH and PATH as RFC 6962 writes them down, in 2.1 and 2.1.1. */
const half = (size: number) => 2 ** Math.ceil(Math.log2(size) - 1);
async function root(leaves: Bytes[]): Promise<Bytes> {
  if (leaves.length === 1) return leaves[0] as Bytes;
  const left = half(leaves.length);
  return node(await root(leaves.slice(0, left)), await root(leaves.slice(left)));
}
async function path(index: number, leaves: Bytes[]): Promise<Bytes[]> {
  if (leaves.length === 1) return [];
  const left = half(leaves.length);
  if (index < left) return [...(await path(index, leaves.slice(0, left))), await root(leaves.slice(left))];
  return [...(await path(index - left, leaves.slice(left))), await root(leaves.slice(0, left))];
}

it("leads from every leaf to the root, with as many hashes as it must", async () => {
  const all = await Promise.all(Array.from({ length: 18 }, (_, index) => leaf(utf8(`entry ${index}`))));
  for (let size = 1; size <= all.length; size += 1) {
    const leaves = all.slice(0, size);
    const expected = hex(await root(leaves));
    const found = async (index: number, place: number, proof: Bytes[]) => {
      const given = await rootFrom(leaves[index] as Bytes, place, size, proof);
      return given !== null && hex(given) === expected;
    };
    for (let index = 0; index < size; index += 1) {
      const proof = await path(index, leaves);
      for (let place = 0; place <= size; place += 1) expect(await found(index, place, proof)).toBe(place === index);
      expect(await found(index, index, [...proof, all[0] as Bytes])).toBe(false);
      if (proof.length > 0) expect(await found(index, index, proof.slice(0, -1))).toBe(false);
      if (proof.length > 0) expect(await found(index, index, proof.slice(1))).toBe(false);
    }
  }
});

it("counts beyond 32 bits", async () => {
  const [hash, sibling] = [await leaf(utf8("one")), await leaf(utf8("other"))];
  // The last leaf of a log with 2^40 + 1 entries stands alone on the right of a full tree.
  expect(await rootFrom(hash, 2 ** 40, 2 ** 40 + 1, [sibling])).toEqual(await node(sibling, hash));
  expect(await rootFrom(hash, 2 ** 40 - 1, 2 ** 40 + 1, [sibling])).toBeNull();
});

it("proves every receipt of the stored log", async () => {
  const read = (name: string) =>
    readFileSync(new URL(`../../../../crates/receipt/tests/vectors/log/${name}`, import.meta.url), "utf8");
  const keys = JSON.parse(read("keys.json")) as {
    keys: { keyid: string; public_key: string; not_before: string; begun: Logged; ended: Logged | null }[];
  };
  const records = read("entries.ndjson")
    .trim()
    .split("\n")
    .map((line) => JSON.parse(line) as { index: number; entry: { kind: string; id: string } });
  interface Logged {
    index: number;
    at: string;
  }
  const version = "countersign/entry/v1";
  const entries: unknown[] = [];
  for (const { index, entry } of records) entries[index] = entry;
  for (const { keyid, public_key, not_before, begun, ended } of keys.keys) {
    entries[begun.index] = { kind: "key", version, keyid, public_key, not_before, at: begun.at };
    if (ended !== null) entries[ended.index] = { kind: "key_end", version, keyid, at: ended.at };
  }
  const leaves = await Promise.all(entries.map((entry) => leaf(utf8(canonical(entry)))));
  const proof = async (index: number) =>
    (await path(index, leaves)).map((hash) => Buffer.from(hash).toString("base64"));
  let proven = 0;
  for (const record of records.filter(({ entry }) => entry.kind === "receipt")) {
    const gone = records.find(({ entry }) => entry.kind === "erasure" && entry.id === record.entry.id);
    const erasure = gone === undefined ? {} : { erasure: { ...gone, proof: await proof(gone.index) } };
    const bundle = { record, proof: await proof(record.index), ...erasure, checkpoint: read("checkpoint") };
    expect(
      (await verifyBundle(JSON.stringify(bundle), keys, {})).checks.filter((check) => check.state !== "ok"),
    ).toEqual([]);
    proven += 1;
  }
  expect([leaves.length, proven]).toEqual([14, 9]);
});
