//! Errors of automations.

use catalog::FieldError;
use model::Disposition;
use platform::{db, seal};

use crate::Problem;

/// An error in saving, starting or running an automation.
#[derive(Debug, thiserror::Error)]
pub enum Error {
    /// It does not exist in this org.
    #[error("{0} not found")]
    NotFound(&'static str),
    /// The definition is invalid.
    #[error("the definition is invalid")]
    Definition(Vec<Problem>),
    /// The inputs of a run do not match the schema.
    #[error("the inputs do not match the schema of the automation")]
    Inputs(Vec<FieldError>),
    #[error("an automation with this name already exists")]
    NameTaken,
    /// Another version was saved meanwhile.
    #[error("version {0} was saved meanwhile; read it and try again")]
    Changed(i32),
    /// A paused automation is started only by a person.
    #[error("the automation is paused")]
    Paused,
    /// Nothing starts an archived automation.
    #[error("the automation is archived")]
    Archived,
    /// The user who saved the version is no longer a member.
    #[error(
        "the person who saved this version is no longer a member; have a member save the automation again"
    )]
    NobodyAnswers,
    /// The idempotency key was used before, with other data.
    #[error("the idempotency key was used for another request")]
    KeyReused,
    /// Too many runs of the automation are queued.
    #[error("{0} runs of this automation are already queued")]
    TooManyQueued(i64),
    /// The run has already ended.
    #[error("the run has already ended")]
    Over,
    /// Only a run that ended without success can be rerun.
    #[error("only a run that did not succeed can be repeated")]
    NothingToRerun,
    /// The request has no valid token or signature for this trigger.
    #[error("no valid token for this trigger")]
    Unauthenticated,
    /// The body of a webhook request is not JSON, or is too large.
    #[error("{0}")]
    Malformed(String),
    /// There is no model that could be asked for a definition.
    #[error("{0}")]
    NoModel(&'static str),
    #[error(transparent)]
    Tenancy(#[from] tenancy::Error),
    #[error(transparent)]
    Pipeline(#[from] pipeline::Error),
    #[error(transparent)]
    Oversight(#[from] oversight::Error),
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
            Self::NotFound(_) => "not_found",
            Self::Definition(_) => "invalid_definition",
            Self::Inputs(_) => "invalid_inputs",
            Self::NameTaken => "already_exists",
            Self::Changed(_) => "version_changed",
            Self::Paused => "paused",
            Self::Archived => "archived",
            Self::NobodyAnswers => "nobody_answers_for_it",
            Self::KeyReused => "idempotency_key_reused",
            Self::TooManyQueued(_) => "too_many_queued",
            Self::Over => "run_over",
            Self::NothingToRerun => "nothing_to_rerun",
            Self::Unauthenticated => "unauthenticated",
            Self::Malformed(_) => "malformed_request",
            Self::NoModel(_) => "no_model",
            Self::Tenancy(error) => error.code(),
            Self::Pipeline(error) => error.code(),
            Self::Oversight(error) => error.code(),
            Self::Events(error) => error.code(),
            Self::Database(_) => "storage_unavailable",
            Self::Seal(_) => "internal",
        }
    }

    /// What the caller may do about the error.
    pub fn disposition(&self) -> Disposition {
        match self {
            Self::NotFound(_) => Disposition::NotFound,
            Self::Definition(_) | Self::Inputs(_) | Self::KeyReused | Self::Malformed(_) => {
                Disposition::Invalid
            }
            Self::NoModel(_)
            | Self::NameTaken
            | Self::Changed(_)
            | Self::Paused
            | Self::Archived
            | Self::NobodyAnswers
            | Self::Over
            | Self::NothingToRerun => Disposition::Conflict,
            Self::TooManyQueued(_) => Disposition::Busy,
            Self::Unauthenticated => Disposition::Unauthenticated,
            Self::Tenancy(error) => error.disposition(),
            Self::Pipeline(error) => error.disposition(),
            Self::Oversight(error) => error.disposition(),
            Self::Events(error) => error.disposition(),
            Self::Database(error) | Self::Seal(seal::Error::Database(error)) if error.is_transient() => {
                Disposition::Retry
            }
            Self::Database(_) | Self::Seal(_) => Disposition::Bug,
        }
    }
}
