// The sessions that end when somebody may use less in a space.
import type { Schemas } from "../api/client";
import { isAtLeast } from "../api/role";
import type { Space } from "../settings/queries";
import { EVERYTHING, isWithin } from "./reach";

export type Session = Schemas["SessionView"];

interface Change {
  space: Pick<Space, "id" | "open_to">;
  member: { user: string; role: string };
  /** What they may use from now on; null if they are removed from the space. */
  capabilities: readonly string[] | null;
}

/** The gateway decides this; here it is foretold for the confirmation. */
export function endingSessions(all: readonly Session[], change: Change, now: number): Session[] {
  const { space, member } = change;
  return all.filter(
    (session) =>
      session.space === space.id &&
      session.created_by === member.user &&
      session.ended_at == null &&
      Date.parse(session.expires_at) > now &&
      !mayGoOn(session, change),
  );
}

function mayGoOn(session: Session, { space, member, capabilities }: Change): boolean {
  if (isAtLeast(member.role, "admin")) return true;
  if (capabilities !== null) return isWithin(session.capabilities, capabilities);
  // Where everyone can open sessions, who is not listed can use every source, but not those that are added later.
  return space.open_to === "everyone" && !session.capabilities.includes(EVERYTHING);
}
