//! Change records.

use jiff::Timestamp;
use model::{ChangeId, UserId};
use serde::{Deserialize, Serialize};
use serde_json::Value;
use utoipa::{IntoParams, ToSchema};

/// Filters and pages the list of change records.
#[derive(Debug, Clone, Default, Serialize, Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
#[serde(deny_unknown_fields)]
pub struct ChangesQuery {
    /// Only this kind of change, such as `rule.set`, or those that begin with this, such as `rule.`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub change: Option<String>,
    /// Only changes of the thing with this ID.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub subject: Option<String>,
    /// Only changes by this person.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub user: Option<String>,
    /// The `next_cursor` of the previous page. Absent for the first page.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub cursor: Option<String>,
    /// Maximum number of records, 1 to 100. The default is 50.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub limit: Option<u32>,
}

/// The record of a change of authority: who changed what anyone may do.
#[derive(Debug, Clone, Serialize, Deserialize, ToSchema)]
pub struct ChangeView {
    #[schema(value_type = String, example = "chg_0199…")]
    pub id: ChangeId,
    /// What was changed and how.
    #[schema(example = "rule.set")]
    pub change: String,
    /// ID of what was changed.
    #[schema(example = "rul_0199…")]
    pub subject: String,
    /// Name of what was changed, for people.
    #[schema(example = "linear.create_issue")]
    pub name: String,
    pub by: ChangeAuthor,
    /// Network address of the request. Behind a proxy, that of the proxy.
    pub address: Option<String>,
    /// The reason that was given.
    pub reason: Option<String>,
    /// The state before; `null` for something new.
    #[schema(value_type = Option<Object>)]
    pub before: Option<Value>,
    /// The state after; `null` for something removed.
    #[schema(value_type = Option<Object>)]
    pub after: Option<Value>,
    #[schema(value_type = String, format = DateTime)]
    pub at: Timestamp,
    /// The signed record, as a DSSE envelope. Absent in lists.
    #[schema(value_type = Option<Object>)]
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub envelope: Option<Value>,
}

/// Who changed something.
#[derive(Debug, Clone, Serialize, Deserialize, ToSchema)]
pub struct ChangeAuthor {
    /// The person; `null` for the operator and for the gateway itself.
    #[schema(value_type = Option<String>, example = "usr_0199…")]
    pub user: Option<UserId>,
    /// How they were known: `api_token`, `browser`, `identity`, `oauth`, `slack`, `operator` or `system`.
    #[schema(example = "browser")]
    pub method: String,
    /// ID of the token or of the browser's sign-in.
    #[schema(example = "tok_0199…")]
    pub token: Option<String>,
    /// ID of the second owner, who agreed to a change that loosens.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schema(value_type = Option<String>, example = "usr_0199…")]
    pub countersigned_by: Option<UserId>,
}
