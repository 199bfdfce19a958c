// What models cost today, of the limits of the organization: numbers for the page, and what a person types as a limit.
import { usd } from "./price";
import type { Budget, Spending } from "./queries";

/** `null` for no limit. */
export interface Limits {
  usd: number | null;
  tokens: number | null;
}

export interface Usage {
  spent: number;
  /** What calls that are under way may still use. The API does not tell it for tokens. */
  reserved: number;
  limit: number | null;
}

export function limitsOf({ usd_per_day, tokens_per_day }: Budget): Limits {
  return { usd: usd(usd_per_day), tokens: usd(tokens_per_day) };
}

/** A day begins at midnight UTC. */
export function usageOf({ budget, days }: Spending, now: number): { usd: Usage; tokens: Usage } {
  const today = new Date(now).toISOString().slice(0, 10);
  const found = days.find(({ day }) => day === today);
  const limits = limitsOf(budget);
  return {
    usd: { spent: usd(found?.spent_usd) ?? 0, reserved: usd(found?.reserved_usd) ?? 0, limit: limits.usd },
    tokens: { spent: usd(found?.tokens) ?? 0, reserved: 0, limit: limits.tokens },
  };
}

/** Below this part of a billionth, a difference is an error of floating point. */
const EPSILON = 5e-10;

export function leftOf({ spent, reserved, limit }: Usage): number | null {
  if (limit === null) return null;
  const left = limit - spent - reserved;
  return left < EPSILON ? 0 : left;
}

/** The parts of the bar, from 0 to 1; null without a limit. */
export function sharesOf(usage: Usage): { spent: number; reserved: number; isFull: boolean } | null {
  const { spent, reserved, limit } = usage;
  if (limit === null) return null;
  // Of a limit of 0, everything is used.
  if (limit === 0) return { spent: 1, reserved: 0, isFull: true };
  const first = Math.min(spent / limit, 1);
  return { spent: first, reserved: Math.min(reserved / limit, 1 - first), isFull: leftOf(usage) === 0 };
}

const MAX_USD = 1_000_000;

/** What was typed as USD: empty for no limit, undefined if it is no amount. */
export function readUsd(typed: string): number | null | undefined {
  const text = typed.trim();
  if (text === "") return null;
  if (!/^\d{1,7}(\.\d{1,9})?$/.test(text) || Number(text) > MAX_USD) return undefined;
  return Number(text);
}

/** What was typed as tokens: empty for no limit, undefined if it is no whole number. */
export function readTokens(typed: string): number | null | undefined {
  const text = typed.trim();
  if (text === "") return null;
  return /^\d{1,15}$/.test(text) ? Number(text) : undefined;
}

/** The limit as it is typed, without an exponent. */
export function typedLimit(limit: number | null): string {
  return limit === null ? "" : limit.toFixed(9).replace(/\.?0+$/, "");
}

/** Whether one of the limits is higher than before, or gone. */
export function isHigher(before: Limits, after: Limits): boolean {
  const higher = (from: number | null, to: number | null) => from !== null && (to === null || to > from);
  return higher(before.usd, after.usd) || higher(before.tokens, after.tokens);
}

/** Whether no call can be made for the rest of the day. */
export function isUsedUp(
  { usd: money, tokens }: { usd: Usage; tokens: Usage },
  { usd, tokens: most }: Limits,
): boolean {
  return leftOf({ ...money, limit: usd }) === 0 || leftOf({ ...tokens, limit: most }) === 0;
}
