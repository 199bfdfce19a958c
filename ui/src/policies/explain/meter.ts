// A fact beside its limit as parts of a bar.
import type { DecisionFact } from "../types";

export interface Meter {
  /** Shares of the bar, from 0 to 1. */
  used: number;
  adds: number;
  limit: number;
  /** Whether the fact with this call is over the limit. */
  isOver: boolean;
}

/** Null for a fact without a limit. */
export function meterOf({ value, adds, limit }: Pick<DecisionFact, "value" | "adds" | "limit">): Meter | null {
  if (limit === null || limit <= 0 || typeof value !== "number") return null;
  const used = Math.max(0, value);
  const more = Math.max(0, adds ?? 0);
  const whole = Math.max(limit, used + more);
  return { used: used / whole, adds: more / whole, limit: limit / whole, isOver: used + more > limit };
}
