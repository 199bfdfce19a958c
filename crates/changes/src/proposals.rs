//! Proposals: changes that loosen wait until a second owner agrees. The request that made one is kept, sealed, and made
//! again with the second owner's name.

use std::sync::{Arc, Mutex, PoisonError};

use jiff::Timestamp;
use model::{ApiTokenId, Digest, OrgId, ProposedChangeId, UserId};
use serde_json::{Value, json};

use crate::Draft;

/// A change that needs a second person, as it would be made.
#[derive(Debug, Clone)]
pub struct Proposal {
    pub change: String,
    pub subject: String,
    pub name: String,
    pub before: Option<Value>,
    pub after: Option<Value>,
    /// What it loosens, in words.
    pub loosens: String,
    /// Over the change as it would be made.
    pub digest: Digest,
}

/// What a request has to do with a second person.
#[derive(Debug, Clone, Default)]
pub struct Second {
    /// Where a change that needs one is put. Without it, such a change is refused.
    pub wanted: Option<Wanted>,
    /// The owner who agreed, and to what.
    pub agreed: Option<(UserId, Digest)>,
}

/// A place for the change that a request wants to make and cannot make alone.
#[derive(Debug, Clone, Default)]
pub struct Wanted(Arc<Mutex<Option<Proposal>>>);

impl Wanted {
    pub(crate) fn put(&self, proposal: Proposal) {
        *self.0.lock().unwrap_or_else(PoisonError::into_inner) = Some(proposal);
    }

    /// What was wanted, if anything.
    pub fn take(&self) -> Option<Proposal> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).take()
    }
}

/// Over everything that a second person agrees to. The ID of something new is another one each time.
pub(crate) fn digest(draft: &Draft) -> Option<Digest> {
    let subject = draft.before.as_ref().map(|_| &draft.subject);
    let Draft { kind, name, before, after, .. } = draft;
    let whole = json!({
        "change": kind.as_str(), "subject": subject, "name": name, "before": before, "after": after,
    });
    Digest::of_canonical(&whole).ok()
}

/// The state of a proposed change.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Status {
    Waiting,
    Approved,
    Denied,
    Withdrawn,
    Expired,
    /// A second owner agreed, and then it could not be made.
    Failed,
}

impl Status {
    /// The stored word.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Waiting => "waiting",
            Self::Approved => "approved",
            Self::Denied => "denied",
            Self::Withdrawn => "withdrawn",
            Self::Expired => "expired",
            Self::Failed => "failed",
        }
    }

    /// The status of a word.
    pub fn parse(text: &str) -> Option<Self> {
        let all = [Self::Waiting, Self::Approved, Self::Denied, Self::Withdrawn, Self::Expired, Self::Failed];
        all.into_iter().find(|known| known.as_str() == text)
    }
}

/// A request that waits for a second owner.
#[derive(Debug, Clone)]
pub struct NewProposed {
    pub org: OrgId,
    pub id: ProposedChangeId,
    pub proposal: Proposal,
    pub method: String,
    /// With its query.
    pub path: String,
    pub body_sealed: Vec<u8>,
    pub reason: Option<String>,
    pub address: Option<String>,
    pub proposed_by: UserId,
    pub token: ApiTokenId,
    pub proposed_at: Timestamp,
    pub expires_at: Timestamp,
}

/// A proposed change.
#[derive(Debug, Clone)]
pub struct Proposed {
    pub id: ProposedChangeId,
    pub proposal: Proposal,
    pub method: String,
    pub path: String,
    pub body_sealed: Vec<u8>,
    pub reason: Option<String>,
    pub address: Option<String>,
    pub proposed_by: UserId,
    pub token: ApiTokenId,
    pub proposed_at: Timestamp,
    pub expires_at: Timestamp,
    pub status: Status,
    pub answered_by: Option<UserId>,
    pub answered_at: Option<Timestamp>,
    /// The reason of the answer, or why it failed.
    pub note: Option<String>,
}

/// The answer to a proposed change.
#[derive(Debug, Clone)]
pub struct Answer {
    pub status: Status,
    pub by: UserId,
    pub at: Timestamp,
    pub note: Option<String>,
}
