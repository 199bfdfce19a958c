//! Why a command did not do what it was asked, and how that is told on stderr.

use std::{fmt::Write as _, io, path::PathBuf};

use api::Problem;

use crate::{exit::Exit, visible::inline};

/// Why a command failed.
#[derive(Debug, thiserror::Error)]
pub(crate) enum Error {
    /// The gateway said no, and why.
    #[error("the gateway answered with a problem")]
    Problem {
        problem: Box<Problem>,
        /// The answer as it came, for `--json`.
        text: String,
    },
    /// As [`Self::Problem`], but the gateway broke while an action may have been under way.
    #[error("the gateway broke while the action may have been under way")]
    Doubtful { problem: Box<Problem>, text: String, look: &'static str },
    /// The gateway, or something in front of it, answered with something that is not its language.
    #[error("the gateway answered {status} with something this command does not understand")]
    Strange { status: u16, detail: String },
    /// No connection, so nothing was asked.
    #[error("cannot reach the gateway at {url}")]
    Unreachable {
        url: String,
        #[source]
        source: reqwest::Error,
    },
    /// The connection was lost after the request may have arrived.
    #[error("the connection to the gateway was lost")]
    Lost(#[source] reqwest::Error),
    /// As [`Self::Lost`] or [`Self::Strange`], for a request that may have had an effect.
    #[error("nobody can tell from here whether it happened")]
    Unknown {
        why: String,
        /// Where to look before it is repeated.
        look: &'static str,
    },
    /// There is no such thing, although nobody but this command looked.
    #[error("{0}")]
    Absent(String),
    /// What the person typed cannot be used.
    #[error("{0}")]
    Usage(String),
    /// A file cannot be read or written.
    #[error("cannot {verb} {}", path.display())]
    File {
        verb: &'static str,
        path: PathBuf,
        #[source]
        source: io::Error,
    },
    /// stdin, stdout or stderr broke.
    #[error("cannot read from or write to the terminal or pipe")]
    Pipe(#[from] io::Error),
    /// The process cannot make a client.
    #[error("cannot set up the HTTP client")]
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
            Self::Strange { status: 500.., .. } => Exit::Unreachable,
            Self::Unknown { .. } | Self::Doubtful { .. } => Exit::Unknown,
            Self::Absent(_) => Exit::NotFound,
            Self::Usage(_) | Self::File { .. } => Exit::Usage,
            Self::Strange { .. } | Self::Pipe(_) | Self::Setup(_) => Exit::Failed,
        }
    }

    /// The same failure, of a request that may have had an effect. Only a failure to connect, or an answer of the
    /// gateway that says so, proves that nothing happened.
    pub(crate) fn in_doubt(self, look: &'static str) -> Self {
        match self {
            Self::Lost(_) => Self::Unknown { why: chain(&self), look },
            Self::Strange { status: 200..=299 | 500.., ref detail } => {
                Self::Unknown { why: format!("{self}: {detail}"), look }
            }
            Self::Problem { problem, text } if problem.status == 500 => {
                Self::Doubtful { problem, text, look }
            }
            other => other,
        }
    }

    /// The gateway's own answer, where there was one.
    pub(crate) fn answer(&self) -> Option<&str> {
        match self {
            Self::Problem { text, .. } | Self::Doubtful { text, .. } => Some(text),
            _ => None,
        }
    }

    /// What to print: what happened, what to do, where it is wrong, what was recorded.
    pub(crate) fn explain(&self) -> String {
        match self {
            Self::Problem { problem, .. } => explain_problem(problem),
            Self::Doubtful { problem, look, .. } => format!("{}{look}", explain_problem(problem)),
            Self::Unknown { why, look } => format!("error: {self}: {}\n{look}", inline(why)),
            Self::Strange { detail, .. } => format!("error: {self}: {}\n", inline(detail)),
            Self::Unreachable { .. } => {
                format!("error: {}\nhint:  is it running there? Set --url or COUNTERSIGN_URL\n", chain(self))
            }
            _ => format!("error: {}\n", chain(self)),
        }
    }
}

/// The error with its causes; each layer says only what it was doing.
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
    // In one line each: a detail must not be able to write a hint of its own.
    let mut text = format!("error: {}", inline(&problem.title));
    if !problem.detail.is_empty() {
        let _ = write!(text, ": {}", inline(&problem.detail));
    }
    let _ = writeln!(text, " ({}, {})", inline(&problem.code), problem.status);
    for error in &problem.errors {
        // The empty pointer is the whole document; an empty place would look like a mistake of ours.
        let place = if error.pointer.is_empty() { "the whole".to_owned() } else { inline(&error.pointer) };
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
    fn a_problem_says_what_where_and_what_next() {
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
             required\n  at the whole: has too many fields\n  invocation: inv_1\n  receipt: rcp_1\nhint:  read \
             the guide\n"
        );
    }
}
