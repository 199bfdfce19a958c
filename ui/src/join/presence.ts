// Who is signed in in the browser of a person who was invited.
import type { Schemas } from "../api/client";

type Invited = Pick<Schemas["JoinView"], "email" | "org">;
type SignedIn = Pick<Schemas["MeView"], "email" | "org_slug">;

/**
 * `nobody`, `other`: someone else, `elsewhere`: the same person in another organization, `here`: the same person in
 * this organization.
 */
export type Presence = "nobody" | "other" | "elsewhere" | "here";

export function presence(me: SignedIn | undefined, { email, org }: Invited): Presence {
  if (me === undefined) return "nobody";
  if (me.email?.toLowerCase() !== email.toLowerCase()) return "other";
  return me.org_slug === org ? "here" : "elsewhere";
}
