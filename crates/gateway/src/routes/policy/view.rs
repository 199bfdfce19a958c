//! Policies, facts and backtests as they are answered.

use std::collections::HashMap;

use api::{
    BacktestAction, BacktestDay, BacktestExample, BacktestGrant, BacktestRequest, BacktestResult,
    CheckedPolicy, ComparedAction, Comparison, ComparisonExample, FactRequest, FactView, ModeCounts,
    PolicyAction, PolicyCaseResult, PolicyCheckResult, PolicyField, PolicyProblem, PolicyReport,
    PolicyReportAction, PolicySuggestion, PolicyView, PolicyVocabulary, RuleRequest, StarterNeed,
};
use jiff::Timestamp;
use model::{Mode, UserId};
use oversight::policies::{Checked, Comparing, Found, NamedField, Need, Report, Suggested, Vocabulary};
use policy::{
    StoredFact, StoredPolicy,
    backtest::{Counts, Example, Outcome},
    cedar::{Compared, Found as CedarFound, Severity, Statement},
};

pub(super) fn policy(stored: StoredPolicy, names: &HashMap<UserId, String>) -> PolicyView {
    let state = stored.state().to_owned();
    let Statement { name, mode, approvers, why, reads, text, .. } = stored.statement;
    PolicyView {
        id: stored.id,
        name,
        text,
        state,
        version: stored.version,
        mode,
        approvers,
        why,
        reads: reads.names().into_iter().map(str::to_owned).collect(),
        facts: reads.facts.into_iter().collect(),
        limits: reads.limits.into_iter().map(|(fact, limit)| (fact, limit.into())).collect(),
        set_by: stored.set_by,
        set_by_name: names.get(&stored.set_by).cloned(),
        updated_at: stored.updated_at,
        observing_since: stored.observing_since,
    }
}

pub(super) fn fact(fact: FactRequest, stored: StoredFact, used_by: Vec<String>) -> FactView {
    FactView {
        id: stored.definition.id,
        fact,
        words: stored.definition.words(),
        sees_since: stored.sees_since,
        complete: stored.is_filled,
        used_by,
        set_by: stored.set_by,
        updated_at: stored.created_at,
    }
}

pub(super) fn checked(checked: Checked) -> PolicyCheckResult {
    let ok = checked.is_ok();
    let policies = checked.policies.into_iter().map(|(statement, in_scope)| CheckedPolicy {
        actions: statement.scope().into_iter().flatten().cloned().collect(),
        reads: statement.reads.names().into_iter().map(str::to_owned).collect(),
        name: statement.name,
        text: statement.text.trim_start().to_owned(),
        mode: statement.mode,
        approvers: statement.approvers,
        why: statement.why,
        facts: statement.reads.facts.into_iter().collect(),
        in_scope,
    });
    let cases = checked.cases.into_iter().map(|case| PolicyCaseResult {
        name: case.name,
        passed: case.passed,
        expected: case.expected,
        got: case.got,
        held: case.held,
        problem: case.problem,
    });
    PolicyCheckResult {
        ok,
        policies: policies.collect(),
        cases: cases.collect(),
        problems: checked.problems.into_iter().map(problem).collect(),
    }
}

fn problem(found: Found) -> PolicyProblem {
    let Found { name, text, problem } = found;
    let severity = if problem.severity == Severity::Error { "error" } else { "warning" };
    PolicyProblem {
        policy: name,
        index: text,
        severity: severity.to_owned(),
        message: problem.message,
        help: problem.help,
        line: problem.place.map(|place| place.line),
        column: problem.place.map(|place| place.column),
        length: problem.place.map(|place| place.length),
    }
}

pub(super) fn vocabulary(found: Vocabulary) -> PolicyVocabulary {
    let fields = |all: Vec<NamedField>| all.into_iter().map(field).collect::<Vec<_>>();
    let actions = found.actions.into_iter().map(|action| PolicyAction {
        address: action.address,
        groups: action.groups,
        input: fields(action.input),
    });
    PolicyVocabulary {
        actions: actions.collect(),
        groups: found.groups,
        spaces: found.spaces,
        sources: found.sources,
        facts: fields(found.facts),
        context: fields(found.context),
        principal: fields(found.principal),
    }
}

fn field(field: NamedField) -> PolicyField {
    PolicyField { path: field.path, kind: field.kind, required: field.is_required, words: field.words }
}

pub(super) fn report(name: String, since: Timestamp, report: Report) -> PolicyReport {
    let by_action = report.by_action.into_iter().map(|(action, one)| PolicyReportAction {
        action,
        would_ask: one.would_ask,
        would_deny: one.would_deny,
        examples: one.examples.iter().map(ToString::to_string).collect(),
    });
    PolicyReport {
        name,
        since,
        held: report.held,
        would_ask: report.would_ask,
        would_deny: report.would_deny,
        already_stricter: report.already_stricter,
        by_action: by_action.collect(),
    }
}

pub(super) fn need(need: Need) -> StarterNeed {
    StarterNeed { name: need.name, label: need.label, kind: need.kind, default: need.default }
}

const fn counts(counts: Counts) -> ModeCounts {
    ModeCounts { allow: counts.allow, require_approval: counts.ask, deny: counts.deny }
}

pub(super) fn outcome((from, to, outcome): (Timestamp, Timestamp, Outcome)) -> BacktestResult {
    let example = |example: Example| BacktestExample {
        invocation: example.invocation.to_string(),
        before: example.before,
        after: example.after,
        policies: example.policies,
    };
    let days = outcome.days.into_iter();
    let days = days.map(|(date, (before, after))| BacktestDay {
        date,
        before: counts(before),
        after: counts(after),
    });
    let actions = outcome.actions.into_iter().map(|(action, one)| BacktestAction {
        action,
        newly_allowed: one.newly.allow,
        newly_asked: one.newly.ask,
        newly_denied: one.newly.deny,
        examples: one.examples.into_iter().map(example).collect(),
    });
    BacktestResult {
        from,
        to,
        invocations: outcome.invocations,
        incomplete: outcome.incomplete,
        before: counts(outcome.before),
        after: counts(outcome.after),
        newly_allowed: outcome.newly.allow,
        newly_asked: outcome.newly.ask,
        newly_denied: outcome.newly.deny,
        days: days.collect(),
        actions: actions.collect(),
    }
}

pub(super) fn comparison(found: Comparing) -> Comparison {
    let Comparing::Compared { solver, actions } = found else {
        let missing = "install the solver where the gateway runs, for example `apt-get install cvc5`, or set COUNTERSIGN_SOLVER";
        return Comparison {
            solver: None,
            missing: Some(missing.to_owned()),
            loosened: None,
            actions: vec![],
        };
    };
    let actions: Vec<ComparedAction> = actions.into_iter().map(compared).collect();
    let any = |state: Option<bool>| actions.iter().any(|one| one.loosened == state);
    let loosened = match (any(Some(true)), any(None)) {
        (true, _) => Some(true),
        (false, true) => None,
        (false, false) => Some(false),
    };
    Comparison { solver: Some(solver), missing: None, loosened, actions }
}

fn compared(found: Compared) -> ComparedAction {
    let Compared { action, alike, found } = found;
    let (loosened, note, example) = match found {
        CedarFound::Nothing => (Some(false), None, None),
        CedarFound::Unknown(note) => (None, Some(note), None),
        CedarFound::Loosened(example) => {
            let held = example.held.iter().map(|name| format!("`{name}`")).collect::<Vec<_>>().join(", ");
            let words = format!(
                "{held} gives {} today; the change gives {}",
                example.before.as_str(),
                example.after.as_str()
            );
            let policy::cedar::Example { params, history, before, after, .. } = *example;
            (Some(true), None, Some(ComparisonExample { params, history, before, after, words }))
        }
    };
    ComparedAction { action, alike, loosened, note, example }
}

pub(super) fn suggestion(found: Suggested, days: u32) -> PolicySuggestion {
    let mut backtest = BacktestRequest { days, ..BacktestRequest::default() };
    let (mut condition, mut where_words, mut removed) = (None, None, None);
    let (kind, action, count, words) = match found {
        Suggested::Grant { address, condition: limit, questions } => {
            condition = Some(limit.source().clone());
            where_words = Some(limit.words());
            let action = address.to_string();
            backtest.grant = Some(BacktestGrant { action: action.clone(), condition: condition.clone() });
            let words = format!("People approved all {questions} requests where {}.", limit.words());
            ("grant", action, questions, words)
        }
        Suggested::RemoveRule { id, rule } => {
            backtest.remove_rule = Some(id);
            removed = Some(id);
            ("remove_rule", rule.key(), 0, format!("Nothing used this rule in the last {days} days."))
        }
        Suggested::Deny { address, denials } => {
            let action = address.to_string();
            backtest.rule = Some(RuleRequest {
                action: action.clone(),
                mode: Mode::Deny,
                reason: String::new(),
                automation: None,
                condition: None,
            });
            ("deny", action, denials, format!("People denied all {denials} requests."))
        }
    };
    let kind = kind.to_owned();
    PolicySuggestion { kind, action, condition, where_words, rule: removed, count, words, backtest }
}
