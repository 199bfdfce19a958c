// The one way to the gateway: typed by the OpenAPI document, signed in, and with every refusal as a `Refusal` that has the
// gateway's own words.
import createClient, { type Middleware } from "openapi-fetch";
import { parse } from "./json";
import type { components, paths } from "./schema";
import { currentEra, currentState, signedOut } from "./signin";

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

/** The cookie goes along by itself; that it is our own page that wants a change is said by a header no other page can send. */
const ownPage: Middleware = {
  onRequest({ request }) {
    if (request.method !== "GET") request.headers.set("x-countersign-web", "1");
    return request;
  },
};

const exactly: Middleware = {
  async onResponse({ response }) {
    if (!response.ok || response.status === 204 || !(response.headers.get("content-type") ?? "").includes("json")) return undefined;
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

/** What was asked for, or a `Refusal`. */
export async function take<T>(answer: Promise<{ data?: T; error?: unknown; response: Response }>): Promise<T> {
  const era = currentEra();
  let got;
  try {
    got = await answer;
  } catch (error) {
    if (error instanceof DOMException && error.name === "AbortError") throw error;
    throw new Refusal(unreachable());
  }
  if (got.response.ok) return got.data as T;
  const problem = asProblem(got.error, got.response);
  if (problem.status === 401 && currentState() === "in" && era === currentEra()) signedOut(problem.detail ?? problem.title);
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
