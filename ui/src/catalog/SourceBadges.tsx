// Kinds and status of sources as text and badges.
import { Link } from "@tanstack/react-router";
import { Badge } from "../ui/Bits";
import type { Source } from "./queries";

export const KINDS: Record<Source["kind"], { name: string; about: string }> = {
  native: { name: "built in", about: "Built into Countersign" },
  integration: { name: "integration", about: "Uses the organization's token" },
  mcp: { name: "MCP", about: "An MCP server over HTTP" },
  stdio: { name: "MCP command", about: "An MCP server configured as a command" },
  openapi: { name: "OpenAPI", about: "An HTTP API with an OpenAPI document" },
};

export function SourceBadges({ source }: { source: Source }) {
  return (
    <span className="flex flex-wrap gap-1.5">
      {source.to_review > 0 && <Badge tone="warn">{source.to_review} to review</Badge>}
      {source.problem != null || !source.connected ? (
        <Badge tone={source.connected ? "warn" : "plain"}>{source.connected ? "problem" : "not connected"}</Badge>
      ) : (
        source.kind !== "native" && <Badge tone="good">connected</Badge>
      )}
      <Badge>{KINDS[source.kind].name}</Badge>
    </span>
  );
}

/** An integration without a token. */
export function isUnconnected(source: Source): boolean {
  return !source.connected && source.kind === "integration";
}

export function Unconnected({ isAdmin }: { isAdmin: boolean }) {
  return (
    <>
      {isAdmin
        ? "Not connected. Add a token to make its actions available."
        : "Not connected. An admin or owner can connect it."}
    </>
  );
}

export function ConnectLink() {
  return (
    <Link
      to="/catalog/connect"
      className={`inline-flex min-h-11 items-center rounded-lg bg-accent px-3.5 font-medium text-accent-ink
        hover:brightness-110 md:min-h-9`}
    >
      Connect a source
    </Link>
  );
}
