// Hidden values put back into the parameters, after a person revealed them.
import type { Schemas } from "../../api/client";
import { number } from "../../text/number";
import { isFields, pointerTo } from "../../text/rows";
import type { Answerable, ShownDocument } from "../shown";

export type HiddenPlace = Schemas["ShownHidden"];

/** The parameters with every hidden value in place, and the JSON pointers of those values. */
export interface Revealed {
  params: unknown;
  pointers: ReadonlySet<string>;
}

/** A revealed value. The generated type describes it as an object, but it can be any JSON. */
interface RevealedValue {
  pointer: string;
  value?: unknown;
}

export const REVEAL_FIRST = "Reveal the hidden values first";

/** A copy of the parameters with each value at its JSON pointer (RFC 6901). Throws unless every place is filled. */
export function withRevealed(
  params: unknown,
  hidden: readonly Pick<HiddenPlace, "pointer">[],
  values: readonly RevealedValue[],
): unknown {
  const known = new Map(values.map(({ pointer, value }) => [pointer, value]));
  if (known.size !== values.length) throw new Error("a place has two values");
  const missing = new Set(hidden.map(({ pointer }) => pointer));
  for (const pointer of missing) if (known.get(pointer) === undefined) throw new Error("a place has no value");

  // Every place has exactly one pointer. Comparing pointers, instead of following them, never reads an inherited
  // property, and a place inside another one is never found.
  const filled = (value: unknown, pointer: string): unknown => {
    if (missing.delete(pointer)) return known.get(pointer);
    if (Array.isArray(value)) return value.map((inner, index) => filled(inner, pointerTo(pointer, index)));
    if (!isFields(value)) return value;
    // `fromEntries` defines own properties, also one named `__proto__`.
    return Object.fromEntries(
      Object.entries(value).map(([name, inner]) => [name, filled(inner, pointerTo(pointer, name))]),
    );
  };
  const out = filled(params, "");
  if (missing.size > 0) throw new Error("a place does not exist");
  return out;
}

export function reveal({ params, hidden }: ShownDocument, values: readonly RevealedValue[]): Revealed {
  return {
    params: withRevealed(params, hidden, values),
    pointers: new Set(hidden.map(({ pointer }) => pointer)),
  };
}

export function hasHidden(item: Answerable): boolean {
  return item.kind === "approval" && item.shown.hidden.length > 0;
}

/** Why the item cannot be approved yet; null if it can be. Denying is always possible. */
export function approvalBlock(item: Answerable, revealed: Revealed | null): string | null {
  return hasHidden(item) && revealed === null ? REVEAL_FIRST : null;
}

/** "3 characters, hidden because of: ". The rule, which is untrusted text, follows. */
export function hiddenBecause({ characters }: HiddenPlace): string {
  return `${number(characters)} ${characters === 1 ? "character" : "characters"}, hidden because of: `;
}
