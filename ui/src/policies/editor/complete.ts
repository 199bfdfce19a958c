// What can be written at a position of a policy: actions, spaces, parameters, facts, annotations.
import type { PolicyField, PolicySchema, SchemaAction } from "../types";
import { KEYWORDS, OPERATORS, scopeAt, VARIABLES } from "./cedar";

export interface Offer {
  label: string;
  detail?: string;
  /** What is inserted, if it is not the label. */
  apply?: string;
  /** Higher comes first. */
  boost?: number;
}

export interface Offers {
  from: number;
  options: Offer[];
}

const ANNOTATIONS: readonly Offer[] = [
  { label: '@id("")', detail: "name of the policy, required" },
  { label: '@mode("deny")', detail: "the call is denied" },
  { label: '@mode("ask")', detail: "the call needs approval" },
  { label: '@approvers("2")', detail: "approvals needed, with ask" },
  { label: '@why("")', detail: "shown with each decision" },
];
const MODES: readonly Offer[] = [
  { label: "ask", detail: "the call needs approval" },
  { label: "deny", detail: "the call is denied" },
];
const WORDS: readonly Offer[] = [...KEYWORDS.filter((word) => word !== "permit"), ...VARIABLES, ...OPERATORS].map(
  (label) => ({ label }),
);
const RESOURCE: readonly Field[] = [{ path: "trust", type: "String", words: "builtin or connected" }];

/** Null where nothing is offered. `isExplicit`: the person asked for it. */
export function offersAt(text: string, position: number, schema: PolicySchema, isExplicit = false): Offers | null {
  const start = text.lastIndexOf("\n", position - 1) + 1;
  const line = text.slice(start, position);
  const quote = openQuote(line);
  if (quote === "comment") return null;
  if (quote !== null) return inString(line.slice(0, quote), start + quote + 1, schema);
  const name = /@\w*$/.exec(line);
  if (name !== null) return { from: start + name.index, options: [...ANNOTATIONS] };
  const has = /\bcontext\.input((?:\.\w+)*)\s+has\s+(\w*)$/.exec(line);
  const scope = () => inputOf(scopedActions(text, position, schema));
  if (has !== null) return from(position, has[2], children(scope(), has[1]?.slice(1) ?? ""));
  const path = /\b(context|principal|resource)\.((?:\w+\.)*)(\w*)$/.exec(line);
  if (path !== null) {
    const inner = path[2]?.replace(/\.$/, "") ?? "";
    return from(position, path[3], children(fieldsOf(path[1] ?? "", inner, schema, scope), inner));
  }
  const word = /(?<![\w."])\w+$/.exec(line);
  if (word !== null && (word[0].length > 1 || isExplicit)) return { from: start + word.index, options: [...WORDS] };
  return isExplicit ? { from: position, options: [...WORDS, ...ANNOTATIONS] } : null;
}

const from = (position: number, typed = "", options: Offer[]): Offers | null =>
  options.length === 0 ? null : { from: position - typed.length, options };

/** Where the string begins that is open at the end of the line. */
function openQuote(line: string): number | "comment" | null {
  let open: number | null = null;
  for (let at = 0; at < line.length; at += 1) {
    if (line[at] === "\\" && open !== null) at += 1;
    else if (line[at] === '"') open = open === null ? at : null;
    else if (open === null && line.startsWith("//", at)) return "comment";
  }
  return open;
}

function inString(before: string, at: number, schema: PolicySchema): Offers | null {
  const of = (all: readonly string[], detail: string) => ({
    from: at,
    options: all.map((label) => ({ label, detail })),
  });
  if (/@mode\s*\(\s*$/.test(before)) return { from: at, options: [...MODES] };
  if (/\bSpace\s*::\s*$/.test(before)) return of(schema.spaces, "space");
  if (/\bSource\s*::\s*$/.test(before)) return of(schema.sources, "source");
  if (!/\bAction\s*::\s*$/.test(before)) return null;
  const isExact = /(==|!=)\s*Action\s*::\s*$/.test(before);
  const groups = schema.groups.map((label) => ({ label, detail: groupText(label), boost: 1 }));
  const actions = schema.actions.map(({ address }) => ({ label: address, detail: "action" }));
  return { from: at, options: isExact ? actions : [...groups, ...actions] };
}

const DOES: Record<string, string> = {
  sends_out: "all that send data out",
  reads_untrusted: "all that read untrusted data",
  reads_private: "all that read private data",
};

/** A group of actions in words. */
export function groupText(group: string): string {
  const [kind, value = ""] = group.split(/:(.*)/s);
  if (kind === "source") return `all of ${value}`;
  if (kind === "risk") return `all with risk ${value}`;
  if (kind === "effect") return `all with effect ${value}`;
  return DOES[value] ?? "group of actions";
}

function scopedActions(text: string, position: number, schema: PolicySchema): readonly SchemaAction[] {
  const { actions, groups } = scopeAt(text, position);
  if (actions.length + groups.length === 0) return schema.actions;
  return schema.actions.filter(
    (each) => actions.includes(each.address) || each.groups.some((group) => groups.includes(group)),
  );
}

interface Field extends Pick<PolicyField, "path" | "type"> {
  words?: string;
  isOptional?: boolean;
}

/** The parameters of some actions. One that not every action requires must be tested with `has`. */
function inputOf(actions: readonly SchemaAction[]): Field[] {
  const found = new Map<string, { type: string; required: number }>();
  for (const { input } of actions)
    for (const { path, type, required } of input) {
      const last = found.get(path);
      found.set(path, { type: last?.type ?? type, required: (last?.required ?? 0) + (required ? 1 : 0) });
    }
  return [...found].map(([path, { type, required }]) => ({ path, type, isOptional: required < actions.length }));
}

function fieldsOf(root: string, inner: string, schema: PolicySchema, input: () => Field[]): Field[] {
  if (root === "principal") return schema.principal;
  if (root === "resource") return [...RESOURCE];
  const facts = schema.facts.map(({ path, type, words }) => ({ path: `history.${path}`, type, words }));
  if (inner === "") {
    const tops: Field[] = [
      { path: "input", type: "parameters of the call" },
      { path: "history", type: "facts" },
    ];
    return [...tops, ...schema.context.filter(({ path }) => !/^(input|history)\b/.test(path))];
  }
  if (/^input\b/.test(inner)) return input().map((field) => ({ ...field, path: `input.${field.path}` }));
  return [...facts, ...schema.context];
}

/** The next names below a path. */
function children(fields: readonly Field[], inner: string): Offer[] {
  const prefix = inner === "" ? "" : `${inner}.`;
  const found = new Map<string, Offer>();
  for (const { path, type, words, isOptional } of fields) {
    if (!path.startsWith(prefix)) continue;
    const [label = "", ...rest] = path.slice(prefix.length).split(".");
    if (label === "" || found.has(label)) continue;
    const about = rest.length > 0 ? "record" : [type, words].filter(Boolean).join(": ");
    found.set(label, { label, detail: isOptional === true ? `${about}, optional: test it with has` : about });
  }
  return [...found.values()];
}
