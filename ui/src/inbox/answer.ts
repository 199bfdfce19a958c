// A person's answer on its way: which route, which body, and what to say of how it went. Every answer is bound to the
// digest of what was shown, so that a yes to something else is refused.
import { api, Refusal, type Schemas, take } from "../api/client";
import { keyOf, type InboxItem, queries } from "../api/queries";
import { plain } from "../text/visible";

export type Bounds = Schemas["GrantBounds"];
export type Answer =
  | { kind: "approve"; extent: "once" | "grant" | "always"; bounds?: Bounds; note: string }
  | { kind: "deny"; reason: string }
  | { kind: "reconcile"; outcome: "succeeded" | "failed"; evidence: string }
  | { kind: "give"; give: boolean; calls?: number; seconds?: number; note: string };

export interface Said {
  tone: "good" | "warn";
  title: string;
  text: string;
  /** Whether the item may still wait. */
  mayWait: boolean;
}

/** How long to wait for the result of what was approved; after that it goes on without the page. */
const WAIT = "5s";

export async function answer(item: InboxItem, given: Answer): Promise<Said> {
  try {
    return await send(item, given);
  } catch (error) {
    return refused(error, plain(item.kind === "grant_request" ? item.action : item.invocation.action));
  } finally {
    void queries.invalidateQueries({ queryKey: ["inbox"] });
    void queries.invalidateQueries({ queryKey: ["inbox-item", keyOf(item)] });
    void queries.invalidateQueries({ queryKey: ["invocation", keyOf(item)] });
  }
}

async function send(item: InboxItem, given: Answer): Promise<Said> {
  if (item.kind === "grant_request") {
    if (given.kind !== "give") throw new Error("a request for a grant is given or not");
    const body = { give: given.give, note: given.note, max_calls: given.calls ?? null, lifetime_s: given.seconds ?? null };
    await take(api.POST("/v1/grant-requests/{request}/answer", { params: { path: { request: item.id } }, body }));
    return good(given.give ? "Granted" : "Not granted", plain(item.action));
  }
  const { id, shown_digest } = item.invocation;
  const path = { invocation: id };
  const channel = "web" as const;
  switch (given.kind) {
    case "approve": {
      const body = { shown_digest, extent: given.extent, channel, note: given.note, grant: given.bounds ?? null };
      const query = { wait: WAIT };
      return approved(await take(api.POST("/v1/invocations/{invocation}/approve", { params: { path, query }, body })));
    }
    case "deny": {
      const body = { shown_digest, channel, reason: given.reason };
      const view = await take(api.POST("/v1/invocations/{invocation}/deny", { params: { path }, body }));
      return good("Denied", `${plain(view.action)}: nothing is done. The agent can read why.`);
    }
    case "reconcile": {
      const body = { outcome: given.outcome, evidence: given.evidence };
      const view = await take(api.POST("/v1/invocations/{invocation}/reconcile", { params: { path }, body }));
      return good("Kept", `${plain(view.action)} counts as ${view.status}.`);
    }
    case "give":
      throw new Error("only a request for a grant is given");
  }
}

function good(title: string, text: string): Said {
  return { tone: "good", title, text, mayWait: false };
}

function warn(title: string, text: string, mayWait: boolean): Said {
  return { tone: "warn", title, text, mayWait };
}

function approved(view: Schemas["InvocationView"]): Said {
  const action = plain(view.action);
  switch (view.status) {
    case "succeeded":
      return good("Approved and done", `${action} succeeded.`);
    case "pending":
      return { ...good("Your yes is counted", `${action} waits for another person.`), mayWait: true };
    case "approved":
    case "executing":
      return good("Approved", `${action} is being done.`);
    case "unknown":
      return warn("Approved, and nobody knows whether it happened", `${action}: look at the target, then say what you found.`, true);
    default:
      return warn(`Approved, but it ${view.status}`, `${action}: ${plain(view.error?.message ?? "see the invocation for why")}`, false);
  }
}

export function refused(error: unknown, action: string): Said {
  if (!(error instanceof Refusal)) return warn("Your answer was not sent", `${action}: this page could not send it.`, true);
  const { problem, status } = error;
  const words = `${action}: ${plain(problem.detail ?? problem.title)}. What to do: ${plain(problem.hint)}.`;
  if (status === 0) {
    const text = `${action}: the gateway did not answer. Look whether it still waits; a second answer is refused, so repeating it is safe.`;
    return warn("Nobody knows whether your answer arrived", text, true);
  }
  if (status === 410) return warn("Too late: it expired", words, false);
  if (status === 409 && problem.code === "already_answered") return warn("Somebody else was faster", `Your answer did not count. ${words}`, false);
  if (status === 409) return warn("It is not what you were shown", `Your answer did not count. ${words}`, true);
  if (status === 403) return warn("You may not answer this", words, true);
  return warn("Your answer was refused", words, true);
}
