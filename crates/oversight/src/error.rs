//! Errors of what people look at and set up.

use model::Disposition;
use pipeline::read;
use platform::{db, seal};
use receipt::passkey::AssertionError;

/// Why something cannot be shown or set.
#[derive(Debug, thiserror::Error)]
pub enum Error {
    /// The session is over.
    #[error("the session has ended")]
    SessionOver,
    /// It does not exist in this org.
    #[error("{0} not found")]
    NotFound(&'static str),
    /// A person who has a passkey must sign a further one with it.
    #[error("you already have a passkey; sign the new one with it")]
    PasskeyUnconfirmed,
    /// The browser's passkey is not what was asked for.
    #[error("{} ({})", .0, .0.code())]
    Assertion(#[from] AssertionError),
    /// A second owner must agree to a change, not the person who proposed it.
    #[error("you proposed this change; another owner must answer")]
    OwnProposal,
    /// Only the person who proposed a change withdraws it.
    #[error("only the person who proposed this change can withdraw it")]
    NotOwnProposal,
    /// The proposed change was answered before; with how.
    #[error("this change no longer waits: it is {0}")]
    ProposalAnswered(&'static str),
    /// Too many changes wait.
    #[error("{0} changes already wait for a second owner; answer or withdraw some of them")]
    TooManyProposed(usize),
    /// The digest is of something else than what would be changed.
    #[error("this is not what was shown; read the proposed change again")]
    ProposalChanged,
    /// The task that worked on it ended without a result.
    #[error("the work was interrupted")]
    Interrupted,
    /// A catalog could not be serialized.
    #[error("writing a catalog")]
    Unwritable(#[source] serde_json::Error),
    #[error(transparent)]
    Pipeline(#[from] read::Error),
    #[error(transparent)]
    Connector(#[from] catalog::connector::Error),
    #[error(transparent)]
    Tenancy(#[from] tenancy::Error),
    #[error(transparent)]
    Policy(#[from] policy::Error),
    #[error(transparent)]
    Events(#[from] events::Error),
    #[error(transparent)]
    Database(#[from] db::Error),
    #[error(transparent)]
    Seal(#[from] seal::Error),
}

impl Error {
    /// A stable name for people and programs.
    pub const fn code(&self) -> &'static str {
        match self {
            Self::SessionOver => "session_over",
            Self::NotFound(_) => "not_found",
            Self::PasskeyUnconfirmed => "passkey_confirm",
            Self::Assertion(_) => "assertion_refused",
            Self::OwnProposal | Self::NotOwnProposal => "own_proposal",
            Self::ProposalAnswered(_) => "proposal_answered",
            Self::ProposalChanged => "subject_changed",
            Self::TooManyProposed(_) => "too_many_pending",
            Self::Database(db::Error::SecondPerson) => "second_person_needed",
            Self::Interrupted | Self::Unwritable(_) | Self::Seal(_) => "internal",
            Self::Pipeline(error) => error.code(),
            Self::Connector(error) => error.code(),
            Self::Tenancy(error) => error.code(),
            Self::Policy(error) => error.code(),
            Self::Events(error) => error.code(),
            Self::Database(_) => "storage_unavailable",
        }
    }

    /// What may be done about it.
    pub fn disposition(&self) -> Disposition {
        match self {
            Self::SessionOver => Disposition::Unauthenticated,
            Self::NotFound(_) => Disposition::NotFound,
            Self::PasskeyUnconfirmed | Self::Assertion(_) => Disposition::Denied,
            Self::OwnProposal | Self::NotOwnProposal => Disposition::Denied,
            Self::TooManyProposed(_) => Disposition::Busy,
            Self::ProposalAnswered(_) | Self::ProposalChanged | Self::Database(db::Error::SecondPerson) => {
                Disposition::Conflict
            }
            Self::Database(error) | Self::Seal(seal::Error::Database(error)) if error.is_transient() => {
                Disposition::Retry
            }
            Self::Interrupted | Self::Unwritable(_) | Self::Seal(_) | Self::Database(_) => Disposition::Bug,
            Self::Pipeline(error) => error.disposition(),
            Self::Connector(error) => error.disposition(),
            Self::Tenancy(error) => error.disposition(),
            Self::Policy(error) => error.disposition(),
            Self::Events(error) => error.disposition(),
        }
    }
}
