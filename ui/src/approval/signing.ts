// Signs an approval with a passkey, over exactly the document that was shown.
import { useQuery } from "@tanstack/react-query";
import type { Schemas } from "../api/client";
import { type InboxItem, me, queries } from "../api/queries";
import { signWith } from "../passkeys/ceremony";
import { type Passkey, passkeysOf } from "../passkeys/queries";
import { voteChallenge } from "../passkeys/statement";
import { shownDigest } from "../receipt/shown";
import type { ShownDocument } from "./shown";

export function needsSignature(item: InboxItem): boolean {
  return item.kind === "approval" && item.passkey_needed === true;
}

const isLive = (passkey: Passkey) => passkey.removed_at == null;

/** Whether the signed-in person has a passkey; undefined while loading. */
export function useHasPasskey(isNeeded: boolean): boolean | undefined {
  const user = useQuery(me).data?.user ?? "";
  return useQuery({ ...passkeysOf(user), enabled: isNeeded && user !== "" }).data?.some(isLive);
}

/** The challenge is computed from the page, so that only what was shown is signed. */
export async function signApproval(shown: ShownDocument, end: AbortSignal): Promise<Schemas["AssertionRequest"]> {
  const { org, user } = await queries.fetchQuery(me);
  const { invocation } = shown;
  const shown_digest = await shownDigest(shown);
  const own = await queries.fetchQuery(passkeysOf(user ?? ""));
  return signWith(
    own.filter(isLive).map((passkey) => passkey.credential),
    await voteChallenge({ org, invocation, user, verdict: "approved", shown_digest }),
    end,
  );
}
