//! One policy: a `forbid` of Cedar with annotations that say what it asks for.

use std::{collections::BTreeSet, str::FromStr as _};

use cedar_policy::{ActionConstraint, Effect, EntityUid, Policy, PolicyId};
use miette::Diagnostic;
use model::{ActionDefinition, Mode};

use super::{
    Problem, groups,
    problem::{Place, Severity},
    reads::Reads,
};
use crate::limits::policies::{
    DEEPEST_BRACKETS, LONGEST_NAME, LONGEST_TEXT, LONGEST_WHY, MOST_APPROVERS, MOST_OPERATORS, STACK,
};

/// A policy as it was parsed.
#[derive(Debug, Clone)]
pub struct Statement {
    /// Its `@id`.
    pub name: String,
    /// The most permissive mode that it accepts where it holds: an approval, or a denial.
    pub mode: Mode,
    /// How many people must approve, if it says so.
    pub approvers: Option<u32>,
    /// Its `@why`, for the people who are asked.
    pub why: String,
    pub reads: Reads,
    pub text: String,
    pub(super) policy: Policy,
    scope: Scope,
}

/// The actions that a policy is for.
#[derive(Debug, Clone)]
enum Scope {
    Any,
    /// Addresses and groups.
    Of(BTreeSet<String>),
}

impl Scope {
    fn of(constraint: ActionConstraint) -> Self {
        let ids = match constraint {
            ActionConstraint::Any => return Self::Any,
            ActionConstraint::Eq(uid) => vec![uid],
            ActionConstraint::In(uids) => uids,
        };
        Self::Of(ids.iter().map(|uid| uid.id().unescaped().to_owned()).collect())
    }
}

impl Statement {
    /// Parses one policy. The problems have their places in the text.
    pub fn parse(text: &str) -> Result<Self, Vec<Problem>> {
        if text.len() > LONGEST_TEXT {
            return Err(vec![Problem::error(format!("a policy must have at most {LONGEST_TEXT} bytes"))]);
        }
        if let Some(problem) = too_deep(text) {
            return Err(vec![problem]);
        }
        stacker::grow(STACK, || Self::parse_within(text))
    }

    fn parse_within(text: &str) -> Result<Self, Vec<Problem>> {
        let policy = Policy::parse(None, text).map_err(|errors| parse_problems(text, &errors))?;
        let mut problems = Vec::new();
        if policy.effect() != Effect::Forbid {
            let message = "a policy can only tighten: write `forbid` instead of `permit`";
            problems.push(Problem { place: word(text, "permit"), ..Problem::error(message) });
        }
        let annotations = Annotations::read(text, &policy, &mut problems);
        let reads = policy.to_json().map_err(|error| error.to_string());
        let reads = reads.and_then(|json| Reads::of(&json)).unwrap_or_else(|message| {
            problems.push(Problem { place: word(text, "context"), ..Problem::error(message) });
            Reads::default()
        });
        if !problems.is_empty() {
            return Err(problems);
        }
        let Annotations { name, mode, approvers, why } = annotations;
        let policy = policy.new_id(PolicyId::new(&name));
        let scope = Scope::of(policy.action_constraint());
        Ok(Self { name, mode, approvers, why, reads, text: text.to_owned(), policy, scope })
    }

    /// Whether it is for an action: by its address, by one of its groups, or because it is for all.
    pub fn is_for(&self, definition: &ActionDefinition) -> bool {
        match &self.scope {
            Scope::Any => true,
            Scope::Of(ids) => {
                ids.contains(&definition.address.to_string())
                    || groups(definition).iter().any(|group| ids.contains(group))
            }
        }
    }

    /// The actions and groups that it names; `None` if it is for all actions.
    pub fn scope(&self) -> Option<&BTreeSet<String>> {
        match &self.scope {
            Scope::Any => None,
            Scope::Of(ids) => Some(ids),
        }
    }

    /// Every entity that it names, as type and ID.
    pub(super) fn entities(&self) -> Vec<(String, String)> {
        let named = |uid: &EntityUid| (uid.type_name().to_string(), uid.id().unescaped().to_owned());
        self.policy.entity_literals().iter().map(named).collect()
    }
}

struct Annotations {
    name: String,
    mode: Mode,
    approvers: Option<u32>,
    why: String,
}

impl Annotations {
    fn read(text: &str, policy: &Policy, problems: &mut Vec<Problem>) -> Self {
        let mut found = Self { name: String::new(), mode: Mode::Deny, approvers: None, why: String::new() };
        for (name, value) in policy.annotations() {
            if let Err(message) = found.take(name, value) {
                problems.push(Problem { place: word(text, &format!("@{name}")), ..Problem::error(message) });
            }
        }
        if policy.annotation("id").is_none() {
            problems.push(Problem::error("a policy needs a name: `@id(\"spending-cap\")`"));
        }
        if found.approvers.is_some() && found.mode == Mode::Deny {
            let message = "`@approvers` needs `@mode(\"ask\")`: nobody is asked about what is denied";
            problems.push(Problem { place: word(text, "@approvers"), ..Problem::error(message) });
        }
        found
    }

    fn take(&mut self, name: &str, value: &str) -> Result<(), String> {
        match name {
            "id" if is_name(value) => value.clone_into(&mut self.name),
            "id" => {
                return Err(format!(
                    "a name has 1 to {LONGEST_NAME} of a-z, 0-9, `_` and `-`, and starts with a letter"
                ));
            }
            "mode" => {
                self.mode = match value {
                    "ask" => Mode::RequireApproval,
                    "deny" => Mode::Deny,
                    _ => return Err("`@mode` must be \"ask\" or \"deny\"".to_owned()),
                }
            }
            "approvers" => {
                let count = u32::from_str(value).ok().filter(|count| (1..=MOST_APPROVERS).contains(count));
                let count = count
                    .ok_or_else(|| format!("`@approvers` must be a number from 1 to {MOST_APPROVERS}"))?;
                self.approvers = Some(count);
            }
            "why" if value.chars().count() <= LONGEST_WHY && is_plain(value) => {
                value.trim().clone_into(&mut self.why);
            }
            "why" => {
                return Err(format!("`@why` must be one line of at most {LONGEST_WHY} ordinary characters"));
            }
            _ => {
                return Err(format!(
                    "unknown annotation `@{name}`; the annotations are @id, @mode, @approvers and @why"
                ));
            }
        }
        Ok(())
    }
}

/// Whether a text is a name of a policy or a case.
pub(crate) fn is_name(text: &str) -> bool {
    let mut bytes = text.bytes();
    bytes.next().is_some_and(|byte| byte.is_ascii_lowercase())
        && text.len() <= LONGEST_NAME
        && bytes.all(|byte| matches!(byte, b'a'..=b'z' | b'0'..=b'9' | b'_' | b'-'))
}

/// Whether a text is a name of a fact, which stands in expressions: `history.a-b` would be a subtraction.
pub(crate) fn is_fact_name(text: &str) -> bool {
    is_name(text) && !text.contains('-')
}

/// It is shown to approvers, so it must not contain what they cannot see.
fn is_plain(text: &str) -> bool {
    let value = serde_json::Value::String(text.to_owned());
    !text.chars().any(char::is_control) && platform::redact::find_hidden_unicode(&value).is_none()
}

fn parse_problems(text: &str, errors: &cedar_policy::ParseErrors) -> Vec<Problem> {
    errors.iter().map(|error| Problem::of(text, error as &dyn Diagnostic, Severity::Error)).collect()
}

/// Where a word stands first in a text, outside of its strings and comments as far as that can be told.
fn word(text: &str, word: &str) -> Option<Place> {
    text.find(word).map(|at| Place::of(text, at, word.len()))
}

/// The characters of a text outside of its strings and comments, with their offsets.
fn code(text: &str) -> impl Iterator<Item = (usize, char)> {
    let mut rest = text.char_indices().peekable();
    std::iter::from_fn(move || {
        loop {
            match rest.next()? {
                (_, '"') => {
                    while let Some((_, inner)) = rest.next() {
                        match inner {
                            '\\' => drop(rest.next()),
                            '"' => break,
                            _ => {}
                        }
                    }
                }
                (_, '/') if rest.peek().is_some_and(|(_, next)| *next == '/') => {
                    while rest.next_if(|(_, inner)| !matches!(*inner, '\n' | '\r')).is_some() {}
                }
                other => return Some(other),
            }
        }
    })
}

/// What Cedar would need too large a stack for: its parser, and whatever walks over a parsed policy, call themselves for each
/// bracket and each operator.
fn too_deep(text: &str) -> Option<Problem> {
    let (mut depth, mut operators) = (0_usize, 0_usize);
    for (at, character) in code(text) {
        match character {
            '(' | '[' | '{' => depth += 1,
            ')' | ']' | '}' => depth = depth.saturating_sub(1),
            '.' | '&' | '|' | '+' | '-' | '*' | '!' | '?' => operators += 1,
            // `if … then … else …`
            'f' if text.get(..at).is_some_and(|before| before.ends_with('i')) => operators += 1,
            _ => {}
        }
        let place = Some(Place::of(text, at, character.len_utf8()));
        if depth > DEEPEST_BRACKETS {
            let message = format!("brackets must nest at most {DEEPEST_BRACKETS} deep");
            return Some(Problem { place, ..Problem::error(message) });
        }
        if operators > MOST_OPERATORS {
            let message = "a policy this large must be split into several: it has too many operators";
            return Some(Problem { place, ..Problem::error(message) });
        }
    }
    None
}

/// Splits a text into its policies, each with the comments before it.
pub fn split(text: &str) -> Vec<&str> {
    let (mut parts, mut start) = (Vec::new(), 0);
    for (at, _) in code(text).filter(|(_, character)| *character == ';') {
        parts.extend(text.get(start..=at));
        start = at + 1;
    }
    // What is left is a policy without its `;`, unless it is a comment.
    let left = text.get(start..).unwrap_or_default();
    let is_code = |line: &str| !line.trim().is_empty() && !line.trim().starts_with("//");
    parts.extend(Some(left).filter(|left| left.lines().any(is_code)));
    parts
}
