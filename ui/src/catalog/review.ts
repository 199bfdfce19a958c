// A person's word about tools: what is taken for granted until they say otherwise, and how it is sent. Each review names
// the hashes of what was looked at, so that a yes to something else is refused.
import { api, Refusal, take } from "../api/client";
import { plain } from "../text/visible";
import { catalogChanged, type Tool } from "./queries";

export interface Word {
  risk: string;
  effect: string;
}

/** Changes with what was looked at, so that a choice made for one state is not kept for another. */
export const lookedAt = (tool: Tool): string => `${tool.tool} ${tool.shape_hash} ${tool.text_hash}`;

export const isToReview = (tool: Tool): boolean => tool.state === "new" || tool.state === "changed" || tool.state === "reworded";

/** What a server claims of a tool, as the risk that a review takes when nothing else is said. */
export function claimed(tool: Tool): { risk: string; why: string } {
  const hints = ((tool.seen as { hints?: unknown }).hints ?? {}) as { read_only?: unknown; destructive?: unknown };
  if (hints.read_only === true) return { risk: "R1", why: "its server claims that it only reads" };
  if (hints.destructive === true) return { risk: "R3", why: "its server claims that it destroys something" };
  return { risk: "R2", why: "its server claims nothing, so it counts as writing" };
}

/** What a review begins with. */
export function firstWord(tool: Tool): Word & { why: string } {
  if (tool.state === "new") return { ...claimed(tool), effect: "once" };
  return { risk: tool.risk, effect: tool.effect, why: "as it was accepted before" };
}

export interface Sent {
  done: string[];
  /** Those that are not what was looked at any more. */
  changed: string[];
  refused: { tool: string; why: string }[];
}

export async function sendReviews(source: string, words: readonly { tool: Tool; word: Word }[], verdict: "accept" | "deny", note: string): Promise<Sent> {
  const sent: Sent = { done: [], changed: [], refused: [] };
  for (const { tool, word } of words) {
    const { shape_hash, text_hash } = tool;
    const said = verdict === "accept" ? { risk: word.risk, effect: word.effect } : {};
    try {
      const body = { tool: tool.tool, shape_hash, text_hash, verdict, note, ...said };
      await take(api.POST("/v1/connectors/{connector}/review", { params: { path: { connector: source } }, body }));
      sent.done.push(tool.tool);
    } catch (error) {
      if (error instanceof Refusal && error.status === 409) sent.changed.push(tool.tool);
      else sent.refused.push({ tool: tool.tool, why: error instanceof Refusal ? (error.problem.detail ?? error.problem.title) : "it could not be sent" });
    }
  }
  await catalogChanged();
  return sent;
}

/** How it went, in words. */
export function told(sent: Sent, verdict: "accept" | "deny"): { tone: "good" | "warn"; title: string; text: string } {
  const names = (all: string[]) => all.slice(0, 5).map(plain).join(", ") + (all.length > 5 ? ` and ${all.length - 5} more` : "");
  const parts: string[] = [];
  if (sent.done.length > 0) parts.push(`${verdict === "accept" ? "Accepted" : "Denied"}: ${names(sent.done)}.`);
  if (sent.changed.length > 0) parts.push(`Changed while you looked: ${names(sent.changed)}. Look again; your word did not count.`);
  sent.refused.forEach(({ tool, why }) => parts.push(`Refused: ${plain(tool)}: ${plain(why)}.`));
  const text = parts.join(" ");
  if (sent.changed.length > 0) return { tone: "warn", title: "It changed again", text };
  if (sent.refused.length > 0) return { tone: "warn", title: "Not all of it was taken", text };
  return { tone: "good", title: "Reviewed", text };
}
