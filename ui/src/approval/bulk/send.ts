// Sends several answers, a few at a time. Each carries the digest of its own item and has its own result.

import type { Answer, Outcome } from "../answer";
import type { Approval } from "./groups";

/** Concurrent requests. */
const AT_ONCE = 4;

export type SendState = "waits" | "sending" | "left out" | Outcome;

/** Sends the answers in order. After a stop, the remaining ones are not sent. */
export async function sendAll(
  items: readonly Approval[],
  answer: Answer,
  send: (item: Approval, answer: Answer) => Promise<Outcome>,
  onState: (at: number, state: SendState) => void,
  stop: AbortSignal,
): Promise<void> {
  let next = 0;
  const worker = async () => {
    while (next < items.length) {
      const at = next++;
      const item = items[at] as Approval;
      if (stop.aborted) {
        onState(at, "left out");
        continue;
      }
      onState(at, "sending");
      onState(at, await send(item, answer));
    }
  };
  await Promise.all(Array.from({ length: AT_ONCE }, worker));
}

export interface Tally {
  done: number;
  good: number;
  bad: number;
}

export function tally(states: readonly SendState[]): Tally {
  const outcomes = states.filter((state): state is Outcome => typeof state === "object");
  const good = outcomes.filter((each) => each.tone === "good").length;
  return { done: outcomes.length, good, bad: outcomes.length - good };
}
