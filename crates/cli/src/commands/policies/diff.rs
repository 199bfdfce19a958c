//! `diff`: what `apply` would change.

use std::{
    collections::{BTreeMap, BTreeSet},
    path::Path,
};

use serde_json::{Value, json};

use super::{
    apply::{Saved, fact_value, is_same_text, to_value},
    check::Verdict,
    folder::{CASES, FACTS, Sources},
    save::Kind,
};
use crate::{
    Context,
    definitions::{diff::Diff, pretty},
    error::Error,
    exit::Exit,
    visible::{inline, visible, visible_json},
};

/// One kind of things by name: what the gateway has, and what the folder has.
struct Side {
    kind: Kind,
    /// Where the new ones are, safe to print.
    place: String,
    old: BTreeMap<String, String>,
    new: BTreeMap<String, String>,
}

/// The change of one thing.
struct Change {
    kind: Kind,
    name: String,
    change: &'static str,
    diff: String,
}

impl Side {
    fn changes(&self, colours: bool) -> Vec<Change> {
        let names: BTreeSet<&String> = self.old.keys().chain(self.new.keys()).collect();
        names.into_iter().map(|name| self.change(name, colours)).collect()
    }

    fn change(&self, name: &str, colours: bool) -> Change {
        let of = |change, diff| Change { kind: self.kind, name: name.to_owned(), change, diff };
        let shown = inline(name);
        let (old, new) = match (self.old.get(name), self.new.get(name)) {
            (_, None) => return of("missing", String::new()),
            (Some(old), Some(new)) if is_same_text(old, new) => return of("unchanged", String::new()),
            (old, Some(new)) => (old, new),
        };
        let title = if old.is_some() {
            format!("{} {shown}, as saved", self.kind.as_str())
        } else {
            "nothing".to_owned()
        };
        let to = format!("{} {shown} in {}", self.kind.as_str(), self.place);
        let before = old.map(String::as_str).unwrap_or_default();
        let diff = Diff { old: (&title, before), new: (&to, new), colours }.unified();
        of(if old.is_some() { "changed" } else { "new" }, diff)
    }
}

pub(super) async fn diff(cx: &mut Context<'_>, dir: &Path) -> Result<Exit, Error> {
    let sources = Sources::of_folder(dir, cx)?;
    let client = cx.client()?;
    let verdict = Verdict::ask(&client, &sources.to_check()).await?;
    if verdict.has_errors() {
        if cx.json() {
            let check = verdict.answer.parse::<Value>()?;
            cx.console.json_value(&json!({ "items": [], "check": check }))?;
        }
        cx.console.note(&verdict.problems(&sources))?;
        return Ok(Exit::Usage);
    }
    let colours = cx.console.colours && !cx.json();
    let saved = Saved::fetch(&client).await?;
    let sides = sides(&sources, &verdict, &saved, &inline(&dir.display().to_string()))?;
    let changes: Vec<Change> = sides.iter().flat_map(|side| side.changes(colours)).collect();
    if cx.json() {
        let items = changes.iter().map(|one| {
            json!({ "kind": one.kind.as_str(), "name": one.name, "change": one.change, "diff": one.diff })
        });
        cx.console.json_value(&json!({ "items": items.collect::<Vec<_>>() }))?;
    } else {
        report(cx, &changes)?;
    }
    Ok(Exit::Done)
}

fn sides(sources: &Sources, verdict: &Verdict, saved: &Saved, dir: &str) -> Result<[Side; 3], Error> {
    let text = |text: &str| format!("{}\n", visible(text.trim()));
    let json = |value: Value| visible_json(&pretty(&value));
    let policies = Side {
        kind: Kind::Policy,
        place: dir.to_owned(),
        old: saved.policies.iter().map(|one| (one.name.clone(), text(&one.text))).collect(),
        new: verdict.policies()?.iter().map(|one| (one.name.clone(), text(&one.text))).collect(),
    };
    let mut facts = Side::empty(Kind::Fact, format!("{dir}/{FACTS}"));
    for one in &saved.facts {
        facts.old.insert(one.fact.name.clone(), json(fact_value(&one.fact)?));
    }
    for one in &sources.facts {
        facts.new.insert(one.name.clone(), json(fact_value(one)?));
    }
    let mut cases = Side::empty(Kind::Case, format!("{dir}/{CASES}"));
    for one in &saved.cases {
        cases.old.insert(one.case.name.clone(), json(to_value(&one.case)?));
    }
    for one in &sources.cases {
        cases.new.insert(one.name.clone(), json(to_value(one)?));
    }
    Ok([policies, facts, cases])
}

impl Side {
    fn empty(kind: Kind, place: String) -> Self {
        Self { kind, place, old: BTreeMap::new(), new: BTreeMap::new() }
    }
}

/// The differences on stdout, and what they mean on stderr.
fn report(cx: &mut Context<'_>, changes: &[Change]) -> Result<(), Error> {
    let text: String = changes.iter().map(|one| one.diff.as_str()).collect();
    cx.console.data(&text)?;
    for one in changes {
        let label = format!("{} {}", one.kind.as_str(), inline(&one.name));
        match one.change {
            "new" => cx.console.note(&format!("{label}: new"))?,
            "missing" => {
                cx.console.note(&format!("{label}: not in the folder; `apply` does not delete it"))?;
            }
            _ => {}
        }
    }
    if !changes.iter().any(|one| matches!(one.change, "new" | "changed")) {
        cx.console.note("unchanged")?;
    }
    Ok(())
}
