//! Members and how they sign in.

pub(crate) mod members;
pub(crate) mod oidc;
pub(crate) mod signin;
