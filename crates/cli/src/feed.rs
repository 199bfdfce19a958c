//! Long polling for events, for commands that print events and for the screen that refreshes on them.

use std::time::Duration;

use api::EventsView;

use crate::{client::Client, error::Error, wait::MARGIN};

/// Interval of retries while the gateway is unavailable or has no events.
pub(crate) const AGAIN: Duration = Duration::from_secs(2);

pub(crate) struct Feed {
    /// Types, separated by commas; empty means all.
    pub(crate) types: String,
    /// Number of newest events to start with.
    pub(crate) newest: u32,
}

impl Feed {
    /// The events after `after`, as soon as there are some within `wait`; without `after`, the newest events.
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
