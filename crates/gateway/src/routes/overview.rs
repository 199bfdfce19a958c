//! The overview: counts over time.

use api::{
    AgentCalls, Bucket, OverviewQuery, OverviewView, PersonAnswers, Problem, RuleSuggestion, SourceCalls,
};
use automation::RunTally;
use axum::{Json, extract::State};
use jiff::{SignedDuration, Timestamp};
use oversight::{Overview, Tally};
use platform::period::Period;

use crate::{
    App,
    extract::{CurrentUser, Query},
    problem::Answer,
};

/// The default period.
const WEEK: SignedDuration = SignedDuration::from_hours(7 * 24);

/// Count invocations and runs over a period. The default is the last week.
#[utoipa::path(
    get, path = "/v1/overview", tag = "activity", params(OverviewQuery),
    responses((status = 200, body = OverviewView), (status = "4XX", body = Problem))
)]
pub(crate) async fn get_overview(
    State(app): State<App>,
    CurrentUser(person): CurrentUser,
    Query(query): Query<OverviewQuery>,
) -> Result<Json<OverviewView>, Answer> {
    let until = query.until.unwrap_or_else(|| app.world.clock.now());
    let since = query.since.or_else(|| until.checked_sub(WEEK).ok()).unwrap_or(until);
    let period = Period::new(since, until)
        .ok_or_else(|| Answer::invalid("", "`since` must be before `until`, by at most 92 days"))?;
    let space = match query.space.as_deref() {
        None => None,
        name => Some(app.tenancy.named_space(person.org, name).await?.id),
    };
    let overview = app.oversight.overview(person.org, space, period).await?;
    let runs = app.automations.tally(person.org, space, period).await?;
    Ok(Json(view(period, overview, &runs)))
}

fn view(period: Period, overview: Overview, runs: &[(usize, RunTally)]) -> OverviewView {
    let mut buckets: Vec<Bucket> = period.buckets().map(|at| bucket(at, &Tally::default())).collect();
    let mut totals = bucket(period.since(), &overview.totals);
    for (place, tally) in &overview.buckets {
        if let Some(slot) = buckets.get_mut(*place) {
            *slot = bucket(slot.at, tally);
        }
    }
    for (place, tally) in runs {
        for slot in buckets.get_mut(*place).into_iter().chain([&mut totals]) {
            slot.runs_succeeded += tally.succeeded;
            slot.runs_failed += tally.failed;
            slot.cost_usd += tally.cost_usd;
        }
    }
    for (place, drifted) in overview.drift {
        for slot in buckets.get_mut(place).into_iter().chain([&mut totals]) {
            slot.drift += drifted;
        }
    }
    let source = |found: oversight::SourceTally| SourceCalls {
        source: found.source,
        calls: found.calls,
        succeeded: found.succeeded,
        failed: found.failed,
        p50_ms: found.p50_ms,
    };
    let agent = |found: oversight::AgentTally| AgentCalls { agent: found.agent, calls: found.calls };
    OverviewView {
        since: period.since(),
        until: period.until(),
        bucket_s: period.bucket_s(),
        buckets,
        totals,
        waiting: overview.waiting,
        sources: overview.sources.into_iter().map(source).collect(),
        agents: overview.agents.into_iter().map(agent).collect(),
        people: overview.people.into_iter().map(|(found, name)| person(period, found, name)).collect(),
        suggestions: overview.suggestions.into_iter().map(suggestion).collect(),
    }
}

fn bucket(at: Timestamp, tally: &Tally) -> Bucket {
    Bucket {
        at,
        calls: tally.calls,
        succeeded: tally.succeeded,
        failed: tally.failed,
        denied: tally.denied,
        expired: tally.expired,
        unknown: tally.unknown,
        quarantined: tally.quarantined,
        reverted: tally.reverted,
        asked: tally.asked,
        answered: tally.answered,
        approval_p50_s: tally.approval_p50_s,
        approval_p95_s: tally.approval_p95_s,
        ..Bucket::default()
    }
}

#[expect(clippy::cast_precision_loss, reason = "numbers of answers and of seconds")]
fn person(period: Period, found: policy::Answerer, name: String) -> PersonAnswers {
    let days = (period.until().as_second() - period.since().as_second()) as f64 / 86_400.0;
    let per_day = (found.answers as f64 / days.max(1.0) * 10.0).round() / 10.0;
    PersonAnswers { name, answers: found.answers, per_day, median_s: found.median_s }
}

fn suggestion(found: oversight::Suggestion) -> RuleSuggestion {
    RuleSuggestion {
        action: found.address.to_string(),
        condition: found.condition.source().clone(),
        where_words: found.condition.words(),
        questions: found.questions,
    }
}
