//! The results of the windows of F1, as a table and a finding.

use std::{fmt::Write as _, time::Duration};

use serde_json::{Value, json};
use testkit::Finding;

use crate::{
    kills::judge::Tally,
    kills::windows::{Kind, Window},
};

/// The results of one window.
pub(crate) struct Shown {
    pub(crate) window: Window,
    /// Processes that died by signal 9, with the external state that the window requires.
    pub(crate) kills: usize,
    /// Processes that died by signal 9 while they recovered what an earlier one left.
    pub(crate) again: usize,
    /// Processes that died in another way or in another window.
    pub(crate) astray: usize,
    /// Invocations that have not ended, or do not have exactly one receipt, at the end of the trial.
    pub(crate) stuck: i64,
    /// Processes of declared commands that outlived everything else.
    pub(crate) left: usize,
    pub(crate) tally: Tally,
    pub(crate) seconds: f64,
}

impl Shown {
    pub(crate) fn of(window: Window) -> Self {
        Self {
            window,
            kills: 0,
            again: 0,
            astray: 0,
            stuck: 0,
            left: 0,
            tally: Tally::default(),
            seconds: 0.0,
        }
    }
}

/// Prints the table for people.
#[expect(clippy::print_stdout, reason = "the table for people goes to standard output")]
pub(crate) fn print(victim: &str, shown: &[Shown]) {
    let mut table = format!(
        "\n{victim:<38} {:<10} {:>5} {:>8} {:>10} {:>8} {:>9}\n",
        "kind", "count", "effects", "succeeded", "unknown", "reverted"
    );
    for one in shown {
        for kind in one.window.kinds() {
            let ended = |status: &str| one.tally.ends.get(&(*kind, status.to_owned())).copied().unwrap_or(0);
            let count: u64 =
                one.tally.ends.iter().filter(|((of, _), _)| of == kind).map(|(_, count)| count).sum();
            let _ = writeln!(
                table,
                "{:<38} {:<10} {:>5} {:>8} {:>10} {:>8} {:>9}",
                one.window.name(),
                kind.as_str(),
                count,
                one.tally.effects.get(kind).copied().unwrap_or(0),
                ended("succeeded"),
                ended("unknown"),
                ended("reverted"),
            );
        }
    }
    // In one piece, because other trials print at the same time.
    print!("{table}");
}

/// The finding, from the bar, the victim, and the required number of kills in each window. Passes if nothing was lost,
/// doubled, stuck or ended wrongly, every window was really hit, every kill was judged, and most invocations succeeded.
pub(crate) fn finding(
    (bar, victim): (&str, &str),
    shown: &[Shown],
    wanted: impl Fn(Window) -> usize,
    took: Duration,
) -> Finding {
    let sum = |of: fn(&Tally) -> u64| shown.iter().map(|one| of(&one.tally)).sum::<u64>();
    let (doubled, lost, wrong) = (sum(|t| t.doubled), sum(|t| t.lost), sum(|t| t.wrong));
    let kills: usize = shown.iter().map(|one| one.kills).sum();
    let of_the_bar = shown.iter().filter(|one| one.window != Window::AgainInRecovery);
    let least = of_the_bar.map(|one| one.kills).min().unwrap_or(0);
    let astray: usize = shown.iter().map(|one| one.astray).sum();
    let stuck: i64 = shown.iter().map(|one| one.stuck).sum();
    let succeeded: u64 = (shown.iter().flat_map(|one| &one.tally.ends))
        .filter(|((_, status), _)| status == "succeeded")
        .map(|(_, count)| count)
        .sum();
    let complaints: Vec<&String> = shown.iter().flat_map(|one| &one.tally.complaints).collect();
    let struck =
        shown.iter().all(|one| one.kills == wanted(one.window) && one.tally.judged == one.kills as u64);
    let lively = succeeded * 2 > sum(|t| t.judged);
    let left: usize = shown.iter().map(|one| one.left).sum();
    let bad = doubled + lost + wrong + (astray + left) as u64 + stuck.unsigned_abs();
    // There is a bound only if nothing failed.
    let bound = |trials: usize| (bad == 0 && trials > 0).then(|| (3.0e5 / trials as f64).round() / 1e5);
    Finding {
        bar: bar.to_owned(),
        figure: bad as f64,
        unit: format!("of {kills} kills of a {victim} with anything doubled, lost, stuck or ended wrongly"),
        pass: bad == 0 && struck && lively,
        details: vec![
            ("kills in the intended window, each".to_owned(), json!(least)),
            ("doubled".to_owned(), json!(doubled)),
            ("lost".to_owned(), json!(lost)),
            ("ended otherwise than it must".to_owned(), json!(wrong)),
            ("stuck, or without exactly one receipt".to_owned(), json!(stuck)),
            ("commands left running".to_owned(), json!(left)),
            ("kills outside their window".to_owned(), json!(astray)),
            ("rate in each window, below (95 %)".to_owned(), json!(bound(least))),
            ("rate over all windows, below (95 %)".to_owned(), json!(bound(kills))),
            ("told `under way` while it was recovered".to_owned(), json!(sum(|t| t.under_way))),
            ("seconds".to_owned(), json!(took.as_secs())),
            ("windows".to_owned(), windows(shown)),
            ("complaints".to_owned(), json!(complaints)),
        ],
    }
}

fn windows(shown: &[Shown]) -> Value {
    let one = |one: &Shown| {
        let ends: serde_json::Map<_, _> = (one.tally.ends.iter())
            .map(|((kind, status), count): (&(Kind, String), _)| {
                (format!("{} {status}", kind.as_str()), json!(count))
            })
            .collect();
        json!({ "window": one.window.name(), "kills": one.kills, "ends": ends, "seconds": one.seconds.round() })
    };
    shown.iter().map(one).collect()
}
