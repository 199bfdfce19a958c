// The confirmation for several requests. It loads the document of each, compares them, sends the answers and shows the
// result of each. The button is below the list, so that nobody approves what was never visible.
import { useQuery } from "@tanstack/react-query";
import { type FormEvent, type ReactNode, useEffect, useRef, useState } from "react";
import { inbox } from "../../api/inbox";
import { inboxItem, keyOf, queries } from "../../api/queries";
import { notify } from "../../frame/toasts";
import { Line } from "../../text/Visible";
import { Badge } from "../../ui/Bits";
import { Button } from "../../ui/Button";
import { Countdown } from "../../ui/Countdown";
import { Dialog } from "../../ui/Dialog";
import type { Answer } from "../answer";
import { deliver } from "../sending";
import type { ShownApproval } from "../shown";
import { CompareTable } from "./CompareTable";
import { Excluded } from "./Excluded";
import { type Approval, answerable, groupItems } from "./groups";
import { type LoadedRequests, loadDocuments } from "./load";
import { SignSeparately } from "./SignSeparately";
import { type SendState, sendAll, tally } from "./send";

export interface BulkRequest {
  verdict: "approve" | "deny";
  /** The items when the dialog was opened; changes of the list do not matter. */
  items: Approval[];
  /** One after the other, in the order of the items. */
  isInOrder?: boolean;
  onDone: () => void;
}

interface Props extends BulkRequest {
  onClose: () => void;
}

export function BulkDialog({ verdict, items: all, isInOrder = false, onDone, onClose }: Props) {
  const { loaded, done } = useDocuments(verdict, all);
  const items = answerable(verdict, loaded?.items ?? []);
  const wanted = loaded === null ? answerable(verdict, all).length : items.length;
  const unsigned = loaded === null ? all.length - wanted : all.length - items.length - loaded.excluded.length;
  const [note, setNote] = useState("");
  const [states, setStates] = useState<SendState[] | null>(null);
  const [isOver, setOver] = useState(false);
  const stop = useRef(new AbortController());
  const { data } = useQuery(inbox);
  const pending = new Set(data?.items.map(keyOf));
  const isAnswered = (item: Approval) => data !== undefined && data.next_cursor === null && !pending.has(keyOf(item));
  const isApproval = verdict === "approve";

  const submit = async (event: FormEvent) => {
    event.preventDefault();
    if (states !== null || items.length === 0) return;
    const answer: Answer = isApproval ? { kind: "approve", extent: "once", note: "" } : { kind: "deny", reason: note };
    const now: SendState[] = items.map((): SendState => "waits");
    setStates([...now]);
    await sendAll(
      items,
      answer,
      send,
      (at, state) => {
        now[at] = state;
        setStates([...now]);
      },
      stop.current.signal,
      isInOrder,
    );
    setOver(true);
    onDone();
    const { good } = tally(now);
    if (good < items.length) return;
    notify(
      "good",
      isApproval ? `${good} approved` : `${good} denied`,
      isApproval ? "Each runs once, exactly as shown." : "The action does not run. The agent can read the reason.",
    );
    onClose();
  };
  // The dialog stays open while answers are sent, so that the results stay visible.
  const close = () => {
    if (states === null || isOver) onClose();
  };
  const at = new Map(items.map((item, index) => [keyOf(item), index]));
  // As the pane numbered them, also where some are not included.
  const number = (item: Approval) => all.findIndex((each) => keyOf(each) === keyOf(item)) + 1;
  const end = (item: Approval) => {
    const state = states?.[at.get(keyOf(item)) ?? -1];
    if (state !== undefined) return <SendBadge state={state} />;
    if (isAnswered(item)) return <Badge tone="warn">no longer pending</Badge>;
    return item.invocation.expires_at == null ? null : <Countdown until={item.invocation.expires_at} />;
  };
  const verb = isApproval ? "Approve" : "Deny";
  const title =
    wanted > 0
      ? `${verb} ${wanted} ${wanted === 1 ? "request" : "requests"}?`
      : `None of these can be ${isApproval ? "approved" : "denied"} in bulk`;
  return (
    <Dialog
      title={title}
      description={
        wanted === 0
          ? undefined
          : isApproval
            ? `Each action runs once, now, exactly as shown${isInOrder ? ", in the order of the numbers" : ""}.`
            : "None of these actions runs."
      }
      isOpen
      onClose={close}
      isWide
    >
      <form onSubmit={(event) => void submit(event)} className="space-y-5">
        {loaded === null ? (
          <LoadingProgress done={done} of={wanted} />
        ) : (
          <>
            <ScrollArea>
              {groupItems(items).map((alike) => (
                <CompareTable key={alike.key} items={alike.items} end={end} {...(isInOrder && { number })} />
              ))}
            </ScrollArea>
            <Excluded list={loaded.excluded} />
          </>
        )}
        {unsigned > 0 && <SignSeparately count={unsigned} of={all.length} />}
        {!isApproval && states === null && wanted > 0 && (
          <label className="flex flex-col gap-1">
            <span className="text-xs font-medium text-faint">Reason (the agent can read it)</span>
            <textarea
              className="input min-h-16"
              maxLength={500}
              value={note}
              onChange={(event) => setNote(event.target.value)}
              autoFocus
              onKeyDown={(event) => {
                if (event.key === "Enter" && !event.shiftKey && !event.nativeEvent.isComposing) void submit(event);
              }}
            />
          </label>
        )}
        {states !== null && <Progress states={states} isOver={isOver} />}
        <div className="flex flex-row-reverse gap-2 [&>*]:flex-1 md:[&>*]:flex-none">
          {states === null && wanted > 0 && (
            <Button type="submit" variant={isApproval ? "primary" : "bad"} disabled={loaded === null}>
              {verb} {wanted}
            </Button>
          )}
          {states === null && (
            <Button variant="quiet" onClick={onClose}>
              {" "}
              Cancel{" "}
            </Button>
          )}
          {states !== null && !isOver && <Button onClick={() => stop.current.abort()}>Stop sending</Button>}
          {isOver && (
            <Button variant="primary" autoFocus onClick={onClose}>
              Close
            </Button>
          )}
        </div>
      </form>
    </Dialog>
  );
}

/** The documents of the requests, loaded when the dialog opens. */
function useDocuments(verdict: BulkRequest["verdict"], all: Approval[]) {
  const [loaded, setLoaded] = useState<LoadedRequests | null>(null);
  const [done, setDone] = useState(0);
  useEffect(() => {
    const end = new AbortController();
    const load = (invocation: string) => queries.fetchQuery(inboxItem(invocation));
    void loadDocuments(verdict, answerable(verdict, all), load, setDone, end.signal).then(
      (found) => !end.signal.aborted && setLoaded(found),
    );
    return () => end.abort();
  }, [verdict, all]);
  return { loaded, done };
}

function LoadingProgress({ done, of }: { done: number; of: number }) {
  return (
    <div className="space-y-1.5">
      <progress className="h-2 w-full accent-accent" max={of} value={done} aria-label="Requests loaded" />
      <p role="status" className="text-soft">
        Loading {done} of {of} …
      </p>
    </div>
  );
}

async function send(item: ShownApproval, answer: Answer) {
  const outcome = await deliver(item, answer);
  return (
    outcome ?? {
      tone: "warn" as const,
      title: "Already answered",
      action: item.invocation.action,
      text: "Another answer of yours is already being sent.",
      mayWait: true,
    }
  );
}

/** Takes the focus first, so that keys scroll through everything before they reach the button. */
function ScrollArea({ children }: { children: ReactNode }) {
  const place = useRef<HTMLDivElement>(null);
  useEffect(() => {
    if (!(document.activeElement instanceof HTMLTextAreaElement)) place.current?.focus({ preventScroll: true });
  }, []);
  return (
    <div ref={place} tabIndex={0} role="region" aria-label="Requests" className="space-y-6 focus-visible:outline-none">
      {children}
    </div>
  );
}

function SendBadge({ state }: { state: SendState }) {
  if (typeof state === "string")
    return (
      <span className="text-faint">
        {state === "sending" ? "sending …" : state === "waits" ? "queued" : "not sent"}
      </span>
    );
  return (
    <span className="inline-flex flex-col items-end gap-1 max-md:items-start">
      <Badge tone={state.tone}>{state.title}</Badge>
      {state.tone === "warn" && (
        <span className="max-w-72 text-soft">
          {state.text}
          {state.quote !== undefined && (
            <>
              {" "}
              <Line text={state.quote} />
            </>
          )}
        </span>
      )}
    </span>
  );
}

function Progress({ states, isOver }: { states: SendState[]; isOver: boolean }) {
  const { done, good, bad } = tally(states);
  const excluded = states.length - done;
  return (
    <div className="space-y-1.5">
      <progress className="h-2 w-full accent-accent" max={states.length} value={done} aria-label="Answers sent" />
      <p role="status" className={isOver && (bad > 0 || excluded > 0) ? "text-warn" : "text-soft"}>
        {isOver ? `${good} of ${states.length} accepted.` : `${done} of ${states.length} sent.`}
        {bad > 0 && ` ${bad} failed; see the reason beside ${bad === 1 ? "it" : "each"}.`}
        {isOver && excluded > 0 && ` ${excluded} ${excluded === 1 ? "was" : "were"} not sent and may still be pending.`}
      </p>
    </div>
  );
}
