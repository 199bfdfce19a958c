// Canonical JSON (RFC 8785): keys sorted by UTF-16, numbers and strings as ECMAScript writes them.
import { Digits } from "../api/json";

export function canonical(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(canonical).join(",")}]`;
  if (value instanceof Digits) return JSON.stringify(double(value));
  if (typeof value === "object" && value !== null) {
    const fields = Object.entries(value).sort(([a], [b]) => (a < b ? -1 : a > b ? 1 : 0));
    return `{${fields.map(([name, inner]) => `${JSON.stringify(name)}:${canonical(inner)}`).join(",")}}`;
  }
  return JSON.stringify(value);
}

/** Another number than the digits on the page would be hashed beyond this range. */
function double({ text }: Digits): number {
  const number = Number(text);
  if (Math.abs(number) <= Number.MAX_SAFE_INTEGER) return number;
  throw new RangeError(`${text} has no canonical form`);
}
