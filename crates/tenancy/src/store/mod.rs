//! SQL over tenancy's tables. Every statement names its org, although the fence would hold without.

pub(crate) mod people;
pub(crate) mod sessions;
pub(crate) mod tokens;
pub(crate) mod vault;

/// Reads a stored enum, or says which column holds something else.
fn known<T>(value: Option<T>, column: &'static str) -> Result<T, platform::db::Error> {
    value.ok_or(platform::db::Error::Inconsistent { column })
}
