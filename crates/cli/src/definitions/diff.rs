//! Two texts line by line, as `diff -u` writes it.

/// How many lines that stayed are shown around those that did not.
const CONTEXT: usize = 3;
/// Comparing costs the product of both lengths. Beyond this the texts have little in common anyway, and what differs is
/// shown as one piece.
const MOST_CELLS: usize = 4_000_000;

const RED: &str = "\u{1b}[31m";
const GREEN: &str = "\u{1b}[32m";
const CYAN: &str = "\u{1b}[36m";
const PLAIN: &str = "\u{1b}[0m";

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Line<'t> {
    Same(&'t str),
    Minus(&'t str),
    Plus(&'t str),
}

/// Two texts and what they are called.
pub(crate) struct Diff<'t> {
    pub(crate) old: (&'t str, &'t str),
    pub(crate) new: (&'t str, &'t str),
    /// Whether a person with colours reads it.
    pub(crate) colours: bool,
}

impl Diff<'_> {
    /// The changes with their surroundings; empty where there are none.
    pub(crate) fn unified(&self) -> String {
        let old: Vec<&str> = self.old.1.lines().collect();
        let new: Vec<&str> = self.new.1.lines().collect();
        let lines = compare(&old, &new);
        let hunks = hunks(&lines);
        if hunks.is_empty() {
            return String::new();
        }
        let mut out = format!("--- {}\n+++ {}\n", self.old.0, self.new.0);
        for (from, to) in hunks {
            let before = lines.get(..from).unwrap_or_default();
            let inside = lines.get(from..to).unwrap_or_default();
            let head = format!("@@ -{} +{} @@", range(before, inside, true), range(before, inside, false));
            out.push_str(&self.line(CYAN, "", &head));
            for line in inside {
                out.push_str(&match line {
                    Line::Same(text) => format!(" {text}\n"),
                    Line::Minus(text) => self.line(RED, "-", text),
                    Line::Plus(text) => self.line(GREEN, "+", text),
                });
            }
        }
        out
    }

    fn line(&self, colour: &str, mark: &str, text: &str) -> String {
        if self.colours { format!("{colour}{mark}{text}{PLAIN}\n") } else { format!("{mark}{text}\n") }
    }
}

/// Where a hunk begins in one of the texts, and how long it is there.
fn range(before: &[Line<'_>], inside: &[Line<'_>], old: bool) -> String {
    let there = |line: &&Line<'_>| match line {
        Line::Same(_) => true,
        Line::Minus(_) => old,
        Line::Plus(_) => !old,
    };
    let length = inside.iter().filter(there).count();
    // A place in a text that has no line there is named by the line before it.
    let first = before.iter().filter(there).count() + usize::from(length > 0);
    format!("{first},{length}")
}

/// The parts of the lines that hold changes and their surroundings.
fn hunks(lines: &[Line<'_>]) -> Vec<(usize, usize)> {
    let mut hunks: Vec<(usize, usize)> = Vec::new();
    let changed = lines.iter().enumerate().filter(|(_, line)| !matches!(line, Line::Same(_)));
    for (index, _) in changed {
        let (from, to) = (index.saturating_sub(CONTEXT), (index + 1 + CONTEXT).min(lines.len()));
        match hunks.last_mut().filter(|last| last.1 >= from) {
            Some(last) => last.1 = to,
            None => hunks.push((from, to)),
        }
    }
    hunks
}

fn compare<'t>(old: &[&'t str], new: &[&'t str]) -> Vec<Line<'t>> {
    let head = old.iter().zip(new).take_while(|(old, new)| old == new).count();
    let (old_rest, new_rest) = (old.get(head..).unwrap_or_default(), new.get(head..).unwrap_or_default());
    let tail = old_rest.iter().rev().zip(new_rest.iter().rev()).take_while(|(old, new)| old == new).count();
    let (old_rest, same) = old_rest.split_at(old_rest.len() - tail);
    let (new_rest, _) = new_rest.split_at(new_rest.len() - tail);
    let mut lines: Vec<Line<'t>> = old.iter().take(head).map(|line| Line::Same(line)).collect();
    lines.extend(middle(old_rest, new_rest));
    lines.extend(same.iter().map(|line| Line::Same(line)));
    lines
}

/// The longest common subsequence: row by row from the end, so that it can be walked from the beginning.
fn middle<'t>(old: &[&'t str], new: &[&'t str]) -> Vec<Line<'t>> {
    let (rows, columns) = (old.len() + 1, new.len() + 1);
    if rows.saturating_mul(columns) > MOST_CELLS {
        let minus = old.iter().map(|line| Line::Minus(line));
        return minus.chain(new.iter().map(|line| Line::Plus(line))).collect();
    }
    let mut common = vec![0_u32; rows * columns];
    let at = |common: &[u32], i: usize, j: usize| common.get(i * columns + j).copied().unwrap_or_default();
    for (i, left) in old.iter().enumerate().rev() {
        for (j, right) in new.iter().enumerate().rev() {
            let best = if left == right {
                at(&common, i + 1, j + 1) + 1
            } else {
                at(&common, i + 1, j).max(at(&common, i, j + 1))
            };
            if let Some(cell) = common.get_mut(i * columns + j) {
                *cell = best;
            }
        }
    }
    let (mut i, mut j) = (0, 0);
    let mut lines = Vec::new();
    loop {
        match (old.get(i), new.get(j)) {
            (Some(left), Some(right)) if left == right => {
                lines.push(Line::Same(left));
                (i, j) = (i + 1, j + 1);
            }
            (Some(left), right) if right.is_none() || at(&common, i + 1, j) >= at(&common, i, j + 1) => {
                lines.push(Line::Minus(left));
                i += 1;
            }
            (_, Some(right)) => {
                lines.push(Line::Plus(right));
                j += 1;
            }
            (_, None) => return lines,
        }
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
    fn what_is_the_same_has_no_diff() {
        check("a b c", "a b c", &expect![[""]]);
    }

    #[test]
    fn changes_stand_among_what_stayed() {
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
    fn a_line_that_moved_is_taken_away_and_added() {
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
    fn everything_is_new_beside_nothing() {
        let diff = Diff { old: ("nothing", ""), new: ("a.json", "a\nb\n"), colours: false };
        assert_eq!(diff.unified(), "--- nothing\n+++ a.json\n@@ -0,0 +1,2 @@\n+a\n+b\n");
    }

    #[test]
    fn colours_stand_around_whole_lines_and_only_where_they_are_wanted() {
        let diff = Diff { old: ("1", "a\n"), new: ("2", "b\n"), colours: true };
        let expected = "--- 1\n+++ 2\n\u{1b}[36m@@ -1,1 +1,1 @@\u{1b}[0m\n\u{1b}[31m-a\u{1b}[0m\n\u{1b}[32m+b\u{1b}[0m\n";
        assert_eq!(diff.unified(), expected);
    }

    #[test]
    fn texts_too_long_to_compare_are_still_told_apart() {
        let text = |word: &str| (0..2_500).map(|n| format!("{word} {n}\n")).collect::<String>();
        let (old, new) = (text("old"), text("new"));
        let diff = Diff { old: ("1", &old), new: ("2", &new), colours: false }.unified();
        assert_eq!(diff.lines().count(), 3 + 5_000);
    }
}
