// Cuts a little Markdown into paragraphs, lists, bold and code.

export interface TextBlock {
  kind: "paragraph" | "list";
  lines: string[];
}

export function blocks(text: string): TextBlock[] {
  const found: TextBlock[] = [];
  for (const part of text.split(/\n\s*\n/)) {
    for (const line of part.split("\n").map((each) => each.trim())) {
      if (line === "") continue;
      const item = /^[-*]\s+(.*)$/.exec(line)?.[1];
      const last = found.at(-1);
      // The title is shown elsewhere.
      if (/^#\s/.test(line)) continue;
      const plain = line.replace(/^#+\s+/, "");
      if (item !== undefined && last?.kind === "list") last.lines.push(item);
      else if (item !== undefined) found.push({ kind: "list", lines: [item] });
      else if (last !== undefined && last.lines.length > 0 && !isClosed.has(last)) continued(last, plain);
      else found.push({ kind: "paragraph", lines: [plain] });
    }
    const last = found.at(-1);
    if (last !== undefined) isClosed.add(last);
  }
  return found;
}

/** Blocks that an empty line has ended. */
const isClosed = new WeakSet<TextBlock>();

/** A line without a mark belongs to the paragraph or to the list entry before it. */
function continued(block: TextBlock, line: string): void {
  if (block.kind === "paragraph") block.lines.push(line);
  else block.lines[block.lines.length - 1] += ` ${line}`;
}

export interface Span {
  kind: "text" | "code" | "bold";
  text: string;
}

export function spans(text: string): Span[] {
  return text
    .split(/(`[^`]+`|\*\*[^*]+\*\*)/)
    .filter((part) => part !== "")
    .map((part): Span => {
      if (/^`[^`]+`$/.test(part)) return { kind: "code", text: part.slice(1, -1) };
      if (/^\*\*[^*]+\*\*$/.test(part)) return { kind: "bold", text: part.slice(2, -2) };
      return { kind: "text", text: part };
    });
}
