// The published keys of a gateway and their validity.
import { type Bytes, base64, hex, sha256 } from "./bytes";
import { CheckFailed } from "./checks";
import { type Fields, fieldsOf, moment } from "./fields";

export interface Key {
  keyid: string;
  bytes: Bytes;
  /** The public key of the second signature of checkpoints (ML-DSA-65). */
  mlDsa: Bytes | null;
  fields: Fields;
}

const ML_DSA_BYTES = 1952;

const VERSION = "countersign/keys/v1";

export async function find(keys: unknown, keyid: string): Promise<Key> {
  const found = listed(keys).filter((key) => key.keyid === keyid);
  const [fields] = found;
  if (fields === undefined || found.length > 1) throw new CheckFailed(`${keyid} is not in this gateway's list of keys`);
  const bytes = base64(fields.public_key);
  if (fields.algorithm !== "ed25519" || bytes.length !== 32) throw new CheckFailed(`${keyid} is not a usable key`);
  if (hex(await sha256(bytes)).slice(0, 16) !== keyid) throw new CheckFailed(`${keyid} does not match its public key`);
  const mlDsa = fields.ml_dsa_65 === undefined || fields.ml_dsa_65 === null ? null : base64(fields.ml_dsa_65);
  if (mlDsa !== null && mlDsa.length !== ML_DSA_BYTES) throw new CheckFailed(`${keyid} is not a usable key`);
  return { keyid, bytes, mlDsa, fields };
}

/** All keys. One unusable key makes the list invalid. */
export function all(keys: unknown): Promise<Key[]> {
  return Promise.all(listed(keys).map((key) => find(keys, String(key.keyid))));
}

export function covers(key: Key, at: unknown): boolean {
  const ends = [key.fields.not_after, key.fields.retired_at]
    .filter((end) => end !== null && end !== undefined)
    .map(moment);
  return moment(key.fields.not_before) <= moment(at) && ends.every((end) => moment(at) <= end);
}

function listed(keys: unknown): Fields[] {
  const set = fieldsOf(keys);
  if (set.version !== VERSION || !Array.isArray(set.keys))
    throw new CheckFailed("the list of keys has an unknown format");
  return set.keys.map(fieldsOf);
}
