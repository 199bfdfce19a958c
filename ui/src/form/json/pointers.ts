// Maps JSON pointers to ranges of a JSON text and back.
import { jsonLanguage } from "@codemirror/lang-json";
import type { SyntaxNode } from "@lezer/common";

export interface Range {
  from: number;
  to: number;
}

function top(text: string): SyntaxNode | null {
  return jsonLanguage.parser.parse(text).topNode.firstChild;
}

/** The range of the value at a pointer, or of its nearest parent. */
export function rangeAt(text: string, pointer: string): Range {
  let node = top(text);
  let best: Range = { from: 0, to: Math.min(1, text.length) };
  if (node !== null) best = start(node);
  for (const part of pointer.split("/").slice(1)) {
    node = node === null ? null : child(node, part.replaceAll("~1", "/").replaceAll("~0", "~"), text);
    if (node === null) return best;
    best = node.name === "Object" || node.name === "Array" ? start(node) : { from: node.from, to: node.to };
  }
  return best;
}

/** Only the bracket of an object or list: underlining all of it does not help. */
function start(node: SyntaxNode): Range {
  return { from: node.from, to: Math.min(node.from + 1, node.to) };
}

function child(node: SyntaxNode, name: string, text: string): SyntaxNode | null {
  if (node.name === "Object") {
    // The last of two equal names wins.
    const fields = node.getChildren("Property").filter((property) => nameOf(property, text) === name);
    return fields.at(-1)?.lastChild ?? null;
  }
  return node.name === "Array" && /^\d+$/.test(name) ? (items(node)[Number(name)] ?? null) : null;
}

function items(array: SyntaxNode): SyntaxNode[] {
  const out: SyntaxNode[] = [];
  for (let each = array.firstChild; each !== null; each = each.nextSibling)
    if (!"[],⚠".includes(each.name)) out.push(each);
  return out;
}

function nameOf(property: SyntaxNode, text: string): string | null {
  const name = property.getChild("PropertyName");
  try {
    return name === null ? null : (JSON.parse(text.slice(name.from, name.to)) as string);
  } catch {
    return null;
  }
}

/** The pointer of the value at a position, in parts. */
export function placeAt(text: string, position: number): string[] {
  const out: string[] = [];
  let node: SyntaxNode | null = jsonLanguage.parser.parse(text).resolveInner(position, -1);
  for (; node !== null; node = node.parent) {
    const parent: SyntaxNode | null = node.parent;
    if (node.name === "Property") out.unshift(nameOf(node, text) ?? "");
    else if (parent?.name === "Array") {
      const index = items(parent).findIndex((each) => each.from === node?.from);
      if (index >= 0) out.unshift(String(index));
    }
  }
  return out;
}
