// Discards a quarantined request, or releases it as text.
import { api, type Schemas, take } from "../../api/client";
import { refreshItem } from "../../api/inbox";
import type { Outcome } from "../answer";

export interface Ruling {
  kind: "release" | "discard";
  reason: string;
}

export async function sendRuling(invocation: string, { kind, reason }: Ruling): Promise<Outcome> {
  const options = { params: { path: { invocation } }, body: { reason: reason.trim() } };
  if (kind === "discard") return discarded(await take(api.POST("/v1/invocations/{invocation}/discard", options)));
  const next = await take(api.POST("/v1/invocations/{invocation}/release", options));
  // The inbox has the new item before the page goes there.
  await refreshItem(next.id);
  return released(next);
}

function discarded({ action }: Schemas["InvocationView"]): Outcome {
  return {
    tone: "good",
    title: "Discarded",
    action,
    text: "Nothing runs, and the parameters are deleted.",
    mayWait: false,
  };
}

function released({ action, status, id }: Schemas["InvocationView"]): Outcome {
  const isPending = status === "pending";
  return {
    tone: isPending ? "good" : "warn",
    title: isPending ? "Released as text" : `Released, but the new request is ${status}`,
    action,
    text: isPending ? "The request is proposed again and needs approval." : "See the new invocation for details.",
    mayWait: false,
    successor: id,
  };
}
