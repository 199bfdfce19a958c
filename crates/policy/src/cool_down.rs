//! The cool-down: an agent that people denied an action three times must wait before it asks again, each time twice as
//! long.

use std::{collections::HashSet, time::Duration};

use jiff::Timestamp;
use model::{InvocationId, OrgId};
use platform::period;
use sqlx::PgConnection;

use crate::{
    Answer, Answered, Error,
    limits::cool_down::{DENIALS, FIRST, LONGEST},
    store,
};

/// How many answers are looked at.
const ANSWERS: i64 = 200;

/// One answer that a proposer got.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Told {
    pub(crate) invocation: InvocationId,
    pub(crate) answer: Answer,
    pub(crate) at: Timestamp,
}

/// A proposer must not ask for an action before this time.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct CoolDown {
    /// How often people denied it since they last approved it.
    pub denials: u32,
    pub until: Timestamp,
}

/// The cool-down of a proposer for an action, if there is one now; read in the caller's transaction.
pub async fn cool_down(
    conn: &mut PgConnection,
    org: OrgId,
    of: &Answered<'_>,
    now: Timestamp,
) -> Result<Option<CoolDown>, Error> {
    let told = store::approvals::list_of_proposer(conn, org, of, ANSWERS).await?;
    Ok(after(told).filter(|cool_down| cool_down.until > now))
}

/// The cool-down after these answers, the newest first. It begins with the third denial since the last approval, and is
/// doubled by each denial of something that was asked after it began: what already waited by then was not asked again.
fn after(told: Vec<Told>) -> Option<CoolDown> {
    let mut denied = HashSet::new();
    let mut denials = Vec::new();
    for answer in told {
        match answer.answer {
            Answer::Denied => {
                denied.insert(answer.invocation);
                denials.push(answer);
            }
            // One of several people approved it, and then another one denied it.
            Answer::Approved if denied.contains(&answer.invocation) => {}
            Answer::Approved => break,
        }
    }
    let mut current: Option<(Timestamp, Duration)> = None;
    for (count, denial) in denials.iter().rev().enumerate() {
        current = match current {
            None if count + 1 >= DENIALS => Some((denial.at, FIRST)),
            Some((began, length)) if period::moment(denial.invocation.uuid()) >= began => {
                Some((denial.at, length.saturating_mul(2).min(LONGEST)))
            }
            unchanged => unchanged,
        };
    }
    let (began, length) = current?;
    Some(CoolDown { denials: u32::try_from(denials.len()).unwrap_or(u32::MAX), until: began + length })
}

#[cfg(test)]
mod tests {
    use super::*;

    const MINUTE: i64 = 60;

    /// Asked and answered at these seconds, in the order of the answers.
    fn cooled(answers: &[(i64, i64, Answer)]) -> Option<(u32, i64)> {
        let time = |second| Timestamp::from_second(second).unwrap();
        let told = answers.iter().enumerate().map(|(n, (asked, at, answer))| {
            let id = period::least_uuid(time(*asked)).as_u128() + n as u128;
            Told {
                invocation: InvocationId::from_uuid(uuid::Uuid::from_u128(id)),
                answer: *answer,
                at: time(*at),
            }
        });
        let mut told: Vec<_> = told.collect();
        told.reverse();
        after(told).map(|found| (found.denials, found.until.as_second()))
    }

    fn denied(times: &[(i64, i64)]) -> Vec<(i64, i64, Answer)> {
        times.iter().map(|(asked, at)| (*asked, *at, Answer::Denied)).collect()
    }

    #[test]
    fn it_begins_with_the_third_denial() {
        assert_eq!(cooled(&[]), None);
        assert_eq!(cooled(&denied(&[(1, 2), (3, 4)])), None);
        assert_eq!(cooled(&denied(&[(1, 2), (3, 4), (5, 6)])), Some((3, 6 + MINUTE)));
    }

    #[test]
    fn each_denial_of_what_was_asked_again_doubles_it() {
        let mut all = denied(&[(1, 2), (3, 4), (5, 6)]);
        let (mut at, mut length) = (6, MINUTE);
        for n in 4..=20 {
            all.push((at + length, at + length + 10, Answer::Denied));
            at += length + 10;
            length = (length * 2).min(24 * 60 * MINUTE);
            assert_eq!(cooled(&all), Some((n, at + length)), "{n}");
        }
    }

    #[test]
    fn what_waited_when_it_began_does_not_double_it() {
        let mut all = denied(&[(1, 20), (2, 21), (3, 22)]);
        all.extend(denied(&[(4, 23), (5, 24), (6, 25)]));
        assert_eq!(cooled(&all), Some((6, 22 + MINUTE)));
    }

    #[test]
    fn an_approval_ends_it_unless_someone_denied_the_same() {
        let mut all = denied(&[(1, 2), (3, 4), (5, 6)]);
        all.push((100, 101, Answer::Approved));
        assert_eq!(cooled(&all), None);
        all.extend(denied(&[(102, 103), (104, 105)]));
        assert_eq!(cooled(&all), None);
        let told = |id: u128, at, answer| Told {
            invocation: InvocationId::from_uuid(uuid::Uuid::from_u128(id)),
            answer,
            at: Timestamp::from_second(at).unwrap(),
        };
        let newest_first = (1..=3).rev().flat_map(|n: i64| {
            let id = u128::try_from(n).unwrap();
            [told(id, n * 10 + 1, Answer::Denied), told(id, n * 10, Answer::Approved)]
        });
        assert_eq!(after(newest_first.collect()).map(|found| found.denials), Some(3));
    }
}
