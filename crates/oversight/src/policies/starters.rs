//! Starters: policies that the program brings, with their facts and cases, to be adapted and saved.

use serde::Deserialize;
use serde_json::Value;

macro_rules! starters {
    ($($name:literal),* $(,)?) => {
        const ALL: &[[&str; 4]] = &[$([
            $name,
            include_str!(concat!("../../../../policies/", $name, "/policy.cedar")),
            include_str!(concat!("../../../../policies/", $name, "/starter.json")),
            include_str!(concat!("../../../../policies/", $name, "/about.md")),
        ]),*];
    };
}

starters! {
    "daily-writes",
    "first-use-asks",
    "merge-after-checks",
    "message-rate",
    "no-deletes",
    "no-egress-after-untrusted",
    "only-these-channels",
    "only-these-repositories",
    "out-of-hours",
    "outside-recipients",
    "production-two-people",
    "production-unattended",
    "refund-approved-only",
    "spending-cap",
    "stop-after-unknown",
}

/// A policy to begin with.
#[derive(Debug)]
pub struct Starter {
    pub name: &'static str,
    pub text: &'static str,
    pub about: &'static str,
    pub file: StarterFile,
}

/// `starter.json`. Facts, cases and actions have the form in which they are sent.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct StarterFile {
    pub title: String,
    pub needs: Vec<Need>,
    pub facts: Vec<Value>,
    pub cases: Vec<Value>,
    pub actions: Vec<Value>,
}

/// What a person chooses.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Need {
    pub name: String,
    pub label: String,
    pub kind: String,
    pub default: Value,
}

/// All of them.
pub fn starters() -> Vec<Starter> {
    let read = |[name, text, file, about]: &[&'static str; 4]| {
        // The files are part of the program, and a test reads each of them.
        let file = serde_json::from_str(file).ok()?;
        Some(Starter { name, text, about, file })
    };
    ALL.iter().filter_map(read).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_starter_can_be_read_and_every_folder_is_one() {
        assert_eq!(starters().len(), ALL.len());
        let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/../../policies");
        let folders =
            std::fs::read_dir(folder).unwrap().filter(|entry| entry.as_ref().unwrap().path().is_dir());
        assert_eq!(folders.count(), ALL.len());
    }
}
