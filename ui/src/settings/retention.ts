// A shorter retention takes effect a week after it was set. Until then, the longer one holds.
import type { Schemas } from "../api/client";
import { number } from "../text/number";
import { day } from "../text/time";

interface Shortening {
  /** The days that hold until then. */
  before: number;
  days: number;
  /** RFC 3339. */
  at: string;
}

/** The shorter retention that waits; null if none does. */
export function shortening(org: Schemas["OrgView"], now: number): Shortening | null {
  const { receipts_kept_days: days, receipts_kept_days_before: before, receipts_shorter_at: at } = org;
  if (before == null || at == null) return null;
  return Date.parse(at) > now ? { before, days, at } : null;
}

/** The retention that holds now. */
export function daysInForce(org: Schemas["OrgView"], now: number): number {
  return shortening(org, now)?.before ?? org.receipts_kept_days;
}

export function daysText(days: number): string {
  return days === 1 ? "1 day" : `${number(days)} days`;
}

/** `Until 25 November 2026, 365 days; then 30.` */
export function shorteningText({ before, days, at }: Shortening): string {
  return `Until ${day(at)}, ${daysText(before)}; then ${number(days)}.`;
}
