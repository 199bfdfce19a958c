//! Inbox items: how they are shown, and how answers are sent.
//!
//! `safe_text` makes a text safe and short enough to read, `details` lists everything about one item in rows, `reply` sends
//! an answer. The plain commands and the screen show the same details.

pub(crate) mod details;
pub(crate) mod edit;
pub(crate) mod reply;
pub(crate) mod safe_text;

use api::InboxItem;
use jiff::Timestamp;
use model::{GrantRequestId, InvocationId};

/// The id of an item: an invocation or a grant request.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Key {
    Invocation(InvocationId),
    Request(GrantRequestId),
}

impl std::fmt::Display for Key {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::Invocation(id) => id.fmt(f),
            Self::Request(id) => id.fmt(f),
        }
    }
}

/// Parses `inv_…` or `grq_…`.
pub(crate) fn key(text: &str) -> Result<Key, String> {
    if text.starts_with(GrantRequestId::PREFIX) {
        return text.parse().map(Key::Request).map_err(|error: model::IdError| error.to_string());
    }
    text.parse().map(Key::Invocation).map_err(|error: model::IdError| error.to_string())
}

pub(crate) fn key_of(item: &InboxItem) -> Key {
    match item {
        InboxItem::Approval(item) => Key::Invocation(item.invocation.id),
        InboxItem::Unknown(item) => Key::Invocation(item.invocation.id),
        InboxItem::Quarantined(item) => Key::Invocation(item.invocation.id),
        InboxItem::GrantRequest(item) => Key::Request(item.id),
    }
}

pub(crate) fn now() -> Timestamp {
    #[expect(
        clippy::disallowed_methods,
        reason = "this is the client: it has no platform, and only shows the remaining time"
    )]
    Timestamp::now()
}

/// The remaining time, for people.
pub(crate) fn left(until: Timestamp, now: Timestamp) -> String {
    match until.as_second().saturating_sub(now.as_second()) {
        ..=0 => "expired".to_owned(),
        seconds => span(seconds),
    }
}

/// `45s`, `4m 05s`, `3h 20m` or `2d 4h`: at most two units.
pub(crate) fn span(seconds: i64) -> String {
    match seconds.max(0) {
        seconds @ 0..60 => format!("{seconds}s"),
        seconds @ 60..3_600 => format!("{}m {:02}s", seconds / 60, seconds % 60),
        seconds @ 3_600..86_400 => format!("{}h {:02}m", seconds / 3_600, seconds % 3_600 / 60),
        seconds => format!("{}d {}h", seconds / 86_400, seconds % 86_400 / 3_600),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn times_are_said_in_two_units() {
        for (seconds, expected) in [
            (0, "0s"),
            (59, "59s"),
            (245, "4m 05s"),
            (3_600, "1h 00m"),
            (86_400, "1d 0h"),
            (187_200, "2d 4h"),
        ] {
            assert_eq!(span(seconds), expected);
        }
        let at = |second| Timestamp::from_second(second).unwrap();
        assert_eq!(left(at(100), at(40)), "1m 00s");
        assert_eq!(left(at(100), at(100)), "expired");
    }

    #[test]
    fn an_id_says_what_it_names() {
        assert!(matches!(key("grq_0192f0c1d2e37a4b8c5d6e7f80910a1c"), Ok(Key::Request(_))));
        assert!(matches!(key("inv_0192f0c1d2e37a4b8c5d6e7f80910a1c"), Ok(Key::Invocation(_))));
        for bad in ["", "grq_", "ses_0192f0c1d2e37a4b8c5d6e7f80910a1c"] {
            assert!(key(bad).is_err(), "{bad}");
        }
    }
}
