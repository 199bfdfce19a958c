// Colours of the Cedar editor.
import { HighlightStyle, StreamLanguage, type StringStream } from "@codemirror/language";
import { tags } from "@lezer/highlight";
import { KEYWORDS, OPERATORS, VALUES, VARIABLES } from "./cedar";

const NAMES: Record<string, string> = Object.fromEntries([
  ...[...KEYWORDS, ...OPERATORS].map((word) => [word, "keyword"]),
  ...VALUES.map((word) => [word, "bool"]),
  ...VARIABLES.map((word) => [word, "propertyName"]),
]);

/** The name of a tag. Strings and comments end with their line, so nothing is remembered. */
export function token(stream: StringStream): string | null {
  if (stream.eatSpace()) return null;
  if (stream.match("//")) {
    stream.skipToEnd();
    return "comment";
  }
  if (stream.match(/^"(?:[^"\\]|\\.)*"?/)) return "string";
  if (stream.match(/^@[A-Za-z_]\w*/)) return "annotation";
  if (stream.match(/^\d+/)) return "number";
  if (stream.match(/^[A-Za-z_]\w*(?=\s*::)/)) return "typeName";
  const word = stream.match(/^[A-Za-z_]\w*/) as RegExpMatchArray | null;
  if (word !== null) return Object.hasOwn(NAMES, word[0]) ? (NAMES[word[0]] ?? null) : null;
  stream.next();
  return "punctuation";
}

export const cedar = StreamLanguage.define({
  name: "cedar",
  token,
  tokenTable: { annotation: tags.annotation, bool: tags.bool },
  languageData: {
    commentTokens: { line: "//" },
    closeBrackets: { brackets: ["(", "[", "{", '"'] },
    indentOnInput: /^\s*[})\]]$/,
  },
});

export const COLOURS = HighlightStyle.define([
  { tag: tags.keyword, color: "var(--accent)", fontWeight: "600" },
  { tag: tags.annotation, color: "var(--soft)", fontWeight: "600" },
  { tag: tags.string, color: "var(--good)" },
  { tag: [tags.number, tags.bool], color: "var(--warn)" },
  { tag: [tags.propertyName, tags.typeName], color: "var(--accent)" },
  { tag: tags.comment, color: "var(--faint)", fontStyle: "italic" },
  { tag: tags.punctuation, color: "var(--soft)" },
]);
