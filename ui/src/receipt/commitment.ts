// The commitment of a receipt in the log: a hash over the salted hashes of its parts.
import type { Body } from "./bundle";
import { type Bytes, hashOfBase64, hashOfHex, hex, sha256, utf8 } from "./bytes";
import { canonical } from "./canonical";
import { CheckFailed } from "./checks";
import type { Fields } from "./fields";

/** The erasable parts of a receipt. Everything else is a fact. */
export const PARTS = ["error", "idempotency_key", "inputs", "outputs", "repair", "rollback", "verification"];

export async function commitment(receipt: Fields, body: Body): Promise<string> {
  const hash = async (salt: Bytes, part: unknown) => sha256(salt, utf8(canonical(part)));
  const over = async (facts: Bytes, parts: Bytes[]) =>
    hex(await sha256(utf8("countersign/commitment/v1\n"), facts, ...parts));
  if ("facts" in body) {
    if (body.erased.length !== PARTS.length)
      throw new CheckFailed("the number of hashes does not match the erased parts");
    return over(await hash(hashOfBase64(body.salt), body.facts), body.erased.map(hashOfHex));
  }
  const seed = hashOfBase64(body.seed);
  const facts = Object.fromEntries(Object.entries(receipt).filter(([name]) => !PARTS.includes(name)));
  const parts = PARTS.map(async (name) => hash(await sha256(seed, utf8(name)), receipt[name] ?? null));
  return over(await hash(await sha256(seed, utf8("facts")), facts), await Promise.all(parts));
}
