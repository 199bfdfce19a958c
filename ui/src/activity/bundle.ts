// A bundle: a receipt, or what is left of it, with its entry in the log and what proves that it is there. Here it is taken
// apart; whether it is true, ledger.ts finds out.
import { type Bytes, hashOfBase64 } from "./bytes";
import { Wrong } from "./checks";
import { count, exactly, type Fields, fieldsOf, strict } from "./fields";

const ENTRY_VERSION = "countersign/entry/v1";
/** More hashes than any log needs. */
const LONGEST_PROOF = 64;

/** An entry with its place in the log and what proves it. */
export interface Placed {
  index: number;
  entry: Fields;
  proof: Bytes[];
}

export interface Bundle extends Placed {
  body: Body;
  checkpoint: unknown;
}

/** The signed receipt with its seed; or its facts, the hashes of what was erased, and the entry that says so. */
export type Body = { envelope: unknown; seed: unknown } | { facts: Fields; salt: unknown; erased: unknown[]; erasure: Placed };

export function open(text: string): Bundle {
  const outer = fieldsOf(strict(text));
  const isErased = Object.hasOwn(fieldsOf(outer["record"]), "kept");
  if (isErased && !Object.hasOwn(outer, "erasure")) throw new Wrong("the body is missing, and nothing says that it was erased");
  if (!isErased && Object.hasOwn(outer, "erasure")) throw new Wrong("the body is there, and yet the log says that it was erased");
  const { record, proof, ...more } = exactly(outer, ["record", "proof", "checkpoint", ...(isErased ? ["erasure"] : [])]);
  const { envelope, seed, kept, index, entry } = exactly(record, ["index", "entry", ...(isErased ? ["kept"] : ["envelope", "seed"])]);
  const own = placed({ index, entry, proof }, "receipt", ["keyid", "commitment"]);
  if (!isErased) return { ...own, body: { envelope, seed }, checkpoint: more["checkpoint"] };
  const { facts, salt, erased } = exactly(kept, ["facts", "salt", "erased"]);
  const erasure = placed(exactly(more["erasure"], ["index", "entry", "proof"]), "erasure", []);
  return { ...own, body: { facts: fieldsOf(facts), salt, erased: list(erased), erasure }, checkpoint: more["checkpoint"] };
}

function placed({ index, entry, proof }: Fields, kind: string, more: string[]): Placed {
  const fields = exactly(entry, ["kind", "version", "org", "number", "id", "at", ...more]);
  if (fields["kind"] !== kind || fields["version"] !== ENTRY_VERSION) throw new Wrong("an entry in it is none that this page knows");
  count(fields["number"]);
  if (Object.entries(fields).some(([name, value]) => name !== "number" && typeof value !== "string")) throw new Wrong("an entry in it has a field that is no text");
  return { index: count(index), entry: fields, proof: list(proof).map(hashOfBase64) };
}

function list(value: unknown): unknown[] {
  if (!Array.isArray(value) || value.length > LONGEST_PROOF) throw new Wrong("something in it is no list, or too long a one");
  return value;
}
