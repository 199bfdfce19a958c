//! SQL over the tables of this crate. Every statement names its organization, although row-level security would be
//! enough.

pub(crate) mod audience;
pub(crate) mod identities;
pub(crate) mod invitations;
pub(crate) mod passkeys;
pub(crate) mod people;
pub(crate) mod sessions;
pub(crate) mod spaces;
pub(crate) mod tokens;
pub(crate) mod vault;
