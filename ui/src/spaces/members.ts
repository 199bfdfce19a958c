// Who can be added to a space, and what follows when they are removed.
import { isAtLeast } from "../api/role";
import type { Member } from "../people/queries";

/** People and service accounts with the role member who are not listed yet. Others belong to every space. */
export function candidates(all: readonly Member[], listed: readonly { user: string }[]): Member[] {
  const taken = new Set(listed.map(({ user }) => user));
  return all.filter(({ user, role }) => role === "member" && !taken.has(user));
}

export function removalText(open_to: string, role: string): string {
  if (isAtLeast(role, "admin")) return `As ${role}, they can still open sessions here and use everything.`;
  return open_to === "everyone"
    ? "They can still open sessions here and use every source, as every member can."
    : "They can no longer open sessions here, and their sessions in this space end at once.";
}
