// A vote that its person signed with a passkey: whether they signed this very vote over what was shown to them, at the
// gateway's own site, and were there. As docs/passkeys.md has it, with the names of its refusals.
import { voteChallenge } from "../passkeys/statement";
import { base64url, type Bytes, hex, isSame, join, sha256, toBase64url, utf8 } from "./bytes";
import { Wrong } from "./checks";
import { exactly, type Fields, fieldsOf, strict } from "./fields";

/** A vote as a receipt tells it, and the passkey it is signed with. */
export interface Signed {
  user: string;
  credential: string;
  /** `sha256:…` over the public key. */
  fingerprint: string;
}

const PARTS = ["authenticator_data", "client_data", "public_key", "signature", "credential"];
const [SHORTEST, LONGEST, LONGEST_CLIENT] = [37, 1024, 4096];
const ORIGIN = /^(?:https:\/\/([a-z0-9._-]+)|http:\/\/(localhost))(?::[0-9]{1,5})?$/;
const [PRESENT, VERIFIED] = [0x01, 0x04];

/** A passkey that is known to be somebody's. */
export interface Passkey {
  user: string;
  credential: string;
  public_key: string;
}

/** Every vote in a receipt, or in what is left of it, that is signed with a passkey; with one of those, where they are given. */
export async function signedVotes(receipt: Fields, passkeys?: readonly Passkey[]): Promise<Signed[]> {
  const found: Signed[] = [];
  for (const { vote, assertion } of withAssertion(receipt)) found.push(await check(receipt, vote, assertion, passkeys));
  return found;
}

function withAssertion(receipt: Fields): { vote: Fields; assertion: unknown }[] {
  const votes = Array.isArray(receipt["approvals"]) ? receipt["approvals"].map(fieldsOf) : [];
  return votes.map((vote) => ({ vote, assertion: vote["assertion"] ?? null })).filter(({ assertion }) => assertion !== null);
}

async function check(receipt: Fields, vote: Fields, assertion: unknown, passkeys?: readonly Passkey[]): Promise<Signed> {
  const { said, client, data, point, signature, credential, public_key } = read(assertion);
  const refuse = (code: string, words: string): never => { throw new Wrong(words, code); };
  if (data.type !== "webauthn.get") refuse("assertion_type", "the passkey signed something that is no answer");
  const challenge = await voteChallenge({ org: receipt["org"], invocation: receipt["invocation"], user: vote["user"], verdict: vote["verdict"], shown_digest: vote["shown_digest"] });
  if (data.challenge !== toBase64url(challenge)) refuse("assertion_statement", "the passkey signed another vote, or over something else than was shown");
  const origin = ORIGIN.exec(data.origin);
  const host = origin?.[1] ?? origin?.[2];
  const isOwn = host !== undefined && data.crossOrigin !== true && isSame(await sha256(utf8(host)), said.slice(0, 32));
  if (!isOwn) refuse("assertion_site", `it was signed at another site: ${data.origin}`);
  const flags = said[32] ?? 0;
  if ((flags & PRESENT) === 0 || (flags & VERIFIED) === 0) refuse("assertion_presence", "nobody was there, or their device did not know them");
  if (!(await isSignedBy(point, signature, join(said, await sha256(client))))) refuse("assertion_signature", "the passkey did not sign these bytes");
  const isKnown = passkeys?.some((known) => known.user === vote["user"] && known.credential === credential && known.public_key === public_key) ?? true;
  if (!isKnown) refuse("passkey_unknown", "the passkey is none of those that this person has, or had");
  return { user: String(vote["user"]), credential, fingerprint: `sha256:${hex(await sha256(point))}` };
}

interface Read {
  said: Bytes;
  client: Bytes;
  data: { type: string; challenge: string; origin: string; crossOrigin: unknown };
  point: Bytes;
  signature: Bytes;
  credential: string;
  public_key: string;
}

function read(assertion: unknown): Read {
  try {
    const fields = exactly(assertion, PARTS);
    const [said, client, point, signature] = PARTS.map((name) => base64url(fields[name])) as [Bytes, Bytes, Bytes, Bytes];
    if (said.length < SHORTEST || said.length > LONGEST || client.length > LONGEST_CLIENT || point.length !== 65 || point[0] !== 4) throw new Wrong("a part of it is not as long as it should be");
    const { type, challenge, origin, crossOrigin } = fieldsOf(strict(new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(client)));
    if (typeof type !== "string" || typeof challenge !== "string" || typeof origin !== "string") throw new Wrong("it does not say what was signed where");
    return { said, client, data: { type, challenge, origin, crossOrigin }, point, signature, credential: String(fields["credential"]), public_key: String(fields["public_key"]) };
  } catch (error) {
    throw new Wrong(`the signature with a passkey cannot be read${error instanceof Wrong ? `: ${error.message}` : ""}`, "assertion_malformed");
  }
}

async function isSignedBy(point: Bytes, signature: Bytes, message: Bytes): Promise<boolean> {
  const curve = { name: "ECDSA", namedCurve: "P-256" };
  const pair = fromDer(signature);
  // A point beside the curve is no key.
  const key = await crypto.subtle.importKey("raw", point, curve, false, ["verify"]).catch(() => null);
  return pair !== null && key !== null && crypto.subtle.verify({ name: "ECDSA", hash: "SHA-256" }, key, pair, message);
}

/** The two numbers of a signature, 32 bytes each, as the browser wants them; null where it is not DER in its only form. */
export function fromDer(der: Bytes): Bytes | null {
  const [sequence, length, ...inner] = der;
  if (sequence !== 0x30 || length !== inner.length || length > 0x7f) return null;
  const first = number(inner);
  const second = first && number(first.rest);
  return second && second.rest.length === 0 ? Uint8Array.from([...first.value, ...second.value]) : null;
}

function number(bytes: number[]): { value: number[]; rest: number[] } | null {
  const [tag, length = 0, ...after] = bytes;
  const digits = after.slice(0, length);
  const [first = 0x80, next = 0] = digits;
  // Not below zero, and without a zero in front that is not needed.
  if (tag !== 0x02 || digits.length !== length || first > 0x7f || (first === 0 && length > 1 && next <= 0x7f)) return null;
  const value = first === 0 ? digits.slice(1) : digits;
  return value.length > 32 ? null : { value: [...Array<number>(32 - value.length).fill(0), ...value], rest: after.slice(length) };
}
