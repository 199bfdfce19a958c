// Success and latency of the last days as bars.
import { number } from "../text/number";
import { took } from "../text/time";
import type { Usage } from "./queries";
import { latencyPlace, parts, successText } from "./usage";

const FILL = { succeeded: "bg-good", failed: "bg-bad", unknown: "bg-warn", denied: "bg-strong" };

export function UsageBar({ usage, isShort = false }: { usage: Usage; isShort?: boolean }) {
  const segments = parts(usage);
  const label =
    usage.calls === 0
      ? `no calls in ${usage.days} days`
      : segments.map((part) => `${number(part.count)} ${part.name}`).join(", ");
  return (
    <div className="min-w-0 space-y-1" title={`${label}, in ${usage.days} days`}>
      <p className="flex justify-between gap-2 text-xs whitespace-nowrap text-soft tabular-nums">
        <span>{successText(usage, isShort)}</span>
        <span className="text-faint">
          {usage.calls === 0 ? "" : `${number(usage.calls)} ${usage.calls === 1 ? "call" : "calls"}`}
        </span>
      </p>
      <div role="img" aria-label={label} className="flex h-1.5 gap-px overflow-hidden rounded-full bg-sunk">
        {segments.map((part) => (
          <span key={part.name} className={FILL[part.name]} style={{ flexGrow: part.count }} />
        ))}
      </div>
    </div>
  );
}

/** From median to p95, on a logarithmic axis from 10 ms to one minute. */
export function Latency({ usage }: { usage: Usage }) {
  if (usage.p50_ms == null) return <p className="text-xs text-faint">no duration yet</p>;
  const p95 = usage.p95_ms ?? usage.p50_ms;
  const [from, to] = [latencyPlace(usage.p50_ms), latencyPlace(p95)];
  const label = `median ${took(usage.p50_ms)} · p95 ${took(p95)}`;
  return (
    <div className="min-w-0 space-y-1" title={label}>
      <p className="flex justify-between gap-2 text-xs whitespace-nowrap text-soft tabular-nums">
        <span>median {took(usage.p50_ms)}</span>
        <span className="text-faint">p95 {took(p95)}</span>
      </p>
      <div role="img" aria-label={label} className="relative h-1.5 rounded-full bg-sunk">
        <span
          className="absolute inset-y-0 rounded-full bg-accent"
          style={{ left: `${from}%`, width: `${Math.max(2, to - from)}%` }}
        />
      </div>
    </div>
  );
}
