// Hears from the gateway that something changed, by a request that waits, and says what is out of date. It also knows how
// long the gateway has been silent, so that nobody takes an old list for a new one.
import { useEffect, useSyncExternalStore } from "react";
import { api, take } from "./client";
import { queries } from "./queries";

const AGAIN_MS = 2_000;
const TYPES = "action.*,grant.*,automation.*";

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

async function follow(signal: AbortSignal): Promise<void> {
  let after: string | null = null;
  while (!signal.aborted) {
    try {
      const query: { type: string; limit?: number; after?: string; wait?: string } =
        after === null ? { type: TYPES, limit: 1 } : { type: TYPES, after, wait: "25s" };
      const found = await take(api.GET("/v1/events", { params: { query }, signal }));
      const isFirst = after === null;
      after = found.last ?? after;
      heard(true);
      if (!isFirst) found.items.forEach((event) => outOfDate(event as { type?: string }));
      // An org without events has nothing to begin after.
      if (after === null) await pause(AGAIN_MS);
    } catch {
      if (signal.aborted) return;
      heard(false);
      await pause(AGAIN_MS);
    }
  }
}

function outOfDate(event: { type?: string }): void {
  const type = event.type ?? "";
  if (type.startsWith("action.") || type.startsWith("grant.")) void queries.invalidateQueries({ queryKey: ["inbox"] });
  // A long list is not fetched anew under a reader; the page says that there is something new.
  if (type.startsWith("action.")) void queries.invalidateQueries({ queryKey: ["activity"], refetchType: "none" });
  if (type.startsWith("automation.")) {
    void queries.invalidateQueries({ queryKey: ["runs"] });
    void queries.invalidateQueries({ queryKey: ["automations"] });
  }
}

function pause(ms: number): Promise<void> {
  return new Promise((done) => setTimeout(done, ms));
}
