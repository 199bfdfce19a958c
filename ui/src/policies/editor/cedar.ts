// Reads just enough of a Cedar text to colour and complete it: pieces, scopes and annotations. The gateway judges it.

export type PieceKind = "comment" | "string" | "annotation" | "word" | "number" | "punctuation";

export interface Piece {
  kind: PieceKind;
  text: string;
  from: number;
  to: number;
}

const PIECE =
  /(\/\/[^\n]*)|("(?:[^"\\\n]|\\.)*"?)|(@[A-Za-z_]\w*)|([A-Za-z_]\w*)|(\d+)|(::|==|!=|<=|>=|&&|\|\||[^\s\w])/g;
const KINDS: readonly PieceKind[] = ["comment", "string", "annotation", "word", "number", "punctuation"];

export function pieces(text: string): Piece[] {
  return [...text.matchAll(PIECE)].map((match) => {
    const kind = KINDS[match.slice(1).findIndex((group) => group !== undefined)] ?? "punctuation";
    return { kind, text: match[0], from: match.index, to: match.index + match[0].length };
  });
}

export const KEYWORDS: readonly string[] = ["forbid", "permit", "when", "unless"];
export const OPERATORS: readonly string[] = ["in", "has", "like", "is", "if", "then", "else"];
export const VALUES: readonly string[] = ["true", "false"];
export const VARIABLES: readonly string[] = ["principal", "action", "resource", "context"];

/** The value of a Cedar string as it is written, with its quotes. */
export function unquoted(written: string): string {
  const inner = written.replace(/^"/, "").replace(/(?<!\\)"$/, "");
  return inner.replace(/\\(.)/g, (_, next: string) => ({ n: "\n", t: "\t", r: "\r", "0": "\0" })[next] ?? next);
}

/** A text as a Cedar string, without its quotes. */
export function escaped(text: string): string {
  return text.replace(/["\\]/g, "\\$&").replaceAll("\n", "\\n");
}

/** The value of `@name("…")`; null if there is none. */
export function annotation(text: string, name: string): string | null {
  const all = pieces(text).filter(({ kind }) => kind !== "comment");
  const at = all.findIndex((piece) => piece.kind === "annotation" && piece.text === `@${name}`);
  const value = all[at + 2];
  return at >= 0 && all[at + 1]?.text === "(" && value?.kind === "string" ? unquoted(value.text) : null;
}

export interface Scope {
  /** Addresses of actions. */
  actions: string[];
  groups: string[];
}

const isGroup = (name: string) => name.includes(":");

/**
 * The actions that the policy around a position names before its conditions. Empty means every action. Several policies
 * may stand in one text, each ended by a semicolon.
 */
export function scopeAt(text: string, position: number): Scope {
  const all = pieces(text).filter(({ kind }) => kind !== "comment");
  let current: Piece[] = [];
  for (const piece of all) {
    current.push(piece);
    if (piece.text !== ";") continue;
    if (piece.from >= position) break;
    current = [];
  }
  const scope: Scope = { actions: [], groups: [] };
  for (const [index, piece] of current.entries()) {
    if (piece.text === "when" || piece.text === "unless") break;
    if (piece.kind !== "string") continue;
    if (current[index - 1]?.text !== "::" || current[index - 2]?.text !== "Action") continue;
    const name = unquoted(piece.text);
    (isGroup(name) ? scope.groups : scope.actions).push(name);
  }
  return scope;
}

/** The policies of a text, each with the comments before it. */
export function split(text: string): string[] {
  const found: string[] = [];
  let from = 0;
  let isEmpty = true;
  for (const piece of pieces(text)) {
    if (piece.kind !== "comment") isEmpty = false;
    if (piece.text !== ";") continue;
    found.push(`${text.slice(from, piece.to).trim()}\n`);
    [from, isEmpty] = [piece.to, true];
  }
  if (!isEmpty) found.push(`${text.slice(from).trim()}\n`);
  return found;
}
