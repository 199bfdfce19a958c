//! Activity: every invocation of an org, looked through from the newest back.

use jiff::Timestamp;
use model::{
    ActionAddress, Failure, InvocationId, Mode, ModeSource, OrgId, ReceiptId, Risk, SessionId, SpaceId,
    Status,
};
use platform::period::{least_uuid, moment};
use tenancy::SessionRun;
use uuid::Uuid;

use crate::{Error, FailedTry, Pipeline, store};

/// How many invocations one page looks at.
const WINDOW: i64 = 5_000;

/// Which invocations; what is absent or empty does not restrict.
#[derive(Debug, Clone, Default)]
pub struct ActivityFilter {
    pub session: Option<SessionId>,
    pub space: Option<SpaceId>,
    pub source: Option<String>,
    pub action: Option<String>,
    pub status: Vec<Status>,
    pub risk: Vec<Risk>,
    /// Stands in the id, the address, the agent's name, the redacted parameters or the error, in any case.
    pub text: Option<String>,
    pub since: Option<Timestamp>,
    pub until: Option<Timestamp>,
}

impl ActivityFilter {
    /// The ids it leaves: from the first to before the second. One that is named whole is that one alone.
    fn ids(&self, before: Option<InvocationId>) -> (Uuid, Uuid) {
        let named = self.text.as_deref().and_then(|text| text.parse::<InvocationId>().ok());
        let (least, most) = named.map_or((Uuid::nil(), Uuid::max()), |named| {
            (named.uuid(), Uuid::from_u128(named.uuid().as_u128().saturating_add(1)))
        });
        let first = self.since.map_or(least, |since| least_uuid(since).max(least));
        let end = self.until.map_or(most, |until| least_uuid(until).min(most));
        (first, before.map_or(end, |before| end.min(before.uuid())))
    }
}

/// An invocation in a list.
#[derive(Debug, Clone)]
pub struct Activity {
    pub id: InvocationId,
    pub session: SessionId,
    /// The slug of the space of its session.
    pub space: String,
    pub run: Option<SessionRun>,
    pub agent: String,
    pub address: ActionAddress,
    pub risk: Risk,
    pub status: Status,
    pub mode: Mode,
    pub mode_source: ModeSource,
    pub dry_run: bool,
    pub attempts: i32,
    /// The redacted parameters as JSON in one line, cut.
    pub params_line: String,
    pub failure: Option<Failure>,
    pub receipt: Option<ReceiptId>,
    pub requested_at: Timestamp,
    pub started_at: Option<Timestamp>,
    pub finished_at: Option<Timestamp>,
}

/// A page of a search.
#[derive(Debug)]
pub struct Looked {
    pub items: Vec<Activity>,
    /// Where the next page begins, if there may be more.
    pub next: Option<InvocationId>,
    /// How far back it looked, where it stopped before the page was full.
    pub until: Option<Timestamp>,
}

impl Pipeline {
    /// Invocations of the org, newest first. It looks at no more than a window of them, so that a search for what is
    /// rare costs no more than any other: the page then is short, and says where the next one begins.
    pub async fn activity(
        &self,
        org: OrgId,
        filter: &ActivityFilter,
        before: Option<InvocationId>,
        limit: i64,
    ) -> Result<Looked, Error> {
        let ids = filter.ids(before);
        let mut tx = self.parts.db.begin(org).await?;
        let items = store::search(&mut tx, org, filter, (ids, WINDOW, limit)).await?;
        if i64::try_from(items.len()).is_ok_and(|length| length >= limit) {
            let next = items.last().map(|last| last.id);
            return Ok(Looked { items, next, until: None });
        }
        let edge = store::edge(&mut tx, (org, filter.session), (ids, WINDOW)).await?;
        Ok(Looked { items, next: edge, until: edge.map(|edge| moment(edge.uuid())) })
    }

    /// The tries of an invocation that failed, in order.
    pub async fn attempts(&self, org: OrgId, id: InvocationId) -> Result<Vec<FailedTry>, Error> {
        let mut tx = self.parts.db.begin(org).await?;
        store::find(&mut tx, org, id).await?.ok_or(Error::NotFound("invocation"))?;
        Ok(store::tries(&mut tx, org, id).await?)
    }
}
