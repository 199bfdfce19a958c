// Inserts names and filters into a template.

export interface Name {
  /** The text to insert: `inputs.branch`, `truncate(80)`. */
  write: string;
  about: string;
}

export interface NameGroup {
  title: string;
  names: Name[];
}

export interface Names {
  groups: NameGroup[];
  filters: Name[];
}

export function isTemplate(value: unknown): boolean {
  return typeof value === "string" && /\{\{|\{%/.test(value);
}

/** Whether a position is within `{{ … }}` or `{% … %}`. */
export function isWithin(text: string, at: number): boolean {
  const before = text.slice(0, at);
  const open = Math.max(before.lastIndexOf("{{"), before.lastIndexOf("{%"));
  return open > Math.max(before.lastIndexOf("}}"), before.lastIndexOf("%}"));
}

/** Inserts a name and returns the new cursor position. */
export function insertName(text: string, from: number, to: number, name: string): { text: string; at: number } {
  const piece = isWithin(text, from) ? name : `{{ ${name} }}`;
  return { text: text.slice(0, from) + piece + text.slice(to), at: from + piece.length };
}

/** Inserts a filter after the expression at the cursor, or after the last one before it. */
export function insertFilter(text: string, at: number, filter: string): { text: string; at: number } {
  const from = isWithin(text, at) ? at : text.lastIndexOf("{{", at);
  const end = from < 0 ? -1 : text.indexOf("}}", from);
  if (end < 0) return insertName(text, at, at, `"" | ${filter}`);
  const head = text.slice(0, end).trimEnd();
  return { text: `${head} | ${filter} ${text.slice(end)}`, at: head.length + 3 + filter.length };
}
