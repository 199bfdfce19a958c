// The sections of the settings.
import type { Role } from "../api/role";

export interface Part {
  id: "members" | "passkeys" | "tokens" | "secrets" | "spaces" | "notifications" | "webhooks" | "org";
  name: string;
  about: string;
  /** The role that is required. */
  needs: Role;
}

export const PARTS: readonly Part[] = [
  { id: "members", name: "Members", about: "people, invitations and service accounts", needs: "member" },
  { id: "passkeys", name: "Passkeys", about: "keys to sign approvals with", needs: "member" },
  { id: "tokens", name: "Tokens", about: "access for the CLI and other programs", needs: "member" },
  { id: "secrets", name: "Secrets", about: "credentials of sources", needs: "admin" },
  { id: "spaces", name: "Spaces", about: "areas of the organization and their risk bands", needs: "member" },
  { id: "notifications", name: "Notifications", about: "Slack channels and email addresses", needs: "admin" },
  { id: "webhooks", name: "Webhooks", about: "signed events to your URLs", needs: "admin" },
  {
    id: "org",
    name: "Approval rules",
    about: "approvals of risky actions, loosening, retention, legal hold",
    needs: "member",
  },
];
