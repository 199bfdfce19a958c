// The pages, in the order of the navigation.
import type { IconName } from "../ui/icons";

export interface Page {
  path: "/inbox" | "/activity" | "/catalog" | "/policy" | "/automations" | "/runs" | "/overview" | "/settings";
  name: string;
  icon: IconName;
  about: string;
  /** After `g`, the key that goes there. */
  key: string;
}

export const PAGES: readonly Page[] = [
  { path: "/inbox", name: "Inbox", icon: "inbox", about: "everything that waits for a person", key: "i" },
  { path: "/activity", name: "Activity", icon: "activity", about: "every invocation and its receipt", key: "a" },
  { path: "/catalog", name: "Catalog", icon: "catalog", about: "sources, their actions, and what drifted", key: "c" },
  { path: "/policy", name: "Policy", icon: "policy", about: "rules, grants and what they decide", key: "p" },
  { path: "/automations", name: "Automations", icon: "automations", about: "what runs by itself, and when next", key: "u" },
  { path: "/runs", name: "Runs", icon: "runs", about: "what is being done, step by step", key: "r" },
  { path: "/overview", name: "Overview", icon: "overview", about: "volume, answers and success over time", key: "o" },
  { path: "/settings", name: "Settings", icon: "settings", about: "members, tokens, secrets, spaces, notifiers", key: "s" },
];
