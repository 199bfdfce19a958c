// Parses a bundle: a signed document or its remaining facts, with its log entry and proof. ledger.ts verifies it.
import { type Bytes, hashOfBase64 } from "../bytes";
import { CheckFailed } from "../checks";
import type { DocumentKind } from "../documents";
import { count, exactly, type Fields, fieldsOf, strict } from "../fields";

const ENTRY_VERSION = "countersign/entry/v1";
const LONGEST_PROOF = 64;

/** A log entry with its index and inclusion proof. */
export interface PlacedRecord {
  index: number;
  entry: Fields;
  proof: Bytes[];
}

export interface Bundle extends PlacedRecord {
  body: Body;
  checkpoint: unknown;
}

/** The signed document with its seed, or the remaining facts, hashes of the erased parts and the erasure entry. */
export type Body =
  | { envelope: unknown; seed: unknown }
  | { facts: Fields; salt: unknown; erased: unknown[]; erasure: PlacedRecord };

export function open(text: string, kind: DocumentKind): Bundle {
  const outer = fieldsOf(strict(text));
  const isErased = kind.mayBeErased && Object.hasOwn(fieldsOf(outer.record), "kept");
  if (isErased && !Object.hasOwn(outer, "erasure"))
    throw new CheckFailed("the content is missing, but no erasure is recorded");
  if (!isErased && Object.hasOwn(outer, "erasure"))
    throw new CheckFailed("the content is present, but the log records an erasure");
  const { record, proof, ...more } = exactly(outer, [
    "record",
    "proof",
    "checkpoint",
    ...(isErased ? ["erasure"] : []),
  ]);
  const { envelope, seed, kept, index, entry } = exactly(record, [
    "index",
    "entry",
    ...(isErased ? ["kept"] : ["envelope", "seed"]),
  ]);
  const own = placed({ index, entry, proof }, kind.entry, ["keyid", "commitment"]);
  if (!isErased) return { ...own, body: { envelope, seed }, checkpoint: more.checkpoint };
  const { facts, salt, erased } = exactly(kept, ["facts", "salt", "erased"]);
  const erasure = placed(exactly(more.erasure, ["index", "entry", "proof"]), "erasure", []);
  return {
    ...own,
    body: { facts: fieldsOf(facts), salt, erased: list(erased), erasure },
    checkpoint: more.checkpoint,
  };
}

function placed({ index, entry, proof }: Fields, kind: string, more: string[]): PlacedRecord {
  const fields = exactly(entry, ["kind", "version", "org", "number", "id", "at", ...more]);
  if (fields.kind !== kind || fields.version !== ENTRY_VERSION) throw new CheckFailed("unknown entry type or version");
  count(fields.number);
  if (Object.entries(fields).some(([name, value]) => name !== "number" && typeof value !== "string"))
    throw new CheckFailed("an entry field is not a string");
  return { index: count(index), entry: fields, proof: list(proof).map(hashOfBase64) };
}

function list(value: unknown): unknown[] {
  if (!Array.isArray(value) || value.length > LONGEST_PROOF) throw new CheckFailed("a list is missing or too long");
  return value;
}
