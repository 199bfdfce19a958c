//! Checks of a proposal, without a model: the same answer gets the same verdict every time.

use std::fmt;

use api::ProposedAutomation;
use serde::Deserialize;
use serde_json::Value;

/// How credentials begin, and how long the rest is at least. None belongs into a definition.
const CREDENTIALS: [&str; 6] = ["sk-", "ghp_", "xoxb-", "lin_api_", "AKIA", "Bearer "];
const REST: usize = 12;

/// A sentence, and what has to come of it.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Sentence {
    pub(super) name: String,
    pub(super) words: String,
    pub(super) time_zone: String,
    /// The definition that the sentence changes.
    #[serde(default)]
    pub(super) change: Option<Value>,
    /// Whether a definition has to be proposed. Without: either.
    #[serde(default)]
    definition: Option<bool>,
    /// Whether something has to be named that cannot be done. Without: either.
    #[serde(default)]
    gaps: Option<bool>,
    checks: Vec<Check>,
}

/// One check. `at` is a JSON pointer in which `*` is any element; one place that fits is enough.
#[derive(Debug, Deserialize)]
#[serde(untagged, deny_unknown_fields)]
enum Check {
    /// The definition, or one of the steps with this action, has something there.
    At {
        #[serde(default)]
        step: Option<String>,
        at: String,
        #[serde(default)]
        is: Option<Value>,
        #[serde(default)]
        has: Vec<String>,
        #[serde(default)]
        absent: bool,
    },
    /// The actions of the plan, in order.
    Steps { steps: Vec<String> },
    /// Every action of the plan is one of these.
    Among { steps_among: Vec<String> },
    /// The types of the triggers, in order.
    Triggers { triggers: Vec<String> },
    /// None of these texts is in the definition.
    Never { never: Vec<String> },
    /// The model says one of these beside the definition.
    Said { said: Vec<String> },
    /// The model asks something, or not.
    Asks { asks: bool },
    /// The definition differs from the one that is changed in these places only.
    Only { only: Vec<String> },
    /// One of these lists holds.
    Any { any: Vec<Vec<Check>> },
}

impl Sentence {
    /// Why a proposal is not what the sentence asks for; empty if it is.
    pub(super) fn judge(&self, proposed: &ProposedAutomation) -> Vec<String> {
        let mut wrong = Vec::new();
        let mut must = |holds: bool, why: &str| {
            if !holds {
                wrong.push(why.to_owned());
            }
        };
        if let Some(failure) = &proposed.failure {
            must(false, &format!("the model did not answer: {failure}"));
            return wrong;
        }
        let has_gaps = !proposed.gaps.is_empty();
        must(self.gaps != Some(true) || has_gaps, "it does not say what cannot be done");
        must(self.gaps != Some(false) || !has_gaps, "it says that something cannot be done");
        let Some(definition) = &proposed.definition else {
            must(self.definition != Some(true), "it proposes nothing");
            let said = self.checks.iter().filter(|check| check.is_about_words());
            wrong.extend(said.filter(|check| !check.holds(self, None, proposed)).map(ToString::to_string));
            return wrong;
        };
        must(self.definition != Some(false), "it proposes something");
        let text = definition.to_string();
        must(!has_credential(&text), "there is a credential in it");
        let failed = self.checks.iter().filter(|check| !check.holds(self, Some(definition), proposed));
        wrong.extend(failed.map(ToString::to_string));
        wrong
    }
}

impl Check {
    /// Whether it is about what the model says, and holds or not without a definition.
    const fn is_about_words(&self) -> bool {
        matches!(self, Self::Said { .. } | Self::Asks { .. })
    }

    fn holds(&self, sentence: &Sentence, definition: Option<&Value>, proposed: &ProposedAutomation) -> bool {
        let plan = || steps(definition, "/plan");
        match self {
            Self::At { step: None, at, is, has, absent } => {
                definition.is_some_and(|whole| fits(whole, at, is.as_ref(), has, *absent))
            }
            Self::At { step: Some(action), at, is, has, absent } => plan()
                .chain(steps(definition, "/execution/on_failure"))
                .any(|step| step["action"] == **action && fits(step, at, is.as_ref(), has, *absent)),
            Self::Steps { steps } => plan().map(|step| &step["action"]).eq(steps),
            Self::Among { steps_among } => {
                plan().all(|step| steps_among.iter().any(|action| step["action"] == **action))
            }
            Self::Triggers { triggers } => {
                steps(definition, "/triggers").map(|trigger| &trigger["type"]).eq(triggers)
            }
            Self::Never { never } => {
                let text = definition.map(ToString::to_string).unwrap_or_default();
                !never.iter().any(|part| text.contains(part))
            }
            Self::Said { said } => {
                let beside = [&proposed.notes].into_iter().chain(&proposed.questions).chain(&proposed.gaps);
                let text = beside.map(|text| text.to_lowercase()).collect::<Vec<_>>().join("\n");
                said.iter().any(|part| text.contains(&part.to_lowercase()))
            }
            Self::Asks { asks } => proposed.questions.is_empty() != *asks,
            Self::Only { only } => {
                let mut places = Vec::new();
                let (before, after) = (sentence.change.as_ref(), definition);
                let none = Value::Null;
                differences(before.unwrap_or(&none), after.unwrap_or(&none), String::new(), &mut places);
                places.iter().all(|place| only.iter().any(|start| is_at_or_below(place, start)))
            }
            Self::Any { any } => {
                any.iter().any(|all| all.iter().all(|check| check.holds(sentence, definition, proposed)))
            }
        }
    }
}

fn fits(whole: &Value, at: &str, is: Option<&Value>, has: &[String], absent: bool) -> bool {
    let mut found = Vec::new();
    let segments: Vec<&str> = at.split('/').skip(1).collect();
    places(whole, &segments, &mut found);
    if absent {
        return found.is_empty();
    }
    found.into_iter().any(|value| {
        let text = value.as_str().map_or_else(|| value.to_string(), ToOwned::to_owned).to_lowercase();
        is.is_none_or(|is| is == value)
            && (has.is_empty() || has.iter().any(|part| text.contains(&part.to_lowercase())))
    })
}

/// Whether a word begins as credentials do, and goes on.
fn has_credential(text: &str) -> bool {
    let is_rest = |c: char| c.is_ascii_alphanumeric() || matches!(c, '-' | '_');
    CREDENTIALS.iter().any(|start| {
        text.match_indices(start).any(|(at, _)| {
            let (before, rest) = (&text[..at], &text[at + start.len()..]);
            !before.ends_with(|c: char| c.is_ascii_alphanumeric())
                && rest.chars().take_while(|c| is_rest(*c)).count() >= REST
        })
    })
}

fn steps<'a>(definition: Option<&'a Value>, at: &str) -> impl Iterator<Item = &'a Value> + use<'a> {
    definition.and_then(|whole| whole.pointer(at)).and_then(Value::as_array).into_iter().flatten()
}

/// All places that a pointer with `*` names.
fn places<'a>(value: &'a Value, segments: &[&str], found: &mut Vec<&'a Value>) {
    let Some((first, rest)) = segments.split_first() else {
        return found.push(value);
    };
    match value {
        Value::Object(fields) if *first == "*" => {
            fields.values().for_each(|value| places(value, rest, found));
        }
        Value::Array(items) if *first == "*" => items.iter().for_each(|value| places(value, rest, found)),
        _ => {
            if let Some(value) = value.pointer(&format!("/{first}")) {
                places(value, rest, found);
            }
        }
    }
}

/// Where two values differ. Lists of another length differ as a whole.
fn differences(before: &Value, after: &Value, at: String, found: &mut Vec<String>) {
    let nothing = Value::Null;
    match (before, after) {
        (Value::Object(one), Value::Object(other)) => {
            for name in one.keys().chain(other.keys().filter(|name| !one.contains_key(*name))) {
                let inside = format!("{at}/{}", name.replace('~', "~0").replace('/', "~1"));
                let (one, other) = (one.get(name).unwrap_or(&nothing), other.get(name).unwrap_or(&nothing));
                differences(one, other, inside, found);
            }
        }
        (Value::Array(one), Value::Array(other)) if one.len() == other.len() => {
            for (number, (one, other)) in one.iter().zip(other).enumerate() {
                differences(one, other, format!("{at}/{number}"), found);
            }
        }
        _ if before == after => {}
        _ => found.push(at),
    }
}

fn is_at_or_below(place: &str, start: &str) -> bool {
    place.strip_prefix(start).is_some_and(|rest| rest.is_empty() || rest.starts_with('/'))
}

impl fmt::Display for Check {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        let or = |texts: &[String]| texts.join("` or `");
        match self {
            Self::At { step, at, is, has, absent } => {
                let step = step.as_ref().map(|action| format!(" of `{action}`")).unwrap_or_default();
                let at = if at.is_empty() { "the whole" } else { at };
                match is {
                    _ if *absent => write!(out, "{at}{step} is there"),
                    Some(value) => write!(out, "{at}{step} is not {value}"),
                    None => write!(out, "{at}{step} does not contain `{}`", or(has)),
                }
            }
            Self::Steps { steps } => write!(out, "the steps are not `{}`", steps.join("`, `")),
            Self::Among { steps_among } => write!(out, "a step is not `{}`", or(steps_among)),
            Self::Triggers { triggers } if triggers.is_empty() => out.write_str("there is a trigger"),
            Self::Triggers { triggers } => write!(out, "the triggers are not `{}`", triggers.join("`, `")),
            Self::Never { never } => write!(out, "the definition contains `{}`", or(never)),
            Self::Said { said } => write!(out, "it does not say `{}`", or(said)),
            Self::Asks { asks: true } => out.write_str("it asks nothing"),
            Self::Asks { asks: false } => out.write_str("it asks something"),
            Self::Only { only } => write!(out, "more is changed than `{}`", only.join("`, `")),
            Self::Any { any } => {
                let each: Vec<String> = any
                    .iter()
                    .map(|all| all.iter().map(ToString::to_string).collect::<Vec<_>>().join(" and "))
                    .collect();
                write!(out, "none of these holds: not ({})", each.join("), not ("))
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_credential_is_told_from_a_word() {
        for text in ["the task-list-of-everybody", "ask-somebody-else-first", "sk-short", "Bearer of news"] {
            assert!(!has_credential(text), "{text}");
        }
        for text in [r#"{"key":"sk-live-2718281828459"}"#, "ghp_0123456789abcdef", "Bearer abcdefghijklmnop"]
        {
            assert!(has_credential(text), "{text}");
        }
    }

    #[test]
    fn places_and_differences_are_found() {
        let whole = serde_json::json!({ "a": [{ "b": 1 }, { "b": "Two" }], "c/d": 3 });
        assert!(fits(&whole, "/a/*/b", None, &["two".to_owned()], false));
        assert!(fits(&whole, "/c~1d", Some(&serde_json::json!(3)), &[], false));
        assert!(fits(&whole, "/a/2", None, &[], true) && !fits(&whole, "/a/0", None, &[], true));
        let mut found = Vec::new();
        let other = serde_json::json!({ "a": [{ "b": 1 }, { "b": "2" }], "e": null });
        differences(&whole, &other, String::new(), &mut found);
        assert_eq!(found, ["/a/1/b", "/c~1d"]);
        assert!(is_at_or_below("/a/1/b", "/a/1") && !is_at_or_below("/a/10", "/a/1"));
    }
}
