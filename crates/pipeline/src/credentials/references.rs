//! References to secrets in parameters, `{"$secret": "name"}`: agents pass a credential without knowing it. The reference
//! is decided about, shown and recorded; the value stands in for it only in the call itself.

use std::{borrow::Cow, collections::HashMap};

use catalog::{
    Action, Call, FieldError, Reference,
    connector::{self, Connector, store},
};
use model::{CredentialVersion, OrgId};
use platform::{db::Tx, redact::Redactor};
use secrecy::{ExposeSecret as _, SecretString};
use serde_json::Value;
use tenancy::SealedCredential;

use crate::{error::Error, parts::Reader, policy_snapshot::Snapshot};

/// Sealed secrets by source and name.
pub(crate) type References = HashMap<(String, String), SealedCredential>;

/// A value that stands in for a reference, for one call.
#[derive(Clone)]
pub(crate) struct Filled {
    pub(crate) name: String,
    pub(crate) value: SecretString,
    pub(crate) version: CredentialVersion,
    pointer: String,
}

/// The secrets that agents may pass to these connectors by reference: those that they may send, but not the one that a
/// connector authenticates with.
pub(crate) async fn load(
    tx: &mut Tx,
    org: OrgId,
    connectors: impl Iterator<Item = &Connector>,
) -> Result<References, Error> {
    let mut own = HashMap::new();
    let mut places = Vec::new();
    for connector in connectors {
        let source = connector.slug.to_string();
        places.extend(connector.origin().map(|origin| (source.clone(), origin)));
        own.insert(source, connector.auth.secret());
    }
    let found = tenancy::secrets_at(tx, org, &places).await?;
    let passed = found.into_iter().filter(|found| own.get(&found.source) != Some(&Some(&*found.name)));
    Ok(passed.map(|found| ((found.source, found.name), found.sealed)).collect())
}

/// The references in the parameters of an action. A batch has none, nor has anything that was validated before.
fn of(action: &Action, params: &Value) -> Vec<Reference> {
    action.references(params).unwrap_or_default()
}

/// Checks that every reference is where a password is asked for, and names a secret that may be sent there.
pub(crate) fn check(action: &Action, snapshot: &Snapshot, params: &Value) -> Result<(), Error> {
    let found = action.references(params).map_err(Error::InvalidParams)?;
    let source = action.definition.address.source.to_string();
    let missing = found.into_iter().filter_map(|reference| {
        let key = (source.clone(), reference.name);
        let is_there = snapshot.org.references.contains_key(&key);
        (!is_there).then(|| FieldError {
            pointer: reference.pointer,
            message: format!("there is no secret `{}` that `{source}` may send", key.1),
        })
    });
    let missing: Vec<FieldError> = missing.collect();
    if missing.is_empty() { Ok(()) } else { Err(Error::InvalidParams(missing)) }
}

/// The name of a referenced secret among the credentials of a call.
pub(crate) fn key(source: &str, name: &str) -> String {
    format!("{source}#{name}")
}

/// The versions of the secrets that an action would send.
pub(crate) fn versions(
    action: &Action,
    snapshot: &Snapshot,
    params: &Value,
) -> Vec<(String, CredentialVersion)> {
    let source = action.definition.address.source.to_string();
    let versions = of(action, params).into_iter().filter_map(|reference| {
        let name = key(&source, &reference.name);
        let sealed = snapshot.org.references.get(&(source.clone(), reference.name))?;
        Some((name, sealed.version()))
    });
    versions.collect()
}

/// The values of the referenced secrets, as they are now. If one is gone, nothing may be sent: the reference itself would
/// be.
pub(crate) async fn open(
    reader: &Reader,
    org: OrgId,
    action: &Action,
    params: &Value,
) -> Result<Vec<Filled>, Error> {
    let found = of(action, params);
    let source = &action.definition.address.source;
    if found.is_empty() {
        return Ok(vec![]);
    }
    let mut tx = reader.parts.db.begin(org).await?;
    let connector = store::find(&mut tx, org, source).await?;
    let origin = connector.as_ref().and_then(Connector::origin).and_then(|origin| origin.parse().ok());
    if origin.is_some_and(|url| !reader.parts.egress.protects(&url)) {
        let message = format!("`{source}` is not reached over https, so no secret is sent to it");
        return Err(connector::Error::Unreachable(message).into());
    }
    let sealed = load(&mut tx, org, connector.iter()).await?;
    drop(tx);
    let mut filled = Vec::with_capacity(found.len());
    for Reference { pointer, name } in found {
        let Some(sealed) = sealed.get(&(source.to_string(), name.clone())) else {
            let message = format!("there is no secret `{name}` that `{source}` may send");
            return Err(connector::Error::Unreachable(message).into());
        };
        let secret = reader.parts.tenancy.open_credential(org, sealed).await?;
        filled.push(Filled { name, value: secret.token, version: secret.version, pointer });
    }
    Ok(filled)
}

/// The call with the values in place of the references.
pub(crate) fn fill<'c>(call: &'c Call, filled: &[Filled]) -> Cow<'c, Call> {
    if filled.is_empty() {
        return Cow::Borrowed(call);
    }
    let mut call = call.clone();
    for secret in filled {
        if let Some(place) = call.params.pointer_mut(&secret.pointer) {
            *place = Value::String(secret.value.expose_secret().to_owned());
        }
    }
    Cow::Owned(call)
}

/// Parameters without secrets. A reference is none, even in a field whose name says so.
pub(crate) fn redact(redactor: &Redactor, action: &Action, params: &Value) -> Value {
    let mut redacted = redactor.redact_value(params);
    for Reference { pointer, .. } in of(action, params) {
        if let (Some(place), Some(reference)) = (redacted.pointer_mut(&pointer), params.pointer(&pointer)) {
            place.clone_from(reference);
        }
    }
    redacted
}
