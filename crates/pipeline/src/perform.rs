//! Performing what was approved: the decision is checked again, from what is true now, and then it takes the same path
//! as everything else.
//!
//! Whoever calls this may call it again: an invocation is begun once, taken over when its lease ran out, and left alone
//! while somebody is at it.

use std::sync::Arc;

use catalog::{Action, Call};
use model::{ErrorClass, Failure, InvocationId, OrgId, Status, UserId};
use platform::{
    db::{self, Tx},
    fault::{self, Point},
    seal::Place,
};
use policy::{Ballot, Permit};
use serde_json::Value;

use crate::{
    Error, Invocation, Pipeline, away, batch, context,
    decide::decide,
    passkeys,
    settle::{self, Conclusion},
    standing::{self, Standing},
    state::{Admitted, Claimed, Decided, Record, Request, Resolved},
    store::{self, Held},
};

/// What came of it.
#[derive(Debug)]
pub enum Performed {
    /// It is over; this is how it ended.
    Ended(Box<Invocation>),
    /// Somebody is at it, or nobody said yes yet; ask again later.
    NotYet,
}

/// What an approved invocation is next.
enum Next {
    Execute(Box<Claimed>),
    Ended(Box<Invocation>),
    NotYet,
    /// Its process died.
    Orphaned,
    /// The policy changed between deciding and recording.
    Stale,
}

/// How often it is looked at anew because something changed meanwhile.
const LOOKS: usize = 5;

impl Pipeline {
    /// Performs an approved invocation, or says that there is nothing to do for now. It runs to its end even if the
    /// caller goes away.
    pub async fn perform(&self, org: OrgId, id: InvocationId) -> Result<Performed, Error> {
        let pipeline = self.clone();
        self.to_its_end(async move {
            for _ in 0..LOOKS {
                match pipeline.take_up(org, id).await? {
                    Next::Execute(claimed) => {
                        let ended = pipeline.execute(*claimed).await?;
                        return Ok(Performed::Ended(Box::new(ended)));
                    }
                    Next::Ended(invocation) => return Ok(Performed::Ended(invocation)),
                    Next::NotYet => return Ok(Performed::NotYet),
                    Next::Orphaned => drop(pipeline.recover_one(org, id).await?),
                    Next::Stale => {}
                }
            }
            Ok(Performed::NotYet)
        })
        .await
    }

    async fn take_up(&self, org: OrgId, id: InvocationId) -> Result<Next, Error> {
        let mut tx = self.parts.db.begin(org).await?;
        let held = store::lock(&mut tx, org, id).await?.ok_or(Error::NotFound("invocation"))?;
        let now = self.parts.world.clock.now();
        match held.record.invocation.status {
            Status::Approved => self.begin_approved(tx, held).await,
            Status::Executing if held.record.lease_until.is_some_and(|until| until < now) => {
                Ok(Next::Orphaned)
            }
            Status::Executing | Status::Pending => Ok(Next::NotYet),
            _ => Ok(Next::Ended(Box::new(held.record.invocation))),
        }
    }

    async fn begin_approved(&self, mut tx: Tx, mut held: Held) -> Result<Next, Error> {
        let (org, id) = (held.record.org, held.record.invocation.id);
        held.record.votes = policy::votes(&mut tx, org, &[id]).await?;
        let judged = match self.judge(&mut tx, &held).await {
            Err(Error::SessionOver) => Err("its session is over".to_owned()),
            judged => judged?,
        };
        let (permit, resolved) = match judged {
            Ok(judged) => judged,
            Err(why) => {
                let failure = Failure { class: ErrorClass::Denied, message: why, sent: false };
                let end = Conclusion {
                    from: Status::Approved,
                    status: Status::Denied,
                    failure: Some(failure),
                    found: None,
                };
                let ended = settle::conclude(self, &mut tx, &held.record, end).await?;
                db::commit(tx).await?;
                return Ok(Next::Ended(Box::new(ended)));
            }
        };
        let now = self.parts.world.clock.now();
        let lease = context::lease_of(self, &resolved.action);
        let version = resolved.standing.facts.policy_version;
        let lease_until = now + lease;
        if !store::begin(&mut tx, &held.record, (now, lease_until), version).await? {
            return Ok(Next::Stale);
        }
        let mut record = held.record;
        record.invocation.status = Status::Executing;
        record.lease_until = Some(lease_until);
        fault::point(Point::BeforeClaim);
        if let Err(lost) = db::commit(tx).await
            && !(lost.is_transient() && self.is_begun(&record).await)
        {
            return Err(lost.into());
        }
        Ok(Next::Execute(Box::new(Claimed {
            record,
            call: Call {
                action: resolved.action.definition.address.action.clone(),
                params: resolved.request.params,
            },
            action: resolved.action,
            permit: Some(permit),
            standing: Some(resolved.standing),
            recovered: false,
            started_at: now,
            timeout: None,
        })))
    }

    /// Whether a beginning that broke off while it was committed is there after all, asked once the database is back. It is
    /// ours if it ends when ours does, to the microsecond: another process can begin it only after ours was undone.
    async fn is_begun(&self, record: &Record) -> bool {
        let until = |record: &Record| record.lease_until.map(|until| until.as_microsecond());
        let found = away::find(self, record.org, record.invocation.id).await;
        found.ok().flatten().is_some_and(|found| {
            found.invocation.status == Status::Executing
                && found.lease_epoch == record.lease_epoch
                && until(&found) == until(record)
        })
    }

    /// Whether what was approved may be done now, and is what would be done. `Err` within says why not.
    async fn judge(&self, tx: &mut Tx, held: &Held) -> Result<Result<(Permit, Resolved), String>, Error> {
        let record = &held.record;
        let invocation = &record.invocation;
        let standing = standing::load_in(self, tx, record.org, invocation.session).await?;
        if standing.facts.session.is_over(self.parts.world.clock.now()) {
            return Err(Error::SessionOver);
        }
        let Some(action) = self.find_action(&standing.org.catalog, &invocation.address) else {
            return Ok(Err("the action no longer exists".to_owned()));
        };
        let params = self.unseal(tx, held).await?;
        let Ok(action) = batch::expand(self, &standing.org.catalog, action, &params) else {
            return Ok(Err("a part of it no longer exists".to_owned()));
        };
        let decided = self.decide_again(record, (action, params), standing)?;
        let subject = decided.shown_digest;
        if subject != invocation.shown_digest {
            let why = "what was approved is not what would be done: the action, its credential or its parameters changed";
            return Ok(Err(why.to_owned()));
        }
        let permit = self.permit_of_votes(tx, record, &decided).await?;
        Ok(permit.map(|permit| (permit, decided.admitted.0)))
    }

    /// What policy says today about what was recorded earlier.
    pub(crate) fn decide_again(
        &self,
        record: &Record,
        (action, params): (Arc<Action>, Value),
        standing: Arc<Standing>,
    ) -> Result<Decided, Error> {
        let invocation = &record.invocation;
        let request = Request {
            org: record.org,
            session: invocation.session,
            action: invocation.address.to_string(),
            params,
            dry_run: false,
            key: None,
            trace_id: record.trace_id.clone(),
            timeout: None,
        };
        decide(self, Admitted(Resolved { request, standing, action }))
    }

    /// What the votes of a record are worth now: those who gave them must still be people who may. `Err` within says
    /// what is missing.
    pub(crate) async fn permit_of_votes(
        &self,
        tx: &mut Tx,
        record: &Record,
        decided: &Decided,
    ) -> Result<Result<Permit, String>, Error> {
        let users: Vec<UserId> = record.votes.iter().map(|vote| vote.user).collect();
        let members = self.parts.tenancy.members_by_id(tx, record.org, &users).await?;
        let ballots = record.votes.iter().map(|vote| Ballot {
            vote: vote.clone(),
            role: members.get(&vote.user).map(|member| member.role),
            signed: passkeys::is_signed(record.org, vote),
        });
        let ballots: Vec<Ballot> = ballots.collect();
        let needed = self.approval_settings(tx, record.org).await?.needed(record.invocation.risk);
        Ok(Permit::of_approval(&decided.decision, &ballots, needed, decided.shown_digest))
    }

    /// The parameters of an invocation, in the clear.
    pub(crate) async fn unseal(&self, tx: &mut Tx, held: &Held) -> Result<Value, Error> {
        let (org, row) = (held.record.org, held.record.invocation.id.uuid());
        let sealed = held.params_sealed.as_ref();
        let sealed = sealed.ok_or(db::Error::Inconsistent { column: "invocations.params_sealed" })?;
        let place = Place { table: "invocations", row, field: "params_sealed" };
        let plain = self.parts.sealer.open(tx, org, place, sealed).await?;
        // It was read strictly before it was sealed, so this cannot fail but for a broken row.
        receipt::parse_strict(&plain, usize::MAX)
            .map_err(|_| db::Error::Inconsistent { column: "invocations.params_sealed" }.into())
    }
}
