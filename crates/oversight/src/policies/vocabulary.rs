//! What policies may name, for editors that complete it.

use model::OrgId;
use policy::{
    FactKind,
    cedar::{groups, of_schema, paths},
};

use crate::{error::Error, parts::Oversight};

/// What policies may name.
#[derive(Debug, Default)]
pub struct Vocabulary {
    pub actions: Vec<NamedAction>,
    pub groups: Vec<String>,
    pub spaces: Vec<String>,
    pub sources: Vec<String>,
    pub facts: Vec<NamedField>,
    pub context: Vec<NamedField>,
    pub principal: Vec<NamedField>,
}

/// An action with what policies can read of its parameters.
#[derive(Debug)]
pub struct NamedAction {
    pub address: String,
    pub groups: Vec<String>,
    pub input: Vec<NamedField>,
}

/// Something that a policy can read.
#[derive(Debug)]
pub struct NamedField {
    pub path: String,
    pub kind: String,
    pub is_required: bool,
    pub words: String,
}

/// Below `context`, besides the input and the facts.
const CONTEXT: &[(&str, &str, &str)] = &[
    ("now.hour", "Long", "hour of the day, 0 to 23, in the organization's time zone"),
    ("now.minute", "Long", "minute of the hour"),
    ("now.weekday", "Long", "1 is Monday, 7 is Sunday"),
    ("now.date", "String", "date, such as 2026-11-18"),
    ("domains", "Set<String>", "hosts of e-mail addresses and URLs in the parameters"),
    ("text", "String", "all parameters as canonical JSON"),
    ("asked", "String", "mode before policies: allow, require_approval or deny"),
];

/// Below `principal`.
const PRINCIPAL: &[(&str, &str, &str)] = &[
    ("agent", "String", "name of the agent"),
    ("unattended", "Bool", "whether nobody watches, as in runs of automations"),
    ("opened_by", "String", "ID of the person who opened the session"),
];

fn named(all: &[(&str, &str, &str)]) -> Vec<NamedField> {
    let field = |(path, kind, words): &(&str, &str, &str)| NamedField {
        path: (*path).to_owned(),
        kind: (*kind).to_owned(),
        is_required: true,
        words: (*words).to_owned(),
    };
    all.iter().map(field).collect()
}

impl Oversight {
    /// What policies may name in an organization.
    pub async fn vocabulary(&self, org: OrgId) -> Result<Vocabulary, Error> {
        let facts = self.statutes(org).await?.facts;
        let known = self.known(org, facts.into_iter().map(|fact| fact.definition).collect()).await?;
        let definitions = known.definitions();
        let actions = definitions.iter().map(|action| NamedAction {
            address: action.address.to_string(),
            groups: groups(action),
            input: paths(&of_schema(&action.input_schema))
                .into_iter()
                .map(|(path, field)| NamedField {
                    path,
                    kind: field.shape.name(),
                    is_required: field.is_required,
                    words: String::new(),
                })
                .collect(),
        });
        let actions: Vec<NamedAction> = actions.collect();
        let sorted = |mut all: Vec<String>| {
            all.sort_unstable();
            all.dedup();
            all
        };
        let facts = known.facts.iter().map(|fact| NamedField {
            path: fact.name().to_owned(),
            kind: if fact.source.kind == FactKind::Any { "Bool" } else { "Long" }.to_owned(),
            is_required: true,
            words: fact.words(),
        });
        Ok(Vocabulary {
            groups: sorted(actions.iter().flat_map(|action| action.groups.clone()).collect()),
            sources: sorted(definitions.iter().map(|action| action.address.source.to_string()).collect()),
            facts: facts.collect(),
            spaces: known.spaces.clone(),
            context: named(CONTEXT),
            principal: named(PRINCIPAL),
            actions,
        })
    }
}
