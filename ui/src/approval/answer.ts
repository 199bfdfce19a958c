// Sends an answer and turns the response into a message. Every answer carries the digest of the document that was
// shown, computed from that document, so that an approval of something else is rejected.
import { ApiError, api, Proposed, type Schemas, take } from "../api/client";
import { refreshItem, removeItems } from "../api/inbox";
import { keyOf, queries } from "../api/queries";
import { write } from "../api/write";
import { shownDigest } from "../receipt/shown";
import type { Filter } from "./conditions/filter";
import { type Ruling, sendRuling } from "./quarantine/ruling";
import type { Answerable } from "./shown";

export type Bounds = Schemas["GrantBounds"];
export type Answer =
  | {
      kind: "approve";
      extent: "once" | "grant" | "always";
      bounds?: Bounds;
      /** Which calls the grant or rule allows; all calls of the action without it. */
      where?: Filter;
      note: string;
      assertion?: Schemas["AssertionRequest"];
    }
  | { kind: "deny"; reason: string }
  | { kind: "reconcile"; outcome: "succeeded" | "failed"; evidence: string }
  | { kind: "give"; give: boolean; calls?: number; seconds?: number; note: string }
  | Ruling;

export interface Outcome {
  tone: "good" | "warn";
  title: string;
  /** Untrusted texts: draw them with `Visible`. */
  action: string;
  text: string;
  quote?: string;
  /** Whether the item may still be pending. */
  mayWait: boolean;
  /** The invocation that takes the place of a released one. */
  successor?: string;
  /** Whether the person was told already. */
  isAnnounced?: boolean;
}

/** How long to wait for the result of an approved action. */
const WAIT = "5s";

export async function submitAnswer(item: Answerable, answer: Answer): Promise<Outcome> {
  const key = keyOf(item);
  let outcome: Outcome;
  try {
    outcome = await send(item, answer);
  } catch (error) {
    outcome = failedOutcome(error, item.kind === "grant_request" ? item.action : item.invocation.action);
  }
  if (!outcome.mayWait) removeItems([key]);
  else if (item.kind !== "grant_request") void refreshItem(key);
  void queries.invalidateQueries({ queryKey: ["inbox-item", key] });
  void queries.invalidateQueries({ queryKey: ["invocation", key] });
  return outcome;
}

async function send(item: Answerable, answer: Answer): Promise<Outcome> {
  if (item.kind === "grant_request") {
    if (answer.kind !== "give") throw new Error("a request for a grant is given or not");
    const body = {
      give: answer.give,
      note: answer.note,
      max_calls: answer.calls ?? null,
      lifetime_s: answer.seconds ?? null,
    };
    await take(api.POST("/v1/grant-requests/{request}/answer", { params: { path: { request: item.id } }, body }));
    return good(
      answer.give ? "Grant approved" : "Grant denied",
      item.action,
      answer.give ? "The session needs no approval within the limits." : "Each call still needs an approval.",
    );
  }
  if (item.kind === "quarantined") {
    if (answer.kind !== "release" && answer.kind !== "discard") throw new Error("it is released or discarded");
    return sendRuling(item.invocation.id, answer);
  }
  const path = { invocation: item.invocation.id };
  if (answer.kind === "reconcile") {
    const body = { outcome: answer.outcome, evidence: answer.evidence };
    const view = await take(api.POST("/v1/invocations/{invocation}/reconcile", { params: { path }, body }));
    return good("Outcome saved", view.action, `The invocation is now ${view.status}.`);
  }
  if (item.kind !== "approval") throw new Error("an unknown outcome is recorded, not approved or denied");
  const shown_digest = await shownDigest(item.shown);
  const channel = "web" as const;
  switch (answer.kind) {
    case "approve": {
      const body = {
        shown_digest,
        extent: answer.extent,
        channel,
        note: answer.note,
        grant: answer.bounds ?? null,
        ...(answer.where !== undefined && { where: answer.where as never }),
        ...(answer.assertion !== undefined && { assertion: answer.assertion }),
      };
      const params = { path, query: { wait: WAIT } };
      return approved(
        await take(
          api.POST("/v1/invocations/{invocation}/approve", {
            params,
            body,
            // Numbers of the conditions keep their digits.
            bodySerializer: (value) => write(value),
          }),
        ),
      );
    }
    case "deny": {
      const body = { shown_digest, channel, reason: answer.reason };
      const view = await take(api.POST("/v1/invocations/{invocation}/deny", { params: { path }, body }));
      return good("Denied", view.action, "The action does not run. The agent can read the reason.");
    }
    case "give":
      throw new Error("only a request for a grant is given");
    case "release":
    case "discard":
      throw new Error("only a quarantined request is released or discarded");
  }
}

function good(title: string, action: string, text: string): Outcome {
  return { tone: "good", title, action, text, mayWait: false };
}

function approved(view: Schemas["InvocationView"]): Outcome {
  const { action, status } = view;
  switch (status) {
    case "succeeded":
      return good("Approved and done", action, "The action succeeded.");
    case "pending":
      return { ...good("Approval recorded", action, "Another approval is still required."), mayWait: true };
    case "approved":
    case "executing":
      return good("Approved", action, "The action is running.");
    case "unknown":
      return {
        tone: "warn",
        title: "Approved, but the outcome is unknown",
        action,
        text: "Check the target system, then record what you found.",
        mayWait: true,
      };
    default: {
      const quote = view.error?.message;
      return {
        tone: "warn",
        title: `Approved, but the action ended as ${status}`,
        action,
        text: quote === undefined ? "See the invocation for details." : "Error from the source:",
        ...(quote !== undefined && { quote }),
        mayWait: false,
      };
    }
  }
}

export function failedOutcome(error: unknown, action: string): Outcome {
  const warn = (title: string, text: string, mayWait: boolean, quote?: string): Outcome => ({
    tone: "warn",
    title,
    action,
    text,
    mayWait,
    ...(quote !== undefined && { quote }),
  });
  if (error instanceof Proposed)
    return {
      ...warn("Waits for a second owner", "Your answer would loosen a protection. Nothing has changed yet.", true),
      isAnnounced: true,
    };
  if (!(error instanceof ApiError))
    return warn("Answer not sent", "The page could not send your answer. Try again.", true);
  const { problem, status } = error;
  const quote = `${problem.detail ?? problem.title}. What to do: ${problem.hint}.`;
  if (status === 0) {
    return warn(
      "It is unknown whether your answer arrived",
      "The gateway did not respond. If the request is still pending, answer it again; repeating is safe.",
      true,
    );
  }
  if (status === 410) return warn("The request has expired", "Your answer was not counted.", false, quote);
  if (status === 409 && problem.code === "already_answered")
    return warn("Already answered by someone else", "Your answer was not counted.", false, quote);
  if (problem.code === "stopped") return warn("Stopped", "Your answer was not counted.", true, quote);
  if (problem.code === "proposer_gone") return warn("The session has ended", "Nothing was released.", true, quote);
  if (problem.code === "hidden_values")
    return warn("Hidden values were not revealed", "Reveal them, then approve.", true);
  if (status === 409) return warn("The request has changed", "Your answer was not counted.", true, quote);
  if (problem.code === "passkey_needed")
    return warn("A passkey signature is required", "Your answer was not counted.", true, quote);
  if (problem.code === "assertion_refused")
    return warn("The passkey signature was rejected", "Your answer was not counted.", true, quote);
  if (status === 403) return warn("Permission denied", "Response from the gateway:", true, quote);
  return warn("Answer rejected", "Response from the gateway:", true, quote);
}
