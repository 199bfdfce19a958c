//! Activity: every invocation of an org, searched from the newest back.

use jiff::Timestamp;
use model::{InvocationId, OrgId};
use pipeline::read::{self, Activity, ActivityFilter, FailedTry, Scan};
use platform::period::{least_uuid, moment};
use uuid::Uuid;

use crate::{error::Error, parts::Oversight};

/// How many invocations one page scans at most.
const WINDOW: i64 = 5_000;

/// A page of a search.
#[derive(Debug)]
pub struct ActivityPage {
    pub items: Vec<Activity>,
    /// Where the next page begins, if there may be more.
    pub next: Option<InvocationId>,
    /// How far back the search went, where it stopped before the page was full.
    pub until: Option<Timestamp>,
}

impl Oversight {
    /// Invocations of the org, newest first. A page scans a limited number of them, so that a search for something rare
    /// costs no more than any other: the page is then short and says where the next one begins.
    pub async fn activity(
        &self,
        org: OrgId,
        filter: &ActivityFilter,
        before: Option<InvocationId>,
        limit: i64,
    ) -> Result<ActivityPage, Error> {
        let scan = scan(filter, before);
        let mut tx = self.parts.db.begin(org).await?;
        let items = read::search(&mut tx, org, filter, scan, limit).await?;
        if i64::try_from(items.len()).is_ok_and(|length| length >= limit) {
            let next = items.last().map(|last| last.id);
            return Ok(ActivityPage { items, next, until: None });
        }
        let oldest = read::oldest_scanned(&mut tx, org, filter.session, scan).await?;
        Ok(ActivityPage { items, next: oldest, until: oldest.map(|oldest| moment(oldest.uuid())) })
    }

    /// The failed attempts of an invocation, in order.
    pub async fn attempts(&self, org: OrgId, id: InvocationId) -> Result<Vec<FailedTry>, Error> {
        let mut tx = self.parts.db.begin(org).await?;
        read::find(&mut tx, org, id).await?.ok_or(Error::NotFound("invocation"))?;
        Ok(read::tries(&mut tx, org, id).await?)
    }
}

/// The ids that a filter leaves. A text that is a whole id leaves that one alone.
fn scan(filter: &ActivityFilter, before: Option<InvocationId>) -> Scan {
    let named = filter.text.as_deref().and_then(|text| text.parse::<InvocationId>().ok());
    let (least, most) = named.map_or((Uuid::nil(), Uuid::max()), |named| {
        (named.uuid(), Uuid::from_u128(named.uuid().as_u128().saturating_add(1)))
    });
    let first = filter.since.map_or(least, |since| least_uuid(since).max(least));
    let end = filter.until.map_or(most, |until| least_uuid(until).min(most));
    Scan { first, end: before.map_or(end, |before| end.min(before.uuid())), window: WINDOW }
}
