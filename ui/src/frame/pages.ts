// The pages, in the order of the navigation.
import type { IconName } from "../ui/icons";

export interface Page {
  path:
    | "/inbox"
    | "/activity"
    | "/agents"
    | "/catalog"
    | "/models"
    | "/policy"
    | "/automations"
    | "/runs"
    | "/overview"
    | "/settings";
  name: string;
  icon: IconName;
  about: string;
  /** The key after `g`. */
  key: string;
}

export const PAGES: readonly Page[] = [
  { path: "/inbox", name: "Inbox", icon: "inbox", about: "pending approvals", key: "i" },
  { path: "/activity", name: "Activity", icon: "activity", about: "invocations, receipts and changes", key: "a" },
  { path: "/agents", name: "Agents", icon: "agents", about: "what each agent did and may do", key: "e" },
  { path: "/catalog", name: "Catalog", icon: "catalog", about: "sources, actions and drift", key: "c" },
  { path: "/models", name: "Models", icon: "models", about: "providers of language models", key: "m" },
  { path: "/policy", name: "Policy", icon: "policy", about: "rules, policies, grants and bands", key: "p" },
  {
    path: "/automations",
    name: "Automations",
    icon: "automations",
    about: "scheduled and triggered actions",
    key: "u",
  },
  { path: "/runs", name: "Runs", icon: "runs", about: "runs of automations", key: "r" },
  { path: "/overview", name: "Overview", icon: "overview", about: "volume, approvals and success over time", key: "o" },
  {
    path: "/settings",
    name: "Settings",
    icon: "settings",
    about: "members, tokens, secrets, spaces, notifications",
    key: "s",
  },
];
