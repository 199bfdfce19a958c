// What a person says to connect a server, as the gateway takes it; and what is wrong with it, before it is sent.
import type { Schemas } from "../api/client";

/** The integrations that are connected with a token of the org. */
export const INTEGRATIONS = ["linear", "slack", "sentry", "github"];

export type Proof = "none" | "bearer" | "header" | "oauth";
export type ServerKind = "mcp" | "openapi" | "stdio";

export interface Where {
  kind: ServerKind;
  source: string;
  place: string;
  base_url: string;
}

export interface How {
  proof: Proof;
  header: string;
  /** The name of the secret; its value is never here. */
  secret: string;
}

/** A name for the source from where its server is: `https://mcp.linear.app/mcp` is `linear`. */
export function nameFrom(place: string): string {
  let host: string;
  try {
    host = new URL(place).hostname;
  } catch {
    return "";
  }
  const parts = host.split(".").filter((part) => !["www", "mcp", "api", "app"].includes(part));
  const [first = ""] = /^[\d.]+$/.test(host) ? [] : parts;
  return /^[a-z][a-z0-9-]{0,61}$/.test(first) ? first : "";
}

export function wrongWhere(where: Where): string | null {
  if (!/^[a-z][a-z0-9-]*$/.test(where.source)) return "The name begins with a small letter and has small letters, digits and “-”.";
  if (where.kind === "stdio") return where.place.trim() === "" ? "Say which declared command." : null;
  if (!isWebAddress(where.place)) return "The address begins with https:// (or http:// where the operator allows it).";
  return where.base_url !== "" && !isWebAddress(where.base_url) ? "Where operations are called begins with https:// as well." : null;
}

export function wrongHow(how: How): string | null {
  if (how.proof === "header" && !/^[!#$%&'*+.^_`|~0-9A-Za-z-]+$/.test(how.header)) return "Say which header, such as X-Api-Key.";
  if (how.proof !== "none" && !/^[A-Za-z][A-Za-z0-9_.-]*$/.test(how.secret)) return "A secret's name begins with a letter and has letters, digits, “_”, “.” and “-”.";
  return null;
}

/** Nothing but a page of the web is ever opened, whatever a server calls its address. */
export function isWebAddress(text: string): boolean {
  try {
    return ["https:", "http:"].includes(new URL(text).protocol);
  } catch {
    return false;
  }
}

export function authOf({ proof, header, secret }: How): Schemas["ConnectorAuth"] {
  if (proof === "none") return { kind: "none" };
  return proof === "header" ? { kind: "header", header, secret } : { kind: proof, secret };
}

export function howOf(auth: Schemas["ConnectorAuth"]): How {
  return { proof: auth.kind, header: auth.kind === "header" ? auth.header : "", secret: auth.kind === "none" ? "" : auth.secret };
}

/** What to look at first, by what the gateway said was wrong. */
export function advice(problem: string, how: How): string {
  const said = problem.toLowerCase();
  if (how.proof === "oauth" && /authoriz|credential/.test(said)) return "Authorize it: you say yes at its own page, and come back.";
  if (/credential|secret/.test(said)) return "Give it a credential: go back to how it proves itself.";
  if (/private|loopback|not allowed|egress/.test(said)) return "The operator has not allowed this address: COUNTERSIGN_EGRESS_ALLOW on the gateway.";
  if (/time|slow/.test(said)) return "It did not answer in time. Look whether it runs, then try again.";
  return "Look whether the address is right (MCP servers often end in /mcp), whether the server runs, and whether it wants another credential.";
}
