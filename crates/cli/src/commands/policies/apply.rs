//! `apply`: saves the facts, policies and cases of a folder.

use std::path::PathBuf;

use api::{
    CheckedPolicy, FactRequest, FactView, Page, PolicyCase, PolicyCaseView, PolicyRequest, PolicyView,
};
use clap::Args;
use serde::{Serialize, de::DeserializeOwned};
use serde_json::{Value, json};

use super::{
    check::Verdict,
    folder::Sources,
    save::{self, Kind, Part},
};
use crate::{Context, client::Client, error::Error, exit::Exit};

#[derive(Debug, Args)]
pub struct Apply {
    /// Folder with *.cedar, facts.json and cases.json
    dir: PathBuf,
    /// State of the policies [default: the state that each has; enforced for new ones]
    #[arg(long, value_name = "STATE", value_parser = ["enforced", "observing"])]
    state: Option<String>,
}

/// What the gateway has.
pub(super) struct Saved {
    pub(super) facts: Vec<FactView>,
    pub(super) policies: Vec<PolicyView>,
    pub(super) cases: Vec<PolicyCaseView>,
}

impl Saved {
    pub(super) async fn fetch(client: &Client) -> Result<Self, Error> {
        Ok(Self {
            facts: all(client, Kind::Fact).await?,
            policies: all(client, Kind::Policy).await?,
            cases: all(client, Kind::Case).await?,
        })
    }

    fn fact(&self, new: &FactRequest) -> Result<Part, Error> {
        let body = fact_value(new)?;
        let old = self.facts.iter().find(|old| old.fact.name == new.name);
        let is_saved = old.map(|old| fact_value(&old.fact)).transpose()?.as_ref() == Some(&body);
        Ok(Part { kind: Kind::Fact, name: new.name.clone(), body, is_saved })
    }

    fn policy(&self, new: &CheckedPolicy, state: Option<&str>) -> Result<Part, Error> {
        let old = self.policies.iter().find(|old| old.name == new.name);
        let state = state.or_else(|| Some(old?.state.as_str())).unwrap_or("enforced");
        let is_saved = old.is_some_and(|old| old.state == state && is_same_text(&old.text, &new.text));
        let body =
            to_value(&PolicyRequest { text: new.text.clone(), state: state.to_owned(), version: None })?;
        Ok(Part { kind: Kind::Policy, name: new.name.clone(), body, is_saved })
    }

    fn case(&self, new: &PolicyCase) -> Result<Part, Error> {
        let body = to_value(new)?;
        let old = self.cases.iter().find(|old| old.case.name == new.name);
        let is_saved = old.map(|old| to_value(&old.case)).transpose()?.as_ref() == Some(&body);
        Ok(Part { kind: Kind::Case, name: new.name.clone(), body, is_saved })
    }
}

async fn all<T: DeserializeOwned>(client: &Client, kind: Kind) -> Result<Vec<T>, Error> {
    Ok(client.get(&["v1", kind.path()])?.send().await?.parse::<Page<T>>()?.items)
}

/// Whether two texts of a policy differ by nothing but the empty lines around them.
pub(super) fn is_same_text(one: &str, other: &str) -> bool {
    one.trim() == other.trim()
}

pub(super) fn to_value(value: &impl Serialize) -> Result<Value, Error> {
    serde_json::to_value(value).map_err(|error| Error::usage(error.to_string()))
}

/// A fact with the state that it has if it says none, so that two ways to write the same are equal.
pub(super) fn fact_value(fact: &FactRequest) -> Result<Value, Error> {
    let mut value = to_value(fact)?;
    if let Some(fields) = value.as_object_mut() {
        fields.entry("state").or_insert_with(|| "counted".into());
    }
    Ok(value)
}

pub(super) async fn apply(cx: &mut Context<'_>, arguments: &Apply) -> Result<Exit, Error> {
    let sources = Sources::of_folder(&arguments.dir, cx)?;
    let client = cx.client()?;
    let verdict = Verdict::ask(&client, &sources.to_check()).await?;
    let exit = verdict.exit();
    let problems = verdict.problems(&sources);
    if exit != Exit::Done {
        let is_failed = |line: &&str| line.starts_with("FAILED");
        let failed: String =
            verdict.cases().lines().filter(is_failed).map(|line| format!("{line}\n")).collect();
        if cx.json() {
            let check = verdict.answer.parse::<Value>()?;
            cx.console.json_value(&json!({ "items": [], "check": check }))?;
        }
        cx.console.note(&format!("{problems}{failed}nothing was saved"))?;
        return Ok(exit);
    }
    cx.console.note(&problems)?;
    let policies = verdict.policies()?;
    let saved = Saved::fetch(&client).await?;
    let mut parts = Vec::new();
    // Policies read facts, and cases are about policies.
    for fact in &sources.facts {
        parts.push(saved.fact(fact)?);
    }
    for policy in policies {
        parts.push(saved.policy(policy, arguments.state.as_deref())?);
    }
    for case in &sources.cases {
        parts.push(saved.case(case)?);
    }
    save::save(cx, parts).await
}
