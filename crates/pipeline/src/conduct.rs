//! Conduct: what is stopped does not begin, and in a dry run nothing has an effect.
//!
//! Three places look at it: a new request before it is claimed, a recorded one before it begins, and every call that is
//! not sent at once after its claim. A claim is made under the version of the policy, and a stop is a new version.

use std::sync::Arc;

use catalog::Action;
use model::{AutomationId, Conduct, EffectClass, ErrorClass, OrgId, SpaceId};
use platform::db::{self, Tx};
use policy::{ConductSet, Doer, GRACE, SetConduct};

use crate::{
    error::Error,
    parts::{Pipeline, Reader},
    stages::{
        resolve::resolve_again,
        state::{Admitted, Attempted, Claimed, Ending, Record, Resolved},
    },
    store,
};

/// The strictest conduct that an action, or a part of a batch, is subject to. A dry run leaves reads alone.
fn of<'c>(all: &'c ConductSet, action: &Arc<Action>, doer: Doer<'_>) -> Option<&'c SetConduct> {
    let every = std::iter::once(action).chain(&action.parts);
    let found = every
        .filter_map(|action| all.of(Doer { source: Some(&action.definition.address.source), ..doer }))
        .max_by_key(|found| found.conduct)?;
    let is_read = action.definition.effect == EffectClass::Read;
    (found.conduct == Conduct::Halted || !is_read).then_some(found)
}

fn of_resolved(Resolved { snapshot, action, .. }: &Resolved) -> Option<&SetConduct> {
    let session = &snapshot.facts.session;
    let doer = Doer {
        space: session.space,
        source: None,
        agent: Some(&session.agent),
        automation: session.run.as_ref().map(|run| run.automation),
    };
    of(&snapshot.org.conducts, action, doer)
}

fn stopped(found: &SetConduct) -> Error {
    let what = match found.scope.kind() {
        "org" => "the organization".to_owned(),
        kind => format!("the {kind} `{}`", found.name),
    };
    let how = if found.conduct == Conduct::Halted { "stopped" } else { "in a dry run" };
    Error::Stopped { what: format!("{what} is {how}"), reason: found.reason.clone() }
}

/// A new request: refused if it is stopped; without an effect in a dry run. `dry_run` is what was asked for.
pub(crate) async fn admit(
    pipeline: &Pipeline,
    mut admitted: Admitted,
    dry_run: bool,
) -> Result<Admitted, Error> {
    if of_resolved(&admitted.0).is_some() {
        // The snapshot may be older than a resumption. A refusal records nothing, so no later stage would notice.
        admitted = resolve_again(pipeline, admitted).await?;
    }
    let found = of_resolved(&admitted.0).map(|found| (found.conduct, stopped(found)));
    admitted.0.request.dry_run = dry_run;
    match found {
        Some((Conduct::Halted, error)) => return Err(error),
        Some(_) => admitted.0.request.dry_run = true,
        None => {}
    }
    Ok(admitted)
}

impl Reader {
    /// Whether an automation may start runs now: [`Error::Stopped`] if it is stopped, by itself, in its space or in the
    /// organization.
    pub async fn check_automation(
        &self,
        tx: &mut Tx,
        org: OrgId,
        (space, automation): (SpaceId, AutomationId),
    ) -> Result<(), Error> {
        let all = self.parts.conducts.all(tx, org).await?;
        let found = all.of(Doer { space, source: None, agent: None, automation: Some(automation) });
        match found.filter(|found| found.conduct == Conduct::Halted) {
            Some(found) => Err(stopped(found)),
            None => Ok(()),
        }
    }
}

/// Something that was recorded before: it rests until everything is normal again.
pub(crate) fn rest(resolved: &Resolved) -> Result<(), Error> {
    of_resolved(resolved).map_or(Ok(()), |found| Err(stopped(found)))
}

/// Whether an approved invocation was stopped after its claim, and nothing was sent.
pub(crate) fn is_stopped_unsent(attempted: &Attempted) -> bool {
    let Attempted { claimed, tries, ending, .. } = attempted;
    let unsent =
        matches!(ending, Ending::Failed(failure) if failure.class == ErrorClass::Denied && !failure.sent);
    unsent && tries.len() <= 1 && !claimed.recovered && !claimed.record.votes.is_empty()
}

/// Lets it rest as if it had never begun; returns whether it does.
pub(crate) async fn put_back(pipeline: &Pipeline, record: &Record) -> Result<bool, Error> {
    let mut tx = pipeline.parts.db.begin(record.org).await?;
    let is_back = store::put_back(&mut tx, record).await?;
    db::commit(tx).await?;
    Ok(is_back)
}

/// Looks again before a call that is not sent at once after its claim: a retry, a later part of a batch, what waited for
/// a process, what a dead process left.
pub(crate) async fn look_again(pipeline: &Pipeline, claimed: &Claimed) -> Result<(), Error> {
    if claimed.claimed_at.is_some_and(|at| at.elapsed() < GRACE) {
        return Ok(());
    }
    // Rare, and large: it must not make every call large.
    Box::pin(look(pipeline, claimed)).await
}

async fn look(pipeline: &Pipeline, claimed: &Claimed) -> Result<(), Error> {
    let record = &claimed.record;
    let mut tx = pipeline.parts.db.begin(record.org).await?;
    let all = pipeline.parts.conducts.all(&mut tx, record.org).await?;
    let doer = Doer {
        space: record.space,
        source: None,
        agent: Some(&record.invocation.agent),
        automation: record.invocation.run.as_ref().map(|run| run.automation),
    };
    of(&all, &claimed.action, doer).map_or(Ok(()), |found| Err(stopped(found)))
}
