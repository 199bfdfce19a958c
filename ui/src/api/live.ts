// Follows the event stream and invalidates what changed. It also knows how long the gateway has been silent, so that
// the page can warn that it may be out of date.
import { useEffect, useSyncExternalStore } from "react";
import { inbox, refreshInbox, refreshItem, removeItems } from "./inbox";
import { inboxEffect } from "./inboxEvents";
import { keyOf } from "./inboxList";
import { me, queries } from "./queries";
import { type LiveEvent, listen } from "./stream";

const TYPES =
  "action.*,grant.*,automation.*,data.notification,org.change.recorded,org.change.proposed,org.change.answered";
/** Queries about what a change can be of. Their pages may show a change that a second owner just approved. */
const AUTHORITY = new Set([
  ..."org me policy sources connectors models model-spending spaces secrets conduct agents".split(" "),
  ..."members space-members invitations slack-people passkeys tokens".split(" "),
]);
/** Queries that follow a recorded change of such a kind at once. */
const FOLLOWED: readonly (readonly [prefix: string, keys: readonly string[]])[] = [
  ["conduct.", ["conduct", "agents"]],
  ["member.", ["members", "space-members", "spaces", "agents", "invitations"]],
  // `may_open` of a space can be another one, and sessions may have ended.
  ["space.", ["spaces", "agents"]],
  ["space_member.", ["space-members", "spaces", "agents"]],
  ["invitation.", ["invitations"]],
  ["passkey.", ["passkeys"]],
  ["token.", ["tokens"]],
  ["model_provider.", ["models"]],
  // The catalog shows the decision about each action.
  ["policy.", ["policy", "sources"]],
  ["fact.", ["policy", "sources"]],
  ["gates.", ["policy", "sources"]],
  ["consent.", ["policy", "sources"]],
];
/** Events within this time are handled together. */
const BATCH_MS = 150;
/** Reconnect delays, each with jitter. */
const RECONNECT_MS = [500, 1_000, 2_000, 5_000, 10_000];
const MAX_RECONNECT_MS = 30_000;
/** The gateway sends a heartbeat at least this often. */
const MAX_SILENCE_MS = 40_000;

let silentSince: number | null = null;
const listeners = new Set<() => void>();

function setResponding(isResponding: boolean): void {
  const next = isResponding ? null : (silentSince ?? Date.now());
  if (next === silentSince) return;
  silentSince = next;
  listeners.forEach((listener) => listener());
}

/** Since when the gateway is silent; null while it responds. */
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
    const onAlive = () => {
      // The stream does not contain what happened before it was opened.
      if (!isOpen && after === null) {
        void refreshInbox();
        void queries.invalidateQueries({ queryKey: ["conduct"] });
        void queries.invalidateQueries({ queryKey: ["proposed"] });
      }
      [isOpen, failed] = [true, -1];
      setResponding(true);
      clearTimeout(timer);
      timer = setTimeout(() => quiet.abort(), MAX_SILENCE_MS);
    };
    const onEvent = (event: LiveEvent) => {
      after = event.id;
      enqueue(event);
    };
    // The browser notices that it is offline before the heartbeat fails.
    addEventListener("offline", () => quiet.abort(), { signal: AbortSignal.any([stop, quiet.signal]) });
    await listen(TYPES, { after, signal: AbortSignal.any([stop, quiet.signal]), onAlive, onEvent }).catch(
      () => undefined,
    );
    quiet.abort();
    clearTimeout(timer);
    if (stop.aborted) return;
    // Without a stream the gateway may still respond; then poll the inbox.
    const answers = await queries.fetchQuery({ ...me, staleTime: 0, retry: false }).then(
      () => true,
      () => false,
    );
    setResponding(answers);
    if (answers && failed >= 0) void refreshInbox();
    // The last position may be too old.
    if (answers && failed >= 2) after = null;
    await pause((RECONNECT_MS[Math.max(0, failed)] ?? MAX_RECONNECT_MS) * (0.8 + 0.4 * Math.random()), stop);
  }
}

let received: LiveEvent[] = [];

function enqueue(event: LiveEvent): void {
  received.push(event);
  if (received.length === 1) setTimeout(processEvents, BATCH_MS);
}

function processEvents(): void {
  const events = received;
  received = [];
  const left = new Set<string>();
  let isNew = false;
  for (const event of events) {
    const key = String(event.data.invocation ?? event.data.request ?? "");
    const effect = inboxEffect(event, () => isAnotherNeeded(key, event.data.votes));
    if (effect === "new") {
      isNew = true;
      // It may be asked again, because something changed.
      void queries.invalidateQueries({ queryKey: ["inbox-item", key] });
    } else if (effect === "changed") void refreshItem(key);
    else if (effect === "gone") left.add(key);
  }
  if (left.size > 0) removeItems(left);
  for (const key of left) {
    void queries.invalidateQueries({ queryKey: ["inbox-item", key] });
    void queries.invalidateQueries({ queryKey: ["invocation", key] });
  }
  if (isNew) void refreshInbox();
  // A long list is not refetched while someone reads it; the page shows a button.
  if (events.some((event) => event.type.startsWith("action.")))
    void queries.invalidateQueries({ queryKey: ["activity"], refetchType: "none" });
  const recorded = events
    .filter((event) => event.type === "org.change.recorded")
    .map(({ data }) => String(data.change));
  if (recorded.length > 0) void queries.invalidateQueries({ queryKey: ["changes"], refetchType: "none" });
  for (const [prefix, keys] of FOLLOWED)
    if (recorded.some((change) => change.startsWith(prefix)))
      for (const key of keys) void queries.invalidateQueries({ queryKey: [key] });
  const isAnswered = events.some((event) => event.type === "org.change.answered");
  if (isAnswered || events.some((event) => event.type === "org.change.proposed"))
    void queries.invalidateQueries({ queryKey: ["proposed"] });
  if (isAnswered) void queries.invalidateQueries({ predicate: ({ queryKey }) => AUTHORITY.has(String(queryKey[0])) });
  if (events.some((event) => event.type === "data.notification"))
    void queries.invalidateQueries({ queryKey: ["notices"] });
  if (events.some((event) => event.type.startsWith("automation."))) {
    void queries.invalidateQueries({ queryKey: ["runs"] });
    void queries.invalidateQueries({ queryKey: ["automations"] });
  }
}

function isAnotherNeeded(key: string, votes: unknown): boolean {
  const item = queries.getQueryData(inbox.queryKey)?.items.find((each) => keyOf(each) === key);
  return item?.kind === "approval" && Number(votes) < item.votes_needed;
}

/** Ends after the delay, when the browser is online again, or when aborted. */
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
