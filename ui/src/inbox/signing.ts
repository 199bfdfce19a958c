// A yes that must be signed: with a passkey of the one who answers, over exactly the item that was shown to them.
import { useQuery } from "@tanstack/react-query";
import type { Schemas } from "../api/client";
import { type InboxItem, me, queries } from "../api/queries";
import { signWith } from "../passkeys/ceremony";
import { type Passkey, passkeysOf } from "../passkeys/queries";
import { voteChallenge } from "../passkeys/statement";

export function mustSign(item: InboxItem): boolean {
  return item.kind === "approval" && item.passkey_needed === true;
}

const isLive = (passkey: Passkey) => passkey.removed_at == null;

/** Whether the one who looks can sign; undefined until it is known. */
export function useHasPasskey(isAsked: boolean): boolean | undefined {
  const user = useQuery(me).data?.user ?? "";
  return useQuery({ ...passkeysOf(user), enabled: isAsked && user !== "" }).data?.some(isLive);
}

/** The challenge is made here, of what is on the page: whatever else the gateway has, it is not signed. */
export async function signYes({ id, shown_digest }: Schemas["InvocationView"], end: AbortSignal): Promise<Schemas["AssertionRequest"]> {
  const { org, user } = await queries.fetchQuery(me);
  const own = await queries.fetchQuery(passkeysOf(user ?? ""));
  return signWith(own.filter(isLive).map((passkey) => passkey.credential), await voteChallenge({ org, invocation: id, user, verdict: "approved", shown_digest }), end);
}
