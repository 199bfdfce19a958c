//! The target: what an approval relies on about it. A preview tells what it read (its basis), the shown document shows it,
//! and before anything is sent it is read again. The time between that reading and the sending remains: only a target
//! that takes a condition with the call can close it, as GitHub does for a merge.

use std::time::Duration;

use catalog::{Basis, SourceError};
use model::{CanonicalError, Digest, InvocationId};
use serde::Serialize;

use super::second_check::{Changed, Compared};
use crate::{
    error::Error,
    parts::Pipeline,
    preview::{self, Previewed},
    stages::state::{Decided, Record},
};

/// How long to wait before an unreachable target is asked again, and how often.
const PAUSES: [Duration; 2] = [Duration::from_secs(1), Duration::from_secs(3)];

/// What one voted document relies on.
pub(crate) struct Relied {
    pub(crate) salt: String,
    /// Over the basis as the source told it: what redaction hides must not change either.
    pub(crate) digest: Digest,
    /// The basis as it was shown.
    pub(crate) shown: Vec<Basis>,
}

/// The target as it is now, read for one subject.
pub(super) struct Target {
    subject: Digest,
    found: Result<Option<preview::Found>, SourceError>,
}

impl Target {
    /// Whether it was read for what this record asks.
    pub(super) fn is_of(&self, record: &Record) -> bool {
        self.subject == record.invocation.subject_digest
    }
}

/// The digest of a basis. The salt keeps it from being guessed.
pub(super) fn digest(salt: &str, basis: &[Basis]) -> Result<Digest, CanonicalError> {
    #[derive(Serialize)]
    struct Salted<'a> {
        salt: &'a str,
        basis: &'a [Basis],
    }
    Digest::of_canonical(&Salted { salt, basis })
}

/// Reads the target of an approved invocation. No row is locked meanwhile.
pub(super) async fn read(
    pipeline: &Pipeline,
    id: InvocationId,
    subject: Digest,
    decided: &Decided,
) -> Result<Target, Error> {
    let resolved = &decided.admitted.0;
    let mut pauses = PAUSES.into_iter();
    loop {
        let params = resolved.request.params.clone();
        let previewed = Previewed { org: resolved.request.org, id, action: &resolved.action, params };
        let found = preview::read(&pipeline.reader, previewed, Some(&resolved.snapshot)).await?;
        match (&found, pauses.next()) {
            (Err(error), Some(pause)) if error.is_transient() => tokio::time::sleep(pause).await,
            _ => return Ok(Target { subject, found }),
        }
    }
}

/// Compares what the voted documents rely on with the target as it is now.
pub(super) fn compare(
    relied: &[Relied],
    target: &Target,
    mut decided: Box<Decided>,
) -> Result<Compared, Error> {
    let now = match &target.found {
        Ok(found) => found,
        Err(error) => {
            let why = format!("the target could not be read again before sending: {}", error.message);
            return Ok(Compared::Gone(why));
        }
    };
    let basis = now.as_ref().map(|found| found.basis.as_slice()).unwrap_or_default();
    let mut changed = Vec::new();
    for relied in relied {
        if digest(&relied.salt, basis)? != relied.digest {
            changed.push(relied);
        }
    }
    if changed.is_empty() {
        return Ok(Compared::Same(decided));
    }
    let shown = now.as_ref().map(|found| found.shown.basis.as_slice()).unwrap_or_default();
    let names: Vec<&str> = (changed.iter().flat_map(|relied| &relied.shown))
        .filter(|before| !shown.contains(before))
        .map(|before| before.name.as_str())
        .collect();
    decided.subject.asked_before += 1;
    decided.subject_digest = decided.subject.digest()?;
    Ok(Compared::Changed(Box::new(Changed { parts: vec![words(names)], decided: *decided })))
}

/// `the target (title, state)`. What differs only where redaction hides it has no name.
fn words(mut names: Vec<&str>) -> String {
    names.sort_unstable();
    names.dedup();
    if names.is_empty() { "the target".to_owned() } else { format!("the target ({})", names.join(", ")) }
}
