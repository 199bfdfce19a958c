//! The errors of commands, and how they are printed to stderr.

use std::{fmt::Write as _, io, path::PathBuf};

use api::Problem;

use crate::{exit::Exit, visible::inline};

#[derive(Debug, thiserror::Error)]
pub(crate) enum Error {
    /// The gateway answered with a problem document.
    #[error("the gateway refused the request")]
    Problem {
        problem: Box<Problem>,
        /// The response as received, for `--json`.
        text: String,
    },
    /// As [`Self::Problem`], but the gateway failed while an action may have been executing.
    #[error("the gateway failed while the action may have been executing")]
    Doubtful { problem: Box<Problem>, text: String, look: &'static str },
    /// The response, possibly of a proxy, is not what the gateway sends.
    #[error("invalid response from the gateway (HTTP {status})")]
    InvalidResponse { status: u16, detail: String },
    /// No connection, so nothing was sent.
    #[error("cannot reach the gateway at {url}")]
    Unreachable {
        url: String,
        #[source]
        source: reqwest::Error,
    },
    /// Nothing was changed yet.
    #[error("a second owner must agree: this waits as {id}")]
    Proposed { id: String },
    /// The connection was lost after the request may have arrived.
    #[error("connection to the gateway lost")]
    Lost(#[source] reqwest::Error),
    /// As [`Self::Lost`] or [`Self::InvalidResponse`], for a request that may have had an effect.
    #[error("outcome unknown: the request may have been executed")]
    Unknown {
        why: String,
        /// What to check before repeating it.
        look: &'static str,
    },
    /// Not found, according to this command rather than to the gateway.
    #[error("{0}")]
    Absent(String),
    /// Invalid arguments or input.
    #[error("{0}")]
    Usage(String),
    #[error("cannot {verb} {}", path.display())]
    File {
        verb: &'static str,
        path: PathBuf,
        #[source]
        source: io::Error,
    },
    /// stdin, stdout or stderr failed.
    #[error("reading from or writing to the terminal or pipe failed")]
    Pipe(#[from] io::Error),
    #[error("setting up the HTTP client failed")]
    Setup(#[source] reqwest::Error),
}

impl Error {
    pub(crate) fn usage(text: impl Into<String>) -> Self {
        Self::Usage(text.into())
    }

    pub(crate) fn exit(&self) -> Exit {
        match self {
            Self::Problem { problem, .. } => Exit::of_problem(problem),
            Self::Unreachable { .. } | Self::Lost(_) => Exit::Unreachable,
            Self::InvalidResponse { status: 500.., .. } => Exit::Unreachable,
            Self::Unknown { .. } | Self::Doubtful { .. } => Exit::Unknown,
            Self::Proposed { .. } => Exit::Pending,
            Self::Absent(_) => Exit::NotFound,
            Self::Usage(_) | Self::File { .. } => Exit::Usage,
            Self::InvalidResponse { .. } | Self::Pipe(_) | Self::Setup(_) => Exit::Failed,
        }
    }

    /// The same failure, of a request that may have had an effect. Only a failure to connect, or a response of the
    /// gateway that says so, proves that it had none.
    pub(crate) fn in_doubt(self, look: &'static str) -> Self {
        match self {
            Self::Lost(_) => Self::Unknown { why: chain(&self), look },
            Self::InvalidResponse { status: 200..=299 | 500.., ref detail } => {
                Self::Unknown { why: format!("{self}: {detail}"), look }
            }
            Self::Problem { problem, text } if problem.status == 500 => {
                Self::Doubtful { problem, text, look }
            }
            other => other,
        }
    }

    /// The response of the gateway, if there was one.
    pub(crate) fn answer(&self) -> Option<&str> {
        match self {
            Self::Problem { text, .. } | Self::Doubtful { text, .. } => Some(text),
            _ => None,
        }
    }

    /// The text to print: what happened, the invalid fields, what was recorded, what to do next.
    pub(crate) fn explain(&self) -> String {
        match self {
            Self::Problem { problem, .. } => explain_problem(problem),
            Self::Doubtful { problem, look, .. } => format!("{}{look}", explain_problem(problem)),
            Self::Unknown { why, look } => format!("error: {self}: {}\n{look}", inline(why)),
            Self::InvalidResponse { detail, .. } => format!("error: {self}: {}\n", inline(detail)),
            Self::Unreachable { .. } => {
                format!(
                    "error: {}\nhint:  check that the gateway is running, or set --url or COUNTERSIGN_URL\n",
                    chain(self)
                )
            }
            _ => format!("error: {}\n", chain(self)),
        }
    }
}

/// The error with its causes.
fn chain(error: &dyn std::error::Error) -> String {
    let mut text = error.to_string();
    let mut cause = error.source();
    while let Some(error) = cause {
        let _ = write!(text, ": {error}");
        cause = error.source();
    }
    inline(&text)
}

fn explain_problem(problem: &Problem) -> String {
    // One line each: a detail must not be able to imitate a hint.
    let mut text = format!("error: {}", inline(&problem.title));
    if !problem.detail.is_empty() {
        let _ = write!(text, ": {}", inline(&problem.detail));
    }
    let _ = writeln!(text, " ({}, {})", inline(&problem.code), problem.status);
    for error in &problem.errors {
        // The empty pointer means the whole document.
        let place = if error.pointer.is_empty() { "the document".to_owned() } else { inline(&error.pointer) };
        let _ = writeln!(text, "  at {place}: {}", inline(&error.message));
    }
    let facts =
        [("class", &problem.class), ("invocation", &problem.invocation), ("receipt", &problem.receipt)];
    for (name, fact) in facts {
        if let Some(fact) = fact {
            let _ = writeln!(text, "  {name}: {}", inline(fact));
        }
    }
    if !problem.hint.is_empty() {
        let _ = writeln!(text, "hint:  {}", inline(&problem.hint));
    }
    text
}

#[cfg(test)]
mod tests {
    use api::FieldProblem;

    use super::*;

    #[test]
    fn a_problem_says_what_happened_where_and_what_to_do() {
        let problem = Problem {
            title: "Invalid parameters".to_owned(),
            status: 422,
            detail: "two places are wrong\u{1b}[2J".to_owned(),
            code: "invalid_params".to_owned(),
            hint: "read the guide".to_owned(),
            errors: vec![
                FieldProblem { pointer: "/title".to_owned(), message: "is required".to_owned() },
                FieldProblem { pointer: String::new(), message: "has too many fields".to_owned() },
            ],
            invocation: Some("inv_1".to_owned()),
            receipt: Some("rcp_1".to_owned()),
            ..Problem::default()
        };
        let text = Error::Problem { problem: Box::new(problem), text: String::new() }.explain();
        assert_eq!(
            text,
            "error: Invalid parameters: two places are wrong\\u{1b}[2J (invalid_params, 422)\n  at /title: is \
             required\n  at the document: has too many fields\n  invocation: inv_1\n  receipt: rcp_1\nhint:  read \
             the guide\n"
        );
    }
}
