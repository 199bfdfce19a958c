// Answers that are being sent or were accepted. The list moves on immediately; a rejected item comes back.
import { createElement, useSyncExternalStore } from "react";
import { keyOf } from "../api/queries";
import { notify } from "../frame/toasts";
import { paceChanged } from "../pace/pace";
import { AnswerText } from "./AnswerText";
import { type Answer, type Outcome, submitAnswer } from "./answer";
import type { Answerable } from "./shown";

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

/** Sends an answer and returns the result; null if one is already being sent. */
export async function deliver(item: Answerable, answer: Answer): Promise<Outcome | null> {
  const key = keyOf(item);
  if (answered.has(key)) return null;
  mark(key, "sending");
  const outcome = await submitAnswer(item, answer);
  mark(key, outcome.mayWait ? null : "done");
  paceChanged();
  return outcome;
}

/** Sends an answer, shows the result as a toast and returns it; null if one is already being sent. */
export async function sendAnswer(item: Answerable, answer: Answer): Promise<Outcome | null> {
  const outcome = await deliver(item, answer);
  if (outcome !== null && outcome.isAnnounced !== true)
    notify(outcome.tone, outcome.title, createElement(AnswerText, { outcome }));
  return outcome;
}
