//! When a gateway is killed, what it was doing at that time, and how the invocation must end.

use serde_json::{Value, json};

/// The requested action.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Kind {
    /// `github.create_issue`: the target accepts no key and cannot be asked whether it happened.
    Once,
    /// `linear.create_issue`: the target can be asked whether it happened.
    Checkable,
    /// `notes.note`, a tool of a declared command in the sandbox: the same as `Once`.
    Command,
    /// `linear.list_issues`: no effect.
    Read,
    /// `batch.run`: one of each of the first two, in this order.
    Batch,
}

impl Kind {
    /// The kinds that are not composed of others.
    pub(crate) const ALL: [Self; 4] = [Self::Once, Self::Checkable, Self::Command, Self::Read];
    /// The parts of a batch.
    pub(crate) const PARTS: [Self; 2] = [Self::Once, Self::Checkable];

    pub(crate) const fn as_str(self) -> &'static str {
        match self {
            Self::Once => "once",
            Self::Checkable => "checkable",
            Self::Command => "command",
            Self::Read => "read",
            Self::Batch => "batch",
        }
    }

    pub(crate) const fn action(self) -> &'static str {
        match self {
            Self::Once => "github.create_issue",
            Self::Checkable => "linear.create_issue",
            Self::Command => "notes.note",
            Self::Read => "linear.list_issues",
            Self::Batch => "batch.run",
        }
    }

    /// The parameters; the title is the name by which the target counts effects.
    pub(crate) fn params(self, title: &str) -> Value {
        match self {
            Self::Once => json!({ "owner": "acme", "repo": "web", "title": title }),
            Self::Checkable => json!({ "team_id": "team-1", "title": title }),
            Self::Command => json!({ "text": title }),
            Self::Read => json!({ "title_contains": title }),
            Self::Batch => {
                let part = |(number, kind): (usize, Self)| json!({ "action": kind.action(), "params": kind.params(&part_title(title, number)) });
                json!({ "parts": Self::PARTS.into_iter().enumerate().map(part).collect::<Vec<_>>() })
            }
        }
    }
}

/// The name by which the target counts a part of a batch.
pub(crate) fn part_title(title: &str, number: usize) -> String {
    format!("{title}.{number}")
}

/// Where in the course of an invocation the gateway is killed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Window {
    /// A person's approval is committed, and the engine has not been notified.
    BeforeSubmission,
    BeforeRecord,
    BeforeSending,
    BeforeAnswer,
    BeforeCommit,
    BeforeTelling,
    InsideRollback,
    /// The first part of a batch is answered, and the second has not started.
    InsideBatch,
    /// Like [`Self::BeforeCommit`], and the gateway that recovers the invocation is killed there as well.
    AgainInRecovery,
}

/// The externally visible state of one invocation right after the kill.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Trace {
    /// The status of the record; `None` if there is no record.
    pub(crate) status: Option<String>,
    /// How many requests for it reached the target.
    pub(crate) sent: usize,
    /// How often the target performed it.
    pub(crate) effects: u64,
    /// Whether the object that the target created is archived.
    pub(crate) archived: bool,
}

impl Window {
    /// The windows for a gateway that performs the requested action itself.
    pub(crate) const ALL: [Self; 7] = [
        Self::BeforeRecord,
        Self::BeforeSending,
        Self::BeforeAnswer,
        Self::BeforeCommit,
        Self::BeforeTelling,
        Self::InsideRollback,
        Self::AgainInRecovery,
    ];

    pub(crate) const fn name(self) -> &'static str {
        match self {
            Self::BeforeSubmission => "0 approved, before the engine is told",
            Self::BeforeRecord => "1 before the record",
            Self::BeforeSending => "2 after it, before sending",
            Self::BeforeAnswer => "3 after sending, before the answer",
            Self::BeforeCommit => "4 after the answer, before the commit",
            Self::BeforeTelling => "5 after the commit, before telling",
            Self::InsideRollback => "6 inside a rollback",
            Self::InsideBatch => "7 inside a batch, after its first part",
            Self::AgainInRecovery => "+ as 4, and again while recovering it",
        }
    }

    /// The fault point at which the binary kills itself; `None` where the harness kills it from outside.
    pub(crate) const fn point(self) -> Option<&'static str> {
        match self {
            Self::BeforeSubmission => Some("before-submit"),
            Self::BeforeRecord => Some("before-claim"),
            Self::BeforeSending => Some("after-claim"),
            Self::BeforeAnswer => None,
            Self::BeforeCommit | Self::AgainInRecovery => Some("after-answer"),
            Self::BeforeTelling => Some("after-settle"),
            Self::InsideRollback => Some("inside-rollback"),
            Self::InsideBatch => Some("inside-batch"),
        }
    }

    /// The kinds that are used in the window, in turn.
    pub(crate) const fn kinds(self) -> &'static [Kind] {
        match self {
            Self::InsideRollback => &[Kind::Checkable],
            Self::InsideBatch => &[Kind::Batch],
            _ => &Kind::ALL,
        }
    }

    /// The state that must be visible right after the kill, if it hit this window and no other.
    pub(crate) fn trace(self, kind: Kind) -> Trace {
        let status = match self {
            Self::BeforeRecord => None,
            Self::BeforeTelling => Some("succeeded".to_owned()),
            _ => Some("executing".to_owned()),
        };
        let sent =
            usize::from(!matches!(self, Self::BeforeSubmission | Self::BeforeRecord | Self::BeforeSending));
        let effects = if kind == Kind::Read || sent == 0 { 0 } else { 1 };
        Trace { status, sent, effects, archived: self == Self::InsideRollback }
    }

    /// The same for an invocation that was approved: there is a record from the beginning.
    pub(crate) fn trace_of_approved(self, kind: Kind) -> Trace {
        let trace = self.trace(kind);
        match self {
            Self::BeforeSubmission | Self::BeforeRecord => {
                Trace { status: Some("approved".to_owned()), ..trace }
            }
            _ => trace,
        }
    }

    /// How it must end after recovery and a retry: the status, and how often the target performed it.
    pub(crate) const fn end(self, kind: Kind) -> (&'static str, u64) {
        match (self, kind) {
            (Self::InsideRollback, _) => ("reverted", 1),
            // Nobody can tell how far the batch got, so nothing of it is repeated, and nothing more of it is performed.
            (_, Kind::Batch) => ("unknown", 1),
            (_, Kind::Read) => ("succeeded", 0),
            // Nobody can tell whether it was sent, so it is neither repeated nor called a failure.
            (Self::BeforeSending, Kind::Once | Kind::Command) => ("unknown", 0),
            (Self::BeforeAnswer | Self::BeforeCommit | Self::AgainInRecovery, Kind::Once | Kind::Command) => {
                ("unknown", 1)
            }
            (_, Kind::Once | Kind::Checkable | Kind::Command) => ("succeeded", 1),
        }
    }
}
