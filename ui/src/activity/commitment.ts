// What the log holds of a receipt: not what it says, but a hash over the salted hashes of its parts.
import type { Body } from "./bundle";
import { type Bytes, hashOfHex, hashOfBase64, hex, sha256, utf8 } from "./bytes";
import { canonical } from "./canonical";
import { Wrong } from "./checks";
import type { Fields } from "./fields";

/** The parts of a receipt that can be erased. All the rest are its facts. */
export const PARTS = ["error", "idempotency_key", "inputs", "outputs", "repair", "rollback", "verification"];

/** In hex, of a receipt with its seed or of what is left of one. */
export async function commitment(receipt: Fields, body: Body): Promise<string> {
  const hash = async (salt: Bytes, part: unknown) => sha256(salt, utf8(canonical(part)));
  const over = async (facts: Bytes, parts: Bytes[]) => hex(await sha256(utf8("countersign/commitment/v1\n"), facts, ...parts));
  if ("facts" in body) {
    if (body.erased.length !== PARTS.length) throw new Wrong("there is not one hash for each part that was erased");
    return over(await hash(hashOfBase64(body.salt), body.facts), body.erased.map(hashOfHex));
  }
  const seed = hashOfBase64(body.seed);
  const facts = Object.fromEntries(Object.entries(receipt).filter(([name]) => !PARTS.includes(name)));
  const parts = PARTS.map(async (name) => hash(await sha256(seed, utf8(name)), receipt[name] ?? null));
  return over(await hash(await sha256(seed, utf8("facts")), facts), await Promise.all(parts));
}
