//! Places: how many requests may wait for a person. Those that wait are counted while the org's places are locked, so that
//! concurrent requests cannot exceed a limit.

use jiff::Timestamp;
use model::OrgId;
use platform::db::Tx;
use policy::{Answered, Caps, Place};
use tenancy::Session;

use crate::{error::Error, parts::Reader, stages::state::Record, store};

impl Reader {
    /// Takes a place in the inbox for a request of this session. The places of the org stay locked until the transaction
    /// ends. Locked before any session, so that nobody waits in a circle.
    pub async fn take_place(&self, tx: &mut Tx, org: OrgId, session: &Session) -> Result<Place, Error> {
        let (opener, now) = (session.opener(), self.parts.world.clock.now());
        store::lock_places(tx, org).await?;
        let questions = store::count_waiting(tx, org, (session.id, opener), now).await?;
        let requests = self.parts.grants.count_waiting(tx, org, session.id, opener).await?;
        let limits = &self.parts.limits;
        let caps = Caps {
            session: limits.pending_per_session,
            opener: limits.pending_per_opener,
            org: limits.pending_per_org,
        };
        questions.and(requests).place(opener, caps).map_err(Error::TooManyPending)
    }
}

/// Checks that people did not deny the same action to the same proposer too often.
pub(crate) async fn check_cool_down(tx: &mut Tx, record: &Record, now: Timestamp) -> Result<(), Error> {
    let invocation = &record.invocation;
    let of = Answered { address: &invocation.address, proposer: invocation.proposer() };
    let Some(cool_down) = policy::cool_down(tx, record.org, &of, now).await? else { return Ok(()) };
    let retry_after = cool_down.until.duration_since(now).unsigned_abs();
    // To the second, and not before it is over.
    let until = Timestamp::from_second(cool_down.until.as_second() + 1).unwrap_or(cool_down.until);
    Err(Error::CoolingDown { denials: cool_down.denials, until, retry_after })
}
