// A request that is being loaded, could not be loaded, or is shown with its buttons.
import type { Ref } from "react";
import type { InboxItem } from "../api/queries";
import { Loading, ProblemCard } from "../ui/Bits";
import { Button } from "../ui/Button";
import { Actions, BlockedActions } from "./Actions";
import type { Answer } from "./answer";
import { type Edit, FINISH_EDITING } from "./edit/useEdit";
import { approvalBlock } from "./hidden/revealed";
import type { Reveal } from "./hidden/useReveal";
import { ItemDetails } from "./ItemDetails";
import { type Answerable, answerableItem, type ShownDocument } from "./shown";

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

/** The document of a pending approval; null if there is none. */
export function documentOf(request: Request): ShownDocument | null {
  return request.state === "shown" && request.item.kind === "approval" ? request.item.shown : null;
}

/** Changes with the document and when values are revealed, so that what is new counts as unread. */
export function readKey(id: string, request: Request, { revealed }: Pick<Reveal, "revealed">): string {
  const shown = documentOf(request);
  return shown === null ? id : `${id} ${shown.salt}${revealed === null ? "" : " revealed"}`;
}

interface BodyProps {
  request: Request;
  reveal: Reveal;
  edit: Edit;
  onRetry: () => void;
  end: Ref<HTMLDivElement>;
}

export function RequestBody({ request, reveal, edit, onRetry, end }: BodyProps) {
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
      return <ItemDetails item={request.item} reveal={reveal} edit={edit} end={end} />;
  }
}

interface ActionsProps {
  request: Request;
  reveal: Reveal;
  edit: Edit;
  isUnread: () => boolean;
  isReady?: () => boolean;
  onAnswer: (item: Answerable, answer: Answer) => void;
}

const BLOCKED = {
  loading: "The request is loading …",
  failed: "The request could not be loaded.",
  unreadable: "The request cannot be answered on this page.",
};

export function RequestActions({ request, reveal, edit, ...rest }: ActionsProps) {
  if (request.state !== "shown") return <BlockedActions reason={BLOCKED[request.state]} />;
  const block = edit.isOpen ? FINISH_EDITING : approvalBlock(request.item, reveal.revealed);
  return <Actions item={request.item} approvalBlock={block} {...rest} />;
}
