// Who can open sessions in a space. Admins and owners always can.
import type { Space } from "../settings/queries";

/** Values with their names and what they mean. The first one is the default of a new space. */
export const OPENNESS = [
  ["members", "Members of the space", "Only members who are added to this space."],
  ["everyone", "Everyone", "Every member of the organization."],
] as const;
export type Openness = (typeof OPENNESS)[number][0];

/** A value that is newer than this page is shown by its raw name. */
export function opennessText(open_to: string): string {
  switch (open_to) {
    case "everyone":
      return "open to everyone";
    case "members":
      return "open to its members";
    default:
      return `open to: ${open_to}`;
  }
}

/** What the list of members means in a space like this. */
export function membersText(open_to: string): string {
  const always = "Admins and owners can always open sessions and use everything.";
  return open_to === "everyone"
    ? `Every member of the organization can open sessions here. A listed member uses at most what is listed. ${always}`
    : `Only listed members can open sessions here, and use at most what is listed. ${always}`;
}

export function noMembersText(open_to: string): string {
  return open_to === "everyone"
    ? "Nobody is listed. Every member of the organization can use every source here."
    : "No members yet. Only admins and owners can open sessions here.";
}

/** The consequence of saving another value; null without one. */
export function changeText(from: string, to: string): string | null {
  if (from === to) return null;
  return to === "everyone"
    ? "Every member of the organization can then open sessions here and use every source."
    : "Members who are not added to this space can no longer open sessions here. Their sessions in it end at once.";
}

/** The spaces in which the signed-in person can open sessions. */
export function openable(spaces: readonly Space[]): Space[] {
  return spaces.filter(({ may_open }) => may_open);
}
