// The roles, and what each may. The gateway decides; this only keeps buttons away that it would refuse.

export const ROLES = ["member", "admin", "owner"] as const;
export type Role = (typeof ROLES)[number];

export const MEANING: Record<Role, string> = {
  member: "reads, and works with sessions and automations",
  admin: "also answers the inbox, and sets rules, sources and secrets",
  owner: "also says who is in the org, and how it approves",
};

export function isAtLeast(role: string | null | undefined, needed: Role): boolean {
  return ROLES.indexOf(role as Role) >= ROLES.indexOf(needed);
}
