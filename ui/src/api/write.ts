// Writes JSON as `parse` in json.ts read it: a number that a double cannot hold keeps its digits.
import { Digits } from "./json";

export function write(value: unknown, indent = 0): string {
  return put(value, indent, "");
}

function put(value: unknown, indent: number, margin: string): string {
  if (value instanceof Digits) return value.text;
  if (typeof value !== "object" || value === null) return JSON.stringify(value) ?? "null";
  const inner = margin + " ".repeat(indent);
  const [open, close] = Array.isArray(value) ? ["[", "]"] : ["{", "}"];
  const parts = Array.isArray(value)
    ? value.map((each) => put(each, indent, inner))
    : Object.entries(value)
        .filter(([, each]) => each !== undefined)
        .map(([name, each]) => `${JSON.stringify(name)}:${indent > 0 ? " " : ""}${put(each, indent, inner)}`);
  if (parts.length === 0) return open + close;
  return indent === 0
    ? open + parts.join(",") + close
    : `${open}\n${inner}${parts.join(`,\n${inner}`)}\n${margin}${close}`;
}
