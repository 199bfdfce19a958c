// Reads JSON without losing anything: a number that a double cannot hold keeps its digits. `JSON.parse` would show
// 9007199254740993 as …992, and a person would say yes to another amount than the one that is sent.

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

/** For what is counted with and not approved: every number as one, also `0.0`, whose digits were kept. */
export function numeric<T>(value: T): T {
  if (value instanceof Digits) return Number(value.text) as T;
  if (Array.isArray(value)) return value.map(numeric) as T;
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([name, inner]) => [name, numeric(inner as unknown)])) as T;
}

export type Json = null | boolean | number | string | Digits | Json[] | { [name: string]: Json };

const TOKEN = /\s*(?:([{}[\],:])|("(?:[^"\\]|\\[^])*")|(-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?)|(true|false|null))/y;
const STRING = /"(?:[^"\\]|\\[^])*"/g;
/** Nobody nests deeper; a reader that goes on would run out of stack. */
const DEEPEST = 500;

export function parse(text: string): Json {
  // Most documents have no such number outside of a string, and the browser's own reader is much faster.
  if (!/\d{16}|\d[eE]|\.\d{15}|-0/.test(text.replace(STRING, '""'))) return JSON.parse(text) as Json;
  return new Reader(text).document();
}

class Reader {
  private at = 0;
  private depth = 0;

  constructor(private readonly text: string) {}

  document(): Json {
    const value = this.value(this.token());
    if (this.text.slice(this.at).trim() !== "") throw new SyntaxError("more than one JSON value");
    return value;
  }

  private token(): RegExpExecArray {
    TOKEN.lastIndex = this.at;
    const token = TOKEN.exec(this.text);
    if (token === null) throw new SyntaxError(`no JSON at ${this.at}`);
    this.at = TOKEN.lastIndex;
    return token;
  }

  private value([, mark, string, number, word]: RegExpExecArray): Json {
    if (string !== undefined) return JSON.parse(string) as string;
    if (number !== undefined) return exact(number);
    if (word !== undefined) return JSON.parse(word) as boolean | null;
    if (++this.depth > DEEPEST) throw new SyntaxError("too deep");
    const value = mark === "{" ? this.object() : mark === "[" ? this.array() : null;
    if (value === null) throw new SyntaxError(`unexpected ${mark} at ${this.at}`);
    this.depth -= 1;
    return value;
  }

  private array(): Json[] {
    const items: Json[] = [];
    for (let token = this.token(); token[1] !== "]"; token = this.token()) {
      if (items.length > 0) token = this.after(token);
      items.push(this.value(token));
    }
    return items;
  }

  private object(): { [name: string]: Json } {
    const fields: { [name: string]: Json } = {};
    let count = 0;
    for (let token = this.token(); token[1] !== "}"; token = this.token()) {
      if (count++ > 0) token = this.after(token);
      if (token[2] === undefined || this.token()[1] !== ":") throw new SyntaxError(`no name at ${this.at}`);
      const value = this.value(this.token());
      // A name such as `__proto__` is a name like any other.
      const name = JSON.parse(token[2]) as string;
      Object.defineProperty(fields, name, { value, enumerable: true, configurable: true, writable: true });
    }
    return fields;
  }

  private after(token: RegExpExecArray): RegExpExecArray {
    if (token[1] !== ",") throw new SyntaxError(`no comma at ${this.at}`);
    return this.token();
  }
}

function exact(text: string): number | Digits {
  const number = Number(text);
  return String(number) === text ? number : new Digits(text);
}
