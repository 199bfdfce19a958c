// The commitment of a receipt in the log: a hash over the salted hashes of its parts.

import { type Bytes, hashOfBase64, hashOfHex, hex, sha256, utf8 } from "../bytes";
import { canonical } from "../canonical";
import { CheckFailed } from "../checks";
import type { Fields } from "../fields";
import type { Body } from "./bundle";

/** The erasable parts of a receipt. Everything else is a fact. */
const ALWAYS = ["error", "idempotency_key", "inputs", "outputs", "repair", "rollback", "verification"];
/** The last one is missing in receipts of version 0.1. */
export const PARTS = [...ALWAYS, "shown"];

export async function commitment(receipt: Fields, body: Body): Promise<string> {
  const hash = async (salt: Bytes, part: unknown) => sha256(salt, utf8(canonical(part)));
  const over = async (facts: Bytes, parts: Bytes[]) =>
    hex(await sha256(utf8("countersign/commitment/v1\n"), facts, ...parts));
  if ("facts" in body) {
    if (![ALWAYS.length, PARTS.length].includes(body.erased.length))
      throw new CheckFailed("the number of hashes does not match the erased parts");
    return over(await hash(hashOfBase64(body.salt), body.facts), body.erased.map(hashOfHex));
  }
  const seed = hashOfBase64(body.seed);
  const facts = Object.fromEntries(Object.entries(receipt).filter(([name]) => !PARTS.includes(name)));
  const present = Object.hasOwn(receipt, "shown") ? PARTS : ALWAYS;
  const parts = present.map(async (name) => hash(await sha256(seed, utf8(name)), receipt[name] ?? null));
  return over(await hash(await sha256(seed, utf8("facts")), facts), await Promise.all(parts));
}
