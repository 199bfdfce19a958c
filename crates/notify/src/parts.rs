//! What notifications are made of.

use std::sync::Arc;

use changes::Recorder;
use pipeline::{Approvals, read::Reader};
use platform::{World, db::Database, egress::Egress, shutdown::Shutdown};
use policy::Grants;
use tenancy::Tenancy;
use url::Url;

use crate::mail::Mail;

/// The parts of a [`Notify`].
pub struct Parts {
    pub db: Database,
    pub world: World,
    pub tenancy: Tenancy,
    pub grants: Grants,
    pub recorder: Recorder,
    pub events: events::Log,
    pub egress: Egress,
    pub shutdown: Shutdown,
    /// Where the invocations are read that people are told about.
    pub reader: Reader,
    /// Where a click becomes an answer.
    pub approvals: Approvals,
    pub outlets: Outlets,
}

/// The services that messages are sent through.
#[derive(Clone)]
pub struct Outlets {
    /// The address of Slack.
    pub slack: Url,
    /// The mail server; without it no mail is sent.
    pub mail: Option<Mail>,
    /// The address of the inbox, if people can reach it.
    pub inbox: Option<Url>,
}

/// The notifications of all orgs. Cheap to clone.
#[derive(Clone)]
pub struct Notify {
    pub(crate) parts: Arc<Parts>,
}

impl Notify {
    /// Puts the parts together.
    pub fn new(parts: Parts) -> Self {
        Self { parts: Arc::new(parts) }
    }
}
