//! Backtests: what a change of policy would have done, found by deciding again about what was asked in the past.
//!
//! The same pure decision is made twice for each request: by today's policy, and by the changed one. Facts are computed along
//! the way, separately for both: what the changed policy would have denied does not count in its facts.

use std::collections::{BTreeMap, BTreeSet, HashMap};

use jiff::{SignedDuration, Timestamp};
use model::{
    ActionAddress, ActionDefinition, Drift, GrantId, InvocationId, Mode, RiskBand, SpaceId, Status, UserId,
};
use platform::redact::REDACTED;
use serde_json::Value;

use crate::{
    Asked, Condition, Consented, Contribution, FactKind, FactPlace, FactState, FactValue, FactValues, Facts,
    Grant, GrantScope, Provenance, RuleSet, Statutes, cedar::Requester, decide,
};

/// How many examples are kept of each action.
const EXAMPLES: usize = 10;

type Hash = dyn Fn(&[u8]) -> [u8; 32] + Send + Sync;
/// Hashes values with the organization's key, as facts do.
pub type KeyedHash = Box<Hash>;

/// A policy under which requests are decided.
pub struct Setting {
    pub rules: RuleSet,
    pub statutes: Statutes,
    /// Spaces with another band than they have.
    pub bands: HashMap<SpaceId, RiskBand>,
    /// Grants that are tried. Their calls are not counted.
    pub grants: Vec<Grant>,
}

/// A request of the past.
pub struct PastRequest<'a> {
    pub invocation: InvocationId,
    pub definition: &'a ActionDefinition,
    pub is_builtin: bool,
    pub drift: Drift,
    pub requester: Requester<'a>,
    pub place: FactPlace,
    pub capabilities: &'a [String],
    /// As they are stored: redacted.
    pub params: &'a Value,
    pub result: Option<&'a Value>,
    pub is_erased: bool,
    pub step: Option<model::Digest>,
    /// Why it was quarantined, if it was.
    pub finding: Option<&'a str>,
    /// Whether everybody who had to agree did then.
    pub consent: Consented,
    /// What it was made of, as far as it mattered then.
    pub provenance: Option<Provenance>,
    /// Whether a grant answered for a person.
    pub had_grant: bool,
    pub status: Status,
    /// Whether it waited for a person.
    pub waited: bool,
    /// Whether it is a batch. Its parts are not decided again.
    pub has_parts: bool,
    pub at: Timestamp,
    pub finished_at: Option<Timestamp>,
}

/// Decisions by mode.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Counts {
    pub allow: u64,
    pub ask: u64,
    pub deny: u64,
}

impl Counts {
    const fn add(&mut self, mode: Mode) {
        match mode {
            Mode::Allow => self.allow += 1,
            Mode::RequireApproval => self.ask += 1,
            Mode::Deny => self.deny += 1,
        }
    }
}

/// An invocation that would be decided differently.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Example {
    pub invocation: InvocationId,
    pub before: Mode,
    pub after: Mode,
    pub policies: Vec<String>,
}

/// What changes for one action.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct ActionOutcome {
    pub newly: Counts,
    pub examples: Vec<Example>,
}

/// The result.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Outcome {
    pub invocations: u64,
    /// Those of which something is hidden or erased that their decision may depend on, and batches.
    pub incomplete: u64,
    pub before: Counts,
    pub after: Counts,
    /// Requests with another mode than before, by the mode after.
    pub newly: Counts,
    /// By day, in the organization's time zone.
    pub days: BTreeMap<String, (Counts, Counts)>,
    pub actions: BTreeMap<String, ActionOutcome>,
}

/// A backtest on its way. Requests are given in the order of their time.
pub struct Backtest {
    before: World,
    after: World,
    /// What the change names; requests for other actions are decided once.
    touched: Touched,
    from: Timestamp,
    hash: KeyedHash,
    outcome: Outcome,
}

/// What a change may touch.
#[derive(Debug, Default)]
pub struct Touched {
    /// Policies that are set, changed or removed, by name.
    pub policies: BTreeSet<String>,
    /// Whether rules or bands change.
    pub everything: bool,
}

/// A setting with the facts as they would be under it.
struct World {
    setting: Setting,
    tallies: HashMap<(usize, uuid::Uuid, Vec<u8>), Tally>,
}

/// The entries of one fact in one scope.
#[derive(Default)]
struct Tally {
    /// Those that count until they leave the window, by when they were asked.
    lasting: BTreeMap<(Timestamp, usize), Counted>,
    /// Those that will count from a time on, by that time.
    coming: BTreeMap<(Timestamp, usize), (Timestamp, Counted)>,
    /// Those that count until a time: until when, and when they were asked.
    passing: Vec<(Timestamp, Timestamp, Counted)>,
    sum: i128,
    values: HashMap<[u8; 32], usize>,
    /// Keeps entries of the same time apart.
    number: usize,
}

#[derive(Clone, Copy)]
struct Counted {
    amount: i64,
    value: Option<[u8; 32]>,
}

impl Tally {
    fn last(&mut self, at: Timestamp, counted: Counted) {
        self.number += 1;
        self.sum += i128::from(counted.amount);
        *self.values.entry(counted.value.unwrap_or_default()).or_default() += 1;
        self.lasting.insert((at, self.number), counted);
    }

    fn come(&mut self, from: Timestamp, at: Timestamp, counted: Counted) {
        self.number += 1;
        self.coming.insert((from, self.number), (at, counted));
    }

    /// Moves on to a time; times only rise.
    fn advance(&mut self, since: Timestamp, now: Timestamp) {
        while let Some(first) = self.coming.first_entry().filter(|first| first.key().0 <= now) {
            let (at, counted) = first.remove();
            self.last(at, counted);
        }
        while let Some(first) = self.lasting.first_entry().filter(|first| first.key().0 < since) {
            let gone = first.remove();
            self.sum -= i128::from(gone.amount);
            let value = gone.value.unwrap_or_default();
            if let Some(left) = self.values.get_mut(&value) {
                *left -= 1;
                if *left == 0 {
                    self.values.remove(&value);
                }
            }
        }
        self.passing.retain(|(until, at, _)| *until > now && *at >= since);
    }

    fn value(&mut self, kind: FactKind, since: Timestamp, now: Timestamp) -> FactValue {
        self.advance(since, now);
        let passing = || self.passing.iter().map(|(_, _, counted)| counted);
        let number = |number: i128| FactValue::Number(i64::try_from(number).unwrap_or(i64::MAX));
        match kind {
            FactKind::Any => FactValue::Truth(!self.lasting.is_empty() || !self.passing.is_empty()),
            FactKind::Count | FactKind::Sum => {
                number(self.sum + passing().map(|one| i128::from(one.amount)).sum::<i128>())
            }
            FactKind::Distinct => {
                let new =
                    passing().filter_map(|one| one.value).filter(|value| !self.values.contains_key(value));
                let new: BTreeSet<[u8; 32]> = new.collect();
                number(i128::try_from(self.values.len() + new.len()).unwrap_or(i128::MAX))
            }
        }
    }
}

impl World {
    fn new(setting: Setting) -> Self {
        Self { setting, tallies: HashMap::new() }
    }

    /// The longest window of its facts.
    fn reach(&self) -> SignedDuration {
        let windows = self.setting.statutes.facts.iter().map(|fact| fact.definition.within);
        windows.max().unwrap_or_default()
    }

    fn history(&mut self, request: &PastRequest<'_>, hash: &Hash) -> FactValues {
        let statutes = &self.setting.statutes;
        let read: BTreeSet<String> =
            statutes.read_for(request.definition).map(|fact| fact.definition.name().to_owned()).collect();
        let mut values = Vec::new();
        for (number, fact) in statutes.facts.iter().enumerate() {
            let fact = &fact.definition;
            if !read.contains(fact.name()) {
                continue;
            }
            let value = match fact.lookup(request.place, request.params, request.at, &|value| hash(value)) {
                Some(Some(lookup)) => {
                    let tally = self.tallies.entry((number, lookup.scope, lookup.same)).or_default();
                    tally.value(lookup.kind, lookup.since, request.at)
                }
                Some(None) if fact.source.kind == FactKind::Any => FactValue::Truth(false),
                Some(None) => FactValue::Number(0),
                None => continue,
            };
            values.push((fact.name().to_owned(), value));
        }
        values.into_iter().collect()
    }

    fn decide(&self, request: &PastRequest<'_>, history: &FactValues) -> model::Decision {
        let band = self.setting.bands.get(&request.place.space).copied().unwrap_or(request.requester.band);
        let answered = request.had_grant.then(|| grant_of(request));
        let grants: Vec<Grant> = answered.into_iter().chain(self.setting.grants.iter().cloned()).collect();
        decide(&Facts {
            definition: request.definition,
            is_builtin: request.is_builtin,
            requester: Requester { band, ..request.requester },
            rules: &self.setting.rules,
            policies: &self.setting.statutes.policies,
            gates: &self.setting.statutes.gates,
            zone: &self.setting.statutes.zone,
            drift: request.drift,
            capabilities: request.capabilities,
            asked: Asked {
                params: Some(request.params),
                step: request.step,
                finding: request.finding,
                consent: Some(&request.consent),
                history: Some(history),
                provenance: request.provenance.as_ref(),
                ..Asked::default()
            },
            grants: &grants,
            now: request.at,
        })
    }

    /// Counts a request that this setting lets happen, or that it denies.
    fn count(&mut self, request: &PastRequest<'_>, mode: Mode, hash: &Hash) {
        // What was refused at once has no end of its own: if it is let through here, it would have happened.
        let happened = !matches!(request.status, Status::Denied | Status::Quarantined | Status::Skipped);
        let asked_then = request.finished_at.is_some_and(|end| end > request.at);
        let end = if happened || asked_then { request.status } else { Status::Succeeded };
        for (number, fact) in self.setting.statutes.facts.iter().enumerate() {
            let definition = &fact.definition;
            let output = request.result.filter(|_| definition.needs_output());
            if definition.needs_output() != output.is_some() {
                continue;
            }
            let (definition_of, input) = (request.definition, request.params);
            let has_parts = request.has_parts;
            let of = Contribution { definition: definition_of, input, output, part: 0, has_parts };
            let Some(entry) = definition.entry(request.place, of, &|value| hash(value)) else { continue };
            let counts = |status: Status| definition.source.state.statuses().contains(&status);
            let ended = request.finished_at.unwrap_or(request.at);
            // What waits keeps its share however long, and what happens afterwards happened then.
            let (began, held) =
                if request.waited { (ended, Timestamp::MAX) } else { (request.at, request.at) };
            let counted = Counted { amount: entry.amount, value: entry.value };
            let tally = self.tallies.entry((number, entry.scope, entry.same)).or_default();
            match (mode, definition.source.state) {
                (Mode::Deny, FactState::Denied) => tally.last(request.at, counted),
                (Mode::Deny, _) => {}
                (_, state) if state.counts_at_once() => {
                    let lasts = counts(end);
                    if lasts && !request.waited {
                        tally.last(request.at, counted);
                        continue;
                    }
                    // It held its share while it waited or was under way.
                    tally.passing.push((ended, held, counted));
                    if lasts {
                        tally.come(ended, began, counted);
                    }
                }
                (_, _) if counts(end) => tally.come(ended, began, counted),
                _ => {}
            }
        }
    }
}

/// A grant for exactly this request, because one answered for it.
fn grant_of(request: &PastRequest<'_>) -> Grant {
    grant_for(&request.definition.address, None)
}

/// A grant that is tried for an action.
pub fn grant_for(address: &ActionAddress, condition: Option<Condition>) -> Grant {
    Grant {
        id: GrantId::from_uuid(uuid::Uuid::nil()),
        scope: GrantScope::Org,
        source: address.source.to_string(),
        action: address.action.to_string(),
        max_calls: 1,
        used_calls: 0,
        expires_at: Timestamp::MAX,
        revoked_at: None,
        created_by: UserId::from_uuid(uuid::Uuid::nil()),
        created_at: Timestamp::MIN,
        from_invocation: None,
        from_request: None,
        reason: String::new(),
        condition,
        step: None,
    }
}

impl Backtest {
    /// From a time on. Requests before it only fill the facts.
    pub fn new(before: Setting, after: Setting, touched: Touched, from: Timestamp, hash: KeyedHash) -> Self {
        let (before, after) = (World::new(before), World::new(after));
        Self { before, after, touched, from, hash, outcome: Outcome::default() }
    }

    /// From when on requests are needed, so that the facts of the first one are complete.
    pub fn reads_from(&self) -> Timestamp {
        let reach = self.before.reach().max(self.after.reach());
        self.from.checked_sub(reach).unwrap_or(Timestamp::MIN)
    }

    /// The next request.
    pub fn take(&mut self, request: &PastRequest<'_>) {
        let hash = &*self.hash;
        let history = self.before.history(request, hash);
        let before = self.before.decide(request, &history);
        let history_after = self.after.history(request, hash);
        let after = if self.is_touched(request) || history != history_after {
            self.after.decide(request, &history_after)
        } else {
            before.clone()
        };
        self.before.count(request, before.mode, hash);
        self.after.count(request, after.mode, hash);
        if request.at >= self.from {
            self.tell(request, before.mode, &after);
        }
    }

    /// The result.
    pub fn finish(self) -> Outcome {
        self.outcome
    }

    fn is_touched(&self, request: &PastRequest<'_>) -> bool {
        let names = |world: &World| {
            let mut all = world.setting.statutes.policies.of(request.definition);
            all.any(|stored| self.touched.policies.contains(&stored.statement.name))
        };
        self.touched.everything || names(&self.before) || names(&self.after)
    }

    fn tell(&mut self, request: &PastRequest<'_>, before: Mode, after: &model::Decision) {
        let outcome = &mut self.outcome;
        outcome.invocations += 1;
        outcome.before.add(before);
        outcome.after.add(after.mode);
        let zone = &self.after.setting.statutes.zone;
        let day = request.at.to_zoned(zone.clone()).date().to_string();
        let counts = outcome.days.entry(day).or_default();
        counts.0.add(before);
        counts.1.add(after.mode);
        let reads = |world: &World| {
            world
                .setting
                .statutes
                .policies
                .of(request.definition)
                .any(|stored| stored.statement.reads.needs_params())
        };
        let is_hidden = || request.is_erased || request.params.to_string().contains(REDACTED);
        if request.has_parts || (reads(&self.before) || reads(&self.after)) && is_hidden() {
            outcome.incomplete += 1;
        }
        if before == after.mode {
            return;
        }
        outcome.newly.add(after.mode);
        let action = outcome.actions.entry(request.definition.address.to_string()).or_default();
        action.newly.add(after.mode);
        if action.examples.len() < EXAMPLES {
            let holding = after.policies.iter().filter(|policy| !policy.observing);
            action.examples.push(Example {
                invocation: request.invocation,
                before,
                after: after.mode,
                policies: holding.map(|policy| policy.name.clone()).collect(),
            });
        }
    }
}
