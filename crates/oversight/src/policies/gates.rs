//! Gate settings as people write them, checked against the catalog; and consents, whose subjects are stored as hashes.

use changes::Author;
use jiff::Timestamp;
use model::OrgId;
use policy::{ConsentFilter, FlowSettings, GateSettings, NewConsent, StoredConsent, StoredGates};

use super::Known;
use crate::{error::Error, parts::Oversight};

/// A consent that somebody gave, as it was entered.
#[derive(Debug)]
pub struct GivenConsent {
    pub purpose: String,
    pub subject: String,
    pub expires_at: Option<Timestamp>,
    pub note: String,
}

impl Oversight {
    /// Replaces the gate settings that were read at a version.
    pub async fn put_gates(
        &self,
        by: &Author,
        settings: GateSettings,
        version: i32,
    ) -> Result<StoredGates, Error> {
        let before = self.parts.policies.gates(by.org).await?.settings;
        let known = self.known(by.org, vec![]).await?;
        check(&before, &settings, &known).map_err(policy::Error::Gates)?;
        Ok(self.parts.policies.put_gates(by, settings, version).await?)
    }

    /// Stores a consent.
    pub async fn give_consent(&self, by: &Author, given: GivenConsent) -> Result<StoredConsent, Error> {
        let GivenConsent { purpose, subject, expires_at, note } = given;
        let subject_hash = self.parts.reader.subject_hash(by.org, &subject).await?;
        let new = NewConsent { purpose, subject, subject_hash, expires_at, note };
        Ok(self.parts.policies.give_consent(by, new).await?)
    }

    /// Consents, newest first, if they are for this purpose and of this subject.
    pub async fn consents(
        &self,
        org: OrgId,
        (mut filter, subject): (ConsentFilter, Option<&str>),
        limit: i64,
    ) -> Result<Vec<StoredConsent>, Error> {
        if let Some(subject) = subject {
            filter.subject = Some(self.parts.reader.subject_hash(org, subject).await?);
        }
        Ok(self.parts.policies.consents(org, &filter, limit).await?)
    }
}

/// Checks that what is new in settings names what exists: a misspelt source would be held by nothing. What was there before
/// may be gone by now.
fn check(before: &GateSettings, after: &GateSettings, known: &Known) -> Result<(), String> {
    let has_source = |source: &str| {
        let mut all = known.definitions().into_iter();
        all.any(|definition| definition.address.source.as_str() == source)
    };
    let has_space = |space: &str| known.spaces.iter().any(|one| one == space);
    for home in after.homes.iter().filter(|home| !before.homes.contains(home)) {
        if !has_source(home.source.as_str()) {
            return Err(format!("the source `{}` does not exist", home.source));
        }
        if !has_space(&home.space) {
            return Err(format!("the space `{}` does not exist", home.space));
        }
    }
    for crossing in after.crossings.iter().filter(|crossing| !before.crossings.contains(crossing)) {
        if let Some(source) = crossing.source.as_ref().filter(|source| !has_source(source.as_str())) {
            return Err(format!("the source `{source}` does not exist"));
        }
        if let Some(space) = [&crossing.from, &crossing.to].into_iter().find(|space| !has_space(space)) {
            return Err(format!("the space `{space}` does not exist"));
        }
    }
    for purpose in after.purposes.iter().filter(|purpose| !before.purposes.contains(purpose)) {
        let address = purpose.action.to_string();
        let Some(action) = known.find(&address) else {
            return Err(format!("the action `{address}` does not exist"));
        };
        // Only the first name: what is inside of lists and references is found when it is used.
        let name = purpose.subject.split('.').nth(1).unwrap_or_default();
        let fields = action.input_schema.get("properties").and_then(serde_json::Value::as_object);
        if fields.is_some_and(|fields| !fields.contains_key(name)) {
            return Err(format!("`{address}` has no parameter `{name}`"));
        }
    }
    check_flow(&before.flow, &after.flow, &has_source)?;
    let new = after.flow.consents.iter().filter(|consent| !before.flow.consents.contains(consent));
    match new.map(|consent| consent.action.to_string()).find(|address| known.find(address).is_none()) {
        Some(address) => Err(format!("the action `{address}` does not exist")),
        None => Ok(()),
    }
}

fn check_flow(
    before: &FlowSettings,
    after: &FlowSettings,
    has_source: &dyn Fn(&str) -> bool,
) -> Result<(), String> {
    let trusted = after.trusted.iter().filter(|source| !before.trusted.contains(source));
    let public = after.public.iter().filter(|source| !before.public.contains(source));
    let places = after.audiences.iter().filter(|place| !before.audiences.contains(place));
    let mut all = trusted.chain(public).chain(places.map(|place| &place.source));
    match all.find(|source| !has_source(source.as_str())) {
        Some(source) => Err(format!("the source `{source}` does not exist")),
        None => Ok(()),
    }
}
