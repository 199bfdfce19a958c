//! Saves facts, policies and cases one after the other, and says what came of each.

use std::collections::VecDeque;

use reqwest::Method;
use serde_json::{Value, json};

use crate::{Context, client::Client, error::Error, exit::Exit, visible::inline};

/// The code of the problem if a case of the organization fails with the new policy.
const CASE_FAILED: &str = "case_failed";

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Kind {
    Fact,
    Policy,
    Case,
}

impl Kind {
    pub(super) const fn as_str(self) -> &'static str {
        match self {
            Self::Fact => "fact",
            Self::Policy => "policy",
            Self::Case => "case",
        }
    }

    pub(super) const fn path(self) -> &'static str {
        match self {
            Self::Fact => "facts",
            Self::Policy => "policies",
            Self::Case => "policy-cases",
        }
    }
}

/// Something to save.
pub(super) struct Part {
    pub(super) kind: Kind,
    pub(super) name: String,
    pub(super) body: Value,
    /// Whether the gateway has the same already.
    pub(super) is_saved: bool,
}

impl Part {
    async fn save(&self, client: &Client) -> Result<(), Error> {
        let path = ["v1", self.kind.path(), &self.name];
        client.send_body(Method::PUT, &path, &self.body)?.send().await.map(drop)
    }

    fn label(&self) -> String {
        format!("{} {}", self.kind.as_str(), inline(&self.name))
    }
}

/// Saves all parts in order and prints a line for each. A part that waits for a second owner does not stop the others;
/// any other failure does.
pub(super) async fn save(cx: &mut Context<'_>, parts: Vec<Part>) -> Result<Exit, Error> {
    let client = cx.client()?;
    let mut saving = Saving { cx, items: Vec::new(), exit: Exit::Done };
    let mut parts = VecDeque::from(parts);
    let mut refused = Vec::new();
    while let Some(part) = parts.pop_front() {
        if part.is_saved {
            saving.say(&part, "unchanged", json!({}))?;
            continue;
        }
        match part.save(&client).await {
            Err(error) if part.kind == Kind::Policy && is_case_failed(&error) => refused.push((part, error)),
            result => {
                if !saving.settle(&part, result)? {
                    let rest = refused.iter().map(|(part, _)| part).chain(&parts);
                    saving.skip(&rest.map(Part::label).collect::<Vec<_>>())?;
                    return saving.finish();
                }
            }
        }
    }
    saving.again(&client, refused).await?;
    saving.finish()
}

fn is_case_failed(error: &Error) -> bool {
    matches!(error, Error::Problem { problem, .. } if problem.code == CASE_FAILED)
}

struct Saving<'s, 'c> {
    cx: &'s mut Context<'c>,
    items: Vec<Value>,
    exit: Exit,
}

impl Saving<'_, '_> {
    /// Tries policies again that failed cases which were replaced since, or which need other policies too.
    async fn again(&mut self, client: &Client, mut refused: Vec<(Part, Error)>) -> Result<(), Error> {
        loop {
            let (before, mut left) = (refused.len(), Vec::new());
            for (part, _) in refused {
                match part.save(client).await {
                    Err(error) if is_case_failed(&error) => left.push((part, error)),
                    result => {
                        self.settle(&part, result)?;
                    }
                }
            }
            if left.is_empty() || left.len() == before {
                for (part, error) in left {
                    self.settle(&part, Err(error))?;
                }
                return Ok(());
            }
            refused = left;
        }
    }

    /// Says what came of a part, and whether the others can go on.
    fn settle(&mut self, part: &Part, result: Result<(), Error>) -> Result<bool, Error> {
        match result {
            Ok(()) => self.say(part, "saved", json!({}))?,
            Err(Error::Proposed { id }) => {
                if self.exit == Exit::Done {
                    self.exit = Exit::Pending;
                }
                let said = format!("waits for a second owner as {}", inline(&id));
                self.say(part, &said, json!({ "change": "proposed", "proposed": id }))?;
            }
            Err(error) => {
                self.exit = error.exit();
                let problem = error.answer().and_then(|text| serde_json::from_str::<Value>(text).ok());
                self.say(part, "not saved", json!({ "change": "failed", "problem": problem }))?;
                self.cx.console.note(&error.explain())?;
                return Ok(false);
            }
        }
        Ok(true)
    }

    fn say(&mut self, part: &Part, said: &str, more: Value) -> Result<(), Error> {
        let mut item = json!({ "kind": part.kind.as_str(), "name": part.name, "change": said });
        if let (Some(item), Value::Object(more)) = (item.as_object_mut(), more) {
            item.extend(more.into_iter().filter(|(_, value)| !value.is_null()));
        }
        self.items.push(item);
        if self.cx.json() {
            return Ok(());
        }
        self.cx.console.note(&format!("{}: {said}", part.label()))
    }

    fn skip(&mut self, labels: &[String]) -> Result<(), Error> {
        if labels.is_empty() {
            Ok(())
        } else {
            self.cx.console.note(&format!("not saved: {}", labels.join(", ")))
        }
    }

    fn finish(self) -> Result<Exit, Error> {
        if self.cx.json() {
            self.cx.console.json_value(&json!({ "items": self.items }))?;
        }
        Ok(self.exit)
    }
}
