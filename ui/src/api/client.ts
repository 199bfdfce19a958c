// The one way to the gateway: typed by the OpenAPI document, signed in, and with every refusal as a `Refusal` that has the
// gateway's own words.
import createClient, { type Middleware } from "openapi-fetch";
import { parse } from "./json";
import type { components, paths } from "./schema";
import { currentToken, signOut } from "./token";

export type Schemas = components["schemas"];
export type Problem = Schemas["Problem"];

/** The gateway said no, or did not answer. */
export class Refusal extends Error {
  constructor(readonly problem: Problem) {
    super(problem.detail ?? problem.title);
  }
  get status(): number {
    return this.problem.status;
  }
}

const authorize: Middleware = {
  onRequest({ request }) {
    const token = currentToken();
    if (token !== null && !request.headers.has("authorization")) request.headers.set("authorization", `Bearer ${token}`);
    return request;
  },
};

const exactly: Middleware = {
  async onResponse({ response }) {
    if (!response.ok || !(response.headers.get("content-type") ?? "").includes("json")) return undefined;
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
api.use(authorize, exactly);

/** What was asked for, or a `Refusal`. */
export async function take<T>(answer: Promise<{ data?: T; error?: unknown; response: Response }>): Promise<T> {
  const used = currentToken();
  let got;
  try {
    got = await answer;
  } catch (error) {
    if (error instanceof DOMException && error.name === "AbortError") throw error;
    throw new Refusal(unreachable());
  }
  if (got.response.ok) return got.data as T;
  const problem = asProblem(got.error, got.response);
  if (problem.status === 401 && used !== null && used === currentToken()) signOut(problem.detail ?? problem.title);
  throw new Refusal(problem);
}

function asProblem(error: unknown, response: Response): Problem {
  if (typeof error === "object" && error !== null && "code" in error && "hint" in error) return error as Problem;
  return {
    type: "unexpected",
    code: "unexpected",
    status: response.status,
    title: "The answer was not understood",
    detail: `The gateway, or something before it, answered ${response.status}.`,
    hint: "try again; if it stays, look at the gateway's log",
  };
}

function unreachable(): Problem {
  return {
    type: "unreachable",
    code: "unreachable",
    status: 0,
    title: "The gateway does not answer",
    detail: "The gateway cannot be reached from here.",
    hint: "look whether it runs and whether you are online",
  };
}
