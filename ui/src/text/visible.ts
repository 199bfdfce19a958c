// Makes an untrusted text safe to read: nothing hidden, nothing executed, padding shown as a count. A text becomes
// pieces. A piece of kind `text` or `rtl` stands for itself; every other kind is our own escape and marked on the page,
// so that a text that looks like an escape is not taken for one. The pieces decode back to the exact string.

export type Kind = "text" | "rtl" | "hidden" | "line" | "run";

export interface Piece {
  kind: Kind;
  shown: string;
}

export interface ShownText {
  pieces: Piece[];
  /** Number of invisible characters, written as escapes. */
  hidden: number;
  /** Number of characters shown only as a count. */
  padding: number;
  /** Words that mix look-alike letters of several scripts. */
  mixed: string[];
}

/** Longer runs of the same character are shown as a count. */
const LONGEST_RUN = 40;
/** The longest repeated group of spaces that is detected. */
const LONGEST_UNIT = 8;
/** No script stacks more marks on one letter; a pile of them runs over the lines around it. */
const MOST_MARKS = 2;

// Controls, formats, surrogates, private and unassigned characters, whatever a renderer may ignore, and every blank
// but the space. Joiners and selectors of variants are among them: they can carry messages that only a model reads.
const HIDDEN_CLASSES = String.raw`\p{C}\p{Default_Ignorable_Code_Point}\p{Zl}\p{Zp}`;
const HIDDEN_BLANKS = String.raw`\u00a0\u1680\u2000-\u200a\u202f\u205f\u3000\u2800\ufffc\u{13440}`;
const HIDDEN = new RegExp(`^[${HIDDEN_CLASSES}${HIDDEN_BLANKS}]$`, "u");
const MARK = /^\p{M}$/u;
const RTL_SCRIPTS = [
  "Hebrew",
  "Arabic",
  "Syriac",
  "Thaana",
  "Nko",
  "Adlam",
  "Mandaic",
  "Samaritan",
  "Hanifi_Rohingya",
  "Mende_Kikakui",
  "Cypriot",
  "Phoenician",
  "Imperial_Aramaic",
  "Kharoshthi",
  "Old_Hungarian",
  "Lydian",
  "Avestan",
  "Old_South_Arabian",
];
const RTL = new RegExp(`^[${RTL_SCRIPTS.map((script) => `\\p{Script=${script}}`).join("")}]$`, "u");
const WORD = /[\p{L}\p{M}\p{N}]+/gu;
const LATIN = /\p{Script=Latin}/u;
const LOOKALIKE = /[\p{Script=Cyrillic}\p{Script=Greek}\p{Script=Armenian}\p{Script=Cherokee}\p{Script=Lisu}]/u;

export function isHidden(char: string): boolean {
  return HIDDEN.test(char);
}

function isPlain(char: string): boolean {
  const code = char.charCodeAt(0);
  return char.length === 1 && code > 0x1f && code < 0x7f;
}

/** Multiple lines. Line breaks are marked, so that no text looks like the next row. */
export function block(text: string): ShownText {
  return show(text, true);
}

/** One line: a line break is an escape too. */
export function line(text: string): ShownText {
  return show(text, false);
}

function show(text: string, lines: boolean): ShownText {
  const chars = Array.from(text);
  const out: ShownText = { pieces: [], hidden: 0, padding: 0, mixed: mixedWords(text) };
  let marks = 0;
  for (let at = 0; at < chars.length; ) {
    const run = runAt(chars, at);
    if (run !== null) {
      out.padding += run.size * run.times;
      push(out.pieces, "run", runText(chars.slice(at, at + run.size), run.times));
      at += run.size * run.times;
      marks = 0;
      continue;
    }
    const char = chars[at] as string;
    marks = !isPlain(char) && MARK.test(char) ? marks + 1 : 0;
    at += 1;
    if (char === "\n" && lines) {
      push(out.pieces, "line", "⏎\n");
    } else if (isPlain(char)) {
      push(out.pieces, "text", char);
    } else if (isHidden(char) || marks > MOST_MARKS) {
      if (char !== "\n" && char !== "\t" && char !== "\r") out.hidden += 1;
      push(out.pieces, "hidden", escapeChar(char));
    } else {
      push(out.pieces, RTL.test(char) || (marks > 0 && lastKind(out) === "rtl") ? "rtl" : "text", char);
    }
  }
  return out;
}

function lastKind(out: ShownText): Kind | undefined {
  return out.pieces.at(-1)?.kind;
}

function push(pieces: Piece[], kind: Kind, shown: string): void {
  const last = pieces.at(-1);
  // Line breaks and runs are separate pieces; others are joined.
  if (last !== undefined && last.kind === kind && kind !== "line" && kind !== "run") last.shown += shown;
  else pieces.push({ kind, shown });
}

/** `\n`, `\t` and `\r`, everything else by its code point. */
function escapeChar(char: string): string {
  if (char === "\n") return "\\n";
  if (char === "\t") return "\\t";
  if (char === "\r") return "\\r";
  return `\\u{${(char.codePointAt(0) ?? 0).toString(16)}}`;
}

/** A run of the same character or group of spaces that starts here. */
function runAt(chars: string[], at: number): { size: number; times: number } | null {
  const first = chars[at] as string;
  const longest = isBlank(first) ? LONGEST_UNIT : 1;
  for (let size = 1; size <= longest; size += 1) {
    if (size > 1 && !isBlank(chars[at + size - 1] ?? "x")) return null;
    let end = at + size;
    while (end < chars.length && chars[end] === chars[end - size]) end += 1;
    const times = Math.floor((end - at) / size);
    if (times * size > LONGEST_RUN) return { size, times };
  }
  return null;
}

function isBlank(char: string): boolean {
  return char === " " || (!isPlain(char) && isHidden(char));
}

function runText(unit: string[], times: number): string {
  if (unit.length === 1 && unit[0] === " ") return `⟨${times} blanks⟩`;
  const shown = unit.map((char) =>
    char === " " || char === "\\" || isHidden(char) || MARK.test(char) ? escapeChar(char) : char,
  );
  return `⟨${times} × ${shown.join("")}⟩`;
}

function mixedWords(text: string): string[] {
  if (!LOOKALIKE.test(text)) return [];
  const words = text.match(WORD) ?? [];
  return [...new Set(words.filter((word) => LATIN.test(word) && LOOKALIKE.test(word)))];
}

/** The exact string, computed only from the visible pieces. */
export function decode(pieces: readonly Piece[]): string {
  return pieces.map(decodePiece).join("");
}

function decodePiece({ kind, shown }: Piece): string {
  if (kind === "text" || kind === "rtl") return shown;
  if (kind === "line") return "\n";
  if (kind === "hidden") return unescapeText(shown);
  const run = /^⟨(\d+) (?:blanks|× ([\s\S]*))⟩$/u.exec(shown);
  if (run === null) throw new Error("not a run");
  return (run[2] === undefined ? " " : unescapeText(run[2])).repeat(Number(run[1]));
}

function unescapeText(shown: string): string {
  return shown.replace(/\\(?:u\{([0-9a-f]+)\}|([ntr]))/gu, (_, code: string | undefined, short: string) =>
    code === undefined ? ({ n: "\n", t: "\t", r: "\r" }[short] ?? "") : String.fromCodePoint(parseInt(code, 16)),
  );
}

/** The visible text, for titles and aria labels. */
export function plain(text: string): string {
  return line(text)
    .pieces.map((piece) => piece.shown)
    .join("");
}

/** Beginning and end of a long text: what is appended matters as much as what comes first. */
export function clip(pieces: readonly Piece[], cap: number): { head: Piece[]; left: number; tail: Piece[] } {
  const length = pieces.reduce((sum, piece) => sum + piece.shown.length, 0);
  if (length <= cap) return { head: [...pieces], left: 0, tail: [] };
  const [head, tail] = [
    take(pieces, cap - Math.floor(cap / 3)),
    take([...pieces].reverse(), Math.floor(cap / 3), true).reverse(),
  ];
  const shownLength = [...head, ...tail].reduce((sum, piece) => sum + piece.shown.length, 0);
  return { head, left: length - shownLength, tail };
}

/** The beginning only, without processing the rest, which may be a megabyte. */
export function excerpt(text: string, most: number): { pieces: Piece[]; left: number } {
  const part = text.length <= most ? text : text.slice(0, most).replace(/[\ud800-\udbff]$/, "");
  return { pieces: line(part).pieces, left: text.length - part.length };
}

function take(pieces: readonly Piece[], room: number, fromEnd = false): Piece[] {
  const out: Piece[] = [];
  for (const piece of pieces) {
    if (room <= 0) break;
    if (piece.shown.length <= room) out.push(piece);
    else if (piece.kind === "text" || piece.kind === "rtl") {
      const part = fromEnd ? piece.shown.slice(-room) : piece.shown.slice(0, room);
      out.push({ kind: piece.kind, shown: trimSurrogates(part) });
    } else break;
    room -= piece.shown.length;
  }
  return out;
}

/** A cut may split a surrogate pair; the halves are left out. */
function trimSurrogates(part: string): string {
  return part.replace(/^[\udc00-\udfff]/, "").replace(/[\ud800-\udbff]$/, "");
}
