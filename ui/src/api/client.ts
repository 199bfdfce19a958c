// The API client, typed by the OpenAPI document. Every error response becomes an `ApiError` with the problem document,
// and a change that waits for a second owner becomes a `Proposed`.
import createClient, { type Middleware } from "openapi-fetch";
import { parse } from "./json";
import type { components, paths } from "./schema";
import { currentEra, currentState, signedOut } from "./signin";

export type Schemas = components["schemas"];
export type Problem = Schemas["Problem"];

/** An error response of the gateway, or no response. */
export class ApiError extends Error {
  constructor(readonly problem: Problem) {
    super(problem.detail ?? problem.title);
  }
  get status(): number {
    return this.problem.status;
  }
}

/**
 * The change waits for a second owner, and nothing has changed yet. It is thrown, so that nothing that follows a
 * success happens. The person is told centrally (`onProposed`); forms only have to close.
 */
export class Proposed extends Error {
  /** `pch_…` */
  constructor(readonly id: string) {
    super("The change waits for a second owner. Nothing has changed yet.");
  }
}

const PROPOSED_HEADER = "countersign-proposed";
const proposedListeners = new Set<(id: string) => void>();

/** Calls the listener once for each request that became a proposed change. Returns how to end that. */
export function onProposed(listener: (id: string) => void): () => void {
  proposedListeners.add(listener);
  return () => void proposedListeners.delete(listener);
}

/** Marks requests of our own page with a header that no other site can send. The cookie is sent automatically. */
const ownPage: Middleware = {
  onRequest({ request }) {
    if (request.method !== "GET") request.headers.set("x-countersign-web", "1");
    return request;
  },
};

const exactly: Middleware = {
  async onResponse({ response }) {
    // A stream of JSON lines (`application/x-ndjson`) is read while it arrives.
    if (!response.ok || response.status === 204 || !/\bjson\b/.test(response.headers.get("content-type") ?? ""))
      return undefined;
    const text = await response.text();
    const { status, statusText } = response;
    const headers = new Headers(response.headers);
    headers.set("content-length", String(text.length));
    const copy = new Response(text, { status, statusText, headers });
    copy.json = () => Promise.resolve(parse(text));
    return copy;
  },
};

export const api = createClient<paths>({ baseUrl: location.origin, redirect: "error", credentials: "same-origin" });
api.use(ownPage, exactly);

/** Returns the data, or throws an `ApiError` or a `Proposed`. */
export async function take<T>(answer: Promise<{ data?: T; error?: unknown; response: Response }>): Promise<T> {
  const era = currentEra();
  let got: Awaited<typeof answer>;
  try {
    got = await answer;
  } catch (error) {
    if (error instanceof DOMException && error.name === "AbortError") throw error;
    throw new ApiError(unreachable());
  }
  if (got.response.ok) {
    const proposed = got.response.headers.get(PROPOSED_HEADER);
    if (proposed === null) return got.data as T;
    proposedListeners.forEach((listener) => listener(proposed));
    throw new Proposed(proposed);
  }
  const problem = asProblem(got.error, got.response);
  if (problem.status === 401 && currentState() === "in" && era === currentEra())
    signedOut(problem.detail ?? problem.title);
  throw new ApiError(problem);
}

function asProblem(error: unknown, response: Response): Problem {
  if (typeof error === "object" && error !== null && "code" in error && "hint" in error) return error as Problem;
  return {
    type: "unexpected",
    code: "unexpected",
    status: response.status,
    title: "Unexpected response",
    detail: `The gateway or a proxy answered with status ${response.status}.`,
    hint: "try again; if it happens again, check the gateway's log",
  };
}

function unreachable(): Problem {
  return {
    type: "unreachable",
    code: "unreachable",
    status: 0,
    title: "Gateway unavailable",
    detail: "The gateway does not respond.",
    hint: "check that the gateway is running and that you are online",
  };
}
