// The days of a backtest. They are days in the time zone of the organization.
import type { BacktestResult, Totals } from "../types";

const DAY_MS = 86_400_000;
const NONE: Totals = { allow: 0, require_approval: 0, deny: 0 };

type Day = BacktestResult["days"][number];

const utc = (date: string) => Date.parse(`${date}T00:00:00Z`);

/** Every day from the beginning to the end, also those without calls. */
export function everyDay({ from, to, days }: BacktestResult, zone: string): Day[] {
  const known = new Map(days.map((day) => [day.date, day]));
  const dates = [...known.keys(), dateIn(from, zone), dateIn(to, zone)].sort();
  const [first = "", last = ""] = [dates[0], dates.at(-1)];
  const found: Day[] = [];
  for (let at = utc(first); at <= utc(last); at += DAY_MS) {
    const date = new Date(at).toISOString().slice(0, 10);
    found.push(known.get(date) ?? { date, before: NONE, after: NONE });
  }
  return found;
}

/** `2026-11-18` */
function dateIn(at: string, zone: string): string {
  const parts = partsIn(Date.parse(at), zone);
  return `${parts.year}-${parts.month}-${parts.day}`;
}

function partsIn(at: number, zone: string): Record<string, string> {
  const format = (timeZone: string) =>
    new Intl.DateTimeFormat("en", {
      timeZone,
      hourCycle: "h23",
      year: "numeric",
      month: "2-digit",
      day: "2-digit",
      hour: "2-digit",
      minute: "2-digit",
      second: "2-digit",
    }).formatToParts(at);
  const read = () => {
    try {
      return format(zone);
    } catch {
      // This browser does not know the zone.
      return format("UTC");
    }
  };
  return Object.fromEntries(read().map(({ type, value }) => [type, value]));
}

/** How far the clocks of a zone are ahead of UTC. */
function aheadMs(at: number, zone: string): number {
  const { year, month, day, hour, minute, second } = partsIn(at, zone);
  return Date.parse(`${year}-${month}-${day}T${hour}:${minute}:${second}Z`) - Math.floor(at / 1_000) * 1_000;
}

/** When a day begins. */
export function beginOf(date: string, zone: string): Date {
  const guess = utc(date) - aheadMs(utc(date), zone);
  // Clocks may have changed between the guess and midnight.
  return new Date(utc(date) - aheadMs(guess, zone));
}

/** When a day begins and ends. */
export function boundsOf(date: string, zone: string): [Date, Date] {
  const next = new Date(utc(date) + DAY_MS).toISOString().slice(0, 10);
  return [beginOf(date, zone), beginOf(next, zone)];
}
