//! The pace of approvals: how long people look at what they approve, by its length.

use jiff::Timestamp;
use model::{InvocationId, OrgId, UserId};
use platform::period::{self, Period};
use sqlx::PgConnection;

use crate::{
    Answer, Error,
    limits::pace::{CHARACTERS_PER_SECOND, ENOUGH, MEDIUM, SHORT},
    store,
};

/// How long a person had a document before they answered.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Reading {
    pub ms: i64,
    /// The length of what is particular to the request.
    pub characters: i32,
}

/// How long a document is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Length {
    Short,
    Medium,
    Long,
}

impl Length {
    /// The length as it is written.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Short => "short",
            Self::Medium => "medium",
            Self::Long => "long",
        }
    }

    pub(crate) const BOUNDS: [i32; 2] = [SHORT + 1, MEDIUM + 1];

    pub(crate) const fn of_class(class: i32) -> Self {
        match class {
            0 => Self::Short,
            1 => Self::Medium,
            _ => Self::Long,
        }
    }
}

/// The approvals of a person, of documents of one length.
#[derive(Debug, Clone, PartialEq)]
pub struct Pace {
    pub length: Length,
    pub answers: i64,
    /// The median time between opening the document and approving it.
    pub median_s: f64,
    /// The median length of these documents.
    pub characters: f64,
}

impl Pace {
    /// How long a quick reader needs for such a document.
    pub fn reading_s(&self) -> f64 {
        self.characters / CHARACTERS_PER_SECOND
    }

    /// Whether the person approves faster than they can have read, and not just once.
    pub fn is_too_fast(&self) -> bool {
        self.answers >= ENOUGH && self.median_s < self.reading_s()
    }
}

/// The pace of a person since a time, by the length of what they approved.
pub async fn pace(
    conn: &mut PgConnection,
    org: OrgId,
    user: UserId,
    since: Timestamp,
) -> Result<Vec<Pace>, Error> {
    Ok(store::approvals::pace(conn, org, user, period::least_uuid(since)).await?)
}

/// How many questions a person answered in a period.
#[derive(Debug, Clone, PartialEq)]
pub struct Answerer {
    pub user: UserId,
    pub answers: i64,
    /// The median time between opening a document and answering, where it is known.
    pub median_s: Option<f64>,
}

/// Who answered in a period, those with the most answers first.
pub async fn answerers(
    conn: &mut PgConnection,
    org: OrgId,
    period: Period,
    limit: i64,
) -> Result<Vec<Answerer>, Error> {
    Ok(store::approvals::answerers(conn, org, period.ids(), limit).await?)
}

/// The last answers of a period, newest first.
pub async fn recent_answers(
    conn: &mut PgConnection,
    org: OrgId,
    period: Period,
    limit: i64,
) -> Result<Vec<(InvocationId, Answer)>, Error> {
    Ok(store::approvals::recent(conn, org, period.ids(), limit).await?)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn too_fast_is_faster_than_a_quick_reader_and_more_than_once() {
        let pace = |answers, median_s| Pace { length: Length::Medium, answers, median_s, characters: 600.0 };
        assert!((pace(1, 0.0).reading_s() - 10.0).abs() < 1e-9);
        assert!(pace(5, 9.9).is_too_fast());
        assert!(!pace(5, 10.0).is_too_fast());
        assert!(!pace(4, 1.0).is_too_fast());
    }
}
