// The roles. The gateway enforces them; this only hides buttons that would be rejected.

export const ROLES = ["member", "admin", "owner"] as const;
export type Role = (typeof ROLES)[number];

export const MEANING: Record<Role, string> = {
  member: "can read, and use sessions and automations",
  admin: "can also approve requests and manage rules, sources and secrets",
  owner: "can also manage members and approval rules",
};

export function isAtLeast(role: string | null | undefined, needed: Role): boolean {
  return ROLES.indexOf(role as Role) >= ROLES.indexOf(needed);
}
