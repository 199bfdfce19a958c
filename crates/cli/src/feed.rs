//! Asking for what happened, and waiting for more: one way for whoever prints events and whoever is only woken by them.

use std::time::Duration;

use api::EventsView;

use crate::{client::Client, error::Error, wait::MARGIN};

/// A gateway that is away, or has nothing to begin after, is asked again this often.
pub(crate) const AGAIN: Duration = Duration::from_secs(2);

/// Which events.
pub(crate) struct Feed {
    /// With commas between; all when empty.
    pub(crate) types: String,
    /// How many of the newest to begin with.
    pub(crate) newest: u32,
}

impl Feed {
    /// What happened after an event, as soon as something did within `wait`; without one, the newest.
    pub(crate) async fn fetch(
        &self,
        client: &Client,
        after: Option<&str>,
        wait: Duration,
    ) -> Result<EventsView, Error> {
        let mut call = client.get(&["v1", "events"])?.timeout(wait + MARGIN);
        if !self.types.is_empty() {
            call = call.query("type", &self.types);
        }
        call = match after {
            Some(after) => call.query("after", after).query("wait", &format!("{}ms", wait.as_millis())),
            None => call.query("limit", &self.newest.to_string()),
        };
        call.send().await?.parse()
    }
}
