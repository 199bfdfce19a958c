// One item with its buttons. It is fetched separately, because the list has no documents.
import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { useMemo } from "react";
import { ApiError, api, take } from "../api/client";
import { type InboxItem, inboxItem } from "../api/queries";
import type { Answer } from "../approval/answer";
import { useEdit } from "../approval/edit/useEdit";
import { useReveal } from "../approval/hidden/useReveal";
import { documentOf, RequestActions, RequestBody, readKey, requestOf } from "../approval/RequestView";
import { useAnswered } from "../approval/sending";
import type { Answerable } from "../approval/shown";
import { useSeen } from "../approval/useSeen";
import { Line } from "../text/Visible";
import { StatusBadge } from "../ui/Bits";
import { Icon } from "../ui/icons";

interface Props {
  id: string;
  /** The item of the list; undefined when it is not (or no longer) there. */
  listed: InboxItem | undefined;
  isLoaded: boolean;
  isComplete: boolean;
  isReady: () => boolean;
  onAnswer: (item: Answerable, answer: Answer) => void;
}

export function ItemPane({ id, listed, isLoaded, isComplete, isReady, onAnswer }: Props) {
  const isInvocation = id.startsWith("inv_");
  const wants = isInvocation && (listed === undefined ? isLoaded : listed.kind === "approval");
  const loaded = useQuery({ ...inboxItem(id), enabled: wants });
  const item = listed === undefined || listed.kind === "approval" ? loaded.data : listed;
  const request = useMemo(() => requestOf(item, loaded.error), [item, loaded.error]);
  const reveal = useReveal(documentOf(request));
  const edit = useEdit(documentOf(request));
  const { end, isUnread } = useSeen(readKey(id, request, reveal));
  const isSending = useAnswered().get(id) === "sending";
  const isAnswered = loaded.error instanceof ApiError && [404, 409, 410].includes(loaded.error.status);

  if (isAnswered || (isComplete && listed === undefined && !loaded.isFetching))
    return <AnsweredItem id={id} error={loaded.error} />;
  return (
    <article className="flex min-h-0 flex-1 flex-col" aria-label="Item">
      <Back />
      <div
        className="min-h-0 flex-1 overflow-y-auto px-4 py-5 md:px-8 md:py-6"
        tabIndex={0}
        role="region"
        aria-label="Request"
        key={id}
      >
        <div className="mx-auto max-w-3xl">
          <RequestBody request={request} reveal={reveal} edit={edit} onRetry={() => void loaded.refetch()} end={end} />
        </div>
      </div>
      <footer className="border-t border-edge bg-card px-4 py-3 pb-[max(0.75rem,env(safe-area-inset-bottom))] md:px-8">
        <div className="mx-auto max-w-3xl">
          {isSending ? (
            <p role="status" className="text-soft">
              Sending your answer …
            </p>
          ) : (
            <RequestActions
              key={id}
              request={request}
              reveal={reveal}
              edit={edit}
              isUnread={isUnread}
              isReady={isReady}
              onAnswer={onAnswer}
            />
          )}
        </div>
      </footer>
    </article>
  );
}

export function Back() {
  return (
    <Link
      to="/inbox"
      className="flex items-center gap-1 border-b border-edge bg-card px-3 py-3 font-medium text-accent md:hidden"
    >
      <Icon name="back" /> Inbox
    </Link>
  );
}

/** Answered or expired: shows the status, without buttons. */
function AnsweredItem({ id, error }: { id: string; error: unknown }) {
  const isInvocation = id.startsWith("inv_");
  const now = useQuery({
    queryKey: ["invocation", id],
    queryFn: ({ signal }) =>
      take(api.GET("/v1/invocations/{invocation}", { params: { path: { invocation: id } }, signal })),
    enabled: isInvocation,
    retry: false,
  });
  return (
    <>
      <Back />
      <div className="mx-auto w-full max-w-xl space-y-4 p-4 md:p-8">
        <div className="rounded-xl border border-edge bg-card p-5">
          <h2 className="text-base font-semibold">No longer pending</h2>
          {now.data !== undefined ? (
            <>
              <p className="mt-2 flex items-center gap-2">
                <Line text={now.data.action} /> <StatusBadge status={now.data.status} />
              </p>
              {now.data.error != null && (
                <p className="mt-1 text-soft">
                  <Line text={now.data.error.message} />
                </p>
              )}
              {now.data.released_as != null && (
                <p className="mt-2">
                  Released as text.{" "}
                  <Link
                    to="/inbox/$key"
                    params={{ key: now.data.released_as }}
                    className="font-medium text-accent hover:underline"
                  >
                    Open the new request
                  </Link>
                </p>
              )}
              {now.data.receipt != null && (
                <p className="mt-2 font-mono text-xs text-faint">
                  <Line text={now.data.receipt} />
                </p>
              )}
            </>
          ) : (
            <p className="mt-1 text-soft">This item was answered, or it expired.</p>
          )}
          {error instanceof ApiError && now.data === undefined && (
            <p className="mt-1 text-soft">
              <Line text={error.message} />
            </p>
          )}
        </div>
      </div>
    </>
  );
}
