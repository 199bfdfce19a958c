// Verifies the passkey signature of a vote, as described in docs/passkeys.md, with the same error codes.
import { voteChallenge } from "../passkeys/statement";
import { type Bytes, base64url, hex, isSame, join, sha256, toBase64url, utf8 } from "./bytes";
import { CheckFailed } from "./checks";
import { exactly, type Fields, fieldsOf, strict } from "./fields";
import { type PasskeyKey, passkeyKey, verifies } from "./passkeyKey";

/** A vote in a receipt and the passkey that signed it. */
export interface Signed {
  user: string;
  credential: string;
  /** `sha256:…` over the public key. */
  fingerprint: string;
}

const PARTS = ["authenticator_data", "client_data", "public_key", "signature", "credential"];
const [SHORTEST, LONGEST, LONGEST_CLIENT] = [37, 2048, 4096];
const ORIGIN = /^(?:https:\/\/([a-z0-9._-]+)|http:\/\/(localhost))(?::[0-9]{1,5})?$/;
const [PRESENT, VERIFIED] = [0x01, 0x04];

export interface Passkey {
  user: string;
  credential: string;
  public_key: string;
}

/** Verifies all votes with a passkey signature; with `passkeys`, only these count. */
export async function signedVotes(receipt: Fields, passkeys?: readonly Passkey[]): Promise<Signed[]> {
  const found: Signed[] = [];
  for (const { vote, assertion } of withAssertion(receipt)) found.push(await check(receipt, vote, assertion, passkeys));
  return found;
}

function withAssertion(receipt: Fields): { vote: Fields; assertion: unknown }[] {
  const votes = Array.isArray(receipt.approvals) ? receipt.approvals.map(fieldsOf) : [];
  return votes
    .map((vote) => ({ vote, assertion: vote.assertion ?? null }))
    .filter(({ assertion }) => assertion !== null);
}

async function check(
  receipt: Fields,
  vote: Fields,
  assertion: unknown,
  passkeys?: readonly Passkey[],
): Promise<Signed> {
  const { authenticator, client, data, key, signature, credential, public_key } = read(assertion);
  const refuse = (code: string, message: string): never => {
    throw new CheckFailed(message, code);
  };
  if (data.type !== "webauthn.get") refuse("assertion_type", "the passkey signed something other than an answer");
  const challenge = await voteChallenge({
    org: receipt.org,
    invocation: receipt.invocation,
    user: vote.user,
    verdict: vote.verdict,
    shown_digest: vote.shown_digest,
  });
  if (data.challenge !== toBase64url(challenge))
    refuse("assertion_statement", "the passkey signed a different vote or different content");
  const origin = ORIGIN.exec(data.origin);
  const host = origin?.[1] ?? origin?.[2];
  const isOwn =
    host !== undefined && data.crossOrigin !== true && isSame(await sha256(utf8(host)), authenticator.slice(0, 32));
  if (!isOwn) refuse("assertion_site", `signed on a different site: ${data.origin}`);
  const flags = authenticator[32] ?? 0;
  if ((flags & PRESENT) === 0 || (flags & VERIFIED) === 0)
    refuse("assertion_presence", "user presence or user verification is missing");
  if (!(await verifies(key, signature, join(authenticator, await sha256(client)))))
    refuse("assertion_signature", "the passkey signature is invalid");
  const isKnown =
    passkeys?.some(
      (known) => known.user === vote.user && known.credential === credential && known.public_key === public_key,
    ) ?? true;
  if (!isKnown) refuse("passkey_unknown", "the passkey does not belong to this person");
  return { user: String(vote.user), credential, fingerprint: `sha256:${hex(await sha256(key.bytes))}` };
}

interface ParsedAssertion {
  authenticator: Bytes;
  client: Bytes;
  data: { type: string; challenge: string; origin: string; crossOrigin: unknown };
  key: PasskeyKey;
  signature: Bytes;
  credential: string;
  public_key: string;
}

function read(assertion: unknown): ParsedAssertion {
  try {
    const fields = exactly(assertion, PARTS);
    const [authenticator, client, publicKey, signature] = PARTS.map((name) => base64url(fields[name])) as [
      Bytes,
      Bytes,
      Bytes,
      Bytes,
    ];
    if (authenticator.length < SHORTEST || authenticator.length > LONGEST || client.length > LONGEST_CLIENT)
      throw new CheckFailed("a field has the wrong length");
    const key = passkeyKey(publicKey);
    if (key === null) throw new CheckFailed("the public key is not an ES256 or RS256 key");
    const { type, challenge, origin, crossOrigin } = fieldsOf(
      strict(new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(client)),
    );
    if (typeof type !== "string" || typeof challenge !== "string" || typeof origin !== "string")
      throw new CheckFailed("type, challenge or origin is missing");
    return {
      authenticator,
      client,
      data: { type, challenge, origin, crossOrigin },
      key,
      signature,
      credential: String(fields.credential),
      public_key: String(fields.public_key),
    };
  } catch (error) {
    throw new CheckFailed(
      `the passkey signature cannot be parsed${error instanceof CheckFailed ? `: ${error.message}` : ""}`,
      "assertion_malformed",
    );
  }
}
