// The open confirmation. It lives outside the page, so that it stays when its item disappears from the list.
import { useQuery } from "@tanstack/react-query";
import { useSyncExternalStore } from "react";
import { inbox } from "../api/inbox";
import { keyOf } from "../api/queries";
import type { Answer } from "./answer";
import { BulkDialog, type BulkRequest } from "./bulk/BulkDialog";
import { ConfirmDialog, type Question } from "./ConfirmDialog";
import type { Answerable } from "./shown";

interface Open {
  question: Question;
  /** The item the dialog was opened for; changes of the list do not matter. */
  item: Answerable;
  isUnread: boolean;
  onAnswer: (item: Answerable, answer: Answer) => void;
}

let open: Open | BulkRequest | null = null;
const listeners = new Set<() => void>();

function set(next: Open | BulkRequest | null): void {
  open = next;
  listeners.forEach((listener) => listener());
}

const close = () => set(null);

export function openConfirm(next: Open): void {
  set(next);
}

export function openBulk(next: BulkRequest): void {
  set(next);
}

export function DialogHost() {
  const now = useSyncExternalStore(
    (listener) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    () => open,
  );
  if (now === null) return null;
  return "items" in now ? <BulkDialog {...now} onClose={close} /> : <OpenConfirm open={now} />;
}

function OpenConfirm({ open: { question, item, isUnread, onAnswer } }: { open: Open }) {
  const { data } = useQuery(inbox);
  const isWaiting =
    data === undefined || data.next_cursor !== null || data.items.some((each) => keyOf(each) === keyOf(item));
  const submit = (answer: Answer) => {
    close();
    onAnswer(item, answer);
  };
  return (
    <ConfirmDialog
      question={question}
      item={item}
      isUnread={isUnread}
      isAnswered={!isWaiting}
      onAnswer={submit}
      onClose={close}
    />
  );
}
