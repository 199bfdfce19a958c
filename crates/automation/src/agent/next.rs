//! What comes next in an agent step: a pure function of its rows and the moment.

use std::{collections::HashMap, time::Duration};

use catalog::models::Stop;
use jiff::{SignedDuration, Timestamp};

use super::{AgentCall, AgentTurn, CallStatus, Recorded};
use crate::{
    RunError,
    limits::agent::{MOST_ASKS, MOST_CORRECTIONS, MOST_SAME_DENIALS, MOST_SAME_FAILURES},
};

/// The step as it is defined, and the moment.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Moment {
    pub(crate) now: Timestamp,
    pub(crate) max_turns: i16,
    pub(crate) max_output_tokens: u32,
    /// Whether a person cancelled the run.
    pub(crate) cancelled: bool,
    /// Whether the run has worked for as long as it may.
    pub(crate) late: bool,
}

/// What comes next.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Next {
    /// Ask the model.
    Ask(Question),
    /// Make the calls of this turn that have no result yet.
    Call(i16),
    /// Do nothing for this time.
    Rest(Duration),
    /// The answer of this turn is the result.
    Done(i16),
    /// The step has failed.
    Fail(RunError),
}

/// A question to the model.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Question {
    pub(crate) turn: i16,
    pub(crate) ask: i16,
    pub(crate) max_output_tokens: u32,
    /// Whether the model has to answer now, without calls.
    pub(crate) is_last: bool,
}

/// What comes next in a step.
pub(crate) fn next(step: &Recorded, moment: &Moment) -> Next {
    let Some(last) = step.turns.last() else { return begin(moment) };
    if last.finished_at.is_none() {
        // It may have been asked already, by a process that is gone.
        return Next::Ask(again(last, moment));
    }
    if let Some(error) = &last.error {
        return failed(last, error, moment);
    }
    match last.stop {
        Some(Stop::Refused) => return fail("refused", "the model refused to answer"),
        Some(Stop::Context) => return fail("context_exceeded", "the context of the model is full"),
        Some(Stop::Length) if cuts(step, last.turn) > 1 => {
            return fail("output_cut", "the reply was longer than the limit of output tokens, twice");
        }
        Some(Stop::Length) => {
            let cap = last.max_output_tokens.saturating_mul(2);
            return ask(
                moment,
                Question { ask: last.ask + 1, max_output_tokens: cap, ..again(last, moment) },
            );
        }
        _ => {}
    }
    let calls: Vec<&AgentCall> = step.calls_of(last.turn).collect();
    if calls.iter().any(|call| !call.status.is_over()) {
        // Also of a run that was cancelled: what is under way ends, and what waits is withdrawn.
        return Next::Call(last.turn);
    }
    if let Some(error) = calls.iter().find_map(|call| ends(call)) {
        return Next::Fail(error);
    }
    if let Some(error) = stuck(&step.calls) {
        return Next::Fail(error);
    }
    if calls.is_empty() && last.stop == Some(Stop::Calls) {
        return fail("max_turns", &format!("the model did not answer within {} turns", moment.max_turns));
    }
    if calls.is_empty() && last.stop != Some(Stop::Paused) {
        match &last.problems {
            Some(problems) if !problems.is_empty() => {
                let wrong =
                    step.turns.iter().filter(|turn| turn.problems.as_ref().is_some_and(|p| !p.is_empty()));
                if wrong.count() > MOST_CORRECTIONS {
                    return fail(
                        "output_mismatch",
                        &format!("the answer does not fit: {}", problems.join("; ")),
                    );
                }
            }
            _ => return Next::Done(last.turn),
        }
    }
    // The last turn is asked for an answer; a correction of it may follow.
    let turn = last.turn + 1;
    let is_correction = calls.is_empty();
    let most =
        moment.max_turns + if is_correction { i16::try_from(MOST_CORRECTIONS).unwrap_or(2) } else { 0 };
    if turn > most {
        return fail("max_turns", &format!("the model did not answer within {} turns", moment.max_turns));
    }
    ask(
        moment,
        Question {
            turn,
            ask: 1,
            max_output_tokens: moment.max_output_tokens,
            is_last: turn >= moment.max_turns,
        },
    )
}

/// How often a turn was cut off.
fn cuts(step: &Recorded, turn: i16) -> usize {
    step.turns.iter().filter(|asked| asked.turn == turn && asked.stop == Some(Stop::Length)).count()
}

fn begin(moment: &Moment) -> Next {
    let is_last = moment.max_turns <= 1;
    ask(moment, Question { turn: 1, ask: 1, max_output_tokens: moment.max_output_tokens, is_last })
}

/// Nothing new begins in a run that was cancelled or has no time left.
fn ask(moment: &Moment, question: Question) -> Next {
    if moment.cancelled {
        return Next::Fail(RunError::cancelled());
    }
    if moment.late {
        return fail("timed_out", "the run has no time left for another turn");
    }
    Next::Ask(question)
}

const fn again(turn: &AgentTurn, moment: &Moment) -> Question {
    Question {
        turn: turn.turn,
        ask: turn.ask,
        max_output_tokens: turn.max_output_tokens,
        is_last: turn.turn >= moment.max_turns,
    }
}

fn fail(class: &str, message: &str) -> Next {
    Next::Fail(RunError::new(class, message))
}

/// A turn without a reply is asked again if that may help.
fn failed(last: &AgentTurn, error: &RunError, moment: &Moment) -> Next {
    let Some(at) = last.retry_at else { return Next::Fail(error.clone()) };
    if last.ask >= MOST_ASKS {
        return Next::Fail(error.clone());
    }
    let wait = at.duration_since(moment.now);
    if wait > SignedDuration::ZERO && !moment.cancelled && !moment.late {
        return Next::Rest(wait.unsigned_abs());
    }
    ask(moment, Question { ask: last.ask + 1, ..again(last, moment) })
}

/// Failures that the model can do nothing about.
pub(crate) fn ends(call: &AgentCall) -> Option<RunError> {
    let class = call.class.as_deref()?;
    let what = call.action.as_ref().map_or_else(|| call.name.clone(), ToString::to_string);
    match class {
        "outcome_unknown" => {
            Some(RunError::new(class, format!("whether `{what}` happened is unknown; see its invocation")))
        }
        "auth" => Some(RunError::new(class, format!("`{what}` was not authorized at its target"))),
        "quarantined" => Some(RunError::new(class, format!("a call of `{what}` was quarantined"))),
        _ => None,
    }
}

/// A model that makes the same failing call again and again does not get further.
fn stuck(calls: &[AgentCall]) -> Option<RunError> {
    let mut counts: HashMap<_, (usize, usize)> = HashMap::new();
    for call in calls.iter().filter(|call| call.status == CallStatus::Failed) {
        let count = counts.entry((&call.name, call.params)).or_default();
        count.0 += 1;
        count.1 += usize::from(call.class.as_deref() == Some("denied"));
        if count.1 >= MOST_SAME_DENIALS {
            return Some(RunError::new(
                "denied",
                format!("`{}` was denied {} times with the same parameters", call.name, count.1),
            ));
        }
        if count.0 >= MOST_SAME_FAILURES {
            return Some(RunError::new(
                "stuck",
                format!("`{}` failed {} times with the same parameters", call.name, count.0),
            ));
        }
    }
    None
}

#[cfg(test)]
mod tests {
    use model::Digest;

    use super::*;
    use crate::agent::TurnUsage;

    fn at(seconds: i64) -> Timestamp {
        Timestamp::from_second(1_800_000_000 + seconds).unwrap()
    }

    fn moment() -> Moment {
        Moment { now: at(0), max_turns: 3, max_output_tokens: 100, cancelled: false, late: false }
    }

    fn turn(turn: i16) -> AgentTurn {
        AgentTurn {
            turn,
            ask: 1,
            prompt: Digest::of_bytes(b"prompt"),
            max_output_tokens: 100,
            invocation: None,
            reply: Some(Digest::of_bytes(b"reply")),
            stop: Some(Stop::Done),
            problems: Some(vec![]),
            error: None,
            retry_at: None,
            usage: TurnUsage::default(),
            started_at: at(0),
            finished_at: Some(at(0)),
        }
    }

    fn calling(number: i16) -> AgentTurn {
        AgentTurn { stop: Some(Stop::Calls), problems: None, ..turn(number) }
    }

    fn call(turn: i16, status: CallStatus) -> AgentCall {
        AgentCall {
            turn,
            call: 0,
            id: "id".to_owned(),
            name: "linear__get_issue".to_owned(),
            action: None,
            params: None,
            status,
            invocation: None,
            result: None,
            class: (status == CallStatus::Failed).then(|| "not_found".to_owned()),
            started_at: at(0),
            finished_at: None,
        }
    }

    fn step(turns: Vec<AgentTurn>, calls: Vec<AgentCall>) -> Recorded {
        Recorded { beginning: None, turns, calls }
    }

    fn class(next: Next) -> String {
        match next {
            Next::Fail(error) => error.class,
            other => format!("{other:?}"),
        }
    }

    const fn question(turn: i16, ask: i16, max_output_tokens: u32, is_last: bool) -> Next {
        Next::Ask(Question { turn, ask, max_output_tokens, is_last })
    }

    #[test]
    fn turns_follow_each_other_until_an_answer() {
        let moment = moment();
        assert_eq!(next(&step(vec![], vec![]), &moment), question(1, 1, 100, false));
        let wanted = step(vec![calling(1)], vec![call(1, CallStatus::Wanted)]);
        assert_eq!(next(&wanted, &moment), Next::Call(1));
        let waiting = step(vec![calling(1)], vec![call(1, CallStatus::Waiting)]);
        assert_eq!(next(&waiting, &moment), Next::Call(1));
        let done = step(vec![calling(1)], vec![call(1, CallStatus::Succeeded)]);
        assert_eq!(next(&done, &moment), question(2, 1, 100, false));
        let two = step(vec![calling(1), calling(2)], vec![call(2, CallStatus::Failed)]);
        assert_eq!(next(&two, &moment), question(3, 1, 100, true), "the last turn has to be an answer");
        assert_eq!(class(next(&step(vec![calling(3)], vec![]), &moment)), "max_turns", "it had to answer");
        assert_eq!(next(&step(vec![turn(1)], vec![]), &moment), Next::Done(1));
        let paused = AgentTurn { stop: Some(Stop::Paused), problems: None, ..turn(1) };
        assert_eq!(next(&step(vec![paused], vec![]), &moment), question(2, 1, 100, false));
    }

    #[test]
    fn an_answer_that_does_not_fit_is_corrected_twice() {
        let wrong = |number| AgentTurn { problems: Some(vec!["/kind: required".to_owned()]), ..turn(number) };
        let moment = moment();
        assert_eq!(next(&step(vec![wrong(1)], vec![]), &moment), question(2, 1, 100, false));
        assert_eq!(
            next(&step(vec![wrong(2), wrong(3)], vec![]), &moment),
            question(4, 1, 100, true),
            "also after the last turn"
        );
        assert_eq!(
            class(next(&step(vec![wrong(1), wrong(2), wrong(3)], vec![]), &moment)),
            "output_mismatch"
        );
    }

    #[test]
    fn a_reply_that_was_cut_is_asked_for_once_more_with_more_room() {
        let cut = AgentTurn { stop: Some(Stop::Length), problems: None, ..turn(1) };
        assert_eq!(next(&step(vec![cut.clone()], vec![]), &moment()), question(1, 2, 200, false));
        let twice = AgentTurn { ask: 2, max_output_tokens: 200, ..cut.clone() };
        assert_eq!(class(next(&step(vec![cut, twice], vec![]), &moment())), "output_cut");
        for (stop, expected) in [(Stop::Refused, "refused"), (Stop::Context, "context_exceeded")] {
            let ended = AgentTurn { stop: Some(stop), ..turn(1) };
            assert_eq!(class(next(&step(vec![ended], vec![]), &moment())), expected);
        }
    }

    #[test]
    fn a_turn_without_a_reply_is_asked_again_when_its_time_has_come() {
        let error = Some(RunError::new("rate_limited", "later"));
        let failed = |ask, retry_at| AgentTurn {
            ask,
            error: error.clone(),
            retry_at,
            stop: None,
            problems: None,
            ..turn(1)
        };
        let moment = moment();
        assert_eq!(
            next(&step(vec![failed(1, Some(at(7)))], vec![]), &moment),
            Next::Rest(Duration::from_secs(7))
        );
        assert_eq!(next(&step(vec![failed(1, Some(at(0)))], vec![]), &moment), question(1, 2, 100, false));
        assert_eq!(class(next(&step(vec![failed(1, None)], vec![]), &moment)), "rate_limited");
        assert_eq!(class(next(&step(vec![failed(MOST_ASKS, Some(at(0)))], vec![]), &moment)), "rate_limited");
        let asked = AgentTurn { finished_at: None, stop: None, ..turn(2) };
        assert_eq!(
            next(&step(vec![asked], vec![]), &moment),
            question(2, 1, 100, false),
            "it may have been asked"
        );
    }

    #[test]
    fn some_failures_end_the_step() {
        for (word, expected) in
            [("outcome_unknown", "outcome_unknown"), ("auth", "auth"), ("quarantined", "quarantined")]
        {
            let failed = AgentCall { class: Some(word.to_owned()), ..call(1, CallStatus::Failed) };
            assert_eq!(class(next(&step(vec![calling(1)], vec![failed]), &moment())), expected);
        }
        let many = Moment { max_turns: 12, ..moment() };
        let failing = |count: i16, word: &str| {
            let calls = (1..=count)
                .map(|turn| AgentCall { class: Some(word.to_owned()), ..call(turn, CallStatus::Failed) });
            step(vec![calling(count)], calls.collect())
        };
        assert_eq!(next(&failing(2, "not_found"), &many), question(3, 1, 100, false));
        assert_eq!(class(next(&failing(3, "not_found"), &many)), "stuck");
        assert_eq!(next(&failing(1, "denied"), &many), question(2, 1, 100, false));
        assert_eq!(class(next(&failing(2, "denied"), &many)), "denied");
    }

    #[test]
    fn nothing_new_begins_once_it_is_cancelled_or_late() {
        let cancelled = Moment { cancelled: true, ..moment() };
        let late = Moment { late: true, ..moment() };
        let done = step(vec![calling(1)], vec![call(1, CallStatus::Succeeded)]);
        assert_eq!(class(next(&done, &cancelled)), "cancelled");
        assert_eq!(class(next(&done, &late)), "timed_out");
        let waiting = step(vec![calling(1)], vec![call(1, CallStatus::Waiting)]);
        assert_eq!(next(&waiting, &cancelled), Next::Call(1), "what is under way ends");
        let asked = step(vec![AgentTurn { finished_at: None, ..turn(1) }], vec![]);
        assert_eq!(next(&asked, &cancelled), question(1, 1, 100, false));
        assert_eq!(next(&step(vec![turn(1)], vec![]), &cancelled), Next::Done(1), "the answer is there");
    }
}
