//! Untrusted text, made safe for a person who decides by it: nothing is hidden, nothing controls the terminal, and it is
//! never so long that important parts are out of sight.
//!
//! In addition to [`crate::visible`], padding is replaced by its length: a megabyte of blanks between two words would hide
//! one of them.

use ratatui::text::Span;

use crate::visible::is_hidden;

/// Longer repetitions are replaced by their length.
const LONGEST_RUN: usize = 40;
/// Combining marks per letter. No script uses more, and a stack of them covers the lines around it.
const MOST_MARKS: usize = 2;

/// A part of a text: original, or a replacement.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Piece {
    pub(crate) text: String,
    /// Whether this is a replacement: an escape, a count or a gap.
    pub(crate) ours: bool,
}

#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(crate) struct SafeText {
    pub(crate) pieces: Vec<Piece>,
    /// Invisible characters, shown as escapes.
    pub(crate) hidden: usize,
    /// Characters replaced by a count.
    pub(crate) padding: usize,
    /// Characters omitted because the text is too long.
    pub(crate) left_out: usize,
}

impl SafeText {
    /// A text of this program.
    pub(crate) fn own(text: impl Into<String>) -> Self {
        let text = text.into();
        let pieces = if text.is_empty() { Vec::new() } else { vec![Piece { text, ours: false }] };
        Self { pieces, ..Self::default() }
    }

    /// One line: a line feed becomes an escape.
    pub(crate) fn line(text: &str, cap: usize) -> Self {
        Self::of(text, cap, false)
    }

    /// Several lines; each line end is marked, so that no text can imitate a row.
    pub(crate) fn block(text: &str, cap: usize) -> Self {
        Self::of(text, cap, true)
    }

    fn of(text: &str, cap: usize, lines: bool) -> Self {
        let mut shown = Self::default();
        let mut chars = text.chars().peekable();
        let mut marks = 0;
        while let Some(c) = chars.next() {
            let mut count = 1;
            let like = |next: &char| *next == c || (c.is_whitespace() && next.is_whitespace());
            let mut run = String::from(c);
            while let Some(next) = chars.next_if(like) {
                count += 1;
                if count <= LONGEST_RUN {
                    run.push(next);
                }
            }
            marks = if is_mark(c) { marks + count } else { 0 };
            if count > LONGEST_RUN {
                shown.run(c, count);
            } else {
                run.chars().for_each(|c| shown.char(c, lines, marks > MOST_MARKS));
            }
        }
        shown.cut(cap);
        shown
    }

    fn push(&mut self, text: &str, ours: bool) {
        match self.pieces.last_mut().filter(|last| last.ours == ours) {
            Some(last) => last.text.push_str(text),
            None => self.pieces.push(Piece { text: text.to_owned(), ours }),
        }
    }

    fn char(&mut self, c: char, lines: bool, piled: bool) {
        match c {
            '\n' if lines => self.push("⏎\n", true),
            '\n' | '\t' | '\r' => self.push(&c.escape_default().to_string(), true),
            _ if is_hidden(c) || piled => {
                self.hidden += 1;
                self.push(&c.escape_unicode().to_string(), true);
            }
            _ => self.push(c.encode_utf8(&mut [0; 4]), false),
        }
    }

    fn run(&mut self, c: char, count: usize) {
        self.padding += count;
        if c.is_whitespace() {
            self.push(&format!("⟨{count} blanks⟩"), true);
        } else {
            self.char(c, false, is_mark(c));
            self.push(&format!("⟨{count} times⟩"), true);
        }
    }

    /// Keeps the beginning and the end: an appended part matters as much as the first one.
    fn cut(&mut self, cap: usize) {
        let length: usize = self.pieces.iter().map(|piece| piece.text.chars().count()).sum();
        if length <= cap {
            return;
        }
        let (head, tail) = (cap - cap / 3, cap / 3);
        self.left_out = length - head - tail;
        let mut place = 0;
        for piece in std::mem::take(&mut self.pieces) {
            for c in piece.text.chars() {
                if place == head {
                    self.push(&format!(" ⟨{} characters omitted⟩ ", self.left_out), true);
                }
                if place < head || place >= length - tail {
                    self.push(c.encode_utf8(&mut [0; 4]), piece.ours);
                }
                place += 1;
            }
        }
    }

    pub(crate) fn text(&self) -> String {
        self.pieces.iter().map(|piece| piece.text.as_str()).collect()
    }
}

/// Whether it is a combining mark, drawn over the character before it.
fn is_mark(c: char) -> bool {
    !c.is_ascii() && !is_hidden(c) && Span::raw(c.encode_utf8(&mut [0; 4]) as &str).width() == 0
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_cannot_be_seen_is_written_out_and_counted() {
        let shown = SafeText::line("pay\u{200b}pal \u{1b}[31m\u{202e}\u{e0041}", 100);
        assert_eq!(shown.text(), "pay\\u{200b}pal \\u{1b}[31m\\u{202e}\\u{e0041}");
        assert_eq!(shown.hidden, 4);
        let ours: String = shown.pieces.iter().filter(|piece| piece.ours).map(|p| p.text.as_str()).collect();
        assert_eq!(
            ours, "\\u{200b}\\u{1b}\\u{202e}\\u{e0041}",
            "what was typed as text is not marked as an escape"
        );
    }

    #[test]
    fn a_line_feed_cannot_pretend_to_be_a_row() {
        assert_eq!(SafeText::line("a\nb\tc\r", 100).text(), "a\\nb\\tc\\r");
        assert_eq!(SafeText::block("a\nb\tc", 100).text(), "a⏎\nb\\tc");
    }

    #[test]
    fn padding_is_told_by_its_size() {
        let text = format!("hello{}rm -rf /", " \n\u{3000}".repeat(400_000));
        let shown = SafeText::block(&text, 4_000);
        assert_eq!(shown.text(), "hello⟨1200000 blanks⟩rm -rf /");
        assert_eq!((shown.padding, shown.left_out), (1_200_000, 0));
        assert_eq!(SafeText::line(&"\u{200b}".repeat(50), 99).text(), "\\u{200b}⟨50 times⟩");
        assert_eq!(SafeText::line(&format!("a{}b", "-".repeat(41)), 99).text(), "a-⟨41 times⟩b");
    }

    #[test]
    fn a_pile_of_marks_is_written_out_and_a_letter_keeps_its_own() {
        assert_eq!(SafeText::line("e\u{301}", 99).text(), "e\u{301}");
        let piled = SafeText::line("x\u{301}\u{302}\u{303}\u{304}", 99);
        assert_eq!(piled.text(), "x\u{301}\u{302}\\u{303}\\u{304}");
    }

    #[test]
    fn what_is_too_long_keeps_its_beginning_and_its_end() {
        let text: String = (0..10_000).map(|i| if i % 2 == 0 { 'a' } else { 'b' }).collect();
        let shown = SafeText::line(&format!("BEGIN{text}END"), 90);
        assert!(shown.text().starts_with("BEGINab") && shown.text().ends_with("abEND"), "{}", shown.text());
        assert_eq!(shown.left_out, 10_008 - 90);
        assert!(shown.text().contains("⟨9918 characters omitted⟩"));
    }
}
