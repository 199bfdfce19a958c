//! Making what came from outside fit to be read, in a terminal or a message: what would move the cursor, change colours,
//! reorder or hide text is shown as an escape and never obeyed.
//!
//! A source's description, an agent's name or an error message is written by somebody who is not the reader. A
//! terminal would let it erase the line above, put a link under another text or turn `deny` around.

/// The text with every character that is not simply visible written as `\u{202e}`. Line feeds and tabs stay:
/// neither can hide anything that stands elsewhere.
pub fn visible(text: &str) -> String {
    escape(text, |c| c == '\n' || c == '\t', |c, out| out.extend(c.escape_unicode()))
}

/// As [`visible`], in one line: for a cell of a table or the rest of a sentence, where a line feed would let the
/// text pretend to be the next row.
pub fn inline(text: &str) -> String {
    escape(
        text,
        |_| false,
        |c, out| match c {
            '\n' | '\t' | '\r' => out.extend(c.escape_default()),
            _ => out.extend(c.escape_unicode()),
        },
    )
}

/// A JSON text that means the same and is fit for a terminal. In valid JSON such characters stand inside of
/// strings, where JSON's own escapes say the same; a carriage return between tokens is only space.
pub fn visible_json(text: &str) -> String {
    escape(
        text,
        |c| c == '\n' || c == '\t',
        |c, out| match c {
            '\r' => out.push(' '),
            _ => {
                let mut units = [0; 2];
                for unit in c.encode_utf16(&mut units) {
                    out.push_str(&format!("\\u{unit:04x}"));
                }
            }
        },
    )
}

fn escape(text: &str, keep: impl Fn(char) -> bool, write: impl Fn(char, &mut String)) -> String {
    let mut out = String::with_capacity(text.len());
    for c in text.chars() {
        if is_hidden(c) && !keep(c) {
            write(c, &mut out);
        } else {
            out.push(c);
        }
    }
    out
}

/// Controls, formats, and what Unicode lets a renderer ignore. Joiners inside of emoji and selectors of variants
/// are among them: they can carry whole messages that only a model reads.
pub fn is_hidden(c: char) -> bool {
    c.is_control()
        || matches!(u32::from(c),
            0x00ad
            | 0x034f
            | 0x0600..=0x0605
            | 0x061c
            | 0x06dd
            | 0x070f
            | 0x0890..=0x0891
            | 0x08e2
            | 0x115f..=0x1160
            | 0x17b4..=0x17b5
            | 0x180b..=0x180f
            | 0x200b..=0x200f
            | 0x2028..=0x202e
            | 0x2060..=0x206f
            | 0x2800
            | 0x3164
            | 0xfe00..=0xfe0f
            | 0xfeff
            | 0xffa0
            | 0xfff0..=0xfffb
            | 0x110bd
            | 0x110cd
            | 0x13430..=0x1343f
            | 0x1bca0..=0x1bca3
            | 0x1d173..=0x1d17a
            | 0xe0000..=0xe0fff)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nothing_a_terminal_obeys_survives() {
        for (text, expected) in [
            ("plain, größe 😀 中文", "plain, größe 😀 中文"),
            ("\u{1b}[31mred\u{1b}[0m", "\\u{1b}[31mred\\u{1b}[0m"),
            ("\u{1b}[2J\u{1b}[1;1H", "\\u{1b}[2J\\u{1b}[1;1H"),
            // OSC 8: a link whose text is not its target.
            (
                "\u{1b}]8;;https://evil.example\u{1b}\\ok\u{1b}]8;;\u{7}",
                "\\u{1b}]8;;https://evil.example\\u{1b}\\ok\\u{1b}]8;;\\u{7}",
            ),
            // The same introducers as one character of the C1 range.
            ("\u{9b}31m\u{9d}0;title\u{9c}", "\\u{9b}31m\\u{9d}0;title\\u{9c}"),
            ("deny\u{202e}wolla", "deny\\u{202e}wolla"),
            ("\u{2066}a\u{2069}\u{61c}", "\\u{2066}a\\u{2069}\\u{61c}"),
            ("pay\u{200b}pal\u{feff}\u{200d}\u{ad}", "pay\\u{200b}pal\\u{feff}\\u{200d}\\u{ad}"),
            // Tags and selectors: invisible to people, read by models.
            ("a\u{e0049}\u{e0101}\u{fe0f}", "a\\u{e0049}\\u{e0101}\\u{fe0f}"),
            ("over\rwritten\u{8}\u{7f}\0", "over\\u{d}written\\u{8}\\u{7f}\\u{0}"),
            ("one\u{2028}two\u{85}", "one\\u{2028}two\\u{85}"),
            ("two\nlines\tand a tab", "two\nlines\tand a tab"),
        ] {
            assert_eq!(visible(text), expected);
        }
    }

    #[test]
    fn a_cell_cannot_pretend_to_be_the_next_row() {
        assert_eq!(
            inline("allow\nlinear.delete  allow\r\t\u{1b}"),
            "allow\\nlinear.delete  allow\\r\\t\\u{1b}"
        );
    }

    #[test]
    fn json_for_a_terminal_is_the_same_document() {
        let text = "{\"a\":\r\n\"\u{202e}x\u{e0049}\u{7f}\u{9b}\"}";
        let shown = visible_json(text);
        assert_eq!(shown, "{\"a\": \n\"\\u202ex\\udb40\\udc49\\u007f\\u009b\"}");
        let value = |text: &str| serde_json::from_str::<serde_json::Value>(text).unwrap();
        assert_eq!(value(&shown), value(text));
    }
}
