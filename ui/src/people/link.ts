// The link of an invitation.
import type { NewInvitation } from "./queries";

/** The gateway may not know its public address; then the link leads to where this page is open. */
export function linkOf({ link, token }: Pick<NewInvitation, "link" | "token">, origin: string): string {
  return link ?? `${origin}/join#${encodeURIComponent(token)}`;
}
