// A text as it is put before a person who decides by it: nothing hidden, nothing obeyed, and padding told by its size.
//
// A text becomes pieces. A piece of kind `text` or `rtl` stands for itself; every other kind is an escape of ours and is
// marked on the page, so that a text that merely looks like an escape is not taken for one. What is shown, together with
// the kinds, decodes back to the exact string.

export type Kind = "text" | "rtl" | "hidden" | "line" | "run";

export interface Piece {
  kind: Kind;
  /** What stands on the page. */
  shown: string;
}

export interface Shown {
  pieces: Piece[];
  /** How many characters cannot be seen and are written as escapes. */
  hidden: number;
  /** How many characters are told by their number only. */
  padding: number;
  /** Words in which letters of scripts that look alike are mixed. */
  mixed: string[];
}

/** So many of the same in a row are told by their number. */
const LONGEST_RUN = 40;
/** The longest group of blanks that is looked for as a repetition. */
const LONGEST_UNIT = 8;
/** No script stacks more marks on one letter; a pile of them runs over the lines around it. */
const MOST_MARKS = 2;

// Controls, formats, surrogates, private and unassigned characters, whatever a renderer may ignore, and every blank
// but the space. Joiners and selectors of variants are among them: they can carry messages that only a model reads.
const HIDDEN = /^[\p{C}\p{Default_Ignorable_Code_Point}\p{Zl}\p{Zp}\u00a0\u1680\u2000-\u200a\u202f\u205f\u3000\u2800\ufffc\u{13440}]$/u;
const MARK = /^\p{M}$/u;
const RTL = /^[\p{Script=Hebrew}\p{Script=Arabic}\p{Script=Syriac}\p{Script=Thaana}\p{Script=Nko}\p{Script=Adlam}\p{Script=Mandaic}\p{Script=Samaritan}\p{Script=Hanifi_Rohingya}\p{Script=Mende_Kikakui}\p{Script=Cypriot}\p{Script=Phoenician}\p{Script=Imperial_Aramaic}\p{Script=Kharoshthi}\p{Script=Old_Hungarian}\p{Script=Lydian}\p{Script=Avestan}\p{Script=Old_South_Arabian}]$/u;
const WORD = /[\p{L}\p{M}\p{N}]+/gu;
const LATIN = /\p{Script=Latin}/u;
const ALIKE = /[\p{Script=Cyrillic}\p{Script=Greek}\p{Script=Armenian}\p{Script=Cherokee}\p{Script=Lisu}]/u;

export function isHidden(char: string): boolean {
  return HIDDEN.test(char);
}

function isPlain(char: string): boolean {
  const code = char.charCodeAt(0);
  return char.length === 1 && code > 0x1f && code < 0x7f;
}

/** Any number of lines; where one ends is marked, so that nothing looks like the next row. */
export function block(text: string): Shown {
  return show(text, true);
}

/** One line: a line end is an escape too. */
export function line(text: string): Shown {
  return show(text, false);
}

function show(text: string, lines: boolean): Shown {
  const chars = Array.from(text);
  const out: Shown = { pieces: [], hidden: 0, padding: 0, mixed: mixedWords(text) };
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
      push(out.pieces, "hidden", escape(char));
    } else {
      push(out.pieces, RTL.test(char) || (marks > 0 && lastKind(out) === "rtl") ? "rtl" : "text", char);
    }
  }
  return out;
}

function lastKind(out: Shown): Kind | undefined {
  return out.pieces.at(-1)?.kind;
}

function push(pieces: Piece[], kind: Kind, shown: string): void {
  const last = pieces.at(-1);
  // Each line end and each run is a piece of its own; the others are joined to their like.
  if (last !== undefined && last.kind === kind && kind !== "line" && kind !== "run") last.shown += shown;
  else pieces.push({ kind, shown });
}

/** `\n`, `\t` and `\r` as everybody knows them, everything else by its number. */
function escape(char: string): string {
  if (char === "\n") return "\\n";
  if (char === "\t") return "\\t";
  if (char === "\r") return "\\r";
  return `\\u{${(char.codePointAt(0) ?? 0).toString(16)}}`;
}

/** Whether the same character, or the same few blanks, come again and again from here. */
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
  const shown = unit.map((char) => (char === " " || char === "\\" || isHidden(char) || MARK.test(char) ? escape(char) : char));
  return `⟨${times} × ${shown.join("")}⟩`;
}

function mixedWords(text: string): string[] {
  if (!ALIKE.test(text)) return [];
  const words = text.match(WORD) ?? [];
  return [...new Set(words.filter((word) => LATIN.test(word) && ALIKE.test(word)))];
}

/** The exact string, from nothing but what is shown and how it is marked. */
export function decode(pieces: readonly Piece[]): string {
  return pieces.map(decodePiece).join("");
}

function decodePiece({ kind, shown }: Piece): string {
  if (kind === "text" || kind === "rtl") return shown;
  if (kind === "line") return "\n";
  if (kind === "hidden") return unescape(shown);
  const run = /^⟨(\d+) (?:blanks|× ([^]*))⟩$/u.exec(shown);
  if (run === null) throw new Error("not a run");
  return (run[2] === undefined ? " " : unescape(run[2])).repeat(Number(run[1]));
}

function unescape(shown: string): string {
  return shown.replace(/\\(?:u\{([0-9a-f]+)\}|([ntr]))/gu, (_, code: string | undefined, short: string) =>
    code === undefined ? { n: "\n", t: "\t", r: "\r" }[short] ?? "" : String.fromCodePoint(parseInt(code, 16)),
  );
}

/** The text alone, for a title or a name that a screen reader says. */
export function plain(text: string): string {
  return line(text).pieces.map((piece) => piece.shown).join("");
}

/** The beginning and the end of what is too long: what is appended is as telling as what comes first. */
export function clip(pieces: readonly Piece[], cap: number): { head: Piece[]; left: number; tail: Piece[] } {
  const length = pieces.reduce((sum, piece) => sum + piece.shown.length, 0);
  if (length <= cap) return { head: [...pieces], left: 0, tail: [] };
  const [head, tail] = [take(pieces, cap - Math.floor(cap / 3)), take([...pieces].reverse(), Math.floor(cap / 3), true).reverse()];
  const kept = [...head, ...tail].reduce((sum, piece) => sum + piece.shown.length, 0);
  return { head, left: length - kept, tail };
}

/** The beginning alone, without looking at the rest: what is left out may be a megabyte. */
export function beginning(text: string, most: number): { pieces: Piece[]; left: number } {
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

/** A cut may go through a pair of surrogates; the halves are left out and counted. */
function trimSurrogates(part: string): string {
  return part.replace(/^[\udc00-\udfff]/, "").replace(/[\ud800-\udbff]$/, "");
}
