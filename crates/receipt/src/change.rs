//! Change records: who changed what anyone may do, from what to what, and why.
//!
//! As in a receipt, every field is always written and ids are plain strings.

use serde::{Deserialize, Serialize};
use serde_json::Value;

/// The `version` of the change records that this crate writes and reads.
pub const CHANGE_VERSION: &str = "countersign/change/v1";
/// The payload type of a change record's envelope.
pub const CHANGE_TYPE: &str = "application/vnd.countersign.change+json";

/// The record of a change of authority.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct Change {
    /// The format: `countersign/change/v1`.
    pub version: String,
    /// ID of this record.
    pub id: String,
    /// ID of the organization.
    pub org: String,
    /// What was changed and how: `rule.set`, `member.removed` …
    pub change: String,
    /// ID of what was changed.
    pub subject: String,
    /// Name of what was changed, for people.
    pub name: String,
    /// Who changed it.
    pub by: Author,
    /// The network address of the request; `null` if there was none.
    #[serde(default)]
    pub address: Option<String>,
    /// The reason that was given.
    #[serde(default)]
    pub reason: Option<String>,
    /// The state before; `null` for something new.
    #[serde(default)]
    pub before: Option<Value>,
    /// The state after; `null` for something removed.
    #[serde(default)]
    pub after: Option<Value>,
    /// Time of the change, RFC 3339 in UTC. The signing key must have been valid then.
    pub at: String,
}

/// Who changed something.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct Author {
    /// ID of the person; `null` for the operator and for the gateway itself.
    #[serde(default)]
    pub user: Option<String>,
    /// How they were known: `api_token`, `browser`, `identity`, `oauth`, `slack`, `operator` or `system`.
    pub method: String,
    /// ID of the token or of the browser's sign-in.
    #[serde(default)]
    pub token: Option<String>,
    /// ID of the second owner, who agreed to a change that loosens.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub countersigned_by: Option<String>,
}

#[cfg(test)]
mod tests {
    use expect_test::expect_file;

    use super::*;

    // `UPDATE_EXPECT=1 cargo test -p countersign-receipt schema` rewrites the file.
    #[test]
    fn the_published_schema_is_the_one_of_this_struct() {
        let schema = serde_json::to_value(schemars::schema_for!(Change)).unwrap();
        let text = crate::body::tests::published(schema, "Countersign change record", CHANGE_VERSION);
        expect_file!["../../../schemas/change.schema.json"].assert_eq(&text);
    }
}
