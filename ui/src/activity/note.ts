// A checkpoint: the size and the root of a log at a time, in a signed note as C2SP writes it.
import { base64, type Bytes, hashOfBase64, isSame, sha256, utf8 } from "./bytes";
import { Wrong } from "./checks";
import { isSignedBy } from "./ed25519";
import { moment } from "./fields";
import { all, covers } from "./keys";

export interface Checkpoint {
  size: number;
  root: Bytes;
  time: string;
  /** The keys that signed and are known. */
  signers: string[];
}

const MOST_BYTES = 65_536;
const MOST_SIGNATURES = 100;
/** Controls, and halves of characters. Only the end of a line is left. */
const UNFIT = /(?!\n)[\p{Cc}\p{Cs}]/u;
const NOTE = /^([^\p{White_Space}+]+)\n(0|[1-9]\d{0,15})\n(.+)\ntime (.+)\n\n((?:— [^\p{White_Space}+]+ [\w+/=]+\n)+)$/u;

/** Reads it, if at least one of these keys signed it and none of them is named in vain. Other signatures are passed over. */
export async function checkpoint(note: unknown, keys: unknown): Promise<Checkpoint> {
  const found = typeof note === "string" && utf8(note).length <= MOST_BYTES && !UNFIT.test(note) ? NOTE.exec(note) : null;
  if (found === null) throw new Wrong("it is not a checkpoint in a signed note");
  const [whole, name = "", digits, root, time = "", below = ""] = found;
  const size = Number(digits);
  if (!Number.isSafeInteger(size)) throw new Wrong("the log is longer than this page can count");
  moment(time);
  const text = utf8(whole.slice(0, whole.length - below.length - 1));
  const lines = below.slice(0, -1).split("\n").map(signed);
  if (lines.length > MOST_SIGNATURES) throw new Wrong("it has more signatures than this page looks at");
  const checkpoint: Checkpoint = { size, root: hashOfBase64(root), time, signers: [] };
  const known = await Promise.all((await all(keys)).map(async (key) => ({ key, hash: await keyHash(name, key.bytes) })));
  for (const line of lines.filter((each) => each.name === name)) {
    const key = known.find(({ hash }) => isSame(hash, line.hash))?.key;
    if (key === undefined) continue;
    const isGood = line.signature.length === 64 && (await isSignedBy(key.bytes, line.signature, text));
    if (!isGood) throw new Wrong(`the signature of ${key.keyid} does not belong to it`);
    if (!covers(key, time)) throw new Wrong(`${key.keyid} signed it, and was not valid then`);
    checkpoint.signers.push(key.keyid);
  }
  if (checkpoint.signers.length === 0) throw new Wrong("none of this gateway's keys signed it");
  return checkpoint;
}

function signed(line: string): { name: string; hash: Bytes; signature: Bytes } {
  const [, name = "", encoded] = line.split(" ");
  const bytes = base64(encoded);
  if (bytes.length < 4) throw new Wrong("a signature below it is too short");
  return { name, hash: bytes.slice(0, 4), signature: bytes.slice(4) };
}

/** How a note names the key of a signature; the byte says that it is Ed25519. */
async function keyHash(name: string, publicKey: Bytes): Promise<Bytes> {
  return (await sha256(utf8(`${name}\n\u0001`), publicKey)).slice(0, 4);
}
