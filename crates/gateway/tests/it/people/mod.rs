//! Members and how they sign in.

mod invitations;
pub(crate) mod members;
pub(crate) mod oidc;
mod one_person;
pub(crate) mod signin;
mod spaces;
mod two_people;
