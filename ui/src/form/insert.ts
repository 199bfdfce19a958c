// Puts a name or a filter into a text with templates, where the cursor is.

export interface Name {
  /** What is written: `inputs.branch`, `truncate(80)`. */
  write: string;
  about: string;
}

export interface NameGroup {
  title: string;
  names: Name[];
}

/** What a template may use at some place. */
export interface Names {
  groups: NameGroup[];
  filters: Name[];
}

export function isTemplate(value: unknown): boolean {
  return typeof value === "string" && /\{\{|\{%/.test(value);
}

/** Whether a place in a text is within `{{ … }}` or `{% … %}`. */
export function isWithin(text: string, at: number): boolean {
  const before = text.slice(0, at);
  const open = Math.max(before.lastIndexOf("{{"), before.lastIndexOf("{%"));
  return open > Math.max(before.lastIndexOf("}}"), before.lastIndexOf("%}"));
}

/** The text with a name in it, and where the cursor goes. */
export function insertName(text: string, from: number, to: number, name: string): { text: string; at: number } {
  const piece = isWithin(text, from) ? name : `{{ ${name} }}`;
  return { text: text.slice(0, from) + piece + text.slice(to), at: from + piece.length };
}

/** The text with a filter behind the expression the cursor is in, or else behind the last one before it. */
export function insertFilter(text: string, at: number, filter: string): { text: string; at: number } {
  const from = isWithin(text, at) ? at : text.lastIndexOf("{{", at);
  const end = from < 0 ? -1 : text.indexOf("}}", from);
  if (end < 0) return insertName(text, at, at, `"" | ${filter}`);
  const head = text.slice(0, end).trimEnd();
  return { text: `${head} | ${filter} ${text.slice(end)}`, at: head.length + 3 + filter.length };
}
