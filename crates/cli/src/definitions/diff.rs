//! Two texts line by line, as `diff -u` writes it.

use std::time::Duration;

use similar::{ChangeTag, TextDiff};

/// Lines of unchanged text around each change.
const CONTEXT: usize = 3;
/// After this time the comparison is finished coarsely: two long texts with nothing in common would take minutes.
const PATIENCE: Duration = Duration::from_secs(1);

const RED: &str = "\u{1b}[31m";
const GREEN: &str = "\u{1b}[32m";
const CYAN: &str = "\u{1b}[36m";
const PLAIN: &str = "\u{1b}[0m";

/// Two texts, each with its name.
pub(crate) struct Diff<'t> {
    pub(crate) old: (&'t str, &'t str),
    pub(crate) new: (&'t str, &'t str),
    pub(crate) colours: bool,
}

impl Diff<'_> {
    /// The changes with their context; empty if the texts are equal.
    pub(crate) fn unified(&self) -> String {
        let diff = TextDiff::configure().timeout(PATIENCE).diff_lines(self.old.1, self.new.1);
        let mut unified = diff.unified_diff();
        unified.context_radius(CONTEXT);
        let mut out = String::new();
        for hunk in unified.iter_hunks() {
            if out.is_empty() {
                out = format!("--- {}\n+++ {}\n", self.old.0, self.new.0);
            }
            out.push_str(&self.line(CYAN, "", &hunk.header().to_string()));
            for change in hunk.iter_changes() {
                let text = change.value().trim_end_matches('\n');
                out.push_str(&match change.tag() {
                    ChangeTag::Equal => format!(" {text}\n"),
                    ChangeTag::Delete => self.line(RED, "-", text),
                    ChangeTag::Insert => self.line(GREEN, "+", text),
                });
            }
        }
        out
    }

    fn line(&self, colour: &str, mark: &str, text: &str) -> String {
        if self.colours { format!("{colour}{mark}{text}{PLAIN}\n") } else { format!("{mark}{text}\n") }
    }
}

#[cfg(test)]
mod tests {
    use expect_test::{Expect, expect};

    use super::*;

    fn check(old: &str, new: &str, expected: &Expect) {
        let lines = |text: &str| text.split(' ').map(|word| format!("{word}\n")).collect::<String>();
        let (old, new) = (lines(old), lines(new));
        let diff = Diff { old: ("version 1", &old), new: ("a.json", &new), colours: false };
        expected.assert_eq(&diff.unified());
    }

    #[test]
    fn equal_texts_have_no_diff() {
        check("a b c", "a b c", &expect![[""]]);
    }

    #[test]
    fn changes_have_context() {
        check(
            "1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16",
            "1 2 3 4 5 six 7 8 9 10 11 12 13 14 15 16 17",
            &expect![[r#"
                --- version 1
                +++ a.json
                @@ -3,7 +3,7 @@
                 3
                 4
                 5
                -6
                +six
                 7
                 8
                 9
                @@ -14,3 +14,4 @@
                 14
                 15
                 16
                +17
            "#]],
        );
    }

    #[test]
    fn a_line_that_moved_is_deleted_and_added() {
        check(
            "a b c",
            "b c a",
            &expect![[r#"
                --- version 1
                +++ a.json
                @@ -1,3 +1,3 @@
                -a
                 b
                 c
                +a
            "#]],
        );
    }

    #[test]
    fn everything_is_new_compared_with_nothing() {
        let diff = Diff { old: ("nothing", ""), new: ("a.json", "a\nb\n"), colours: false };
        assert_eq!(diff.unified(), "--- nothing\n+++ a.json\n@@ -0,0 +1,2 @@\n+a\n+b\n");
    }

    #[test]
    fn colours_surround_whole_lines() {
        let diff = Diff { old: ("1", "a\n"), new: ("2", "b\n"), colours: true };
        let expected =
            "--- 1\n+++ 2\n\u{1b}[36m@@ -1 +1 @@\u{1b}[0m\n\u{1b}[31m-a\u{1b}[0m\n\u{1b}[32m+b\u{1b}[0m\n";
        assert_eq!(diff.unified(), expected);
    }

    #[test]
    fn long_texts_with_nothing_in_common_are_compared() {
        let text = |word: &str| (0..2_500).map(|n| format!("{word} {n}\n")).collect::<String>();
        let (old, new) = (text("old"), text("new"));
        let diff = Diff { old: ("1", &old), new: ("2", &new), colours: false }.unified();
        assert_eq!(diff.lines().count(), 3 + 5_000);
    }
}
