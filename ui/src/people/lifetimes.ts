// How long a token works. Every token expires; the gateway allows at most 366 days.

const DAY_S = 86_400;

export const LIFETIMES: readonly (readonly [label: string, seconds: number])[] = [
  ["30 days", 30 * DAY_S],
  ["90 days", 90 * DAY_S],
  ["1 year", 365 * DAY_S],
];

export const DEFAULT_LIFETIME_S = 90 * DAY_S;
