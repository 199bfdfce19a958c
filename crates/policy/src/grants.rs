//! Grants: permissions with a bound on calls and time, given by people and requested by agents.

use std::time::Duration;

use changes::{Author, Draft, Kind, Recorder};
use jiff::Timestamp;
use model::{
    ActionAddress, ActionName, AutomationId, Digest, GrantId, GrantRequestId, InvocationId, OrgId, Role,
    SessionId, SourceSlug, UserId,
};
use platform::{
    World,
    db::{self, Database},
};
use serde_json::json;
use sqlx::PgConnection;
use uuid::Uuid;

use crate::{
    Asked, Condition, Error, Place, Position, Waiting, condition,
    limits::grants::{KEPT, LONGEST, MOST_CALLS, REQUEST_WAITS},
    store,
};

/// Who may use a grant.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum GrantScope {
    /// Every session of the org.
    Org,
    /// One session.
    Session(SessionId),
    /// The runs of one automation.
    Automation(AutomationId),
}

/// Who wants to use a grant: a session, and the automation that it works for, if any.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Asker {
    pub session: SessionId,
    pub automation: Option<AutomationId>,
}

/// A grant.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Grant {
    pub id: GrantId,
    pub scope: GrantScope,
    pub source: String,
    pub action: String,
    pub max_calls: u32,
    pub used_calls: u32,
    pub expires_at: Timestamp,
    pub revoked_at: Option<Timestamp>,
    pub created_by: UserId,
    pub created_at: Timestamp,
    pub from_invocation: Option<InvocationId>,
    pub from_request: Option<GrantRequestId>,
    pub reason: String,
    /// It applies only where this holds for the parameters.
    pub condition: Option<Condition>,
    /// It applies only to this step of an automation.
    pub step: Option<Digest>,
}

impl Grant {
    /// The key as people write it.
    pub fn key(&self) -> String {
        if self.source == "*" { "*".to_owned() } else { format!("{}.{}", self.source, self.action) }
    }

    /// Whether this session may use the grant for this automation at this time, for any action.
    pub fn is_for(&self, asker: Asker, now: Timestamp) -> bool {
        let for_whom = match self.scope {
            GrantScope::Org => true,
            GrantScope::Session(own) => own == asker.session,
            GrantScope::Automation(own) => Some(own) == asker.automation,
        };
        for_whom && self.revoked_at.is_none() && self.expires_at > now
    }

    /// Whether the grant covers this action, requested by this session for this automation, at this time.
    pub(crate) fn covers(&self, address: &ActionAddress, asker: Asker, now: Timestamp) -> bool {
        let for_what = self.source == "*"
            || (self.source == address.source.as_str()
                && (self.action == "*" || self.action == address.action.as_str()));
        for_what && self.is_for(asker, now)
    }

    /// Whether the parameters and the step are those that the grant is for.
    pub(crate) fn applies(&self, asked: &Asked<'_>) -> bool {
        condition::applies(self.condition.as_ref(), self.step, asked)
    }

    /// The change that gives or revokes it, with the grant both before and after.
    fn draft(&self, kind: Kind) -> Draft {
        let (session, automation) = match self.scope {
            GrantScope::Org => (None, None),
            GrantScope::Session(session) => (Some(session), None),
            GrantScope::Automation(automation) => (None, Some(automation)),
        };
        let state = json!({
            "action": self.key(),
            "session": session,
            "automation": automation,
            "max_calls": self.max_calls,
            "expires_at": self.expires_at,
            "where": self.condition.as_ref().map(Condition::as_text),
            "step": self.step,
            "from_invocation": self.from_invocation,
            "from_request": self.from_request,
            "reason": self.reason,
        });
        let (subject, name) = (self.id.to_string(), self.key());
        Draft { kind, subject, name, before: Some(state.clone()), after: Some(state) }
    }

    /// `active`, `used_up`, `expired` or `revoked`.
    pub fn state(&self, now: Timestamp) -> &'static str {
        match self {
            Self { revoked_at: Some(_), .. } => "revoked",
            grant if grant.expires_at <= now => "expired",
            grant if grant.used_calls >= grant.max_calls => "used_up",
            _ => "active",
        }
    }
}

/// A grant to give.
#[derive(Debug, Clone)]
pub struct NewGrant {
    pub scope: GrantScope,
    /// `source.action`, `source.*` or `*`.
    pub key: String,
    pub max_calls: u32,
    pub lifetime: Duration,
    /// The role of the person who gives the grant: a wildcard requires an owner.
    pub role: Role,
    pub from_invocation: Option<InvocationId>,
    pub from_request: Option<GrantRequestId>,
    pub reason: String,
    pub condition: Option<Condition>,
    pub step: Option<Digest>,
}

/// A grant request of an agent.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct GrantRequest {
    pub id: GrantRequestId,
    pub session: SessionId,
    pub source: String,
    pub action: String,
    pub max_calls: u32,
    pub lifetime: Duration,
    pub reason: String,
    /// `pending`, `granted` or `denied`.
    pub status: String,
    pub requested_at: Timestamp,
    pub expires_at: Timestamp,
    pub note: Option<String>,
    pub grant: Option<GrantId>,
    /// In the inbox, the turns of all openers come one after the other.
    pub turn: i16,
}

impl GrantRequest {
    /// The key as people write it.
    pub fn key(&self) -> String {
        format!("{}.{}", self.source, self.action)
    }

    /// The status; `expired` if nobody answered in time.
    pub fn state(&self, now: Timestamp) -> &str {
        if self.status == "pending" && self.expires_at <= now { "expired" } else { &self.status }
    }
}

/// A new grant request.
#[derive(Debug, Clone)]
pub struct Ask {
    pub session: SessionId,
    pub key: String,
    pub max_calls: u32,
    pub lifetime: Duration,
    pub reason: String,
}

/// A person's answer to a request.
#[derive(Debug, Clone)]
pub struct RequestAnswer {
    pub give: bool,
    pub max_calls: Option<u32>,
    pub lifetime: Option<Duration>,
    pub note: String,
    pub role: Role,
}

/// The grants of orgs. Cheap to clone.
#[derive(Clone)]
pub struct Grants {
    db: Database,
    world: World,
    recorder: Recorder,
}

impl Grants {
    /// Over a database.
    pub const fn new(db: Database, world: World, recorder: Recorder) -> Self {
        Self { db, world, recorder }
    }

    /// Gives a grant.
    pub async fn give(&self, by: &Author, new: NewGrant) -> Result<Grant, Error> {
        let mut tx = self.db.begin(by.org).await?;
        let grant = self.give_in(&mut tx, by, new).await?;
        db::commit(tx).await?;
        Ok(grant)
    }

    /// Gives a grant in the caller's transaction.
    pub async fn give_in(&self, conn: &mut PgConnection, by: &Author, new: NewGrant) -> Result<Grant, Error> {
        let created_by = by.user.ok_or(Error::NotAPerson)?;
        let (source, action) = parse_key(&new.key)?;
        if action == "*" && new.role < Role::Owner {
            return Err(Error::NeedsOwner);
        }
        if action == "*" && new.condition.is_some() {
            return Err(Error::Invalid("a grant with a condition must be for one action"));
        }
        check_bounds(new.max_calls, new.lifetime)?;
        let now = self.world.clock.now();
        let grant = Grant {
            id: GrantId::from_uuid(self.world.uuid()),
            scope: new.scope,
            source,
            action,
            max_calls: new.max_calls,
            used_calls: 0,
            expires_at: now + new.lifetime,
            revoked_at: None,
            created_by,
            created_at: now,
            from_invocation: new.from_invocation,
            from_request: new.from_request,
            reason: new.reason,
            condition: new.condition,
            step: new.step,
        };
        let draft = Draft { before: None, ..grant.draft(Kind::GrantGiven) };
        // The reason of a grant that an agent requested is the agent's, and not of the person who gives it.
        let own = (grant.from_request.is_none()).then_some(grant.reason.as_str());
        let by = by.because(own);
        let mut recorded = self.recorder.record(conn, &by, draft).await?;
        store::grants::insert(&mut recorded, by.org, &grant).await?;
        Ok(grant)
    }

    /// The org's grants, newest first.
    pub async fn list(&self, org: OrgId, before: Option<Uuid>, limit: i64) -> Result<Vec<Grant>, Error> {
        let mut tx = self.db.begin(org).await?;
        Ok(store::grants::list(&mut tx, org, before, limit).await?)
    }

    /// Revokes a grant. The next invocation is decided without it. Revoking it twice is not an error.
    pub async fn revoke(&self, by: &Author, id: GrantId) -> Result<Grant, Error> {
        by.user.ok_or(Error::NotAPerson)?;
        self.revoke_one(by, id).await
    }

    /// Revokes all grants that could be used, for the operator. Returns how many.
    pub async fn revoke_all(&self, by: &Author) -> Result<usize, Error> {
        let mut tx = self.db.begin(by.org).await?;
        let usable = self.usable(&mut tx, by.org).await?;
        drop(tx);
        for grant in &usable {
            self.revoke_one(by, grant.id).await?;
        }
        Ok(usable.len())
    }

    async fn revoke_one(&self, by: &Author, id: GrantId) -> Result<Grant, Error> {
        let org = by.org;
        let mut tx = self.db.begin(org).await?;
        let found = store::grants::lock(&mut tx, org, id).await?.ok_or(Error::NotFound)?;
        if found.revoked_at.is_some() {
            return Ok(found);
        }
        let draft = Draft { after: None, ..found.draft(Kind::GrantRevoked) };
        let mut recorded = self.recorder.record(&mut tx, by, draft).await?;
        let now = self.world.clock.now();
        let grant = store::grants::revoke(&mut recorded, org, id, (by.user, now)).await?;
        db::commit(tx).await?;
        grant.ok_or(Error::NotFound)
    }

    /// The grants that could be used, read in the caller's transaction.
    pub async fn usable(&self, conn: &mut PgConnection, org: OrgId) -> Result<Vec<Grant>, Error> {
        Ok(store::grants::list_usable(conn, org, self.world.clock.now()).await?)
    }

    /// Uses one call of a grant, in the caller's transaction. Returns `false` if none is left. A single statement on
    /// one row, so concurrent gateways cannot exceed the bound.
    pub async fn consume(&self, conn: &mut PgConnection, org: OrgId, id: GrantId) -> Result<bool, Error> {
        Ok(store::grants::consume(conn, org, id, self.world.clock.now()).await?)
    }

    /// A grant by its id, whatever its state.
    pub async fn find(
        &self,
        conn: &mut PgConnection,
        org: OrgId,
        id: GrantId,
    ) -> Result<Option<Grant>, Error> {
        Ok(store::grants::find(conn, org, id).await?)
    }

    /// Deletes grants that ended long ago. Receipts still name them.
    pub async fn sweep(&self) -> Result<i64, Error> {
        let mut conn = self.db.unscoped().await?;
        Ok(store::grants::purge(&mut conn, self.world.clock.now() - KEPT).await?)
    }

    /// How many requests for grants wait: of a session, of an opener, and in all.
    pub async fn count_waiting(
        &self,
        conn: &mut PgConnection,
        org: OrgId,
        session: SessionId,
        opener: Uuid,
    ) -> Result<Waiting, Error> {
        Ok(store::grants::count_waiting(conn, org, (session, opener), self.world.clock.now()).await?)
    }

    /// Stores a grant request in the caller's transaction, at this place of the inbox.
    pub async fn ask(
        &self,
        conn: &mut PgConnection,
        org: OrgId,
        ask: Ask,
        place: Place,
    ) -> Result<GrantRequest, Error> {
        let (source, action) = parse_key(&ask.key)?;
        if source == "*" {
            return Err(Error::Invalid(
                "the action of a grant request must be `source.action` or `source.*`",
            ));
        }
        check_bounds(ask.max_calls, ask.lifetime)?;
        let now = self.world.clock.now();
        let request = GrantRequest {
            id: GrantRequestId::from_uuid(self.world.uuid()),
            session: ask.session,
            source,
            action,
            max_calls: ask.max_calls,
            lifetime: ask.lifetime,
            reason: ask.reason,
            status: "pending".to_owned(),
            requested_at: now,
            expires_at: now + REQUEST_WAITS,
            note: None,
            grant: None,
            turn: place.turn,
        };
        store::grants::insert_request(conn, org, &request, place.opener).await?;
        Ok(request)
    }

    /// Returns a request with its status.
    pub async fn request(&self, org: OrgId, id: GrantRequestId) -> Result<GrantRequest, Error> {
        let mut tx = self.db.begin(org).await?;
        store::grants::find_request(&mut tx, org, id).await?.ok_or(Error::NotFound)
    }

    /// Pending requests by turn, newest first, read in the caller's transaction.
    pub async fn waiting(
        &self,
        conn: &mut PgConnection,
        org: OrgId,
        before: Option<Position>,
        limit: i64,
    ) -> Result<Vec<GrantRequest>, Error> {
        Ok(store::grants::list_waiting(conn, org, self.world.clock.now(), before, limit).await?)
    }

    /// Answers a request, once. The grant never exceeds the request.
    pub async fn answer(
        &self,
        tx: &mut PgConnection,
        by: &Author,
        id: GrantRequestId,
        answer: RequestAnswer,
    ) -> Result<(GrantRequest, Option<Grant>), Error> {
        let (org, user) = (by.org, by.user.ok_or(Error::NotAPerson)?);
        let now = self.world.clock.now();
        let mut request = store::grants::lock_request(tx, org, id).await?.ok_or(Error::NotFound)?;
        match request.state(now) {
            "pending" => {}
            "expired" => return Err(Error::RequestExpired),
            _ => return Err(Error::RequestAnswered),
        }
        let grant = if answer.give {
            let new = NewGrant {
                scope: GrantScope::Session(request.session),
                key: request.key(),
                max_calls: answer.max_calls.unwrap_or(request.max_calls).min(request.max_calls),
                lifetime: answer.lifetime.unwrap_or(request.lifetime).min(request.lifetime),
                role: answer.role,
                from_invocation: None,
                from_request: Some(id),
                reason: request.reason.clone(),
                condition: None,
                step: None,
            };
            Some(self.give_in(tx, &by.because(Some(&answer.note)), new).await?)
        } else {
            None
        };
        request.status = if answer.give { "granted" } else { "denied" }.to_owned();
        request.note = Some(answer.note);
        request.grant = grant.as_ref().map(|grant| grant.id);
        store::grants::answer_request(tx, org, &request, user, now).await?;
        Ok((request, grant))
    }
}

fn parse_key(key: &str) -> Result<(String, String), Error> {
    if key == "*" {
        return Ok(("*".to_owned(), "*".to_owned()));
    }
    let (source, action) = key.split_once('.').unwrap_or((key, ""));
    let fits =
        source.parse::<SourceSlug>().is_ok() && (action == "*" || action.parse::<ActionName>().is_ok());
    if !fits {
        return Err(Error::Invalid("the action of a grant must be `source.action`, `source.*` or `*`"));
    }
    Ok((source.to_owned(), action.to_owned()))
}

fn check_bounds(max_calls: u32, lifetime: Duration) -> Result<(), Error> {
    if !(1..=MOST_CALLS).contains(&max_calls) {
        return Err(Error::Invalid("a grant must allow 1 to 10 000 calls"));
    }
    if lifetime.is_zero() || lifetime > LONGEST {
        return Err(Error::Invalid("the lifetime of a grant must be between 1 second and 30 days"));
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_grant_covers_what_it_names_for_whom_it_names_while_it_holds() {
        let (mine, other) =
            (SessionId::from_uuid(Uuid::from_u128(1)), SessionId::from_uuid(Uuid::from_u128(2)));
        let grant = |source: &str, action: &str, scope| Grant {
            id: GrantId::from_uuid(Uuid::nil()),
            scope,
            source: source.to_owned(),
            action: action.to_owned(),
            max_calls: 1,
            used_calls: 0,
            expires_at: Timestamp::from_second(100).unwrap(),
            revoked_at: None,
            created_by: UserId::from_uuid(Uuid::nil()),
            created_at: Timestamp::UNIX_EPOCH,
            from_invocation: None,
            from_request: None,
            reason: String::new(),
            condition: None,
            step: None,
        };
        let session = GrantScope::Session(mine);
        let address: ActionAddress = "linear.create_issue".parse().unwrap();
        for (grant, at, who, expected) in [
            (grant("linear", "create_issue", session), 99, mine, true),
            (grant("linear", "*", session), 99, mine, true),
            (grant("*", "*", GrantScope::Org), 99, other, true),
            (grant("linear", "create_issue", session), 100, mine, false),
            (grant("linear", "create_issue", session), 99, other, false),
            (grant("linear", "create", session), 99, mine, false),
            (grant("slack", "*", session), 99, mine, false),
            (Grant { revoked_at: Some(Timestamp::UNIX_EPOCH), ..grant("*", "*", session) }, 99, mine, false),
            (grant("*", "*", GrantScope::Automation(AutomationId::from_uuid(Uuid::nil()))), 99, mine, false),
        ] {
            let now = Timestamp::from_second(at).unwrap();
            let asker = Asker { session: who, automation: None };
            assert_eq!(grant.covers(&address, asker, now), expected, "{grant:?}");
        }
    }
}
