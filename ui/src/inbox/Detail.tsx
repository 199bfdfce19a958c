// One item with its answers. It is asked for by itself, because then the source says what would happen; until that is
// there, the item of the list is shown.
import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { api, Refusal, take } from "../api/client";
import { type InboxItem, inboxItem } from "../api/queries";
import { Line } from "../text/Visible";
import { Loading, ProblemCard, StatusBadge } from "../ui/Bits";
import { Icon } from "../ui/icons";
import { Actions } from "./Actions";
import type { Answer } from "./answer";
import { Sheet } from "./Sheet";
import { useRead } from "./useRead";

interface Props {
  id: string;
  /** As the list has it; undefined when it no longer does, or not yet. */
  listed: InboxItem | undefined;
  /** Whether the list is there, and whether all of it is. */
  isLoaded: boolean;
  isComplete: boolean;
  isReady: () => boolean;
  onAnswer: (item: InboxItem, given: Answer) => void;
}

export function Detail({ id, listed, isLoaded, isComplete, isReady, onAnswer }: Props) {
  const isInvocation = id.startsWith("inv_");
  const wants = isInvocation && (listed === undefined ? isLoaded : listed.kind === "approval");
  const asked = useQuery({ ...inboxItem(id), enabled: wants });
  const { end, isUnread } = useRead(id);
  const item = asked.data ?? listed;
  const isGone = asked.error instanceof Refusal && [404, 409, 410].includes(asked.error.status);

  if (isGone || (isComplete && listed === undefined && !asked.isFetching)) return <Gone id={id} error={asked.error} />;
  if (item === undefined) return asked.error === null ? <Loading what="the item" /> : <div className="p-4"><ProblemCard error={asked.error} /></div>;
  return (
    <article className="flex min-h-0 flex-1 flex-col" aria-label="The item">
      <Back />
      <div className="min-h-0 flex-1 overflow-y-auto px-4 py-5 md:px-8 md:py-6" tabIndex={0} role="region" aria-label="What is asked for" key={id}>
        <div className="mx-auto max-w-3xl">
          <Sheet item={item} isAsking={wants && asked.isLoading} end={end} />
        </div>
      </div>
      <footer className="border-t border-edge bg-card px-4 py-3 pb-[max(0.75rem,env(safe-area-inset-bottom))] md:px-8">
        <div className="mx-auto max-w-3xl"><Actions key={id} item={item} isUnread={isUnread} isReady={isReady} onAnswer={onAnswer} /></div>
      </footer>
    </article>
  );
}

export function Back() {
  return (
    <Link to="/inbox" className="flex items-center gap-1 border-b border-edge bg-card px-3 py-3 font-medium text-accent md:hidden">
      <Icon name="back" /> Inbox
    </Link>
  );
}

/** It was answered, by whomever, or it expired: say how it stands, and offer nothing. */
function Gone({ id, error }: { id: string; error: unknown }) {
  const isInvocation = id.startsWith("inv_");
  const now = useQuery({
    queryKey: ["invocation", id],
    queryFn: ({ signal }) => take(api.GET("/v1/invocations/{invocation}", { params: { path: { invocation: id } }, signal })),
    enabled: isInvocation,
    retry: false,
  });
  return (
    <>
      <Back />
      <div className="mx-auto w-full max-w-xl space-y-4 p-4 md:p-8">
        <div className="rounded-xl border border-edge bg-card p-5">
          <h2 className="text-base font-semibold">This no longer waits</h2>
          {now.data !== undefined ? (
            <>
              <p className="mt-2 flex items-center gap-2"><Line text={now.data.action} /> <StatusBadge status={now.data.status} /></p>
              {now.data.error != null && <p className="mt-1 text-soft"><Line text={now.data.error.message} /></p>}
              {now.data.receipt != null && <p className="mt-2 font-mono text-xs text-faint"><Line text={now.data.receipt} /></p>}
            </>
          ) : (
            <p className="mt-1 text-soft">It was answered, or its time is over.</p>
          )}
          {error instanceof Refusal && now.data === undefined && <p className="mt-1 text-soft"><Line text={error.message} /></p>}
        </div>
      </div>
    </>
  );
}
