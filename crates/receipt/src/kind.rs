//! The kinds of signed documents in the log, and how they differ. Everything else about them is the same.

use serde::{Deserialize as _, de::Error as _};
use serde_json::{Map, Value};

use crate::{CHANGE_TYPE, CHANGE_VERSION, Change, PAYLOAD_TYPE, Receipt, VERSION, VerifyError};

/// The last part of receipts that can be erased. Receipts of version 0.1 do not have it, and then it is not part of the
/// commitment.
pub(crate) const SHOWN: &str = "shown";

/// A kind of signed document.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Kind {
    Receipt,
    Change,
}

/// The content of a signed document, with the fields that this version knows.
#[derive(Debug, Clone, PartialEq)]
pub enum Statement {
    /// What became of an invocation.
    Receipt(Box<Receipt>),
    /// A change of authority.
    Change(Box<Change>),
}

/// The first field that a change record always has and this one has not; `null` is written, never left out.
fn missing(document: &Map<String, Value>) -> Option<&'static str> {
    let by = document.get("by").and_then(Value::as_object);
    let of_author =
        ["user", "method", "token"].into_iter().find(|name| !by.is_some_and(|by| by.contains_key(*name)));
    let all = ["address", "reason", "before", "after"];
    of_author.or_else(|| all.into_iter().find(|name| !document.contains_key(*name)))
}

impl Kind {
    const ALL: [Self; 2] = [Self::Receipt, Self::Change];

    pub(crate) fn of_payload(payload_type: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|kind| kind.payload_type() == payload_type)
    }

    pub(crate) const fn payload_type(self) -> &'static str {
        match self {
            Self::Receipt => PAYLOAD_TYPE,
            Self::Change => CHANGE_TYPE,
        }
    }

    pub(crate) const fn version(self) -> &'static str {
        match self {
            Self::Receipt => VERSION,
            Self::Change => CHANGE_VERSION,
        }
    }

    /// The parts that can be erased: the contents, not who did what and when.
    pub(crate) const fn erasable(self) -> &'static [&'static str] {
        match self {
            Self::Receipt => &[
                "error",
                "idempotency_key",
                "inputs",
                "outputs",
                "repair",
                "rollback",
                "verification",
                SHOWN,
            ],
            Self::Change => &["address", "after", "before", "name", "reason"],
        }
    }

    /// When the documented thing was over. The signing key must have been valid then.
    pub(crate) fn time(self, document: &Map<String, Value>) -> Option<&str> {
        match self {
            Self::Receipt => document.get("timing")?.get("finished_at")?.as_str(),
            Self::Change => document.get("at")?.as_str(),
        }
    }

    pub(crate) fn read(self, document: &Map<String, Value>) -> Result<Statement, VerifyError> {
        match self {
            Self::Receipt => Receipt::deserialize(document)
                .map(|receipt| Statement::Receipt(Box::new(receipt)))
                .map_err(VerifyError::ReceiptFields),
            Self::Change if let Some(field) = missing(document) => {
                Err(VerifyError::ChangeFields(serde_json::Error::custom(format!("`{field}` is missing"))))
            }
            Self::Change => Change::deserialize(document)
                .map(|change| Statement::Change(Box::new(change)))
                .map_err(VerifyError::ChangeFields),
        }
    }
}
