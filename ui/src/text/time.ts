// Formats times and durations.

/** `45s`, `4m 05s`, `3h 20m` or `2d 4h`. */
export function span(seconds: number): string {
  const s = Math.max(0, Math.floor(seconds));
  const two = (n: number) => String(n).padStart(2, "0");
  if (s < 60) return `${s}s`;
  if (s < 3_600) return `${Math.floor(s / 60)}m ${two(s % 60)}s`;
  if (s < 86_400) return `${Math.floor(s / 3_600)}h ${two(Math.floor((s % 3_600) / 60))}m`;
  return `${Math.floor(s / 86_400)}d ${Math.floor((s % 86_400) / 3_600)}h`;
}

/** A duration, also below a second. */
export function took(ms: number): string {
  if (ms < 1_000) return `${Math.max(0, Math.round(ms))}ms`;
  return ms < 10_000 ? `${(ms / 1_000).toFixed(1)}s` : span(ms / 1_000);
}

export function ago(at: string, now: number): string {
  const seconds = (now - Date.parse(at)) / 1_000;
  return seconds < 5 ? "just now" : `${span(seconds)} ago`;
}

export function untilText(at: string, now: number): string {
  const seconds = (Date.parse(at) - now) / 1_000;
  return seconds >= 0 ? `in ${span(seconds)}` : `${span(-seconds)} ago`;
}

const MOMENT = new Intl.DateTimeFormat(undefined, { dateStyle: "medium", timeStyle: "medium" });

const DAY = new Intl.DateTimeFormat(undefined, { dateStyle: "long" });

/** The date alone. */
export function day(at: string): string {
  return DAY.format(new Date(at));
}

export function moment(at: string): string {
  return MOMENT.format(new Date(at));
}
