// Compares what the page shows with what the receipt says.
import { Digits } from "../api/json";

/** What the page shows, by its path in the receipt. */
export type ShownFields = Record<string, unknown>;

export function differing(receipt: Record<string, unknown>, shown: ShownFields): { same: string[]; differ: string[] } {
  const [same, differ]: [string[], string[]] = [[], []];
  for (const [path, value] of Object.entries(shown)) {
    const name = path.split(".").at(-1)?.replaceAll("_", " ") ?? path;
    (isSame(at(receipt, path), value) ? same : differ).push(name);
  }
  return { same, differ };
}

function at(value: unknown, path: string): unknown {
  return path
    .split(".")
    .reduce<unknown>(
      (inner, name) =>
        typeof inner === "object" && inner !== null ? (inner as Record<string, unknown>)[name] : undefined,
      value,
    );
}

function isSame(signed: unknown, shown: unknown): boolean {
  // A receipt writes absent values as null.
  if (signed == null || shown == null) return signed == null && shown == null;
  // A number that a double cannot hold is a text in a receipt, and one that is written in another way is the same
  // number.
  if (shown instanceof Digits)
    return typeof signed === "string" ? signed === shown.text : signed === Number(shown.text);
  if (typeof signed !== "object" || typeof shown !== "object") return signed === shown;
  if (Array.isArray(signed) !== Array.isArray(shown)) return false;
  const [a, b] = [signed as Record<string, unknown>, shown as Record<string, unknown>];
  const names = Object.keys(a);
  return (
    names.length === Object.keys(b).length && names.every((name) => Object.hasOwn(b, name) && isSame(a[name], b[name]))
  );
}
