// Address and authentication of a server: validation, and the form the API takes.
import type { Schemas } from "../../api/client";

export type AuthenticationKind = "none" | "bearer" | "header" | "oauth";
export type ServerKind = "mcp" | "openapi" | "stdio";

export interface ServerAddress {
  kind: ServerKind;
  source: string;
  place: string;
  base_url: string;
}

export interface Authentication {
  method: AuthenticationKind;
  header: string;
  /** The name of the secret, never its value. */
  secret: string;
}

/** Suggests a source name: `https://mcp.linear.app/mcp` becomes `linear`. */
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

export function addressError(address: ServerAddress): string | null {
  if (!/^[a-z][a-z0-9-]*$/.test(address.source))
    return "The name must start with a lowercase letter and contain only lowercase letters, digits and “-”.";
  if (address.kind === "stdio") return address.place.trim() === "" ? "The command is required." : null;
  if (!isWebAddress(address.place))
    return "The URL must start with https:// (or http:// where the operator allows it).";
  return address.base_url !== "" && !isWebAddress(address.base_url) ? "The base URL must start with https://." : null;
}

export function authenticationError(authentication: Authentication): string | null {
  if (authentication.method === "header" && !/^[!#$%&'*+.^_`|~0-9A-Za-z-]+$/.test(authentication.header))
    return "The header name is invalid. Example: X-Api-Key.";
  if (authentication.method !== "none" && !/^[A-Za-z][A-Za-z0-9_.-]*$/.test(authentication.secret))
    return "The secret name must start with a letter and contain only letters, digits, “_”, “.” and “-”.";
  return null;
}

/** Only web pages are opened, whatever URL a server returns. */
export function isWebAddress(text: string): boolean {
  try {
    return ["https:", "http:"].includes(new URL(text).protocol);
  } catch {
    return false;
  }
}

export function authOf({ method, header, secret }: Authentication): Schemas["ConnectorAuth"] {
  if (method === "none") return { kind: "none" };
  return method === "header" ? { kind: "header", header, secret } : { kind: method, secret };
}

export function authenticationOf(auth: Schemas["ConnectorAuth"]): Authentication {
  return {
    method: auth.kind,
    header: auth.kind === "header" ? auth.header : "",
    secret: auth.kind === "none" ? "" : auth.secret,
  };
}

/** What to check when a server did not respond. The API gives its problem as a text, without a code to decide by. */
export function advice({ method }: Authentication): string {
  if (method === "oauth") return "Authorize access on the server's own page. If that fails, check the URL.";
  return (
    "Check the URL (MCP servers often end in /mcp), that the server is running, and the authentication. " +
    "A private address must be allowed by the operator with COUNTERSIGN_EGRESS_ALLOW."
  );
}
