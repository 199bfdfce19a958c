// The question that is open. It stands apart from the page, so that it does not vanish under a person's hand when the item
// it is about goes away; then it says so.
import { useQuery } from "@tanstack/react-query";
import { useSyncExternalStore } from "react";
import { inbox } from "../api/inbox";
import { type InboxItem, keyOf } from "../api/queries";
import type { Answer } from "./answer";
import { Ask, type Question } from "./Ask";
import { AskTogether, type Several } from "./AskTogether";

interface Open {
  question: Question;
  /** The item the question was opened for, whatever the list does meanwhile. */
  item: InboxItem;
  isUnread: boolean;
  onAnswer: (item: InboxItem, given: Answer) => void;
}

let open: Open | Several | null = null;
const listeners = new Set<() => void>();

function set(next: Open | Several | null): void {
  open = next;
  listeners.forEach((listener) => listener());
}

const close = () => set(null);

export function askPerson(next: Open): void {
  set(next);
}

export function askTogether(next: Several): void {
  set(next);
}

export function Asking() {
  const now = useSyncExternalStore(
    (listener) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    () => open,
  );
  if (now === null) return null;
  return "items" in now ? <AskTogether {...now} onClose={close} /> : <One open={now} />;
}

function One({ open: { question, item, isUnread, onAnswer } }: { open: Open }) {
  const { data } = useQuery(inbox);
  const isWaiting = data === undefined || data.next_cursor !== null || data.items.some((each) => keyOf(each) === keyOf(item));
  const answer = (given: Answer) => {
    close();
    onAnswer(item, given);
  };
  return <Ask question={question} item={item} isUnread={isUnread} isGone={!isWaiting} onAnswer={answer} onClose={close} />;
}
