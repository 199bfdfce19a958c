//! `check` and `test`: what the gateway says about policies in files. Nothing is saved.

use std::path::{Path, PathBuf};

use api::{CheckedPolicy, PolicyCaseResult, PolicyCheck, PolicyCheckResult, PolicyProblem};
use reqwest::Method;

use super::{
    counted,
    folder::{Sources, named},
    mode,
};
use crate::{
    Context,
    client::{Answer, Client},
    error::Error,
    exit::Exit,
    visible::inline,
};

/// The answer of the gateway to a check.
pub(super) struct Verdict {
    pub(super) answer: Answer,
    pub(super) result: PolicyCheckResult,
}

impl Verdict {
    pub(super) async fn ask(client: &Client, check: &PolicyCheck) -> Result<Self, Error> {
        let path = ["v1", "policies", "check"];
        let answer = client.send_body(Method::POST, &path, check)?.send().await?;
        let result = answer.parse()?;
        Ok(Self { answer, result })
    }

    pub(super) fn has_errors(&self) -> bool {
        let is_failed = |case: &PolicyCaseResult| !case.passed;
        self.result.problems.iter().any(|problem| problem.severity != "warning")
            // The gateway gave no reason.
            || (!self.result.ok && !self.result.cases.iter().any(is_failed))
    }

    /// Invalid policies end as invalid input, failed cases as a failure.
    pub(super) fn exit(&self) -> Exit {
        match (self.has_errors(), self.result.ok) {
            (true, _) => Exit::Usage,
            (false, false) => Exit::Failed,
            (false, true) => Exit::Done,
        }
    }

    /// The problems, one per line.
    pub(super) fn problems(&self, sources: &Sources) -> String {
        let mut text: String =
            self.result.problems.iter().map(|problem| format!("{}\n", line(problem, sources))).collect();
        if text.is_empty() && self.has_errors() {
            text.push_str("error: the check failed; the gateway gave no reason\n");
        }
        text
    }

    /// The cases, one per line.
    pub(super) fn cases(&self) -> String {
        self.result.cases.iter().map(|case| format!("{}\n", case_line(case))).collect()
    }

    /// The policies that could be read, if no two have the same name.
    pub(super) fn policies(&self) -> Result<&[CheckedPolicy], Error> {
        named("policy", self.result.policies.iter().map(|policy| policy.name.as_str()))?;
        Ok(&self.result.policies)
    }
}

pub(super) async fn check(cx: &mut Context<'_>, paths: &[PathBuf]) -> Result<Exit, Error> {
    let sources = Sources::of_paths(paths, cx)?;
    if sources.files.is_empty() {
        return Err(Error::usage("no *.cedar found"));
    }
    let verdict = Verdict::ask(&cx.client()?, &sources.to_check()).await?;
    if cx.json() {
        cx.console.json_text(&verdict.answer.text)?;
        return Ok(verdict.exit());
    }
    let summaries = verdict.policies()?.iter().map(|policy| {
        let mode = mode(policy.mode, policy.approvers);
        format!(
            "{}: {mode}, applies to {}\n",
            inline(&policy.name),
            counted(as_u64(policy.in_scope), "action")
        )
    });
    let text = format!("{}{}", verdict.problems(&sources), summaries.collect::<String>());
    cx.console.data(&text)?;
    Ok(verdict.exit())
}

pub(super) async fn test(cx: &mut Context<'_>, dir: &Path) -> Result<Exit, Error> {
    let sources = Sources::of_folder(dir, cx)?;
    let check = PolicyCheck { alone: true, actions: sources.actions.clone(), ..sources.to_check() };
    let verdict = Verdict::ask(&cx.client()?, &check).await?;
    if cx.json() {
        cx.console.json_text(&verdict.answer.text)?;
        return Ok(verdict.exit());
    }
    verdict.policies()?;
    cx.console.data(&format!("{}{}", verdict.problems(&sources), verdict.cases()))?;
    let cases = &verdict.result.cases;
    let passed = cases.iter().filter(|case| case.passed).count();
    let said = match cases.len() {
        0 => "no cases".to_owned(),
        all => format!("{passed} of {} passed", counted(as_u64(all), "case")),
    };
    cx.console.note(&said)?;
    Ok(verdict.exit())
}

fn as_u64(number: usize) -> u64 {
    u64::try_from(number).unwrap_or(u64::MAX)
}

/// As compilers write it, so that editors can go to the place.
fn line(problem: &PolicyProblem, sources: &Sources) -> String {
    let name = problem.policy.as_deref();
    let file = problem.index.and_then(|index| sources.files.get(index));
    let place = match (file, problem.line, problem.column) {
        (Some(file), Some(line), Some(column)) => format!("{}:{line}:{column}: ", file.name),
        (Some(file), Some(line), None) => format!("{}:{line}: ", file.name),
        (Some(file), ..) => format!("{}: ", file.name),
        (None, ..) => {
            let file = name.and_then(|name| sources.file_of_fact(name));
            file.map(|file| format!("{file}: ")).unwrap_or_default()
        }
    };
    let of = match (file, name) {
        // Without a file, it is about a fact.
        (None, Some(name)) => format!("fact `{}`: ", inline(name)),
        _ => String::new(),
    };
    let help = problem.help.as_deref().map(|help| format!(" ({})", inline(help))).unwrap_or_default();
    format!("{place}{}: {of}{}{help}", inline(&problem.severity), inline(&problem.message))
}

fn case_line(case: &PolicyCaseResult) -> String {
    let name = inline(&case.name);
    if case.passed {
        return format!("ok      {name}");
    }
    let expected = case.expected.as_str();
    if let Some(problem) = &case.problem {
        return format!("FAILED  {name}: expected {expected}, could not be run: {}", inline(problem));
    }
    let got = case.got.map_or("nothing", model::Mode::as_str);
    let held = if case.held.is_empty() { "no policy".to_owned() } else { inline(&case.held.join(", ")) };
    format!("FAILED  {name}: expected {expected}, got {got}, held {held}")
}
