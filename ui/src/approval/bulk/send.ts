// Sends several answers, a few at a time. Each carries the digest of its own document and has its own result.

import type { Answer, Outcome } from "../answer";
import { eachAtOnce } from "./pool";

export type SendState = "waits" | "sending" | "left out" | Outcome;

/**
 * Sends the answers in order. After a stop, the remaining ones are not sent. With `isOneByOne`, each waits for the one
 * before it: actions of a model are performed in the order in which they were approved.
 */
export async function sendAll<T>(
  items: readonly T[],
  answer: Answer,
  send: (item: T, answer: Answer) => Promise<Outcome>,
  onState: (at: number, state: SendState) => void,
  stop: AbortSignal,
  isOneByOne = false,
): Promise<void> {
  const work = async (item: T, at: number) => {
    if (stop.aborted) return onState(at, "left out");
    onState(at, "sending");
    onState(at, await send(item, answer));
  };
  await eachAtOnce(items, work, isOneByOne ? 1 : undefined);
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
