// How an action or a source did in the last days: a bar of how calls ended, and how long they take.
import { took } from "../text/time";
import type { Usage } from "./queries";
import { latencyPlace, parts, successText } from "./usage";

const FILL = { succeeded: "bg-good", failed: "bg-bad", unknown: "bg-warn", denied: "bg-strong" };

export function UsageBar({ usage, isShort = false }: { usage: Usage; isShort?: boolean }) {
  const drawn = parts(usage);
  const said = usage.calls === 0 ? `no call in ${usage.days} days` : drawn.map((part) => `${part.count} ${part.name}`).join(", ");
  return (
    <div className="min-w-0 space-y-1" title={`${said}, in ${usage.days} days`}>
      <p className="flex justify-between gap-2 text-xs whitespace-nowrap text-soft tabular-nums">
        <span>{successText(usage, isShort)}</span>
        <span className="text-faint">{usage.calls === 0 ? "" : `${usage.calls} ${usage.calls === 1 ? "call" : "calls"}`}</span>
      </p>
      <div role="img" aria-label={said} className="flex h-1.5 gap-px overflow-hidden rounded-full bg-sunk">
        {drawn.map((part) => <span key={part.name} className={FILL[part.name]} style={{ flexGrow: part.count }} />)}
      </div>
    </div>
  );
}

/** From what half of the calls take to what nearly all take, on a line from 10 ms to a minute. */
export function Latency({ usage }: { usage: Usage }) {
  if (usage.p50_ms == null) return <p className="text-xs text-faint">no time known yet</p>;
  const p95 = usage.p95_ms ?? usage.p50_ms;
  const [from, to] = [latencyPlace(usage.p50_ms), latencyPlace(p95)];
  const said = `half of them within ${took(usage.p50_ms)}, 95 of 100 within ${took(p95)}`;
  return (
    <div className="min-w-0 space-y-1" title={said}>
      <p className="flex justify-between gap-2 text-xs whitespace-nowrap text-soft tabular-nums">
        <span>{took(usage.p50_ms)}</span>
        <span className="text-faint">95%: {took(p95)}</span>
      </p>
      <div role="img" aria-label={said} className="relative h-1.5 rounded-full bg-sunk">
        <span className="absolute inset-y-0 rounded-full bg-accent" style={{ left: `${from}%`, width: `${Math.max(2, to - from)}%` }} />
      </div>
    </div>
  );
}
