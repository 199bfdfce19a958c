//! People, their passkeys and sign-ins, and the sessions of agents.

pub(crate) mod invitations;
pub(crate) mod passkeys;
pub(crate) mod people;
pub(crate) mod sessions;
pub(crate) mod signin;
pub(crate) mod spaces;
pub(crate) mod tokens;
