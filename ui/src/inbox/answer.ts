// A person's answer on its way: which route, which body, and what to say of how it went. Every answer is bound to the
// digest of what was shown, so that a yes to something else is refused.
import { api, Refusal, type Schemas, take } from "../api/client";
import { leave, look } from "../api/inbox";
import { keyOf, type InboxItem, queries } from "../api/queries";

export type Bounds = Schemas["GrantBounds"];
export type Answer =
  | { kind: "approve"; extent: "once" | "grant" | "always"; bounds?: Bounds; note: string; assertion?: Schemas["AssertionRequest"] }
  | { kind: "deny"; reason: string }
  | { kind: "reconcile"; outcome: "succeeded" | "failed"; evidence: string }
  | { kind: "give"; give: boolean; calls?: number; seconds?: number; note: string };

export interface Said {
  tone: "good" | "warn";
  title: string;
  /** The action it is about, and what somebody else said of it: to be drawn by `Visible`. */
  action: string;
  text: string;
  quote?: string;
  /** Whether the item may still wait. */
  mayWait: boolean;
}

/** How long to wait for the result of what was approved; after that it goes on without the page. */
const WAIT = "5s";

export async function answer(item: InboxItem, given: Answer): Promise<Said> {
  const key = keyOf(item);
  let said: Said;
  try {
    said = await send(item, given);
  } catch (error) {
    said = refused(error, item.kind === "grant_request" ? item.action : item.invocation.action);
  }
  if (!said.mayWait) leave([key]);
  else if (item.kind !== "grant_request") void look(key);
  void queries.invalidateQueries({ queryKey: ["inbox-item", key] });
  void queries.invalidateQueries({ queryKey: ["invocation", key] });
  return said;
}

async function send(item: InboxItem, given: Answer): Promise<Said> {
  if (item.kind === "grant_request") {
    if (given.kind !== "give") throw new Error("a request for a grant is given or not");
    const body = { give: given.give, note: given.note, max_calls: given.calls ?? null, lifetime_s: given.seconds ?? null };
    await take(api.POST("/v1/grant-requests/{request}/answer", { params: { path: { request: item.id } }, body }));
    return good(given.give ? "Granted" : "Not granted", item.action, given.give ? "The session need not ask, within the bounds." : "A person is asked each time.");
  }
  const { id, shown_digest } = item.invocation;
  const path = { invocation: id };
  const channel = "web" as const;
  switch (given.kind) {
    case "approve": {
      const body = { shown_digest, extent: given.extent, channel, note: given.note, grant: given.bounds ?? null, ...(given.assertion !== undefined && { assertion: given.assertion }) };
      const query = { wait: WAIT };
      return approved(await take(api.POST("/v1/invocations/{invocation}/approve", { params: { path, query }, body })));
    }
    case "deny": {
      const body = { shown_digest, channel, reason: given.reason };
      const view = await take(api.POST("/v1/invocations/{invocation}/deny", { params: { path }, body }));
      return good("Denied", view.action, "Nothing is done. The agent can read why.");
    }
    case "reconcile": {
      const body = { outcome: given.outcome, evidence: given.evidence };
      const view = await take(api.POST("/v1/invocations/{invocation}/reconcile", { params: { path }, body }));
      return good("Kept", view.action, `It counts as ${view.status}.`);
    }
    case "give":
      throw new Error("only a request for a grant is given");
  }
}

function good(title: string, action: string, text: string): Said {
  return { tone: "good", title, action, text, mayWait: false };
}

function approved(view: Schemas["InvocationView"]): Said {
  const { action, status } = view;
  switch (status) {
    case "succeeded":
      return good("Approved and done", action, "It succeeded.");
    case "pending":
      return { ...good("Your yes is counted", action, "It waits for another person."), mayWait: true };
    case "approved":
    case "executing":
      return good("Approved", action, "It is being done.");
    case "unknown":
      return { tone: "warn", title: "Approved, and nobody knows whether it happened", action, text: "Look at the target, then say what you found.", mayWait: true };
    default: {
      const quote = view.error?.message;
      return { tone: "warn", title: `Approved, but it ${status}`, action, text: quote === undefined ? "See the invocation for why." : "Told by its source:", ...(quote !== undefined && { quote }), mayWait: false };
    }
  }
}

export function refused(error: unknown, action: string): Said {
  const warn = (title: string, text: string, mayWait: boolean, quote?: string): Said => ({ tone: "warn", title, action, text, mayWait, ...(quote !== undefined && { quote }) });
  if (!(error instanceof Refusal)) return warn("Your answer was not sent", "This page could not send it.", true);
  const { problem, status } = error;
  const quote = `${problem.detail ?? problem.title}. What to do: ${problem.hint}.`;
  if (status === 0) {
    return warn("Nobody knows whether your answer arrived", "The gateway did not answer. Look whether it still waits; a second answer is refused, so repeating it is safe.", true);
  }
  if (status === 410) return warn("Too late: it expired", "Your answer did not count.", false, quote);
  if (status === 409 && problem.code === "already_answered") return warn("Somebody else was faster", "Your answer did not count.", false, quote);
  if (status === 409) return warn("It is not what you were shown", "Your answer did not count.", true, quote);
  if (problem.code === "passkey_needed") return warn("It must be signed with a passkey", "Your answer did not count.", true, quote);
  if (problem.code === "assertion_refused") return warn("What your passkey signed was refused", "Your answer did not count.", true, quote);
  if (status === 403) return warn("You may not answer this", "The gateway says:", true, quote);
  return warn("Your answer was refused", "The gateway says:", true, quote);
}
