//! Policies, facts and cases in files.

use std::{
    collections::BTreeSet,
    fs,
    path::{Path, PathBuf},
};

use api::{DeclaredAction, FactRequest, PolicyCase, PolicyCheck, PolicyText};
use serde::de::DeserializeOwned;
use serde_json::Value;

use crate::{Context, error::Error, input, visible::inline};

/// More than the gateway accepts; it keeps a wrong file from filling the memory.
const MAX_TEXT_BYTES: usize = 1 << 20;
/// The gateway accepts as many texts in one check.
const MOST_FILES: usize = 200;

pub(super) const FACTS: &str = "facts.json";
pub(super) const CASES: &str = "cases.json";
pub(super) const ACTIONS: &str = "actions.json";

/// A file with one policy or several.
pub(super) struct File {
    /// File name, safe to print.
    pub(super) name: String,
    pub(super) text: String,
}

/// What was read.
#[derive(Default)]
pub(super) struct Sources {
    pub(super) files: Vec<File>,
    pub(super) facts: Vec<FactRequest>,
    pub(super) cases: Vec<PolicyCase>,
    /// Actions that cases are about and that the organization may not have.
    pub(super) actions: Vec<DeclaredAction>,
    /// For each fact, the file that it is in, safe to print.
    fact_files: Vec<String>,
}

impl Sources {
    /// A folder with everything in it.
    pub(super) fn of_folder(dir: &Path, cx: &mut Context<'_>) -> Result<Self, Error> {
        if !dir.is_dir() {
            return Err(Error::usage(format!("{} is not a folder", dir.display())));
        }
        let mut sources = Self::of_paths(&[dir.to_owned()], cx)?;
        sources.cases = list(&dir.join(CASES), cx)?;
        sources.actions = list(&dir.join(ACTIONS), cx)?;
        named("case", sources.cases.iter().map(|case| case.name.as_str()))?;
        if sources.files.is_empty() && sources.facts.is_empty() && sources.cases.is_empty() {
            return Err(Error::usage(format!("{} has no *.cedar, {FACTS} or {CASES}", dir.display())));
        }
        Ok(sources)
    }

    /// Files and folders with policies, and the facts beside them.
    pub(super) fn of_paths(paths: &[PathBuf], cx: &mut Context<'_>) -> Result<Self, Error> {
        let mut sources = Self::default();
        let (mut seen, mut folders) = (BTreeSet::new(), BTreeSet::new());
        for path in paths {
            let (folder, files) = if path.is_dir() {
                (path.clone(), texts_in(path)?)
            } else {
                (path.parent().map(Path::to_owned).unwrap_or_default(), vec![path.clone()])
            };
            for file in files.into_iter().filter(|file| seen.insert(file.clone())) {
                sources.read_text(&file, cx)?;
            }
            let facts = folder.join(FACTS);
            // `a.cedar` and `./b.cedar` are in the same folder.
            if folders.insert(facts.canonicalize().unwrap_or_else(|_| facts.clone())) {
                let found: Vec<FactRequest> = list(&facts, cx)?;
                let file = inline(&facts.display().to_string());
                sources.fact_files.extend(found.iter().map(|_| file.clone()));
                sources.facts.extend(found);
            }
        }
        named("fact", sources.facts.iter().map(|fact| fact.name.as_str()))?;
        Ok(sources)
    }

    fn read_text(&mut self, path: &Path, cx: &mut Context<'_>) -> Result<(), Error> {
        if self.files.len() >= MOST_FILES {
            return Err(Error::usage(format!("too many files. Use at most {MOST_FILES} at once")));
        }
        let bytes = input::read_path(path, MAX_TEXT_BYTES, cx.console)?;
        let text =
            String::from_utf8(bytes).map_err(|_| Error::usage(format!("{} is not UTF-8", path.display())))?;
        self.files.push(File { name: inline(&path.display().to_string()), text });
        Ok(())
    }

    pub(super) fn texts(&self) -> Vec<PolicyText> {
        self.files.iter().map(|file| PolicyText { text: file.text.clone() }).collect()
    }

    /// The file that a fact is in.
    pub(super) fn file_of_fact(&self, name: &str) -> Option<&str> {
        let index = self.facts.iter().position(|fact| fact.name == name)?;
        self.fact_files.get(index).map(String::as_str)
    }

    /// The request that checks everything on top of what the organization has.
    pub(super) fn to_check(&self) -> PolicyCheck {
        PolicyCheck {
            policies: self.texts(),
            facts: self.facts.clone(),
            cases: self.cases.clone(),
            ..PolicyCheck::default()
        }
    }
}

/// The policies in a folder by name, without those that editors keep hidden.
fn texts_in(dir: &Path) -> Result<Vec<PathBuf>, Error> {
    let refused = |source| Error::File { verb: "read", path: dir.to_owned(), source };
    let mut found = Vec::new();
    for entry in fs::read_dir(dir).map_err(refused)? {
        let path = entry.map_err(refused)?.path();
        let is_hidden = path.file_name().is_some_and(|name| name.to_string_lossy().starts_with('.'));
        if !is_hidden && path.extension().is_some_and(|extension| extension == "cedar") {
            found.push(path);
        }
    }
    found.sort();
    Ok(found)
}

/// A JSON list in a file; empty if there is no such file.
fn list<T: DeserializeOwned>(path: &Path, cx: &mut Context<'_>) -> Result<Vec<T>, Error> {
    if !path.exists() {
        return Ok(vec![]);
    }
    let file = path.display();
    let Value::Array(items) = input::document(path, cx.console)? else {
        return Err(Error::usage(format!("{file} is not a JSON list")));
    };
    let read = |(index, item)| item_of(item, &format!("{file}: item {}", index + 1));
    items.into_iter().enumerate().map(read).collect()
}

/// A JSON value as a type of the API. The error says which of several was wrong.
pub(super) fn item_of<T: DeserializeOwned>(item: Value, place: &str) -> Result<T, Error> {
    let name = item.get("name").and_then(Value::as_str).map(|name| format!(" (`{name}`)"));
    serde_json::from_value(item)
        .map_err(|error| Error::usage(format!("{place}{} is invalid: {error}", name.unwrap_or_default())))
}

/// Checks that all have a name and no two the same, because the second would replace the first.
pub(super) fn named<'a>(what: &str, names: impl Iterator<Item = &'a str>) -> Result<(), Error> {
    let mut seen = BTreeSet::new();
    for name in names {
        if name.is_empty() {
            return Err(Error::usage(format!("a {what} has no `name`")));
        }
        if !seen.insert(name) {
            return Err(Error::usage(format!(
                "{what} `{name}` is defined twice. Rename or delete one of them"
            )));
        }
    }
    Ok(())
}
