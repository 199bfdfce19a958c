// A request that is being loaded, could not be loaded, or is shown with its buttons.
import type { Ref } from "react";
import type { InboxItem } from "../api/queries";
import { Loading, ProblemCard } from "../ui/Bits";
import { Button } from "../ui/Button";
import { Actions, BlockedActions } from "./Actions";
import type { Answer } from "./answer";
import { ItemDetails } from "./ItemDetails";
import { type Answerable, answerableItem } from "./shown";

export type Request =
  | { state: "loading" }
  | { state: "failed"; error: unknown }
  | { state: "unreadable"; reason: string }
  | { state: "shown"; item: Answerable };

export function requestOf(item: InboxItem | undefined, error: unknown): Request {
  if (item === undefined) return error === null ? { state: "loading" } : { state: "failed", error };
  const found = answerableItem(item);
  return typeof found === "string" ? { state: "unreadable", reason: found } : { state: "shown", item: found };
}

/** Changes with the document, so that a new one counts as unread. */
export function readKey(id: string, request: Request): string {
  if (request.state !== "shown" || request.item.kind !== "approval") return id;
  return `${id} ${request.item.shown.salt}`;
}

interface BodyProps {
  request: Request;
  onRetry: () => void;
  end: Ref<HTMLDivElement>;
}

export function RequestBody({ request, onRetry, end }: BodyProps) {
  switch (request.state) {
    case "loading":
      return <Loading what="the request" />;
    case "failed":
      return (
        <ProblemCard error={request.error}>
          <Button className="mt-2" onClick={onRetry}>
            Try again
          </Button>
        </ProblemCard>
      );
    case "unreadable":
      return (
        <div role="alert" className="space-y-3 rounded-xl bg-warn-wash px-4 py-3 text-warn">
          <p>{request.reason}</p>
          <Button onClick={() => location.reload()}>Reload the page</Button>
        </div>
      );
    case "shown":
      return <ItemDetails item={request.item} end={end} />;
  }
}

interface ActionsProps {
  request: Request;
  isUnread: () => boolean;
  isReady?: () => boolean;
  onAnswer: (item: Answerable, answer: Answer) => void;
}

const BLOCKED = {
  loading: "The request is loading …",
  failed: "The request could not be loaded.",
  unreadable: "The request cannot be answered on this page.",
};

export function RequestActions({ request, ...rest }: ActionsProps) {
  if (request.state !== "shown") return <BlockedActions reason={BLOCKED[request.state]} />;
  return <Actions item={request.item} {...rest} />;
}
