//! The judgement of runs: first the target's count, then whether our rows agree.

use std::collections::BTreeMap;

use tokio::time::Instant;

use crate::{automation::Way, runs::Fate, setup::Stand};

/// A run that was requested.
pub(crate) struct Trial {
    pub(crate) way: Way,
    pub(crate) name: String,
    /// Why it was not acknowledged, or was acknowledged as two runs.
    pub(crate) refused: Option<String>,
}

/// The problems, and the durations.
#[derive(Debug, Default)]
pub(crate) struct Verdict {
    pub(crate) runs: usize,
    pub(crate) ways: BTreeMap<&'static str, usize>,
    pub(crate) ends: BTreeMap<String, usize>,
    pub(crate) steps_once: usize,
    pub(crate) doubled: usize,
    pub(crate) lost: usize,
    /// Names with no run, or with more than one.
    pub(crate) starts: usize,
    /// Runs that ended in the wrong way.
    wrong: usize,
    pub(crate) stuck: usize,
    /// Steps whose rows disagree with the target.
    pub(crate) rows: usize,
    /// Steps that were performed before the engine's data was deleted, and again afterwards.
    pub(crate) repeated: usize,
    /// How long after the last fault the runs ended that were in progress at that time.
    pub(crate) late_s: Vec<f64>,
    pub(crate) took_s: Vec<f64>,
    pub(crate) complaints: Vec<String>,
}

/// A run as stored in its row.
type Row = (String, String, f64, Option<f64>, i64, Option<String>);

impl Verdict {
    /// The number of problems.
    pub(crate) fn bad(&self) -> usize {
        self.doubled + self.lost + self.starts + self.wrong + self.stuck + self.rows + self.repeated
    }

    fn complain(&mut self, what: String) {
        if self.complaints.len() < 20 {
            self.complaints.push(what);
        }
    }
}

/// Judges all runs.
pub(crate) async fn judge(
    stand: &mut Stand,
    trials: &[Trial],
    (fate, left): (&Fate, usize),
) -> anyhow::Result<Verdict> {
    // Ages rather than times, because the database's clock and ours have no common reference.
    let last_fault_s =
        fate.faults.last().map_or(0.0, |fault| Instant::now().duration_since(fault.back).as_secs_f64());
    let rows: Vec<Row> = sqlx::query_as(
        "SELECT r.inputs->>'name', r.status, extract(epoch FROM clock_timestamp() - r.created_at)::float8,
                extract(epoch FROM clock_timestamp() - r.finished_at)::float8,
                (SELECT count(*) FROM run_steps s JOIN invocations i ON i.id = s.invocation_id
                 WHERE s.run_id = r.id AND s.status = 'succeeded' AND i.status = 'succeeded'),
                r.error::text
         FROM runs r",
    )
    .fetch_all(&mut stand.sql)
    .await?;
    let mut verdict = Verdict { runs: trials.len(), stuck: left, ..Verdict::default() };
    for trial in trials {
        *verdict.ways.entry(trial.way.as_str()).or_default() += 1;
        if let Some(why) = &trial.refused {
            verdict.starts += 1;
            verdict.complain(why.clone());
        }
        count_steps(&mut verdict, stand, &trial.name);
        let of_name: Vec<&Row> = rows.iter().filter(|row| row.0 == trial.name).collect();
        let [(_, status, created_s, finished_s, steps, error)] = of_name.as_slice() else {
            verdict.starts += 1;
            verdict.complain(format!("{}: {} runs", trial.name, of_name.len()));
            continue;
        };
        *verdict.ends.entry(status.clone()).or_default() += 1;
        if let Some(finished_s) = finished_s {
            verdict.took_s.push(created_s - finished_s);
            if *finished_s < last_fault_s {
                verdict.late_s.push(last_fault_s - finished_s);
            }
        }
        if status != "succeeded" {
            verdict.wrong += 1;
            verdict.complain(format!("{} ended {status}: {error:?}", trial.name));
        }
        if *steps != 5 {
            verdict.rows += 1;
            verdict.complain(format!("{}: {steps} steps are recorded as succeeded", trial.name));
        }
    }
    for waits in waiting_for(stand).await? {
        verdict.complain(waits);
    }
    let known = &fate.wiped.effects;
    verdict.repeated =
        known.iter().filter(|(name, before)| stand.linear.count_effect(name) > **before).count();
    verdict.stuck += usize::try_from(stand.stuck().await?)?;
    Ok(verdict)
}

/// What each run that is not over waits for: its latest step and the state of that step's invocation.
async fn waiting_for(stand: &mut Stand) -> anyhow::Result<Vec<String>> {
    let query = "SELECT concat_ws(' ', 'not over:', r.inputs->>'name', r.status, 'step', s.step_id, s.status, 'invocation', i.status,
                        'asked', round(extract(epoch FROM clock_timestamp() - i.requested_at)), 's ago, decided',
                        round(extract(epoch FROM clock_timestamp() - (SELECT max(a.at) FROM approvals a
                                                                      WHERE a.invocation_id = i.id))), 's ago')
                 FROM runs r
                 LEFT JOIN LATERAL (SELECT * FROM run_steps s WHERE s.run_id = r.id
                                    ORDER BY s.ordinal DESC, s.attempt DESC LIMIT 1) s ON true
                 LEFT JOIN invocations i ON i.id = s.invocation_id
                 WHERE r.finished_at IS NULL";
    Ok(sqlx::query_scalar(query).fetch_all(&mut stand.sql).await?)
}

/// Counts the target's effects for a run.
fn count_steps(verdict: &mut Verdict, stand: &Stand, name: &str) {
    let changed = stand.linear.issues_titled(&format!("{name}-second"));
    let fifth = changed.first().and_then(|issue| issue["id"].as_str()).map(|id| format!("update {id}"));
    let effects: Vec<String> = ["first", "second", "third", "fourth"]
        .map(|step| format!("{name}-{step}"))
        .into_iter()
        .chain([fifth.unwrap_or_default()])
        .collect();
    for effect in effects {
        match stand.linear.count_effect(&effect) {
            0 => verdict.lost += 1,
            1 => verdict.steps_once += 1,
            _ => verdict.doubled += 1,
        }
        if stand.linear.count_effect(&effect) != 1 {
            verdict.complain(format!("{name}: `{effect}` {} times", stand.linear.count_effect(&effect)));
        }
    }
}
