// What a passkey can be used for, and who may confirm it. The gateway enforces both.
import { isAtLeast } from "../api/role";
import type { Passkey } from "./queries";

type Facts = Pick<Passkey, "removed_at" | "confirmed_at">;

export function isLive({ removed_at }: Pick<Facts, "removed_at">): boolean {
  return removed_at == null;
}

/** A first passkey signs nothing until another approver has confirmed it. */
export function isWaiting(passkey: Facts): boolean {
  return isLive(passkey) && passkey.confirmed_at == null;
}

export function isUsable(passkey: Facts): boolean {
  return isLive(passkey) && passkey.confirmed_at != null;
}

/** Another approver, never its owner. */
export function mayConfirm(
  passkey: Facts & Pick<Passkey, "user">,
  viewer: { user?: string | null; role?: string | null },
): boolean {
  return isWaiting(passkey) && viewer.user != null && viewer.user !== passkey.user && isAtLeast(viewer.role, "admin");
}

export type PasskeyState = "usable" | "waiting" | "none";

/** Of all passkeys of a person. */
export function passkeyState(passkeys: readonly Facts[]): PasskeyState {
  if (passkeys.some(isUsable)) return "usable";
  return passkeys.some(isWaiting) ? "waiting" : "none";
}
