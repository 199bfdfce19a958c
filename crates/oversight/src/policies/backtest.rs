//! Backtests: a proposed change, tried on what was asked in the last days.

use std::{collections::HashMap, sync::Arc};

use catalog::{Action, connector::OrgCatalog};
use jiff::{SignedDuration, Timestamp};
use model::{Mode, OrgId, RiskBand, RuleId, SessionId, SessionKind, SpaceId, Status, Verdict};
use pipeline::read::{self, DecidedCall};
use platform::period;
use policy::{
    Consented, FactDefinition, FactPlace, Grant, NewFact, Provenance, Rule, StoredFact,
    backtest::{Backtest, Outcome, PastRequest, Setting, Touched},
    cedar::{PolicySet, Requester, Statement, Stored},
};
use tenancy::{Page, Session};
use tokio::sync::mpsc::Sender;

use super::MOST_SPACES;
use crate::{error::Error, parts::Oversight};

/// How many invocations are read at once.
const PAGE: i64 = 1_000;

/// What is proposed.
#[derive(Debug, Default)]
pub struct Change {
    /// Policies that are set, each replacing the one with its name.
    pub set: Vec<Statement>,
    /// Names of policies that are deleted.
    pub remove: Vec<String>,
    pub facts: Vec<NewFact>,
    pub rule: Option<Rule>,
    pub remove_rule: Option<RuleId>,
    pub grant: Option<Grant>,
    pub band: Option<(SpaceId, RiskBand)>,
}

/// A change, and the days over which it is tried.
#[derive(Debug)]
pub struct BacktestOf {
    pub change: Change,
    pub days: u32,
}

/// How far a backtest is, and its result.
#[derive(Debug)]
pub enum Step {
    Progress {
        done: u64,
        of: u64,
    },
    /// From when, until when, and the result.
    Done(Box<(Timestamp, Timestamp, Outcome)>),
    Failed(Box<Error>),
}

/// What is read once.
struct Known {
    catalog: Arc<OrgCatalog>,
    spaces: HashMap<SpaceId, (String, RiskBand)>,
    sessions: HashMap<SessionId, Session>,
}

impl Oversight {
    /// Decides again about what was asked in the last days, by today's policy and by the changed one. Steps are sent on the
    /// way; when nobody receives them any more, it ends.
    pub async fn backtest(&self, org: OrgId, of: BacktestOf, steps: Sender<Step>) {
        if let Err(error) = self.try_backtest(org, of, &steps).await {
            // Whoever asked may be gone.
            drop(steps.send(Step::Failed(Box::new(error))).await);
        }
    }

    async fn try_backtest(&self, org: OrgId, of: BacktestOf, steps: &Sender<Step>) -> Result<(), Error> {
        let until = self.parts.world.clock.now();
        let from = until - SignedDuration::from_hours(24 * i64::from(of.days));
        let mut tx = self.parts.db.begin(org).await?;
        let key = self.parts.sealer.pseudonym_key(&mut tx, org).await?;
        let (before, after, touched) = self.settings(&mut tx, org, of.change).await?;
        let hash = Box::new(move |value: &[u8]| policy::keyed_hash(key.as_slice(), value));
        let mut backtest = Backtest::new(before, after, touched, from, hash);
        let (mut since, end) = (period::least_uuid(backtest.reads_from()), period::least_uuid(until));
        let all = read::count_decided(&mut tx, org, (since, end)).await?;
        let page = Page { after: None, limit: MOST_SPACES };
        let spaces = self.parts.tenancy.spaces(org, page).await?;
        let spaces = spaces.into_iter().map(|space| (space.id, (space.slug, space.risk_band))).collect();
        let catalog = self.parts.reader.catalog(&mut tx, org).await?;
        drop(tx);
        let mut known = Known { catalog, spaces, sessions: HashMap::new() };
        let (mut done, of) = (0, u64::try_from(all).unwrap_or_default());
        loop {
            if steps.send(Step::Progress { done: done.min(of), of }).await.is_err() {
                return Ok(());
            }
            let mut tx = self.parts.db.begin(org).await?;
            let calls = read::decided(&mut tx, org, (since, end), PAGE).await?;
            let missing: Vec<SessionId> =
                calls.iter().map(|call| call.session).filter(|id| !known.sessions.contains_key(id)).collect();
            let sessions = self.parts.tenancy.find_sessions(&mut tx, org, &missing).await?;
            known.sessions.extend(sessions.into_iter().map(|session| (session.id, session)));
            drop(tx);
            let Some(last) = calls.last() else { break };
            since = uuid::Uuid::from_u128(last.id.uuid().as_u128() + 1);
            done += u64::try_from(calls.len()).unwrap_or_default();
            let actions: Vec<Option<Arc<Action>>> = calls
                .iter()
                .map(|call| self.parts.reader.find_action(&known.catalog, &call.address))
                .collect();
            // It computes for long, and other requests must be answered meanwhile.
            let computing = tokio::task::spawn_blocking(move || {
                for (call, action) in calls.iter().zip(&actions) {
                    take(&mut backtest, &known, call, action.as_deref());
                }
                (backtest, known)
            });
            (backtest, known) = computing.await.map_err(|_| Error::Interrupted)?;
        }
        drop(steps.send(Step::Done(Box::new((from, until, backtest.finish())))).await);
        Ok(())
    }

    async fn settings(
        &self,
        tx: &mut platform::db::Tx,
        org: OrgId,
        change: Change,
    ) -> Result<(Setting, Setting, Touched), Error> {
        let rules = self.parts.rules.all(tx, org).await?;
        let statutes = self.parts.policies.statutes(tx, org).await?;
        let mut changed = statutes.clone();
        let names: Vec<String> = change.set.iter().map(|one| one.name.clone()).chain(change.remove).collect();
        let kept = statutes.policies.all().iter().filter(|one| !names.contains(&one.statement.name));
        let new =
            change.set.into_iter().map(|statement| Stored { statement, version: 0, is_observing: false });
        changed.policies = PolicySet::new(kept.cloned().chain(new).collect());
        for fact in change.facts {
            let definition = FactDefinition::new(fact)?;
            changed.facts.retain(|other| other.definition.name() != definition.name());
            let now = self.parts.world.clock.now();
            let set_by = model::UserId::from_uuid(uuid::Uuid::nil());
            changed.facts.push(StoredFact {
                definition,
                sees_since: now,
                is_filled: true,
                set_by,
                created_at: now,
            });
        }
        let rule_changes = change.rule.is_some() || change.remove_rule.is_some();
        let everything = rule_changes || change.band.is_some() || change.grant.is_some();
        let mut new_rules = change.rule.map_or_else(|| rules.clone(), |rule| rules.with(rule));
        if let Some(id) = change.remove_rule {
            new_rules = new_rules.without(id);
        }
        let touched = Touched { policies: names.into_iter().collect(), everything };
        let before = Setting { rules, statutes, bands: HashMap::new(), grants: vec![] };
        let after = Setting {
            rules: new_rules,
            statutes: changed,
            bands: change.band.into_iter().collect(),
            grants: change.grant.into_iter().collect(),
        };
        Ok((before, after, touched))
    }
}

/// Gives a call of the past to a backtest. Calls of actions that are gone, and of sessions that are, cannot be decided again.
fn take(backtest: &mut Backtest, known: &Known, call: &DecidedCall, action: Option<&Action>) {
    let (Some(action), Some(session)) = (action, known.sessions.get(&call.session)) else { return };
    let Some((space, band)) = known.spaces.get(&call.space) else { return };
    let automation = session.run.as_ref().map(|run| run.automation);
    let gates = || call.decision.gates.iter();
    let finding =
        gates().filter(|gate| gate.verdict == Verdict::Quarantine).map(|gate| gate.reason.as_str()).next();
    // Values are kept as they may be shown, so nobody can look for consents again.
    let lacked = gates().find(|gate| gate.gate == "consent" && gate.verdict != Verdict::Pass);
    let consent = lacked.map_or(Consented::Given, |gate| Consented::Missing(gate.reason.clone()));
    backtest.take(&PastRequest {
        invocation: call.id,
        definition: &action.definition,
        is_builtin: known.catalog.connectors().all(|one| one.slug != action.definition.address.source),
        drift: action.drift,
        requester: Requester {
            session: Some(session.id),
            automation,
            space,
            band: *band,
            agent: &session.agent,
            is_unattended: session.kind == SessionKind::Unattended,
            opened_by: Some(session.created_by),
        },
        place: FactPlace { session: session.id, automation, space: call.space },
        capabilities: &session.capabilities,
        params: &call.params,
        result: call.result.as_ref().filter(|_| call.status == Status::Succeeded),
        is_erased: call.is_erased,
        step: call.step.as_ref().map(|step| step.hash),
        finding,
        consent,
        provenance: call.decision.flow.as_deref().map(Provenance::recorded),
        had_grant: call.decision.grant.is_some(),
        status: call.status,
        waited: call.decision.mode == Mode::RequireApproval,
        has_parts: call.address.source.as_str() == "batch",
        at: call.requested_at,
        finished_at: call.finished_at,
    });
}
