// The second question for several requests: it lists each with its parameters, sends the answers, and says of each how it
// went. Its end stands below everything it is about, so that nobody says yes to what was never on the screen.
import { useQuery } from "@tanstack/react-query";
import { type FormEvent, type ReactNode, useEffect, useRef, useState } from "react";
import { inbox } from "../api/inbox";
import { keyOf } from "../api/queries";
import { notify } from "../frame/notices";
import { Line } from "../text/Visible";
import { Badge } from "../ui/Bits";
import { Button } from "../ui/Button";
import { Dialog } from "../ui/Dialog";
import { answerable, type Approval, sortAlike } from "./alike";
import type { Answer } from "./answer";
import { Compare } from "./Compare";
import { Countdown } from "./Countdown";
import { LeftOut } from "./LeftOut";
import { deliver } from "./sending";
import { type Fate, sendTogether, tally } from "./together";

export interface Several {
  verdict: "approve" | "deny";
  /** As they were when the question was opened, whatever the list does meanwhile. */
  items: Approval[];
  onDone: () => void;
}

export function AskTogether({ verdict, items: all, onDone, onClose }: Several & { onClose: () => void }) {
  const items = answerable(verdict, all);
  const left = all.length - items.length;
  const [note, setNote] = useState("");
  const [fates, setFates] = useState<Fate[] | null>(null);
  const [isOver, setOver] = useState(false);
  const stop = useRef(new AbortController());
  const { data } = useQuery(inbox);
  const there = new Set(data?.items.map(keyOf));
  const isGone = (item: Approval) => data !== undefined && data.next_cursor === null && !there.has(keyOf(item));
  const yes = verdict === "approve";

  const submit = async (event: FormEvent) => {
    event.preventDefault();
    if (fates !== null) return;
    const given: Answer = yes ? { kind: "approve", extent: "once", note: "" } : { kind: "deny", reason: note };
    const now: Fate[] = items.map(() => "waits");
    setFates([...now]);
    await sendTogether(items, given, send, (at, fate) => {
      now[at] = fate;
      setFates([...now]);
    }, stop.current.signal);
    setOver(true);
    onDone();
    const { good } = tally(now);
    if (good < items.length) return;
    notify("good", yes ? `${good} approved` : `${good} denied`, yes ? "Each once, exactly as it was shown." : "Nothing is done. The agent can read why.");
    onClose();
  };
  // While answers are under way the question stays: closing it would hide how they went.
  const close = () => {
    if (fates === null || isOver) onClose();
  };
  const at = new Map(items.map((item, index) => [keyOf(item), index]));
  const end = (item: Approval) => {
    const fate = fates?.[at.get(keyOf(item)) ?? -1];
    if (fate !== undefined) return <How fate={fate} />;
    if (isGone(item)) return <Badge tone="warn">no longer waits</Badge>;
    return item.invocation.expires_at == null ? null : <Countdown until={item.invocation.expires_at} />;
  };
  const title = items.length === 0 ? "None of them can be approved with others" : yes ? `Approve ${items.length} once each?` : `Deny ${items.length}?`;
  return (
    <Dialog title={title} about={items.length === 0 ? undefined : yes ? "Each is done now, once, exactly as it stands here." : "Nothing is done."} isOpen onClose={close} isWide>
      <form onSubmit={(event) => void submit(event)} className="space-y-5">
        <Reading>
          {sortAlike(items).map((alike) => <Compare key={alike.key} items={alike.items} end={end} />)}
        </Reading>
        {left > 0 && <LeftOut count={left} of={all.length} />}
        {!yes && fates === null && (
          <label className="flex flex-col gap-1">
            <span className="text-xs font-medium text-faint">why; the agent can read it</span>
            <textarea className="input min-h-16" maxLength={500} value={note} onChange={(event) => setNote(event.target.value)} autoFocus
              onKeyDown={(event) => { if (event.key === "Enter" && !event.shiftKey && !event.nativeEvent.isComposing) void submit(event); }} />
          </label>
        )}
        {fates !== null && <Progress fates={fates} isOver={isOver} />}
        <div className="flex flex-row-reverse gap-2 [&>*]:flex-1 md:[&>*]:flex-none">
          {fates === null && items.length > 0 && <Button type="submit" look={yes ? "primary" : "bad"}>{yes ? `Approve ${items.length} once` : `Deny ${items.length}`}</Button>}
          {fates === null && <Button look="quiet" onClick={onClose}>Back</Button>}
          {fates !== null && !isOver && <Button onClick={() => stop.current.abort()}>Send no more</Button>}
          {isOver && <Button look="primary" autoFocus onClick={onClose}>Close</Button>}
        </div>
      </form>
    </Dialog>
  );
}

async function send(item: Approval, given: Answer) {
  const said = await deliver(item, given);
  return said ?? { tone: "warn" as const, title: "Answered already", action: item.invocation.action, text: "Another answer of yours is on its way.", mayWait: true };
}

/** Has the focus first, so that keys scroll through everything before they come to the answer. */
function Reading({ children }: { children: ReactNode }) {
  const place = useRef<HTMLDivElement>(null);
  useEffect(() => {
    if (!(document.activeElement instanceof HTMLTextAreaElement)) place.current?.focus({ preventScroll: true });
  }, []);
  return <div ref={place} tabIndex={0} role="region" aria-label="What is answered" className="space-y-6 focus-visible:outline-none">{children}</div>;
}

function How({ fate }: { fate: Fate }) {
  if (typeof fate === "string") return <span className="text-faint">{fate === "sending" ? "sending …" : fate === "waits" ? "to be sent" : "not sent"}</span>;
  return (
    <span className="inline-flex flex-col items-end gap-1 max-md:items-start">
      <Badge tone={fate.tone}>{fate.title}</Badge>
      {fate.tone === "warn" && <span className="max-w-72 text-soft">{fate.text}{fate.quote !== undefined && <> <Line text={fate.quote} /></>}</span>}
    </span>
  );
}

function Progress({ fates, isOver }: { fates: Fate[]; isOver: boolean }) {
  const { done, good, bad } = tally(fates);
  const left = fates.length - done;
  return (
    <div className="space-y-1.5">
      <progress className="h-2 w-full accent-accent" max={fates.length} value={done} aria-label="Answers that arrived" />
      <p role="status" className={isOver && (bad > 0 || left > 0) ? "text-warn" : "text-soft"}>
        {isOver ? `${good} of ${fates.length} counted.` : `${done} of ${fates.length} sent.`}
        {bad > 0 && ` ${bad} did not; why stands beside ${bad === 1 ? "it" : "each"}.`}
        {isOver && left > 0 && ` ${left} ${left === 1 ? "was" : "were"} not sent and may still wait.`}
      </p>
    </div>
  );
}
