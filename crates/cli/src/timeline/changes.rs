//! One line per change of a run, for logs and pipes, where nothing can be redrawn.

use api::{RunDetail, RunStepView};
use model::StepStatus;

use super::{LONGEST_CAUSE, LONGEST_MESSAGE, between, duration, started_by};
use crate::{inbox::safe_text::SafeText, table::moment, visible::inline};

/// The changes since the previous state; without one, everything so far.
pub(crate) fn changes(before: Option<&RunDetail>, after: &RunDetail) -> Vec<String> {
    let mut lines = Vec::new();
    let run = &after.run;
    if before.is_none() {
        let name = SafeText::line(&run.automation_name, LONGEST_CAUSE).text();
        let (number, version, by) = (run.number, run.version, started_by(run));
        lines.push(format!(
            "{}  {name} #{number}  version {version}  {}  {by}",
            moment(run.created_at),
            run.id
        ));
    }
    for step in &after.steps {
        let known = before.and_then(|before| {
            before.steps.iter().find(|old| old.step_id == step.step_id && old.attempt == step.attempt)
        });
        if known.is_none_or(|known| known.status != step.status) {
            lines.push(step_line(step));
        }
    }
    if before.is_some_and(|before| before.run.status != run.status)
        || (before.is_none() && run.status.is_terminal())
    {
        lines.push(status_line(after));
    }
    lines
}

fn step_line(step: &RunStepView) -> String {
    let mut line = format!(
        "{}  {}  {}  {}",
        moment(step.finished_at.unwrap_or(step.started_at)),
        inline(&step.step_id),
        inline(&step.action),
        step.status.as_str()
    );
    if let Some(end) = step.finished_at.filter(|_| step.status != StepStatus::Skipped) {
        line.push_str(&format!("  {}", duration(between(step.started_at, end), false)));
    }
    if step.attempt > 1 {
        line.push_str(&format!("  attempt {}", step.attempt));
    }
    if step.status == StepStatus::Waiting {
        let invocation = step.invocation.map(|id| format!("  ({id})")).unwrap_or_default();
        line.push_str(&format!("  waiting for approval: countersign inbox{invocation}"));
    }
    if let Some(error) = &step.error {
        line.push_str(&format!("  {}", SafeText::line(&error.message, LONGEST_MESSAGE).text()));
    }
    line
}

fn status_line(after: &RunDetail) -> String {
    let run = &after.run;
    let last = after.steps.iter().filter_map(|step| step.finished_at.or(Some(step.started_at))).max();
    let at = run.finished_at.or(last).or(run.started_at).unwrap_or(run.created_at);
    let mut line = format!("{}  run {}", moment(at), run.status.as_str().replace('_', " "));
    if let Some(end) = run.finished_at {
        let since = run.started_at.unwrap_or(run.created_at);
        line.push_str(&format!("  {}", duration(between(since, end), false)));
    }
    if let Some(error) = &run.error {
        let class = inline(&error.class);
        line.push_str(&format!("  {class}: {}", SafeText::line(&error.message, LONGEST_MESSAGE).text()));
    }
    line
}
