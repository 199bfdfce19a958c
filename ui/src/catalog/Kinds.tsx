// The kinds of sources in words, how a source stands as badges, and the way to connect another.
import { Link } from "@tanstack/react-router";
import { Badge } from "../ui/Bits";
import type { Source } from "./queries";

export const KINDS: Record<Source["kind"], { name: string; about: string }> = {
  native: { name: "built in", about: "Comes with Countersign" },
  integration: { name: "integration", about: "Spoken to with the org's own token" },
  mcp: { name: "MCP", about: "An MCP server over HTTP" },
  stdio: { name: "MCP command", about: "An MCP server the operator declared as a command" },
  openapi: { name: "OpenAPI", about: "An HTTP service with an OpenAPI document" },
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

/** An integration that nobody gave a token; the gateway's words for that are for those who cannot. */
export function isUnconnected(source: Source): boolean {
  return !source.connected && source.kind === "integration";
}

export function Unconnected({ isAdmin }: { isAdmin: boolean }) {
  return <>{isAdmin ? "Not connected yet: give it a token of the org, and its actions can be asked for." : "Not connected yet. An admin or owner can connect it."}</>;
}

export function ConnectLink() {
  return (
    <Link to="/catalog/connect" className="inline-flex min-h-11 items-center rounded-lg bg-accent px-3.5 font-medium text-accent-ink hover:brightness-110 md:min-h-9">
      Connect a source
    </Link>
  );
}
