// Reviews of tools: the initial classification, and how reviews are sent. Each review names the hashes of what was
// shown, so that a changed tool is rejected.
import { ApiError, api, Proposed, take } from "../../api/client";
import { plain } from "../../text/visible";
import { catalogChanged, type Tool } from "../queries";

export interface Classification {
  risk: string;
  effect: string;
}

/** Changes with the tool, so that a choice made for one version does not apply to the next. */
export const reviewKey = (tool: Tool): string => `${tool.tool} ${tool.shape_hash} ${tool.text_hash}`;

export const isToReview = (tool: Tool): boolean =>
  tool.state === "new" || tool.state === "changed" || tool.state === "reworded";

/** The risk that the server claims; the default of a review. */
export function claimed(tool: Tool): { risk: string; why: string } {
  const hints = ((tool.seen as { hints?: unknown }).hints ?? {}) as { read_only?: unknown; destructive?: unknown };
  if (hints.read_only === true) return { risk: "R1", why: "The server claims that the tool only reads." };
  if (hints.destructive === true) return { risk: "R3", why: "The server claims that the tool is destructive." };
  return { risk: "R2", why: "The server claims nothing, so the tool counts as writing." };
}

export function initialClassification(tool: Tool): Classification & { why: string } {
  if (tool.state === "new") return { ...claimed(tool), effect: "once" };
  return { risk: tool.risk, effect: tool.effect, why: "As accepted before." };
}

export interface Sent {
  done: string[];
  /** Tools that changed during the review. */
  changed: string[];
  rejected: { tool: string; why: string }[];
  /** Tools whose review waits for a second owner. */
  waiting: string[];
}

export async function sendReviews(
  source: string,
  reviews: readonly { tool: Tool; classification: Classification }[],
  verdict: "accept" | "deny",
  note: string,
): Promise<Sent> {
  const sent: Sent = { done: [], changed: [], rejected: [], waiting: [] };
  for (const { tool, classification } of reviews) {
    const { shape_hash, text_hash } = tool;
    const accepted = verdict === "accept" ? { risk: classification.risk, effect: classification.effect } : {};
    try {
      const body = { tool: tool.tool, shape_hash, text_hash, verdict, note, ...accepted };
      await take(api.POST("/v1/connectors/{connector}/review", { params: { path: { connector: source } }, body }));
      sent.done.push(tool.tool);
    } catch (error) {
      if (error instanceof ApiError && error.status === 409) sent.changed.push(tool.tool);
      else if (error instanceof Proposed) sent.waiting.push(tool.tool);
      else
        sent.rejected.push({
          tool: tool.tool,
          why:
            error instanceof ApiError ? (error.problem.detail ?? error.problem.title) : "The request could not be sent",
        });
    }
  }
  await catalogChanged();
  return sent;
}

/** null if there is nothing to say: that reviews wait is said centrally. */
export function reviewMessage(
  sent: Sent,
  verdict: "accept" | "deny",
): { tone: "good" | "wait" | "warn"; title: string; text: string } | null {
  const names = (all: string[]) =>
    all.slice(0, 5).map(plain).join(", ") + (all.length > 5 ? ` and ${all.length - 5} more` : "");
  const parts: string[] = [];
  if (sent.done.length > 0) parts.push(`${verdict === "accept" ? "Accepted" : "Denied"}: ${names(sent.done)}.`);
  if (sent.changed.length > 0)
    parts.push(`Changed: ${names(sent.changed)}. Review again; your answer was not counted.`);
  sent.rejected.forEach(({ tool, why }) => parts.push(`Rejected: ${plain(tool)}: ${plain(why)}.`));
  if (sent.waiting.length > 0)
    parts.push(`Waiting for a second owner: ${names(sent.waiting)}. Nothing has changed there yet.`);
  if (sent.done.length + sent.changed.length + sent.rejected.length === 0) return null;
  const text = parts.join(" ");
  if (sent.changed.length > 0) return { tone: "warn", title: "A tool changed during your review", text };
  if (sent.rejected.length > 0) return { tone: "warn", title: "Some reviews were rejected", text };
  if (sent.waiting.length > 0) return { tone: "wait", title: "Some reviews wait for a second owner", text };
  return { tone: "good", title: "Reviewed", text };
}
