// The commitment of a signed document in the log: a hash over the salted hashes of its parts.

import { type Bytes, hashOfBase64, hashOfHex, hex, sha256, utf8 } from "../bytes";
import { canonical } from "../canonical";
import { CheckFailed } from "../checks";
import type { DocumentKind } from "../documents";
import type { Fields } from "../fields";
import type { Body } from "./bundle";

export async function commitment(kind: DocumentKind, document: Fields, body: Body): Promise<string> {
  const hash = async (salt: Bytes, part: unknown) => sha256(salt, utf8(canonical(part)));
  const over = async (facts: Bytes, parts: Bytes[]) =>
    hex(await sha256(utf8("countersign/commitment/v1\n"), facts, ...parts));
  const older = kind.parts.filter((name) => name !== kind.newestPart);
  if ("facts" in body) {
    if (![older.length, kind.parts.length].includes(body.erased.length))
      throw new CheckFailed("the number of hashes does not match the erased parts");
    return over(await hash(hashOfBase64(body.salt), body.facts), body.erased.map(hashOfHex));
  }
  const seed = hashOfBase64(body.seed);
  const facts = Object.fromEntries(Object.entries(document).filter(([name]) => !kind.parts.includes(name)));
  const present = kind.newestPart !== null && Object.hasOwn(document, kind.newestPart) ? kind.parts : older;
  const parts = present.map(async (name) => hash(await sha256(seed, utf8(name)), document[name] ?? null));
  return over(await hash(await sha256(seed, utf8("facts")), facts), await Promise.all(parts));
}
