// The statement that a passkey signs, in canonical form. Its hash is the challenge.
import { type Bytes, sha256, utf8 } from "../receipt/bytes";
import { canonical } from "../receipt/canonical";

export interface Vote {
  org: unknown;
  invocation: unknown;
  user: unknown;
  verdict: unknown;
  shown_digest: unknown;
}

export function voteChallenge({ org, invocation, user, verdict, shown_digest }: Vote): Promise<Bytes> {
  return hashOf({ format: "countersign/vote/v1", org, invocation, user, verdict, shown_digest });
}

/** The confirmation of a new passkey with an existing one. */
export function passkeyChallenge(passkey: {
  org: string;
  user: string;
  credential: string;
  public_key: string;
}): Promise<Bytes> {
  const { org, user, credential, public_key } = passkey;
  return hashOf({ format: "countersign/passkey/v1", org, user, credential, public_key });
}

/** A statement of a person at a time; `at` is from `wholeSeconds`. */
export interface Declaration {
  at: string;
  org: string;
  user: string;
}

/** From now on, approvals need no passkey. */
export function unsignedApprovalsChallenge({ at, org, user }: Declaration): Promise<Bytes> {
  return hashOf({ format: "countersign/unsigned-approvals/v1", at, org, user });
}

/** It is still the same person who is signed in. */
export function signInChallenge({ at, org, user }: Declaration): Promise<Bytes> {
  return hashOf({ format: "countersign/sign-in/v1", at, org, user });
}

/** A time in UTC, as the gateway writes it in a statement: `2026-11-18T08:00:00Z`. */
export function wholeSeconds(ms: number): string {
  return new Date(ms).toISOString().replace(/\.\d+Z$/, "Z");
}

function hashOf(statement: Record<string, unknown>): Promise<Bytes> {
  return sha256(utf8(canonical(statement)));
}
