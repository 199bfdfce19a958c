// Which answers are on their way or arrived: the list goes on at once, and what was refused comes back by itself.
import { createElement, useSyncExternalStore } from "react";
import { type InboxItem, keyOf } from "../api/queries";
import { notify } from "../frame/notices";
import { answer, type Answer, type Said } from "./answer";
import { Words } from "./Words";

let answered: ReadonlyMap<string, "sending" | "done"> = new Map();
const listeners = new Set<() => void>();

function mark(key: string, as: "sending" | "done" | null): void {
  const next = new Map(answered);
  if (as === null) next.delete(key);
  else next.set(key, as);
  answered = next;
  listeners.forEach((listener) => listener());
}

export function useAnswered(): ReadonlyMap<string, "sending" | "done"> {
  return useSyncExternalStore(
    (listener) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    () => answered,
  );
}

/** Sends it, and gives back how it went; null when it is on its way already. */
export async function deliver(item: InboxItem, given: Answer): Promise<Said | null> {
  const key = keyOf(item);
  if (answered.has(key)) return null;
  mark(key, "sending");
  const said = await answer(item, given);
  mark(key, said.mayWait ? null : "done");
  return said;
}

/** Sends it, and says how it went. */
export async function sendAnswer(item: InboxItem, given: Answer): Promise<void> {
  const said = await deliver(item, given);
  if (said !== null) notify(said.tone, said.title, createElement(Words, { said }));
}
