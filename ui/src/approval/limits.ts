// The limits of a grant as typed by a person.
import { number } from "../text/number";

const UNITS: Record<string, number> = { s: 1, m: 60, h: 3_600, d: 86_400 };
const UNIT_NAMES: Record<string, string> = { s: "second", m: "minute", h: "hour", d: "day" };
const LONGEST_S = 30 * 86_400;
const MOST_CALLS = 10_000;

/** `30m`, `24h`, `7d` in seconds; null if invalid or too long. */
export function duration(text: string): number | null {
  const { count, unit } = parts(text);
  const seconds = count * (UNITS[unit] ?? 0);
  return seconds >= 1 && seconds <= LONGEST_S ? seconds : null;
}

/** `24h` as "24 hours"; null if invalid or too long. */
export function durationText(text: string): string | null {
  if (duration(text) === null) return null;
  const { count, unit } = parts(text);
  return `${number(count)} ${UNIT_NAMES[unit] ?? ""}${count === 1 ? "" : "s"}`;
}

function parts(text: string): { count: number; unit: string } {
  const found = /^\s*(\d{1,9})\s*([smhd])\s*$/.exec(text);
  return { count: Number(found?.[1] ?? 0), unit: found?.[2] ?? "" };
}

export function calls(text: string): number | null {
  const count = /^\s*\d{1,5}\s*$/.test(text) ? Number(text) : 0;
  return count >= 1 && count <= MOST_CALLS ? count : null;
}
