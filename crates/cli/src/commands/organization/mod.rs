//! The settings of the organization: invitations, members, passkeys, spaces and tokens.

pub(super) mod invitations;
pub(super) mod members;
pub(super) mod org;
pub(super) mod passkeys;
pub(super) mod spaces;
pub(super) mod tokens;
