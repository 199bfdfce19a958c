// Reads JSON without losing digits. `JSON.parse` would show 9007199254740993 as …992, and a person would approve
// another amount than the one that is sent.
import { parse as parseLossless } from "lossless-json";

/** A number as it was written, where a double would change it. */
export class Digits {
  constructor(readonly text: string) {}
  toString(): string {
    return this.text;
  }
  toJSON(): string {
    return this.text;
  }
}

export type Json = null | boolean | number | string | Digits | Json[] | { [name: string]: Json };

const STRING = /"(?:[^"\\]|\\[\s\S])*"/g;

export function parse(text: string): Json {
  // Most documents have no such number outside a string, and the browser's own parser is much faster.
  if (!/\d{16}|\d[eE]|\.\d{15}|-0/.test(text.replace(STRING, '""'))) return JSON.parse(text) as Json;
  try {
    return parseLossless(text, null, {
      parseNumber: exactNumber,
      // Like JSON.parse: the last one wins.
      onDuplicateKey: ({ newValue }) => newValue,
    }) as Json;
  } catch (error) {
    // The parser is recursive: a document nested thousands of levels deep exhausts the stack.
    if (error instanceof RangeError) throw new SyntaxError("The JSON document is nested too deeply.");
    throw error;
  }
}

function exactNumber(text: string): number | Digits {
  const number = Number(text);
  return String(number) === text ? number : new Digits(text);
}

/** Turns kept digits into numbers, for charts and sums. Never use the result for something a person approves. */
export function numeric<T>(value: T): T {
  if (value instanceof Digits) return Number(value.text) as T;
  if (Array.isArray(value)) return value.map(numeric) as T;
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([name, inner]) => [name, numeric(inner as unknown)])) as T;
}
