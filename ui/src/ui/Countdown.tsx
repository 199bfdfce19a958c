// The time left to answer.
import { useNow } from "../text/now";
import { moment, span } from "../text/time";

/** Below this, the time is highlighted. */
const SOON_S = 60;

export function Countdown({ until }: { until: string }) {
  const left = Math.floor((Date.parse(until) - useNow()) / 1_000);
  const tone = left <= 0 ? "text-faint" : left < SOON_S ? "text-bad font-medium" : "text-faint";
  return (
    <time dateTime={until} title={moment(until)} className={`tabular-nums whitespace-nowrap ${tone}`}>
      {left <= 0 ? "expired" : span(left)}
    </time>
  );
}
