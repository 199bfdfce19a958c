// Hears from the gateway what changed, and says what is out of date. It also knows how long the gateway has been silent, so
// that nobody takes an old list for a new one.
import { useEffect, useSyncExternalStore } from "react";
import { askAgain, inbox, leave, look } from "./inbox";
import { me, queries } from "./queries";
import { listen, type Told } from "./stream";
import { keyOf } from "./waiting";

const TYPES = "action.*,grant.*,automation.*";
/** What comes within this time is dealt with together. */
const TOGETHER_MS = 150;
/** After a break it is tried again after these, each a little off so that not everybody comes at once. */
const AGAIN_MS = [500, 1_000, 2_000, 5_000, 10_000];
const LONGEST_PAUSE_MS = 30_000;
/** The gateway says at least this often that it is still there. */
const LONGEST_SILENCE_MS = 40_000;

let silentSince: number | null = null;
const listeners = new Set<() => void>();

function heard(yes: boolean): void {
  const next = yes ? null : (silentSince ?? Date.now());
  if (next === silentSince) return;
  silentSince = next;
  listeners.forEach((listener) => listener());
}

/** Since when the gateway has not answered; null while it does. */
export function useSilentSince(): number | null {
  return useSyncExternalStore(
    (listener) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    () => silentSince,
  );
}

export function useLive(): void {
  useEffect(() => {
    const stop = new AbortController();
    void follow(stop.signal);
    return () => stop.abort();
  }, []);
}

async function follow(stop: AbortSignal): Promise<void> {
  let after: string | null = null;
  for (let failed = 0; !stop.aborted; failed += 1) {
    const quiet = new AbortController();
    let timer: ReturnType<typeof setTimeout> | undefined;
    let isOpen = false;
    const onHeard = () => {
      // What happened before there was a stream is told by none.
      if (!isOpen && after === null) void askAgain();
      [isOpen, failed] = [true, -1];
      heard(true);
      clearTimeout(timer);
      timer = setTimeout(() => quiet.abort(), LONGEST_SILENCE_MS);
    };
    const onTold = (event: Told) => {
      after = event.id;
      note(event);
    };
    // A browser that goes offline knows it long before the silence is noticed.
    addEventListener("offline", () => quiet.abort(), { signal: AbortSignal.any([stop, quiet.signal]) });
    await listen(TYPES, { after, signal: AbortSignal.any([stop, quiet.signal]), onHeard, onTold }).catch(() => undefined);
    quiet.abort();
    clearTimeout(timer);
    if (stop.aborted) return;
    // Without a stream the gateway may still answer; then what waits is asked for each time.
    const answers = await queries.fetchQuery({ ...me, staleTime: 0, retry: false }).then(() => true, () => false);
    heard(answers);
    if (answers && failed >= 0) void askAgain();
    // A place to go on from may be too old to be known.
    if (answers && failed >= 2) after = null;
    await pause((AGAIN_MS[Math.max(0, failed)] ?? LONGEST_PAUSE_MS) * (0.8 + 0.4 * Math.random()), stop);
  }
}

let told: Told[] = [];

function note(event: Told): void {
  told.push(event);
  if (told.length === 1) setTimeout(dealWith, TOGETHER_MS);
}

const OVER = new Set(["action.denied", "action.expired", "action.executed", "action.quarantined", "action.reconciled", "grant.answered"]);

function dealWith(): void {
  const events = told;
  told = [];
  const left = new Set<string>();
  let isNew = false;
  for (const { type, data } of events) {
    const key = String(data["invocation"] ?? data["request"] ?? "");
    if (type === "action.approval_requested" || type === "grant.requested") isNew = true;
    else if (type === "action.approval_given" ? isAnotherNeeded(key, data["votes"]) : OVER.has(type) && data["status"] === "unknown") void look(key);
    else if (OVER.has(type) || type === "action.approval_given") left.add(key);
  }
  if (left.size > 0) leave(left);
  for (const key of left) {
    void queries.invalidateQueries({ queryKey: ["inbox-item", key] });
    void queries.invalidateQueries({ queryKey: ["invocation", key] });
  }
  if (isNew) void askAgain();
  // A long list is not fetched anew under a reader; the page says that there is something new.
  if (events.some((event) => event.type.startsWith("action."))) void queries.invalidateQueries({ queryKey: ["activity"], refetchType: "none" });
  if (events.some((event) => event.type.startsWith("automation."))) {
    void queries.invalidateQueries({ queryKey: ["runs"] });
    void queries.invalidateQueries({ queryKey: ["automations"] });
  }
}

function isAnotherNeeded(key: string, votes: unknown): boolean {
  const item = queries.getQueryData(inbox.queryKey)?.items.find((each) => keyOf(each) === key);
  return item?.kind === "approval" && Number(votes) < item.votes_needed;
}

/** Until the time is over, the browser is online again, or nobody listens any more. */
function pause(ms: number, stop: AbortSignal): Promise<void> {
  return new Promise((done) => {
    const over = new AbortController();
    const end = () => {
      clearTimeout(timer);
      over.abort();
      done();
    };
    const timer = setTimeout(end, ms);
    addEventListener("online", end, { signal: over.signal });
    stop.addEventListener("abort", end, { signal: over.signal });
  });
}
