// What the page shows of an invocation, held against what its receipt says.
import { Digits } from "../api/json";

/** By the path in the receipt: what stands on the page. What the page does not show is not here. */
export type Shown = Record<string, unknown>;

export function differing(receipt: Record<string, unknown>, shown: Shown): { same: string[]; differ: string[] } {
  const [same, differ]: [string[], string[]] = [[], []];
  for (const [path, value] of Object.entries(shown)) {
    const name = path.split(".").at(-1)?.replaceAll("_", " ") ?? path;
    (isSame(at(receipt, path), value) ? same : differ).push(name);
  }
  return { same, differ };
}

function at(value: unknown, path: string): unknown {
  return path.split(".").reduce<unknown>((inner, name) => (typeof inner === "object" && inner !== null ? (inner as Record<string, unknown>)[name] : undefined), value);
}

function isSame(signed: unknown, shown: unknown): boolean {
  // What is absent is written as null in a receipt.
  if (signed == null || shown == null) return signed == null && shown == null;
  // A number that a double cannot hold is a text in a receipt, and one that is written in another way is the same number.
  if (shown instanceof Digits) return typeof signed === "string" ? signed === shown.text : signed === Number(shown.text);
  if (typeof signed !== "object" || typeof shown !== "object") return signed === shown;
  if (Array.isArray(signed) !== Array.isArray(shown)) return false;
  const [a, b] = [signed as Record<string, unknown>, shown as Record<string, unknown>];
  const names = Object.keys(a);
  return names.length === Object.keys(b).length && names.every((name) => Object.hasOwn(b, name) && isSame(a[name], b[name]));
}
