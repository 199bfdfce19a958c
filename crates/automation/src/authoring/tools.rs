//! The tools of a model that writes a definition. They look and check; none has an effect.

use catalog::models::{ToolCall, ToolText};
use model::OrgId;
use serde::Deserialize;
use serde_json::{Value, json};

use super::{Draft, Proposal};
use crate::{
    Automations, Error, Problem,
    flow::Actions,
    limits::authoring::{MOST_FOUND, MOST_NOTES, MOST_PROBLEMS, MOST_SAID},
    worth::never_given,
};

/// What a model says beside a definition.
#[derive(Debug, Default, Deserialize)]
#[serde(default)]
struct Said {
    notes: String,
    questions: Vec<String>,
    gaps: Vec<String>,
}

/// One replacement in a definition.
#[derive(Debug, Deserialize)]
struct Replacement {
    pointer: String,
    old: Value,
    new: Value,
}

/// What came of a call: what the model is told, and the proposal if it made one.
pub(super) struct Came {
    pub(super) text: String,
    pub(super) is_error: bool,
    pub(super) proposal: Option<Proposal>,
}

impl Came {
    fn told(text: impl Into<String>) -> Self {
        Self { text: text.into(), is_error: false, proposal: None }
    }

    pub(super) fn wrong(text: impl Into<String>) -> Self {
        Self { text: text.into(), is_error: true, proposal: None }
    }
}

/// The tools as the model is shown them. Definitions are texts: as objects, they break some models.
pub(super) fn texts(has_base: bool) -> Vec<ToolText> {
    let text = |words: &str| json!({ "type": "string", "description": words });
    let list = |words: &str| json!({ "type": "array", "items": { "type": "string" }, "description": words });
    let object = |properties: Value, required: &[&str]| {
        json!({
            "type": "object", "properties": properties, "required": required, "additionalProperties": false,
        })
    };
    let said = [
        ("notes", text("What the person should know, in one or two sentences.")),
        ("questions", list("What is unclear; at most three.")),
        ("gaps", list("What was asked for and cannot be done, each with the reason.")),
    ];
    let with_said = |mut properties: Value| {
        for (name, schema) in &said {
            properties[*name] = schema.clone();
        }
        properties
    };
    let definition = text("The whole definition, as JSON.");
    let tool = |name: &str, description: &str, schema: Value| ToolText {
        name: name.to_owned(),
        description: description.to_owned(),
        schema,
    };
    let mut tools = vec![
        tool(
            "find_actions",
            "Finds actions by words, such as `issue create` or `slack`.",
            object(json!({ "words": text("Words.") }), &["words"]),
        ),
        tool(
            "get_action",
            "Shows one action with the JSON Schema of its parameters.",
            object(json!({ "address": text("`source.action`") }), &["address"]),
        ),
        tool("check", "Checks a definition.", object(json!({ "definition": definition }), &["definition"])),
        tool(
            "propose",
            "Proposes a definition to the person. Without one: says why nothing can be proposed.",
            object(with_said(json!({ "definition": definition })), &["notes", "questions", "gaps"]),
        ),
    ];
    if has_base {
        let change = object(
            json!({
                "pointer": text("JSON pointer into the present definition; `/plan/-` appends."),
                "old": { "description": "What is there now; null if nothing is." },
                "new": { "description": "What comes instead; null takes it away." },
            }),
            &["pointer", "old", "new"],
        );
        let changes = json!({ "type": "array", "items": change });
        tools.push(tool(
            "patch",
            "Proposes changes of the present definition, all or none of them.",
            object(with_said(json!({ "changes": changes })), &["changes", "notes", "questions", "gaps"]),
        ));
    }
    tools
}

impl Automations {
    /// Does what a call of the model wants.
    pub(super) async fn author(
        &self,
        org: OrgId,
        actions: &Actions,
        draft: &mut Draft,
        call: &ToolCall,
    ) -> Result<Came, Error> {
        let Some(params) = call.params.as_ref().filter(|params| params.is_object()) else {
            return Ok(Came::wrong("the parameters are not a JSON object"));
        };
        Ok(match call.name.as_str() {
            "find_actions" => found(actions, params["words"].as_str().unwrap_or_default()),
            "get_action" => shown(actions, params["address"].as_str().unwrap_or_default()),
            "check" => match parsed(&params["definition"]) {
                Err(why) => Came::wrong(why),
                Ok(definition) => match self.problems(org, &definition).await? {
                    problems if problems.is_empty() => Came::told("It can be saved."),
                    problems => draft.told(problems),
                },
            },
            "propose" if params["definition"].is_null() => proposal(params, None),
            "propose" => match parsed(&params["definition"]) {
                Err(why) => Came::wrong(why),
                Ok(definition) => self.judge(org, draft, definition, params).await?,
            },
            "patch" if draft.base.is_some() => match draft.patched(&params["changes"]) {
                Err(why) => Came::wrong(why),
                Ok(definition) => self.judge(org, draft, definition, params).await?,
            },
            other => {
                Came::wrong(format!("there is no tool `{}`", other.chars().take(64).collect::<String>()))
            }
        })
    }

    /// Takes a definition that can be saved as the proposal, and tells what is wrong with any other.
    async fn judge(
        &self,
        org: OrgId,
        draft: &mut Draft,
        definition: Value,
        params: &Value,
    ) -> Result<Came, Error> {
        Ok(match self.problems(org, &definition).await? {
            problems if problems.is_empty() => proposal(params, Some(definition)),
            problems => {
                draft.refused += 1;
                draft.told(problems)
            }
        })
    }

    /// Why a definition cannot be saved, and what would make every run fail.
    async fn problems(&self, org: OrgId, definition: &Value) -> Result<Vec<Problem>, Error> {
        let never = |(pointer, message)| Problem { pointer, message, suggestion: None };
        Ok(match self.validate(org, definition).await? {
            Ok(definition) => never_given(&definition).into_iter().map(never).collect(),
            Err(problems) => problems,
        })
    }
}

impl Draft {
    /// Problems for the model: those that it was told before come last.
    fn told(&mut self, problems: Vec<Problem>) -> Came {
        let line = |problem: &Problem| {
            let instead = problem.suggestion.as_ref().map(|word| format!(" (did you mean `{word}`?)"));
            format!("- {}: {}{}", problem.pointer, problem.message, instead.unwrap_or_default())
        };
        let (again, new): (Vec<&Problem>, Vec<&Problem>) =
            problems.iter().partition(|problem| self.problems.contains(problem));
        let lines: Vec<String> = new.into_iter().chain(again).take(MOST_PROBLEMS).map(line).collect();
        let text = format!("It cannot be saved:\n{}", lines.join("\n"));
        self.problems = problems;
        Came::wrong(text)
    }

    /// The base with replacements, if all of them fit.
    fn patched(&self, changes: &Value) -> Result<Value, String> {
        let changes: Vec<Replacement> = serde_json::from_value(changes.clone())
            .map_err(|error| format!("`changes` is not a list of replacements: {error}"))?;
        let mut whole = self.base.clone().unwrap_or_default();
        for Replacement { pointer, old, new } in changes {
            let present = whole.pointer(&pointer).cloned().unwrap_or_default();
            if present != old {
                return Err(format!("{pointer}: `old` is not what is there, which is {present}"));
            }
            replace(&mut whole, &pointer, new)?;
        }
        Ok(whole)
    }
}

fn replace(whole: &mut Value, pointer: &str, new: Value) -> Result<(), String> {
    let missing = || format!("{pointer}: there is no such place");
    let (parent, name) = pointer.rsplit_once('/').ok_or_else(missing)?;
    let name = name.replace("~1", "/").replace("~0", "~");
    match whole.pointer_mut(parent).ok_or_else(missing)? {
        Value::Object(fields) if new.is_null() => drop(fields.remove(&name)),
        Value::Object(fields) => drop(fields.insert(name, new)),
        Value::Array(items) if name == "-" => items.push(new),
        Value::Array(items) => {
            let at = name.parse::<usize>().ok().filter(|at| *at < items.len()).ok_or_else(missing)?;
            if new.is_null() {
                items.remove(at);
            } else if let Some(item) = items.get_mut(at) {
                *item = new;
            }
        }
        _ => return Err(missing()),
    }
    Ok(())
}

fn parsed(text: &Value) -> Result<Value, String> {
    let text = text.as_str().ok_or("`definition` is not a text with JSON")?;
    serde_json::from_str(text.trim()).map_err(|error| format!("the definition is not JSON: {error}"))
}

fn proposal(params: &Value, definition: Option<Value>) -> Came {
    let said: Said = serde_json::from_value(params.clone()).unwrap_or_default();
    let short = |text: String| text.chars().take(MOST_NOTES).collect::<String>().replace('\0', "\u{fffd}");
    let few = |texts: Vec<String>| texts.into_iter().take(MOST_SAID).map(short).collect();
    let proposal = Proposal {
        definition,
        notes: short(said.notes),
        questions: few(said.questions),
        gaps: few(said.gaps),
        ..Proposal::default()
    };
    Came { text: "Proposed.".to_owned(), is_error: false, proposal: Some(proposal) }
}

/// Actions with these words in their address or description, those with most of them first.
fn found(actions: &Actions, words: &str) -> Came {
    let words: Vec<String> =
        words.to_lowercase().split_whitespace().take(20).map(ToOwned::to_owned).collect();
    let mut scored: Vec<(usize, &String, String)> = actions
        .iter()
        .filter(|(_, action)| !action.definition.address.is_model())
        .filter_map(|(address, action)| {
            let text = format!("{address} {}", action.definition.description).to_lowercase();
            let score = words.iter().filter(|word| text.contains(word.as_str())).count();
            (score > 0).then(|| {
                let definition = &action.definition;
                let first = definition.description.lines().next().unwrap_or_default();
                let line: String = first.chars().take(160).collect();
                (score, address, format!("- `{address}` ({}): {line}", definition.risk.as_str()))
            })
        })
        .collect();
    scored.sort_by(|(one, a, _), (other, b, _)| other.cmp(one).then(a.cmp(b)));
    if scored.is_empty() {
        return Came::told("There is no such action. If it is needed, it is a gap.");
    }
    Came::told(scored.into_iter().take(MOST_FOUND).map(|(.., line)| line).collect::<Vec<_>>().join("\n"))
}

fn shown(actions: &Actions, address: &str) -> Came {
    let Some(action) = actions.get(address).filter(|action| !action.definition.address.is_model()) else {
        return Came::wrong("there is no such action; look for another one, or say that it is a gap");
    };
    let definition = &action.definition;
    Came::told(
        json!({
            "address": address, "description": definition.description, "risk": definition.risk,
            "parameters": definition.input_schema, "result": definition.output_schema,
            "sends_out": definition.labels.sends_out, "recipients": definition.recipients,
        })
        .to_string(),
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_patch_fits_as_a_whole_or_not_at_all() {
        let base = json!({ "triggers": [{ "config": { "cron": "0 9 * * *" } }], "plan": [1, 2] });
        let draft = Draft { base: Some(base), ..Draft::default() };
        let patched = |changes| draft.patched(&changes);
        let cron = "/triggers/0/config/cron";
        let done = patched(json!([{ "pointer": cron, "old": "0 9 * * *", "new": "30 8 * * *" }])).unwrap();
        assert_eq!(done.pointer(cron), Some(&json!("30 8 * * *")));
        let done = patched(json!([
            { "pointer": "/plan/0", "old": 1, "new": null }, { "pointer": "/plan/-", "old": null, "new": 3 },
            { "pointer": "/name", "old": null, "new": "n" },
        ]));
        assert_eq!(
            done.unwrap(),
            json!({ "triggers": [{ "config": { "cron": "0 9 * * *" } }], "plan": [2, 3], "name": "n" })
        );
        for wrong in [
            json!([{ "pointer": cron, "old": "0 8 * * *", "new": "x" }]),
            json!([{ "pointer": "/plan/9", "old": null, "new": 1 }]),
            json!([{ "pointer": "/none/x", "old": null, "new": 1 }]),
            json!([{ "pointer": "plan", "old": null, "new": 1 }]),
            json!("no list"),
        ] {
            assert!(patched(wrong.clone()).is_err(), "{wrong}");
        }
    }
}
