// The accepted and the current form of a tool, field by field.
import type { Schemas } from "../../api/client";
import { Digits } from "../../api/json";

export interface Cell {
  type: "text" | "other";
  value: string;
}

export interface DriftRow {
  /** A JSON pointer into the tool. */
  place: string;
  before: Cell | null;
  after: Cell | null;
  /** `shape` changes what a call means, `words` only what people and models read. */
  change: "none" | "shape" | "words";
}

/** A text in three parts; the middle is what differs from its other version. */
export interface Cut {
  head: string;
  middle: string;
  tail: string;
}

type Change = Pick<Schemas["ToolChange"], "place" | "words">;

export function driftRows(before: unknown, after: unknown, changes: readonly Change[]): DriftRow[] {
  const [old, now] = [leaves(before), leaves(after)];
  // An object that was empty before is covered by its new fields.
  const isFilled = (place: string, other: Map<string, Cell>) =>
    [...other.keys()].some((each) => each.startsWith(`${place}/`));
  const places = [...new Set([...old.keys(), ...now.keys()])]
    .filter((place) => !isFilled(place, old) && !isFilled(place, now))
    .sort(byPlace);
  return places.map((place) => {
    const [was, is] = [old.get(place) ?? null, now.get(place) ?? null];
    const isSame = was !== null && is !== null && was.type === is.type && was.value === is.value;
    return { place, before: was, after: is, change: isSame ? "none" : kindOf(place, changes) };
  });
}

/** Anything the gateway does not call words counts as shape, the stricter of the two. */
function kindOf(place: string, changes: readonly Change[]): "shape" | "words" {
  const within = changes.filter((each) => place === each.place || place.startsWith(`${each.place}/`));
  return within.length > 0 && within.every((each) => each.words) ? "words" : "shape";
}

function leaves(value: unknown): Map<string, Cell> {
  const out = new Map<string, Cell>();
  walk("", value, out);
  return out;
}

function walk(place: string, value: unknown, out: Map<string, Cell>): void {
  if (typeof value === "object" && value !== null && !(value instanceof Digits)) {
    const inner = Object.entries(value);
    if (inner.length > 0) {
      for (const [name, each] of inner) walk(`${place}/${name.replace(/~/g, "~0").replace(/\//g, "~1")}`, each, out);
      return;
    }
  }
  if (value === undefined || value === null) return;
  if (typeof value === "string") out.set(place, { type: "text", value });
  else out.set(place, { type: "other", value: value instanceof Digits ? String(value) : JSON.stringify(value) });
}

/** Name and description first. */
function byPlace(a: string, b: string): number {
  const rank = (place: string) => ["/name", "/title", "/description"].indexOf(place);
  const [first, second] = [rank(a), rank(b)];
  if (first !== second) return (first === -1 ? 9 : first) - (second === -1 ? 9 : second);
  return a < b ? -1 : a > b ? 1 : 0;
}

/** Cuts off the common beginning and end of two texts, never through a character. */
export function cut(before: string, after: string): { before: Cut; after: Cut } {
  const [old, now] = [Array.from(before), Array.from(after)];
  let head = 0;
  while (head < old.length && head < now.length && old[head] === now[head]) head += 1;
  let tail = 0;
  while (
    tail < old.length - head &&
    tail < now.length - head &&
    old[old.length - 1 - tail] === now[now.length - 1 - tail]
  )
    tail += 1;
  const part = (chars: string[]): Cut => ({
    head: chars.slice(0, head).join(""),
    middle: chars.slice(head, chars.length - tail).join(""),
    tail: chars.slice(chars.length - tail).join(""),
  });
  return { before: part(old), after: part(now) };
}

/** `/input_schema/properties/to/type` as people read it. */
export function placeText(place: string): string {
  const parts = place
    .split("/")
    .slice(1)
    .map((part) => part.replace(/~1/g, "/").replace(/~0/g, "~"));
  return parts.length === 0 ? "the tool" : parts.join(" › ");
}

export function driftCount(rows: readonly DriftRow[]): { shape: number; texts: number } {
  const count = (kind: DriftRow["change"]) => rows.filter((row) => row.change === kind).length;
  return { shape: count("shape"), texts: count("words") };
}
