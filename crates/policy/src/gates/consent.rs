//! Consents: that somebody agreed to a purpose. Who it is is stored as a hash with the organization's key.

use std::collections::BTreeSet;

use jiff::Timestamp;
use model::{ActionDefinition, ConsentId, OrgId, UserId};
use platform::db;
use serde_json::Value;
use sqlx::PgConnection;

use super::{paths, settings::Gates};
use crate::{facts::Hasher, limits::gates::MOST_SUBJECTS, store};

/// A consent as it is stored.
#[derive(Debug, Clone)]
pub struct StoredConsent {
    pub id: ConsentId,
    pub purpose: String,
    /// A hash of the subject.
    pub subject: [u8; 32],
    pub note: String,
    pub given_by: UserId,
    pub created_at: Timestamp,
    pub expires_at: Option<Timestamp>,
    pub revoked_at: Option<Timestamp>,
}

/// A purpose with the hash of somebody who must have agreed to it.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub struct ConsentLookup {
    pub purpose: String,
    pub subject: [u8; 32],
}

/// The consents that one request needs.
#[derive(Debug, Clone)]
pub struct ConsentsWanted(Vec<Wanted>);

#[derive(Debug, Clone)]
struct Wanted {
    /// The parameter.
    subject: String,
    purpose: String,
    /// The inner `Err` says why nobody can be told.
    subjects: Result<Vec<ConsentLookup>, &'static str>,
}

/// Whether everybody who must have agreed to a request did.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Consented {
    Given,
    /// Why not, for people.
    Missing(String),
}

impl StoredConsent {
    /// `active`, `expired` or `revoked`.
    pub fn state(&self, now: Timestamp) -> &'static str {
        match (self.revoked_at, self.expires_at) {
            (Some(_), _) => "revoked",
            (None, Some(until)) if until <= now => "expired",
            _ => "active",
        }
    }
}

/// The hash under which somebody is stored and found.
pub fn subject_hash(hash: Hasher<'_>, subject: &str) -> [u8; 32] {
    // Facts hash JSON, which does not begin like this.
    hash(format!("consent:{}", paths::plain(subject)).as_bytes())
}

impl Gates {
    /// The consents that a request needs; `None` if no purpose names its action.
    pub fn consents_wanted(
        &self,
        definition: &ActionDefinition,
        params: &Value,
        hash: Hasher<'_>,
    ) -> Option<ConsentsWanted> {
        let wanted = self.purposes_of(definition).map(|purpose| Wanted {
            subject: purpose.subject.clone(),
            purpose: purpose.purpose.clone(),
            subjects: subjects(params, &purpose.subject).map(|subjects| {
                let lookup = |subject: String| ConsentLookup {
                    purpose: purpose.purpose.clone(),
                    subject: subject_hash(hash, &subject),
                };
                subjects.into_iter().map(lookup).collect()
            }),
        });
        let wanted: Vec<Wanted> = wanted.collect();
        (!wanted.is_empty()).then_some(ConsentsWanted(wanted))
    }
}

/// Everybody whom a parameter names.
fn subjects(params: &Value, path: &str) -> Result<BTreeSet<String>, &'static str> {
    let found = paths::at(params, path);
    if found.is_missing || found.values.is_empty() {
        return Err("names nobody");
    }
    let subjects = found.values.into_iter().map(|value| match value {
        Value::String(text) if !text.trim().is_empty() => Ok(paths::plain(text)),
        Value::Number(number) if !number.is_f64() => Ok(number.to_string()),
        _ => Err("holds something that names nobody"),
    });
    let subjects: BTreeSet<String> = subjects.collect::<Result<_, _>>()?;
    if subjects.len() > MOST_SUBJECTS { Err("names more than 1000 at once") } else { Ok(subjects) }
}

impl ConsentsWanted {
    fn lookups(&self) -> impl Iterator<Item = &ConsentLookup> {
        self.0.iter().filter_map(|one| one.subjects.as_ref().ok()).flatten()
    }

    /// What came of it, given the consents that there are.
    pub(super) fn answered(&self, given: &BTreeSet<ConsentLookup>) -> Consented {
        let missing = self.0.iter().find_map(|Wanted { subject, purpose, subjects }| {
            let subjects = match subjects {
                Ok(subjects) => subjects,
                Err(why) => {
                    return Some(format!("`{subject}` {why}, so nobody's consent to `{purpose}` covers it"));
                }
            };
            let missing = subjects.iter().filter(|lookup| !given.contains(lookup)).count();
            match (missing, subjects.len()) {
                (0, _) => None,
                (_, 1) => Some(format!("no consent to `{purpose}` covers the subject in `{subject}`")),
                (missing, all) => Some(format!(
                    "no consent to `{purpose}` covers {missing} of the {all} subjects in `{subject}`"
                )),
            }
        });
        missing.map_or(Consented::Given, Consented::Missing)
    }
}

/// Looks up consents for a request and the parts of a batch, in one statement. Until the caller's transaction ends, none of
/// those that were found is revoked.
pub async fn read_consents(
    conn: &mut PgConnection,
    org: OrgId,
    wanted: &[Option<ConsentsWanted>],
    now: Timestamp,
) -> Result<Vec<Option<Consented>>, db::Error> {
    let lookups: BTreeSet<&ConsentLookup> =
        wanted.iter().flatten().flat_map(ConsentsWanted::lookups).collect();
    let lookups: Vec<&ConsentLookup> = lookups.into_iter().collect();
    let given = if lookups.is_empty() {
        BTreeSet::new()
    } else {
        store::consents::lock_given(conn, org, &lookups, now).await?
    };
    Ok(wanted.iter().map(|one| one.as_ref().map(|one| one.answered(&given))).collect())
}
