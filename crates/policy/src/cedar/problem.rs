//! Problems of a policy, with their places in its text.

use miette::Diagnostic;

/// A problem of a policy.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Problem {
    pub severity: Severity,
    pub message: String,
    /// What to write instead.
    pub help: Option<String>,
    pub place: Option<Place>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Severity {
    Error,
    Warning,
}

/// A place in a text. Lines and columns begin with 1; columns and lengths count UTF-16 units, as editors do.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Place {
    pub line: usize,
    pub column: usize,
    pub length: usize,
}

impl Problem {
    pub(super) fn error(message: impl Into<String>) -> Self {
        Self { severity: Severity::Error, message: message.into(), help: None, place: None }
    }

    /// Of a diagnostic of Cedar.
    pub(super) fn of(text: &str, found: &dyn Diagnostic, severity: Severity) -> Self {
        let label = found.labels().and_then(|mut labels| labels.next());
        // A label says more about its place than the message does: `expected integer literal`.
        let detail = label.as_ref().and_then(|label| label.label()).filter(|detail| !detail.is_empty());
        let message = match detail {
            Some(detail) => format!("{found}: {detail}"),
            None => found.to_string(),
        };
        Self {
            severity,
            message,
            help: found.help().map(|help| help.to_string()),
            place: label.map(|label| Place::of(text, label.offset(), label.len())),
        }
    }
}

impl Place {
    /// The same place in a longer text, of which the one it is in begins at an offset.
    #[must_use]
    pub fn after(self, text: &str, start: usize) -> Self {
        let start = Self::of(text, start, 0);
        let column = if self.line == 1 { start.column + self.column - 1 } else { self.column };
        Self { line: start.line + self.line - 1, column, ..self }
    }

    /// Of an offset and a length in bytes.
    pub(super) fn of(text: &str, at: usize, length: usize) -> Self {
        let units = |text: &str| text.chars().map(char::len_utf16).sum::<usize>();
        let before = text.get(..at).unwrap_or(text);
        let line_start = before.rfind('\n').map_or(0, |end| end + 1);
        Self {
            line: before.matches('\n').count() + 1,
            column: units(before.get(line_start..).unwrap_or_default()) + 1,
            length: units(text.get(at..at.saturating_add(length)).unwrap_or_default()),
        }
    }
}
