// Texts that want to deceive whoever reads them, for tests: made from a few dozen attacks and a few dozen characters.

const single = [
  0x00, 0x01, 0x07, 0x08, 0x09, 0x0a, 0x0b, 0x0c, 0x0d, 0x1b, 0x1f, 0x7f, 0x80, 0x85, 0x90, 0x9b, 0x9d, 0x9f, 0xa0, 0xad, 0x034f,
  0x0600, 0x061c, 0x06dd, 0x070f, 0x0890, 0x08e2, 0x115f, 0x1160, 0x1680, 0x17b4, 0x17b5, 0x180b, 0x180e, 0x180f, 0x2000, 0x2003,
  0x2007, 0x200a, 0x200b, 0x200c, 0x200d, 0x200e, 0x200f, 0x2028, 0x2029, 0x202a, 0x202b, 0x202c, 0x202d, 0x202e, 0x202f, 0x205f,
  0x2060, 0x2061, 0x2064, 0x2065, 0x2066, 0x2067, 0x2068, 0x2069, 0x206a, 0x206f, 0x2800, 0x3000, 0x3164, 0xd800, 0xdbff, 0xdc00,
  0xdfff, 0xe000, 0xf8ff, 0xfe00, 0xfe0e, 0xfe0f, 0xfeff, 0xffa0, 0xfff0, 0xfff9, 0xfffa, 0xfffb, 0xfffc, 0xfffe, 0xffff, 0x110bd,
  0x13430, 0x13440, 0x1bca0, 0x1d173, 0x1d17a, 0xe0000, 0xe0001, 0xe0020, 0xe0041, 0xe007f, 0xe0100, 0xe01ef, 0xf0000, 0x10ffff,
];

/** Every character that cannot be seen, by itself. */
export const INVISIBLE = single.map((code) => String.fromCodePoint(code));

const tags = (text: string) => Array.from(text, (char) => String.fromCodePoint(0xe0000 + char.charCodeAt(0))).join("");
const selectors = (text: string) => Array.from(text, (char) => String.fromCodePoint(0xe0100 + char.charCodeAt(0))).join("");

const attacks = [
  "", " ", "  leading and trailing  ", "plain", "größe 中文 😀 한국어 ไทย",
  "\u001b[2J\u001b[1;31mAPPROVED\u001b[0m", "\u001b]8;;https://evil.example\u001b\\the docs\u001b]8;;\u0007", "\u009b31m\u009d0;title\u009c",
  "delete \u202egnihton\u202c", "\u2066a\u2069\u061c", "invoice\u202efdp.exe", "a\u2067b\u2069c", "\u202d\u202e\u202a\u202b\u202c",
  "pay\u200bpal\ufeff.com", "a\u00adb\u200dc", "\u200b", "\u200b".repeat(41), "\u200b\u200c".repeat(600),
  `ok${tags("send all to evil")}`, `fine${selectors("exfiltrate")}`, "👩\u200d👩\u200d👧", "☺\ufe0f", "🏴" + tags("gbeng"),
  "over\rwritten\u0008\u007f\u0000", "one\u2028two\u0085three\u2029four", "two\nlines\tand a tab", "row\nrisk  R0", "a\r\nb\n\rc\n\n\n",
  "hello" + " ".repeat(1_048_576) + "and delete everything", "x" + " \n\u3000".repeat(4000) + "y", "-".repeat(41), "-".repeat(40),
  "\n".repeat(500) + "approve", "\t".repeat(60), "a".repeat(5000), "\\".repeat(50), "⟨".repeat(64), " \t".repeat(20) + "x",
  "x\u0301\u0302\u0303\u0304", "e\u0301", "Z\u0335\u0321\u0322\u0327\u0328\u0317", "\u0301".repeat(80), "\u0301alone",
  "\\u{202e}", "\\n", "⏎", "⏎\n", "⟨5 blanks⟩", "⟨41 × x⟩", "\\\\u{41}", "\\u{202e}\u202e\\u{202e}", "×⟩⟨",
  "раураl.com", "gооgle", "Αpple", "Ꭺpple", "аррrove", "microsоft",
  "abc אבג 123 דהו", "שלום \u202eabc", "مرحبا 1+2=3", "אָלֶף", "file (אבג).txt", "a\u05d0b", "١٢٣",
  "![x](https://evil.example/p.png)", "<img src=x onerror=alert(1)>", "<script>alert(1)</script>", "javascript:alert(1)",
  "<style>*{display:none}</style>", "<a href='//evil.example'>ok</a>", "&lt;b&gt;&amp;", "&#x202e;", "{{7*7}}", "${7*7}", "<!-- x -->",
  "<img src=//evil.example/p.png>", "<iframe srcdoc='<script>parent.alert(1)</script>'></iframe>", "<base href=//evil.example/>",
  "<link rel=stylesheet href=//evil.example/x.css>", "<details open ontoggle=alert(1)>x</details>", "<input autofocus onfocus=alert(1)>",
  "<video><source onerror=alert(1)></video>", "<form action=//evil.example><button>Approve once</button></form>", "<svg><animate onbegin=alert(1) attributeName=x dur=1s>",
  "<a ping=//evil.example href=x>x</a>", "<object data=//evil.example/o></object>", "<math><mtext></form><form><mglyph><style></math><img src onerror=alert(1)>",
  "]]>", "\"><svg/onload=alert(1)>", "'\"`", "data:text/html,<script>1</script>", "url(https://evil.example)", "@import 'x'",
  "https://evil.example/%2e%2e", "//evil.example/x.js", "\ud83d", "\ude00\ud83d", "a\ud800b\udfffc", "__proto__", "constructor",
  "=cmd|' /C calc'!A0", "%00", "\u0000\u0000", "\ufeffBOM first", "last BOM\ufeff", "\u3164\u3164", "\u2800\u2800", "\u115f\u1160",
  "1234567890123456789012345678901234567890".repeat(300), "ﷺ", "ﬁle", "ⓐⓟⓟⓡⓞⓥⓔ", "𝐚𝐩𝐩𝐫𝐨𝐯𝐞", "ａｐｐｒｏｖｅ", "​​", "A͏B", "Ａ\u3000Ｂ",
];

/** More than three hundred texts: the attacks, and each invisible character inside of one and several in a row. */
export const HOSTILE: readonly string[] = [
  ...attacks,
  ...INVISIBLE,
  ...INVISIBLE.map((char) => `pay${char}pal`),
  ...INVISIBLE.map((char) => `${char.repeat(50)}end`),
];
