// Verifies a checkpoint: size and root of the log in a signed note (C2SP).
import { type Bytes, base64, hashOfBase64, isSame, sha256, utf8 } from "../bytes";
import { CheckFailed } from "../checks";
import { isSignedBy } from "../ed25519";
import { moment } from "../fields";
import { all, covers } from "../keys";

export interface Checkpoint {
  size: number;
  root: Bytes;
  time: string;
  /** Known keys that signed. */
  signers: string[];
}

const MOST_BYTES = 65_536;
const MOST_SIGNATURES = 100;
/** Control characters and lone surrogates, except line breaks. */
const UNFIT = /(?!\n)[\p{Cc}\p{Cs}]/u;
const NOTE =
  /^([^\p{White_Space}+]+)\n(0|[1-9]\d{0,15})\n(.+)\ntime (.+)\n\n((?:— [^\p{White_Space}+]+ [\w+/=]+\n)+)$/u;

/** Parses a checkpoint that at least one known key signed. A wrong signature of a known key is an error. */
export async function checkpoint(note: unknown, keys: unknown): Promise<Checkpoint> {
  const found =
    typeof note === "string" && utf8(note).length <= MOST_BYTES && !UNFIT.test(note) ? NOTE.exec(note) : null;
  if (found === null) throw new CheckFailed("not a checkpoint in signed-note format");
  const [text, name = "", digits, root, time = "", below = ""] = found;
  const size = Number(digits);
  if (!Number.isSafeInteger(size)) throw new CheckFailed("the log size is too large");
  moment(time);
  const signedText = utf8(text.slice(0, text.length - below.length - 1));
  const lines = below.slice(0, -1).split("\n").map(signed);
  if (lines.length > MOST_SIGNATURES) throw new CheckFailed("too many signatures");
  const checkpoint: Checkpoint = { size, root: hashOfBase64(root), time, signers: [] };
  const known = await Promise.all(
    (await all(keys)).map(async (key) => ({ key, hash: await keyHash(name, key.bytes) })),
  );
  for (const line of lines.filter((each) => each.name === name)) {
    const key = known.find(({ hash }) => isSame(hash, line.hash))?.key;
    if (key === undefined) continue;
    const isGood = line.signature.length === 64 && (await isSignedBy(key.bytes, line.signature, signedText));
    if (!isGood) throw new CheckFailed(`the signature of ${key.keyid} is invalid`);
    if (!covers(key, time)) throw new CheckFailed(`${key.keyid} was not valid when it signed`);
    checkpoint.signers.push(key.keyid);
  }
  if (checkpoint.signers.length === 0) throw new CheckFailed("not signed by any key of this gateway");
  return checkpoint;
}

function signed(line: string): { name: string; hash: Bytes; signature: Bytes } {
  const [, name = "", encoded] = line.split(" ");
  const bytes = base64(encoded);
  if (bytes.length < 4) throw new CheckFailed("a signature is too short");
  return { name, hash: bytes.slice(0, 4), signature: bytes.slice(4) };
}

/** The key hash of a signed note; the byte 1 stands for Ed25519. */
async function keyHash(name: string, publicKey: Bytes): Promise<Bytes> {
  return (await sha256(utf8(`${name}\n\u0001`), publicKey)).slice(0, 4);
}
