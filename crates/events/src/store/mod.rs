//! SQL over the tables of telling. Every statement about an org's rows names its org, although the fence would hold without.

pub(crate) mod deliveries;
pub(crate) mod followers;
pub(crate) mod groups;
pub(crate) mod log;
pub(crate) mod published;
pub(crate) mod webhooks;
