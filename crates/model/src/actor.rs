//! Who does something, and in which org.

use crate::{OrgId, UserId};

/// A person in an org.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Actor {
    pub org: OrgId,
    pub user: UserId,
}
