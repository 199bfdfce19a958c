// Several answers at once, a few at a time: each carries the digest of its own item, and each is told by itself how it went.
import type { Approval } from "./alike";
import type { Answer, Said } from "./answer";

/** So many are under way at the same time. */
const AT_ONCE = 4;

export type Fate = "waits" | "sending" | "left out" | Said;

/** Sends them in order and tells each step. What had not begun when it was stopped is left out. */
export async function sendTogether(
  items: readonly Approval[],
  given: Answer,
  send: (item: Approval, given: Answer) => Promise<Said>,
  onFate: (at: number, fate: Fate) => void,
  stop: AbortSignal,
): Promise<void> {
  let next = 0;
  const worker = async () => {
    while (next < items.length) {
      const at = next++;
      const item = items[at] as Approval;
      if (stop.aborted) {
        onFate(at, "left out");
        continue;
      }
      onFate(at, "sending");
      onFate(at, await send(item, given));
    }
  };
  await Promise.all(Array.from({ length: AT_ONCE }, worker));
}

export interface Tally {
  done: number;
  good: number;
  bad: number;
}

export function tally(fates: readonly Fate[]): Tally {
  const said = fates.filter((fate): fate is Said => typeof fate === "object");
  const good = said.filter((each) => each.tone === "good").length;
  return { done: said.length, good, bad: said.length - good };
}
