// A page that is not made yet: it says what it will show, and how to see the same today.
import { useLocation } from "@tanstack/react-router";
import { Empty, PageHead } from "../ui/Bits";
import { PAGES } from "./pages";

const TODAY: Record<string, { will: string; commands: string[] }> = {
  "/activity": {
    will: "Every invocation will be listed here, with its decision, its attempts and its receipt.",
    commands: ["countersign receipts list", "countersign events tail"],
  },
  "/catalog": {
    will: "Sources, their actions and what drifted since they were reviewed will be shown here.",
    commands: ["countersign connectors list", "countersign connectors review NAME"],
  },
  "/policy": {
    will: "Rules and grants will be shown here, and what they decide for each action.",
    commands: ["countersign rules list", "countersign grants list"],
  },
  "/overview": {
    will: "Volume, how fast people answer, success and cost over time will be drawn here.",
    commands: ["countersign runs list"],
  },
  "/settings": {
    will: "Members, tokens, secrets, spaces and notifiers will be set here.",
    commands: ["countersign members list", "countersign spaces list", "countersign notifiers list"],
  },
};

export function Later() {
  const { pathname } = useLocation();
  const page = PAGES.find((each) => each.path === pathname);
  const today = TODAY[pathname];
  if (page === undefined || today === undefined) return null;
  return (
    <>
      <PageHead title={page.name} about={page.about} />
      <Empty icon={page.icon} title="This page is not made yet">
        <p>{today.will}</p>
        <p>Until then, on a terminal:</p>
        <pre className="rounded-lg border border-edge bg-card px-4 py-3 text-left font-mono text-xs leading-6 whitespace-pre-wrap">
          {today.commands.join("\n")}
        </pre>
      </Empty>
    </>
  );
}
