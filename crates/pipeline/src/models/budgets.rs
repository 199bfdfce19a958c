//! Budgets of model calls. What a call may cost at most is reserved in the transaction that records it, and settled to what it did
//! cost in the one that records its end, by a trigger: there are many ways to an end, and none may forget it.

use catalog::models::{CallParams, Prompt, Provider};
use jiff::{Timestamp, civil::Date, tz::TimeZone};
use model::{AutomationId, InvocationId, OrgId, RunId};
use platform::db::Tx;
use uuid::Uuid;

use crate::{
    error::Error,
    parts::Pipeline,
    read::Reader,
    stages::state::{Decided, NewClaim},
    store,
};

/// What a model call counts towards besides the day of its organization.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Budget {
    pub automation: AutomationId,
    pub run: RunId,
    /// When the run was created: its spending has one row, however long it takes.
    pub run_created_at: Timestamp,
    /// The caps of the automation in a day, and of the run.
    pub per_day: Cap,
    pub per_run: Cap,
}

/// The most that may be spent; `None` for no limit.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Cap {
    pub nano_usd: Option<u64>,
    pub tokens: Option<u64>,
}

/// What spending is counted by.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Scope {
    /// The day of an organization, in UTC.
    Org,
    /// The day of an automation, in UTC.
    Automation,
    Run,
}

impl Scope {
    pub(crate) const fn as_str(self) -> &'static str {
        match self {
            Self::Org => "org",
            Self::Automation => "automation",
            Self::Run => "run",
        }
    }

    const fn named(self) -> &'static str {
        match self {
            Self::Org => "the organization for today",
            Self::Automation => "the automation for today",
            Self::Run => "the run",
        }
    }
}

/// What was spent in a scope, and what calls that are under way may still cost.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Spent {
    pub spent_nano_usd: u64,
    pub reserved_nano_usd: u64,
    pub spent_tokens: u64,
    pub reserved_tokens: u64,
}

/// What an organization spent in a day.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct DaySpent {
    pub day: Date,
    pub spent: Spent,
}

/// A row of spending that a call counts towards.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Counted {
    pub(crate) scope: Scope,
    pub(crate) id: Uuid,
    pub(crate) day: Date,
    pub(crate) cap: Cap,
}

/// What a call may use at most.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Reserve {
    /// `None` if nobody knows the price.
    pub(crate) nano_usd: Option<u64>,
    pub(crate) tokens: u64,
}

impl Reserve {
    /// By the size of the prompt and the most that may be answered, at the dearer rate.
    fn of(provider: &Provider, params: &CallParams) -> Self {
        let input = Prompt::estimate(params.prompt.bytes);
        let price = provider.price_of(&params.model);
        Self {
            nano_usd: price.map(|(price, _)| price.most(input, params.max_output_tokens)),
            tokens: input.saturating_add(params.max_output_tokens),
        }
    }
}

/// Reserves what a model call may cost, in the transaction that records it.
pub(crate) async fn reserve(
    pipeline: &Pipeline,
    tx: &mut Tx,
    decided: &Decided,
    claim: &NewClaim,
) -> Result<(), Error> {
    let resolved = &decided.admitted.0;
    let address = &resolved.action.definition.address;
    if claim.record.invocation.status.is_terminal() {
        return Ok(());
    }
    let provider = resolved.snapshot.org.catalog.model_provider(&address.action);
    let params = serde_json::from_value::<CallParams>(resolved.request.params.clone()).ok();
    // Both were checked: the action is of this catalog, and the parameters fit its schema.
    let (Some(provider), Some(params)) = (provider, params) else { return Ok(()) };
    let wanted = Reserve::of(provider, &params);
    let (org, now) = (claim.record.org, pipeline.parts.world.clock.now());
    let mut counted = vec![Counted {
        scope: Scope::Org,
        id: Uuid::nil(),
        day: day(now),
        cap: store::org_cap(tx, org).await?,
    }];
    if let Some(budget) = &resolved.request.budget {
        let Budget { automation, run, run_created_at, per_day, per_run } = **budget;
        let of = |scope, id, at, cap| Counted { scope, id, day: day(at), cap };
        counted.push(of(Scope::Automation, automation.uuid(), now, per_day));
        counted.push(of(Scope::Run, run.uuid(), run_created_at, per_run));
    }
    let rows = store::lock_spending(tx, org, &counted).await?;
    for (Counted { scope, cap, .. }, spent) in counted.iter().zip(&rows) {
        check(*scope, cap, spent, wanted)?;
    }
    Ok(store::reserve(tx, org, claim.record.invocation.id, (&counted, wanted)).await?)
}

fn check(scope: Scope, cap: &Cap, spent: &Spent, wanted: Reserve) -> Result<(), Error> {
    let over =
        |cap: Option<u64>, used: u64, wanted: u64| cap.is_some_and(|cap| used.saturating_add(wanted) > cap);
    let money = spent.spent_nano_usd.saturating_add(spent.reserved_nano_usd);
    let tokens = spent.spent_tokens.saturating_add(spent.reserved_tokens);
    let of = scope.named();
    match wanted.nano_usd {
        None if cap.nano_usd.is_some() => Err(Error::Unpriced(of)),
        Some(nano) if over(cap.nano_usd, money, nano) => Err(Error::OverBudget(of)),
        _ if over(cap.tokens, tokens, wanted.tokens) => Err(Error::OverBudget(of)),
        _ => Ok(()),
    }
}

/// The day of a moment, in UTC.
fn day(at: Timestamp) -> Date {
    at.to_zoned(TimeZone::UTC).date()
}

impl Reader {
    /// What an organization spent on models on each of the last days, newest first, and its caps for a day.
    pub async fn spending(&self, org: OrgId, days: i32) -> Result<(Vec<DaySpent>, Cap), Error> {
        let mut tx = self.parts.db.begin(org).await?;
        let since = day(self.parts.world.clock.now() - jiff::SignedDuration::from_hours(24) * days);
        Ok((store::spending(&mut tx, org, since).await?, store::org_cap(&mut tx, org).await?))
    }

    /// What a model call of this organization reserved; `None` once it has ended.
    pub async fn reserved(&self, org: OrgId, invocation: InvocationId) -> Result<Option<u64>, Error> {
        Ok(store::reserved(&mut *self.parts.db.begin(org).await?, org, invocation).await?)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_call_fits_to_the_last_unit_and_not_beyond() {
        let spent = Spent { spent_nano_usd: 50, reserved_nano_usd: 30, spent_tokens: 5, reserved_tokens: 3 };
        let cap = |nano_usd, tokens| Cap { nano_usd, tokens };
        let wanted = |nano_usd, tokens| Reserve { nano_usd, tokens };
        let fits = |cap: Cap, wanted: Reserve| check(Scope::Run, &cap, &spent, wanted).is_ok();
        assert!(fits(cap(Some(100), Some(10)), wanted(Some(20), 2)));
        assert!(!fits(cap(Some(100), None), wanted(Some(21), 2)));
        assert!(!fits(cap(None, Some(10)), wanted(Some(20), 3)));
        assert!(!fits(cap(Some(u64::MAX - 1), None), wanted(Some(u64::MAX), 0)), "it does not wrap around");
        assert!(fits(cap(None, Some(10)), wanted(None, 2)), "tokens are counted without a price");
        assert!(!fits(cap(Some(u64::MAX), None), wanted(None, 2)), "an unknown price is not zero");
        assert!(fits(cap(None, None), wanted(None, u64::MAX)));
    }
}
