// Schedules in words, and the moments they come next. Five fields: minute, hour, day of the month, month, day of the week.
const BOUNDS: [number, number][] = [[0, 59], [0, 23], [1, 31], [1, 12], [0, 7]];
const MONTHS = ["January", "February", "March", "April", "May", "June", "July", "August", "September", "October", "November", "December"];
const DAYS = ["Sunday", "Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday"];

interface Cron {
  /** The values of each field. */
  sets: Set<number>[];
  /** The fields as they were written. */
  fields: string[];
}

/** Null where it is no schedule. */
export function parseCron(text: string): Cron | null {
  const fields = text.trim().split(/\s+/);
  if (fields.length !== 5) return null;
  const sets = fields.map((field, index) => values(field.toLowerCase(), index));
  if (sets.some((set) => set === null || set.size === 0)) return null;
  return { sets: sets as Set<number>[], fields };
}

function values(field: string, index: number): Set<number> | null {
  const [low, high] = BOUNDS[index] as [number, number];
  const out = new Set<number>();
  for (const part of field.split(",")) {
    const match = /^(?:\*|(\w+)(?:-(\w+))?)(?:\/(\d+))?$/.exec(part);
    if (match === null) return null;
    const [, first, last, every] = match;
    const from = first === undefined ? low : number(first, index);
    const to = first === undefined ? high : last === undefined ? (every === undefined ? from : high) : number(last, index);
    const step = every === undefined ? 1 : Number(every);
    if (from === null || to === null || from < low || to > high || from > to || step < 1) return null;
    // Sunday is 0 and 7.
    for (let at = from; at <= to; at += step) out.add(index === 4 ? at % 7 : at);
  }
  return out;
}

function number(word: string, index: number): number | null {
  if (/^\d+$/.test(word)) return Number(word);
  const names = index === 3 ? MONTHS : index === 4 ? DAYS : [];
  const found = names.findIndex((name) => name.slice(0, 3).toLowerCase() === word);
  return found < 0 ? null : found + (index === 3 ? 1 : 0);
}

/** `every weekday at 09:00`; the fields themselves where no words are short enough; null where it is no schedule. */
export function cronWords(text: string): string | null {
  const cron = parseCron(text);
  if (cron === null) return null;
  const [minutes, hours, monthDays, months, weekDays] = cron.sets.map((set) => [...set].sort((a, b) => a - b)) as [number[], number[], number[], number[], number[]];
  const [minute, hour, day, month, week] = cron.fields as [string, string, string, string, string];
  const when = clock(minute, hour, minutes, hours);
  const days: string[] = [];
  if (day !== "*") days.push(`on the ${all(monthDays.map(ordinal))}${month === "*" ? " of each month" : ""}`);
  if (week !== "*") days.push(weekly(weekDays));
  const on = days.join(" and ") || (hours.length === 24 ? "" : "every day");
  const which = month === "*" ? "" : ` in ${all(months.map((each) => MONTHS[each - 1] ?? ""))}`;
  return `${on}${which}`.trim() === "" ? when : `${`${on}${which}`.trim()}${when.startsWith("every") ? ", " : " "}${when}`;
}

function clock(minute: string, hour: string, minutes: number[], hours: number[]): string {
  const two = (n: number) => String(n).padStart(2, "0");
  const within = hour === "*" ? "" : ` from ${two(hours[0] ?? 0)}:00 to ${two(hours.at(-1) ?? 0)}:59`;
  const step = /^\*\/(\d+)$/.exec(minute)?.[1];
  if (minute === "*") return `every minute${within}`;
  if (step !== undefined && isRange(hours)) return `every ${step} minutes${within}`;
  const hourly = /^\*\/(\d+)$/.exec(hour)?.[1];
  if (hour === "*") return minute === "0" ? "every hour" : `every hour at ${all(minutes.map((each) => `:${two(each)}`))}`;
  if (hourly !== undefined) return `every ${hourly} hours at ${all(minutes.map((each) => `:${two(each)}`))}`;
  if (minutes.length * hours.length <= 4) return `at ${all(hours.flatMap((h) => minutes.map((m) => `${two(h)}:${two(m)}`)))}`;
  return `at minute ${minute} of hour ${hour}`;
}

function isRange(numbers: number[]): boolean {
  return numbers.every((each, index) => index === 0 || each === (numbers[index - 1] ?? 0) + 1);
}

function weekly(days: number[]): string {
  const key = days.join("");
  if (key === "12345") return "every weekday";
  if (key === "06") return "on weekends";
  return key === "0123456" ? "every day" : `on ${all(days.map((each) => DAYS[each] ?? ""))}`;
}

function ordinal(day: number): string {
  const tail = day % 10 === 1 && day !== 11 ? "st" : day % 10 === 2 && day !== 12 ? "nd" : day % 10 === 3 && day !== 13 ? "rd" : "th";
  return `${day}${tail}`;
}

function all(words: string[]): string {
  return words.length < 2 ? words.join("") : `${words.slice(0, -1).join(", ")} and ${words.at(-1)}`;
}

/** The next moments after `from` (milliseconds), for people to look at; the gateway has the last word about each. */
export function nextTimes(text: string, zone: string, from: number, count: number): number[] {
  const cron = parseCron(text);
  const offset = offsets(zone);
  if (cron === null || offset === null) return [];
  const [minutes, hours, monthDays, months, weekDays] = cron.sets as [Set<number>, Set<number>, Set<number>, Set<number>, Set<number>];
  const isEither = cron.fields[2] !== "*" && cron.fields[4] !== "*";
  const found: number[] = [];
  const local = new Date(from + offset(from));
  const first = Date.UTC(local.getUTCFullYear(), local.getUTCMonth(), local.getUTCDate());
  for (let n = 0; n < 1_500 && found.length < count; n += 1) {
    const day = new Date(first + n * 86_400_000);
    const [inMonth, inWeek] = [monthDays.has(day.getUTCDate()), weekDays.has(day.getUTCDay())];
    if (!months.has(day.getUTCMonth() + 1) || !(isEither ? inMonth || inWeek : inMonth && inWeek)) continue;
    for (const hour of [...hours].sort((a, b) => a - b)) {
      for (const minute of [...minutes].sort((a, b) => a - b)) {
        const wall = day.getTime() + (hour * 60 + minute) * 60_000;
        const at = wall - offset(wall - offset(wall));
        if (at > from && found.length < count && at !== found.at(-1)) found.push(at);
      }
    }
  }
  return found;
}

/** How far the zone's clock is ahead at a moment; null where there is no such zone. */
function offsets(zone: string): ((at: number) => number) | null {
  let format: Intl.DateTimeFormat;
  try {
    format = new Intl.DateTimeFormat("en-US", { timeZone: zone, hourCycle: "h23", year: "numeric", month: "numeric", day: "numeric", hour: "numeric", minute: "numeric", second: "numeric" });
  } catch {
    return null;
  }
  return (at) => {
    const part = Object.fromEntries(format.formatToParts(at).map(({ type, value }) => [type, Number(value)]));
    const wall = Date.UTC(part["year"] ?? 0, (part["month"] ?? 1) - 1, part["day"] ?? 1, part["hour"] ?? 0, part["minute"] ?? 0, part["second"] ?? 0);
    return wall - Math.floor(at / 1_000) * 1_000;
  };
}
