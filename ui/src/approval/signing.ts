// Signs an approval with a passkey, over exactly the document that was shown.
import type { Schemas } from "../api/client";
import { type InboxItem, me, queries } from "../api/queries";
import { signWith } from "../passkeys/ceremony";
import { credentialsOf } from "../passkeys/queries";
import { voteChallenge } from "../passkeys/statement";
import { shownDigest } from "../receipt/shown";
import type { ShownDocument } from "./shown";

export function needsSignature(item: InboxItem): boolean {
  return item.kind === "approval" && item.passkey_needed === true;
}

/** The challenge is computed from the page, so that only what was shown is signed. */
export async function signApproval(shown: ShownDocument, end: AbortSignal): Promise<Schemas["AssertionRequest"]> {
  const { org, user } = await queries.fetchQuery(me);
  const { invocation } = shown;
  const shown_digest = await shownDigest(shown);
  return signWith(
    await credentialsOf(user ?? ""),
    await voteChallenge({ org, invocation, user, verdict: "approved", shown_digest }),
    end,
  );
}
