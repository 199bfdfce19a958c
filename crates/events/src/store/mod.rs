//! SQL over the tables of this crate. Every statement about an organization's rows names it, although row-level
//! security would be enough.

pub(crate) mod deliveries;
pub(crate) mod followers;
pub(crate) mod groups;
pub(crate) mod log;
pub(crate) mod published;
pub(crate) mod webhooks;
