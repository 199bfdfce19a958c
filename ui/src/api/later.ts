// Routes of the contract that the OpenAPI document does not have yet. Each leaves here when it does.
import { api, take } from "./client";

interface Init {
  params?: { path?: Record<string, string>; query?: Record<string, unknown> };
  body?: unknown;
  signal?: AbortSignal;
}
type Verb = (path: string, init: Init) => Promise<{ data?: unknown; error?: unknown; response: Response }>;

export function later<T>(method: "GET" | "POST" | "PATCH" | "DELETE", path: string, init: Init = {}): Promise<T> {
  const verb = (api as unknown as Record<string, Verb>)[method] as Verb;
  return take(verb(path, init)) as Promise<T>;
}
