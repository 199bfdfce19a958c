// Verifies a checkpoint: size and root of the log in a signed note (C2SP).
import { type Bytes, base64, hashOfBase64, isSame, join, sha256, utf8 } from "../bytes";
import { CheckFailed } from "../checks";
import { isSignedBy } from "../ed25519";
import { moment } from "../fields";
import { all, covers, type Key } from "../keys";

export interface Checkpoint {
  size: number;
  root: Bytes;
  time: string;
  /** Known keys that signed. */
  signers: string[];
  /** Whether a known key also signed with ML-DSA-65, which holds when Ed25519 does not any more. */
  isPostQuantum: boolean;
}

const MOST_BYTES = 65_536;
const MOST_SIGNATURES = 100;
/** Control characters and lone surrogates, except line breaks. */
const UNFIT = /(?!\n)[\p{Cc}\p{Cs}]/u;
const NOTE =
  /^([^\p{White_Space}+]+)\n(0|[1-9]\d{0,15})\n(.+)\ntime (.+)\n\n((?:— [^\p{White_Space}+]+ [\w+/=]+\n)+)$/u;

/** What a kind of signature is called in a signed note, and how it is verified. */
interface Scheme {
  /** The name of the lines, for a log of this name. */
  name: (log: string) => string;
  /** The signature type in the key hash. */
  type: Bytes;
  publicKey: (key: Key) => Bytes | null;
  isGood: (publicKey: Bytes, signature: Bytes, text: Bytes) => Promise<boolean>;
}

const ED25519: Scheme = {
  name: (log) => log,
  type: Uint8Array.of(1),
  publicKey: (key) => key.bytes,
  isGood: async (publicKey, signature, text) => signature.length === 64 && isSignedBy(publicKey, signature, text),
};

const ML_DSA: Scheme = {
  name: (log) => `${log}/ml-dsa-65`,
  type: join(Uint8Array.of(0xff), utf8("countersign/ml-dsa-65")),
  publicKey: (key) => key.mlDsa,
  isGood: async (publicKey, signature, text) => {
    const { ml_dsa65 } = await import("@noble/post-quantum/ml-dsa.js");
    return signature.length === ml_dsa65.lengths.signature && ml_dsa65.verify(signature, text, publicKey);
  },
};

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
  const read: Note = { name, time, lines, signedText, known: await all(keys) };
  const signers = await signersOf(ED25519, read);
  if (signers.length === 0) throw new CheckFailed("not signed by any key of this gateway");
  const isPostQuantum = (await signersOf(ML_DSA, read)).length > 0;
  return { size, root: hashOfBase64(root), time, signers, isPostQuantum };
}

interface Note {
  name: string;
  time: string;
  lines: ReturnType<typeof signed>[];
  signedText: Bytes;
  known: Key[];
}

/** The known keys that signed in this way. */
async function signersOf(scheme: Scheme, { name, time, lines, signedText, known }: Note): Promise<string[]> {
  const signers: string[] = [];
  const lineName = scheme.name(name);
  for (const line of lines.filter((each) => each.name === lineName)) {
    for (const key of known) {
      const publicKey = scheme.publicKey(key);
      if (publicKey === null || !isSame(await keyHash(lineName, scheme.type, publicKey), line.hash)) continue;
      const isGood = await scheme.isGood(publicKey, line.signature, signedText);
      if (!isGood) throw new CheckFailed(`the signature of ${key.keyid} is invalid`);
      if (!covers(key, time)) throw new CheckFailed(`${key.keyid} was not valid when it signed`);
      signers.push(key.keyid);
      break;
    }
  }
  return signers;
}

function signed(line: string): { name: string; hash: Bytes; signature: Bytes } {
  const [, name = "", encoded] = line.split(" ");
  const bytes = base64(encoded);
  if (bytes.length < 4) throw new CheckFailed("a signature is too short");
  return { name, hash: bytes.slice(0, 4), signature: bytes.slice(4) };
}

/** The key hash of a signed note. */
async function keyHash(name: string, type: Bytes, publicKey: Bytes): Promise<Bytes> {
  return (await sha256(utf8(`${name}\n`), type, publicKey)).slice(0, 4);
}
