// Fills the values of a person into a starter.
import { Digits, type Json } from "../../api/json";
import { escaped, split } from "../editor/cedar";
import type { Case, FactDefinition, PolicySchema, Starter, StarterNeed } from "../types";

/** As typed. A list has one entry a line. */
export type Values = Record<string, string>;

export const defaults = (needs: readonly StarterNeed[]): Values =>
  Object.fromEntries(needs.map(({ name, default: value }) => [name, asText(value)]));

function asText(value: Json): string {
  if (Array.isArray(value)) return value.map(asText).join("\n");
  return value === null ? "" : String(value);
}

export const entries = (typed: string): string[] =>
  typed
    .split(/[\n,]/)
    .map((each) => each.trim())
    .filter((each) => each !== "");

/** What is wrong with a value; null if nothing is. */
export function valueProblem({ kind, label }: StarterNeed, typed = ""): string | null {
  if (kind === "list" ? entries(typed).length === 0 : typed.trim() === "") return `${label} is required.`;
  if (kind === "integer" && !/^-?\d{1,15}$/.test(typed.trim())) return `${label} must be a whole number.`;
  return null;
}

/** A chosen action that no source has; null if there is none. */
export function unknownAction(needs: readonly StarterNeed[], values: Values, schema: PolicySchema): string | null {
  const chosen = needs.filter(({ kind }) => kind === "action").map(({ name }) => (values[name] ?? "").trim());
  const isKnown = (action: string) => action === "" || schema.actions.some(({ address }) => address === action);
  return chosen.find((action) => !isKnown(action)) ?? null;
}

const PLACE = /\{\{\s*(\w+)\s*\}\}/g;

/** In a Cedar text. A list becomes quoted strings with commas; a text is escaped for the quotes around it. */
function inText(text: string, needs: Needs, values: Values): string {
  return text.replace(PLACE, (whole, name: string) => {
    const typed = values[name];
    if (typed === undefined) return whole;
    if (needs.get(name) === "list")
      return entries(typed)
        .map((each) => `"${escaped(each)}"`)
        .join(", ");
    return escaped(typed.trim());
  });
}

type Needs = ReadonlyMap<string, StarterNeed["kind"]>;

/** In JSON. A value that is only a place becomes a number or a list where the need is one. */
function inJson(value: unknown, needs: Needs, values: Values): unknown {
  if (typeof value === "string") return inString(value, needs, values);
  if (Array.isArray(value))
    return value.flatMap((each) => {
      const next = inJson(each, needs, values);
      // A list within a list is spread.
      return Array.isArray(next) && typeof each === "string" ? next : [next];
    });
  if (typeof value !== "object" || value === null || value instanceof Digits) return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, inner]) => [asString(name, values), inJson(inner, needs, values)]),
  );
}

const asString = (text: string, values: Values): string =>
  text.replace(PLACE, (whole, name: string) => values[name]?.trim() ?? whole);

function inString(text: string, needs: Needs, values: Values): Json {
  const [, name = ""] = /^\{\{\s*(\w+)\s*\}\}$/.exec(text) ?? [];
  const typed = values[name];
  if (typed === undefined) return asString(text, values);
  if (needs.get(name) === "integer" && /^-?\d+$/.test(typed.trim())) return Number(typed.trim());
  return needs.get(name) === "list" ? entries(typed) : typed.trim();
}

export interface Filled {
  text: string;
  /** The same text, policy by policy. */
  policies: string[];
  facts: FactDefinition[];
  cases: Case[];
}

export function fill({ needs, text, facts, cases }: Starter, values: Values): Filled {
  const kinds: Needs = new Map(needs.map(({ name, kind }) => [name, kind]));
  const filled = inText(text, kinds, values);
  return {
    text: filled,
    policies: split(filled),
    facts: inJson(facts, kinds, values) as FactDefinition[],
    cases: inJson(cases, kinds, values) as Case[],
  };
}
