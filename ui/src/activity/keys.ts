// The keys that a gateway publishes, and when each is valid.
import { base64, type Bytes, hex, sha256 } from "./bytes";
import { Wrong } from "./checks";
import { type Fields, fieldsOf, moment } from "./fields";

export interface Key {
  keyid: string;
  bytes: Bytes;
  fields: Fields;
}

const VERSION = "countersign/keys/v1";

export async function find(keys: unknown, keyid: string): Promise<Key> {
  const found = listed(keys).filter((key) => key["keyid"] === keyid);
  const [fields] = found;
  if (fields === undefined || found.length > 1) throw new Wrong(`${keyid} is not in this gateway's list of keys`);
  const bytes = base64(fields["public_key"]);
  if (fields["algorithm"] !== "ed25519" || bytes.length !== 32) throw new Wrong(`${keyid} is not a usable key`);
  if (hex(await sha256(bytes)).slice(0, 16) !== keyid) throw new Wrong(`${keyid} is not named after its public half`);
  return { keyid, bytes, fields };
}

/** Every key there is. One that cannot be used spoils the list. */
export function all(keys: unknown): Promise<Key[]> {
  return Promise.all(listed(keys).map((key) => find(keys, String(key["keyid"]))));
}

/** Whether a key was valid at a moment. */
export function covers(key: Key, at: unknown): boolean {
  const ends = [key.fields["not_after"], key.fields["retired_at"]].filter((end) => end !== null && end !== undefined).map(moment);
  return moment(key.fields["not_before"]) <= moment(at) && ends.every((end) => moment(at) <= end);
}

function listed(keys: unknown): Fields[] {
  const set = fieldsOf(keys);
  if (set["version"] !== VERSION || !Array.isArray(set["keys"])) throw new Wrong("the list of keys is not understood");
  return set["keys"].map(fieldsOf);
}
