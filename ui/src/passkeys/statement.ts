// What a passkey signs: the statement in its one form, and its hash, which is the challenge that the browser is given.
import { type Bytes, sha256, utf8 } from "../activity/bytes";
import { canonical } from "../activity/canonical";

/** A person's answer to one invocation, exactly as it was shown to them. */
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

/** That a new passkey is the person's own, said with one they had before. */
export function passkeyChallenge(made: { org: string; user: string; credential: string; public_key: string }): Promise<Bytes> {
  const { org, user, credential, public_key } = made;
  return hashOf({ format: "countersign/passkey/v1", org, user, credential, public_key });
}

function hashOf(statement: Record<string, unknown>): Promise<Bytes> {
  return sha256(utf8(canonical(statement)));
}
