//! SQL over tenancy's tables. Every statement names its org, although the fence would hold without.

pub(crate) mod identities;
pub(crate) mod passkeys;
pub(crate) mod people;
pub(crate) mod sessions;
pub(crate) mod tokens;
pub(crate) mod vault;
