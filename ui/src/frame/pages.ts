// The pages, in the order of the navigation.
import type { IconName } from "../ui/icons";

export interface Page {
  path: "/inbox" | "/activity" | "/catalog" | "/policy" | "/automations" | "/runs" | "/overview" | "/settings";
  name: string;
  icon: IconName;
  about: string;
}

export const PAGES: readonly Page[] = [
  { path: "/inbox", name: "Inbox", icon: "inbox", about: "everything that waits for a person" },
  { path: "/activity", name: "Activity", icon: "activity", about: "every invocation and its receipt" },
  { path: "/catalog", name: "Catalog", icon: "catalog", about: "sources, their actions, and what drifted" },
  { path: "/policy", name: "Policy", icon: "policy", about: "rules, grants and what they decide" },
  { path: "/automations", name: "Automations", icon: "automations", about: "what runs by itself, and when next" },
  { path: "/runs", name: "Runs", icon: "runs", about: "what is being done, step by step" },
  { path: "/overview", name: "Overview", icon: "overview", about: "volume, answers and success over time" },
  { path: "/settings", name: "Settings", icon: "settings", about: "members, tokens, secrets, spaces, notifiers" },
];
