//! `starters`: shipped policies, written into a folder with the values that a person chooses.

use std::{
    collections::BTreeMap,
    fs,
    io::Write as _,
    path::{Path, PathBuf},
};

use api::{Page, PolicyStarter, StarterNeed};
use clap::Args;
use model::suggest;
use serde_json::{Value, json};

use super::{
    apply::to_value,
    folder::{ACTIONS, CASES, FACTS},
};
use crate::{
    Context,
    definitions::pretty,
    error::Error,
    exit::Exit,
    list::{List, PageArgs},
    table,
    visible::{inline, visible},
};

#[derive(Debug, Args)]
pub struct Starters {
    /// Name of a starter; without it, all are listed
    name: Option<String>,
    /// Folder to write policy.cedar, facts.json and cases.json into
    #[arg(long, value_name = "DIR", requires = "name")]
    into: Option<PathBuf>,
    /// A value that the starter needs, instead of its default; the entries of a list are separated by commas
    #[arg(long, value_name = "NAME=VALUE", requires = "into")]
    set: Vec<String>,
}

/// A value that a starter needs.
#[derive(Debug, Clone, PartialEq)]
enum Filling {
    Text(String),
    Integer(i64),
    List(Vec<String>),
}

type Fillings = BTreeMap<String, Filling>;

pub(super) async fn starters(cx: &mut Context<'_>, arguments: &Starters) -> Result<Exit, Error> {
    let path = ["v1", "policy-starters"];
    let Some(name) = &arguments.name else {
        let (page, header) = (PageArgs::default(), &["NAME", "TITLE"]);
        let row = |starter: PolicyStarter| vec![starter.name, starter.title];
        return List { path: &path, query: vec![], page: &page, header }.print(cx, row).await;
    };
    let found: Page<PolicyStarter> = cx.client()?.get(&path)?.send().await?.parse()?;
    let Some(starter) = found.items.iter().find(|one| one.name == *name) else {
        let names = found.items.iter().map(|one| one.name.clone());
        let hint = match suggest(name, names).first() {
            Some(name) => format!("did you mean `{name}`?"),
            None => "list them with `countersign policies starters`".to_owned(),
        };
        return Err(Error::Absent(format!("starter `{name}` not found; {hint}")));
    };
    match &arguments.into {
        Some(dir) => write(cx, starter, dir, &arguments.set),
        None => show(cx, starter),
    }
}

fn show(cx: &mut Context<'_>, starter: &PolicyStarter) -> Result<Exit, Error> {
    if cx.json() {
        cx.console.json_value(starter)?;
        return Ok(Exit::Done);
    }
    let mut text = format!("{}\n", visible(starter.about.trim()));
    let rows: Vec<_> = starter.needs.iter().map(need_row).collect();
    if !rows.is_empty() {
        let header = &["--set", "KIND", "DEFAULT", "MEANING"];
        text.push_str(&format!("\n{}\n", table::rows(header, rows, cx.console.out_is_terminal)));
    }
    cx.console.data(&format!("{text}\n{}", visible(starter.text.trim())))?;
    Ok(Exit::Done)
}

fn need_row(need: &StarterNeed) -> Vec<String> {
    let default = match &need.default {
        Value::String(text) => text.clone(),
        Value::Array(items) => items.iter().filter_map(Value::as_str).collect::<Vec<_>>().join(","),
        other => other.to_string(),
    };
    vec![need.name.clone(), need.kind.clone(), default, need.label.clone()]
}

fn write(cx: &mut Context<'_>, starter: &PolicyStarter, dir: &Path, set: &[String]) -> Result<Exit, Error> {
    let fillings = fillings(&starter.needs, set)?;
    let json = |value: Value| pretty(&in_json(value, &fillings));
    let mut files = vec![
        ("policy.cedar", format!("{}\n", in_text(&starter.text, &fillings).trim_end())),
        (FACTS, json(to_value(&starter.facts)?)),
        (CASES, json(to_value(&starter.cases)?)),
    ];
    if !starter.actions.is_empty() {
        files.push((ACTIONS, json(to_value(&starter.actions)?)));
    }
    if let Some((name, _)) = files.iter().find(|(name, _)| dir.join(name).exists()) {
        let path = dir.join(name);
        return Err(Error::usage(format!(
            "{} already exists. Name another folder with --into",
            path.display()
        )));
    }
    fs::create_dir_all(dir).map_err(|source| refused(dir, source))?;
    let mut written = Vec::new();
    for (name, text) in &files {
        let path = dir.join(name);
        let file = fs::OpenOptions::new().write(true).create_new(true).open(&path);
        file.and_then(|mut file| file.write_all(text.as_bytes())).map_err(|source| refused(&path, source))?;
        written.push(path.display().to_string());
    }
    if cx.json() {
        cx.console.json_value(&json!({ "files": written }))?;
        return Ok(Exit::Done);
    }
    for path in &written {
        cx.console.note(&format!("wrote {}", inline(path)))?;
    }
    if !set.is_empty() {
        cx.console.note("the cases are written for the default values: adapt cases.json")?;
    }
    let dir = inline(&dir.display().to_string());
    cx.console.note(&format!("next: countersign policies test {dir}"))?;
    Ok(Exit::Done)
}

fn refused(path: &Path, source: std::io::Error) -> Error {
    Error::File { verb: "write", path: path.to_owned(), source }
}

/// The values of all needs: as they were given, or their defaults.
fn fillings(needs: &[StarterNeed], set: &[String]) -> Result<Fillings, Error> {
    let mut given = BTreeMap::new();
    for text in set {
        let (name, value) = text
            .split_once('=')
            .ok_or_else(|| Error::usage(format!("invalid --set `{text}`. Use name=value")))?;
        if !needs.iter().any(|need| need.name == name) {
            let names: Vec<&str> = needs.iter().map(|need| need.name.as_str()).collect();
            return Err(Error::usage(format!(
                "the starter needs no `{name}`. It needs: {}",
                names.join(", ")
            )));
        }
        if given.insert(name, value.trim()).is_some() {
            return Err(Error::usage(format!("--set `{name}` is given twice")));
        }
    }
    let mut fillings = Fillings::new();
    for need in needs {
        let filling = match given.get(need.name.as_str()) {
            Some(value) => typed(need, value)?,
            None => default(need),
        };
        fillings.insert(need.name.clone(), filling);
    }
    Ok(fillings)
}

fn typed(need: &StarterNeed, value: &str) -> Result<Filling, Error> {
    let name = &need.name;
    let filling = match need.kind.as_str() {
        "integer" => Filling::Integer(
            value.parse().map_err(|_| Error::usage(format!("--set {name} must be a whole number")))?,
        ),
        "list" => {
            let entries = value.split([',', '\n']).map(str::trim).filter(|entry| !entry.is_empty());
            Filling::List(entries.map(str::to_owned).collect())
        }
        _ => Filling::Text(value.to_owned()),
    };
    let is_empty = match &filling {
        Filling::Text(text) => text.is_empty(),
        Filling::List(entries) => entries.is_empty(),
        Filling::Integer(_) => false,
    };
    if is_empty { Err(Error::usage(format!("--set {name} has no value"))) } else { Ok(filling) }
}

fn default(need: &StarterNeed) -> Filling {
    match &need.default {
        Value::Array(items) => {
            Filling::List(items.iter().filter_map(Value::as_str).map(str::to_owned).collect())
        }
        Value::Number(number) if number.is_i64() => Filling::Integer(number.as_i64().unwrap_or_default()),
        Value::String(text) => Filling::Text(text.clone()),
        other => Filling::Text(other.to_string()),
    }
}

/// A Cedar text. Entries of a list get quotes; other values stand within quotes of the text, or are names or digits.
fn in_text(text: &str, fillings: &Fillings) -> String {
    replace(text, fillings, |filling| match filling {
        Filling::Text(text) => escaped(text),
        Filling::Integer(number) => number.to_string(),
        Filling::List(entries) => {
            entries.iter().map(|entry| format!("\"{}\"", escaped(entry))).collect::<Vec<_>>().join(", ")
        }
    })
}

/// JSON. A string that is nothing but a placeholder becomes the value; a list within a list is spread.
fn in_json(value: Value, fillings: &Fillings) -> Value {
    match value {
        Value::String(text) => match whole(&text).and_then(|name| fillings.get(name)) {
            Some(Filling::Integer(number)) => Value::from(*number),
            Some(Filling::List(entries)) => json!(entries),
            _ => Value::String(in_string(&text, fillings)),
        },
        Value::Array(items) => {
            let mut filled = Vec::with_capacity(items.len());
            for item in items {
                let is_text = item.is_string();
                match in_json(item, fillings) {
                    Value::Array(entries) if is_text => filled.extend(entries),
                    one => filled.push(one),
                }
            }
            Value::Array(filled)
        }
        Value::Object(fields) => {
            let filled = fields.into_iter();
            filled.map(|(name, value)| (in_string(&name, fillings), in_json(value, fillings))).collect()
        }
        plain => plain,
    }
}

fn in_string(text: &str, fillings: &Fillings) -> String {
    replace(text, fillings, |filling| match filling {
        Filling::Text(text) => text.clone(),
        Filling::Integer(number) => number.to_string(),
        Filling::List(entries) => entries.join(", "),
    })
}

/// The name, if the text is one placeholder and nothing else.
fn whole(text: &str) -> Option<&str> {
    let name = text.strip_prefix("{{")?.strip_suffix("}}")?.trim();
    (!name.contains(['{', '}'])).then_some(name)
}

/// Fills in each `{{name}}`. One without a value stays.
fn replace(text: &str, fillings: &Fillings, write: impl Fn(&Filling) -> String) -> String {
    let (mut out, mut rest) = (String::with_capacity(text.len()), text);
    while let Some((before, after)) = rest.split_once("{{") {
        out.push_str(before);
        let found = after.split_once("}}").and_then(|(name, tail)| Some((fillings.get(name.trim())?, tail)));
        if let Some((filling, tail)) = found {
            out.push_str(&write(filling));
            rest = tail;
        } else {
            out.push_str("{{");
            rest = after;
        }
    }
    out.push_str(rest);
    out
}

/// A text as a Cedar string, without its quotes.
fn escaped(text: &str) -> String {
    text.replace('\\', "\\\\").replace('"', "\\\"").replace('\n', "\\n")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn needs() -> Vec<StarterNeed> {
        let need = |name: &str, kind: &str, default: Value| StarterNeed {
            name: name.to_owned(),
            label: String::new(),
            kind: kind.to_owned(),
            default,
        };
        vec![
            need("action", "action", json!("bank.transfer")),
            need("field", "field", json!("amount_cents")),
            need("most", "integer", json!(500_000)),
            need("why", "text", json!("Too much")),
            need("hosts", "list", json!(["a.example", "b.example"])),
        ]
    }

    fn given(set: &[&str]) -> Result<Fillings, Error> {
        fillings(&needs(), &set.iter().map(|text| (*text).to_owned()).collect::<Vec<_>>())
    }

    #[test]
    fn values_go_into_the_text_quoted_and_escaped() {
        let text = "@why(\"{{why}}\") action == Action::\"{{ action }}\" when { input.{{field}} > {{most}} && \
                    [{{hosts}}] && {{other}} };";
        let filled = in_text(text, &given(&["why=Over \"5\\000\"", "hosts=x, \"y"]).unwrap());
        assert_eq!(
            filled,
            "@why(\"Over \\\"5\\\\000\\\"\") action == Action::\"bank.transfer\" when { input.amount_cents > \
             500000 && [\"x\", \"\\\"y\"] && {{other}} };"
        );
    }

    #[test]
    fn values_keep_their_kind_in_facts_and_cases() {
        let value = json!([{ "of": ["{{action}}"], "where": { "input.{{field}}": { "gt": "{{most}}" } },
                             "name": "over {{most}}", "hosts": ["{{hosts}}", "c"], "list": "{{hosts}}" }]);
        let expected = json!([{ "of": ["bank.transfer"], "where": { "input.amount_cents": { "gt": 7 } },
                                "name": "over 7", "hosts": ["a.example", "b.example", "c"],
                                "list": ["a.example", "b.example"] }]);
        assert_eq!(in_json(value, &given(&["most=7"]).unwrap()), expected);
    }

    #[test]
    fn a_value_cannot_hold_a_placeholder() {
        let filled = in_text("{{why}} {{most}}", &given(&["why={{most}}"]).unwrap());
        assert_eq!(filled, "{{most}} 500000");
    }

    #[test]
    fn every_shipped_starter_is_filled_completely() {
        let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../policies");
        let mut seen = 0;
        for entry in fs::read_dir(folder).unwrap() {
            let dir = entry.unwrap().path();
            let Ok(file) = fs::read_to_string(dir.join("starter.json")) else { continue };
            let mut starter: Value = serde_json::from_str(&file).unwrap();
            starter["name"] = dir.file_name().unwrap().to_string_lossy().into();
            starter["about"] = fs::read_to_string(dir.join("about.md")).unwrap().into();
            starter["text"] = fs::read_to_string(dir.join("policy.cedar")).unwrap().into();
            // As the client receives it.
            let starter: PolicyStarter = serde_json::from_value(starter).unwrap();
            let fillings = fillings(&starter.needs, &[]).unwrap();
            let json = json!([starter.facts, starter.cases, starter.actions]);
            let filled = format!("{} {}", in_text(&starter.text, &fillings), in_json(json, &fillings));
            assert!(!filled.contains("{{"), "{filled}");
            seen += 1;
        }
        assert!(seen > 10, "{seen}");
    }

    #[test]
    fn values_that_do_not_fit_are_refused() {
        for bad in
            [&["most=5.5"][..], &["other=1"], &["most"], &["why= "], &["hosts=,"], &["most=1", "most=2"]]
        {
            assert!(given(bad).is_err(), "{bad:?}");
        }
    }
}
