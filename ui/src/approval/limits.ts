// The limits of a grant as typed by a person.

const UNITS: Record<string, number> = { s: 1, m: 60, h: 3_600, d: 86_400 };
const LONGEST_S = 30 * 86_400;
const MOST_CALLS = 10_000;

/** `30m`, `24h`, `7d` in seconds; null if invalid or too long. */
export function duration(text: string): number | null {
  const found = /^\s*(\d{1,9})\s*([smhd])\s*$/.exec(text);
  if (found === null) return null;
  const seconds = Number(found[1]) * (UNITS[found[2] ?? ""] ?? 0);
  return seconds >= 1 && seconds <= LONGEST_S ? seconds : null;
}

export function calls(text: string): number | null {
  const count = /^\s*\d{1,5}\s*$/.test(text) ? Number(text) : 0;
  return count >= 1 && count <= MOST_CALLS ? count : null;
}
