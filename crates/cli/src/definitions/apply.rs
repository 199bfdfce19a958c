//! Saves definitions from files, and shows beforehand what that would change.

use std::{
    collections::BTreeMap,
    path::{Path, PathBuf},
};

use api::{AutomationDetail, AutomationPatch, AutomationRequest, AutomationView};
use model::SpaceId;
use reqwest::Method;
use serde_json::{Value, json};

use super::{Checked, Draft, check, diff::Diff, find, pretty, print_tokens, read, refused};
use crate::{
    Context,
    client::{Answer, Client},
    error::Error,
    exit::Exit,
    visible::{inline, visible_json},
};

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Change {
    Created,
    Saved,
    Unchanged,
}

impl Change {
    const fn as_str(self) -> &'static str {
        match self {
            Self::Created => "created",
            Self::Saved => "saved",
            Self::Unchanged => "unchanged",
        }
    }
}

/// The existing automations, and where new ones are saved.
struct Target<'a> {
    client: &'a Client,
    known: Vec<AutomationView>,
    space: Option<SpaceId>,
}

/// `apply`: saves every file as an automation.
pub(crate) async fn apply(
    cx: &mut Context<'_>,
    files: &[PathBuf],
    space: Option<SpaceId>,
) -> Result<Exit, Error> {
    let drafts = read(files, cx)?;
    let client = cx.client()?;
    let checked = check(&client, drafts).await?;
    if checked.iter().any(|one| !one.view.valid) {
        let exit = refused(cx, &checked)?;
        cx.console.note("nothing was saved")?;
        return Ok(exit);
    }
    let drafts: Vec<Draft> = checked.into_iter().map(|one| one.draft).collect();
    one_file_each(&drafts)?;
    let target = Target { known: find::all(&client).await?, client: &client, space };
    let mut items = Vec::new();
    let mut exit = Exit::Done;
    for (index, draft) in drafts.iter().enumerate() {
        match target.save(draft).await {
            Ok((change, answer)) => {
                let item = json!({ "file": draft.file, "change": change.as_str() });
                items.push(with(item, "automation", &answer.text));
                // Now, not at the end: a new token must be shown even if a later file fails.
                report(cx, &target, draft, change, &answer)?;
            }
            Err(error) => {
                let item = json!({ "file": draft.file, "change": "failed" });
                items.push(with(item, "problem", error.answer().unwrap_or_default()));
                let rest = drafts.get(index..).unwrap_or_default();
                let rest: Vec<&str> = rest.iter().map(|draft| draft.file.as_str()).collect();
                cx.console.note(&format!("{}not saved: {}", error.explain(), rest.join(", ")))?;
                exit = error.exit();
                break;
            }
        }
    }
    if cx.json() {
        cx.console.json_value(&json!({ "items": items }))?;
    }
    Ok(exit)
}

/// Two files with the same name would overwrite each other.
fn one_file_each(drafts: &[Draft]) -> Result<(), Error> {
    let mut names = BTreeMap::new();
    for draft in drafts {
        let name = draft.name()?;
        if let Some(other) = names.insert(name, &draft.file) {
            return Err(Error::usage(format!(
                "{other} and {} both define `{name}`. Rename one of them",
                draft.file
            )));
        }
    }
    Ok(())
}

fn with(mut item: Value, name: &str, answer: &str) -> Value {
    if let (Some(fields), Ok(value)) = (item.as_object_mut(), serde_json::from_str(answer)) {
        fields.insert(name.to_owned(), value);
    }
    item
}

impl Target<'_> {
    async fn save(&self, draft: &Draft) -> Result<(Change, Answer), Error> {
        let definition = draft.definition.clone();
        let Some(known) = find::live(&self.known, draft.name()?) else {
            let request = AutomationRequest { definition, space: self.space };
            let path = ["v1", "automations"];
            let answer = self.client.send_body(Method::POST, &path, &request)?.send().await?;
            return Ok((Change::Created, answer));
        };
        let patch = AutomationPatch {
            definition: Some(definition),
            from_version: Some(known.version),
            ..AutomationPatch::default()
        };
        let path = ["v1", "automations", &known.id.to_string()];
        let answer = self.client.send_body(Method::PATCH, &path, &patch)?.send().await?;
        let saved: AutomationDetail = answer.parse()?;
        let change =
            if saved.automation.version == known.version { Change::Unchanged } else { Change::Saved };
        Ok((change, answer))
    }
}

fn report(
    cx: &mut Context<'_>,
    target: &Target<'_>,
    draft: &Draft,
    change: Change,
    answer: &Answer,
) -> Result<(), Error> {
    if cx.json() {
        return Ok(());
    }
    let saved: AutomationDetail = answer.parse()?;
    let what = match change {
        Change::Saved => format!("version {} saved", saved.automation.version),
        other => other.as_str().to_owned(),
    };
    let (name, id) = (inline(&saved.automation.name), saved.automation.id);
    cx.console.note(&format!("{}: {what}: {name} ({id})", draft.file))?;
    for ended in &saved.ended_permissions {
        let only = ended.where_words.as_ref().map(|words| format!(" where {}", inline(words)));
        let (action, only) = (inline(&ended.action), only.unwrap_or_default());
        cx.console.note(&format!(
            "{}: {action}{only} asks again: the step that {} was given for has changed",
            draft.file, ended.id
        ))?;
    }
    print_tokens(cx, target.client, &saved.new_tokens)
}

pub(crate) async fn diff(cx: &mut Context<'_>, file: &Path) -> Result<Exit, Error> {
    let drafts = read(&[file.to_owned()], cx)?;
    let client = cx.client()?;
    let mut checked = check(&client, drafts).await?;
    let Some(Checked { draft, .. }) = checked.pop_if(|one| one.view.valid) else {
        return refused(cx, &checked);
    };
    let known = find::all(&client).await?;
    let known = find::live(&known, draft.name()?);
    let old = match known {
        Some(known) => {
            let answer = client.get(&["v1", "automations", &known.id.to_string()])?.send().await?;
            Some(answer.parse::<AutomationDetail>()?)
        }
        None => None,
    };
    let before = old.as_ref().map(|old| visible_json(&pretty(&old.definition))).unwrap_or_default();
    let after = visible_json(&pretty(&draft.definition));
    let title = match &old {
        Some(old) => format!("{}, version {}", inline(&old.automation.name), old.automation.version),
        None => "nothing".to_owned(),
    };
    let colours = cx.console.colours && !cx.json();
    let text = Diff { old: (&title, &before), new: (&draft.file, &after), colours }.unified();
    if cx.json() {
        let (id, version) =
            (old.as_ref().map(|old| old.automation.id), old.as_ref().map(|old| old.automation.version));
        cx.console.json_value(&json!({
            "file": draft.file, "automation": id, "version": version, "changed": !text.is_empty(), "diff": text,
        }))?;
    } else if text.is_empty() {
        cx.console.note("unchanged")?;
    } else {
        cx.console.data(&text)?;
        if old.is_none() {
            cx.console.note("the automation would be created")?;
        }
    }
    Ok(Exit::Done)
}
