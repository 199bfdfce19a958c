// The question that is open. It stands apart from the page, so that it does not vanish under a person's hand when the item
// it is about goes away; then it says so.
import { useInfiniteQuery } from "@tanstack/react-query";
import { useSyncExternalStore } from "react";
import { inbox, type InboxItem, keyOf } from "../api/queries";
import type { Answer } from "./answer";
import { Ask, type Question } from "./Ask";

interface Open {
  question: Question;
  /** The item the question was opened for, whatever the list does meanwhile. */
  item: InboxItem;
  isUnread: boolean;
  onAnswer: (item: InboxItem, given: Answer) => void;
}

let open: Open | null = null;
const listeners = new Set<() => void>();

export function askPerson(next: Open | null): void {
  open = next;
  listeners.forEach((listener) => listener());
}

export function Asking() {
  const now = useSyncExternalStore(
    (listener) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    () => open,
  );
  return now === null ? null : <One open={now} />;
}

function One({ open: { question, item, isUnread, onAnswer } }: { open: Open }) {
  const { data, hasNextPage } = useInfiniteQuery(inbox);
  const isWaiting = hasNextPage || data === undefined || data.pages.some((page) => page.items.some((each) => keyOf(each) === keyOf(item)));
  const answer = (given: Answer) => {
    askPerson(null);
    onAnswer(item, given);
  };
  return <Ask question={question} item={item} isUnread={isUnread} isGone={!isWaiting} onAnswer={answer} onClose={() => askPerson(null)} />;
}
