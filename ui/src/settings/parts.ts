// The parts of the settings, in their order.
import type { Role } from "../api/role";

export interface Part {
  id: "members" | "passkeys" | "tokens" | "secrets" | "spaces" | "notifications" | "webhooks" | "org";
  name: string;
  about: string;
  /** Who may look at it. */
  needs: Role;
}

export const PARTS: readonly Part[] = [
  { id: "members", name: "Members", about: "who is in the org, and what each may do", needs: "member" },
  { id: "passkeys", name: "Passkeys", about: "what people sign their yes with", needs: "member" },
  { id: "tokens", name: "Your tokens", about: "what you let programs in with, as yourself", needs: "member" },
  { id: "secrets", name: "Secrets", about: "credentials of sources: written, used, never shown", needs: "admin" },
  { id: "spaces", name: "Spaces", about: "areas of the org, and how careful each is", needs: "member" },
  { id: "notifications", name: "Notifications", about: "where people are told that something waits", needs: "admin" },
  { id: "webhooks", name: "Webhooks", about: "addresses that events are sent to, signed", needs: "admin" },
  { id: "org", name: "Approval rules", about: "how what is hard to undo is approved, and how long receipts are kept", needs: "member" },
];
