// How fast the signed-in person approves, and when they are told about it.
import { queryOptions } from "@tanstack/react-query";
import { api, type Schemas, take } from "../api/client";
import { numeric } from "../api/json";
import { queries } from "../api/queries";
import { number } from "../text/number";

export type Pace = Schemas["PaceView"];

/** It is fetched at most this often. */
const EVERY_MS = 60_000;
const WEEK_MS = 7 * 86_400_000;

export const pace = queryOptions({
  queryKey: ["pace"],
  queryFn: async ({ signal }) => numeric(await take(api.GET("/v1/inbox/pace", { signal }))),
  staleTime: EVERY_MS,
  retry: false,
  refetchOnWindowFocus: false,
  refetchOnReconnect: false,
});

let timer: ReturnType<typeof setTimeout> | undefined;

/** Call after an answer. Several answers within the interval cost one request at its end. */
export function paceChanged(): void {
  const state = queries.getQueryState(pace.queryKey);
  // It is not shown.
  if (state === undefined || timer !== undefined) return;
  const last = Math.max(state.dataUpdatedAt, state.errorUpdatedAt);
  // 0 while the first request is under way.
  const age = last === 0 ? 0 : Date.now() - last;
  timer = setTimeout(
    () => {
      timer = undefined;
      void queries.invalidateQueries({ queryKey: pace.queryKey });
    },
    Math.max(0, EVERY_MS - age),
  );
}

const LENGTHS: Record<string, string> = { short: "short", medium: "medium-length", long: "long" };

/** What to tell: about the requests that take longest to read, of those approved too fast. null if nothing is. */
export function paceText({ lengths, too_fast }: Pace): string | null {
  if (!too_fast) return null;
  const [worst] = lengths.filter((each) => each.too_fast).sort((one, other) => other.reading_s - one.reading_s);
  if (worst === undefined) return null;
  const name = LENGTHS[worst.length] ?? worst.length;
  const within = `within ${duration(worst.median_s)} (median of ${number(worst.answers)})`;
  return `You approve ${name} requests ${within}. Reading one takes about ${duration(worst.reading_s)}.`;
}

/** `0.4 s`, `50 s` or `3 min`. */
function duration(seconds: number): string {
  if (seconds < 10) return `${number(Math.round(seconds * 10) / 10)} s`;
  return seconds < 120 ? `${number(Math.round(seconds))} s` : `${number(Math.round(seconds / 60))} min`;
}

const NAME = "countersign.pace";
/** When it was dismissed on this page, for a browser without storage. */
let dismissed: number | null = null;

export function isDismissed(now: number): boolean {
  const at = dismissed ?? stored();
  return at !== null && now - at < WEEK_MS;
}

export function dismiss(now: number): void {
  dismissed = now;
  try {
    localStorage.setItem(NAME, String(now));
  } catch {
    // Without storage, it is shown again after the next load.
  }
}

function stored(): number | null {
  try {
    const text = localStorage.getItem(NAME);
    return text !== null && /^\d+$/.test(text) ? Number(text) : null;
  } catch {
    return null;
  }
}
