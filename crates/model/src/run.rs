//! How far a run and its steps have come, and how automations and their runs are told apart.

use serde::{Deserialize, Serialize};

macro_rules! words {
    ($(#[$doc:meta])* $name:ident { $($(#[$of:meta])* $variant:ident = $text:literal,)* }) => {
        $(#[$doc])*
        #[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
        #[serde(rename_all = "snake_case")]
        pub enum $name {
            $($(#[$of])* $variant,)*
        }

        impl $name {
            /// All of them.
            pub const ALL: &[Self] = &[$(Self::$variant,)*];

            /// The word as it is written and stored.
            pub const fn as_str(self) -> &'static str {
                match self {
                    $(Self::$variant => $text,)*
                }
            }

            /// Reads what [`Self::as_str`] wrote.
            pub fn parse(text: &str) -> Option<Self> {
                Self::ALL.iter().copied().find(|word| word.as_str() == text)
            }
        }
    };
}

words! {
    /// Whether an automation starts by itself.
    AutomationStatus {
        Active = "active",
        /// Nothing but a person starts it.
        Paused = "paused",
        /// Nothing starts it, and its name is free.
        Archived = "archived",
    }
}

words! {
    /// What starts runs.
    TriggerType {
        Schedule = "schedule",
        Webhook = "webhook",
        Event = "event",
        /// Somebody who wants it now.
        Person = "person",
    }
}

words! {
    /// How far a run has come.
    RunStatus {
        /// It is to start.
        Pending = "pending",
        Running = "running",
        /// A person is asked.
        Waiting = "waiting",
        Succeeded = "succeeded",
        Failed = "failed",
        Cancelled = "cancelled",
        TimedOut = "timed_out",
    }
}

impl RunStatus {
    /// Whether nothing more happens.
    pub const fn is_terminal(self) -> bool {
        !matches!(self, Self::Pending | Self::Running | Self::Waiting)
    }
}

words! {
    /// How far a try of a step has come.
    StepStatus {
        Running = "running",
        /// A person is asked.
        Waiting = "waiting",
        Succeeded = "succeeded",
        Failed = "failed",
        /// Its condition did not hold.
        Skipped = "skipped",
    }
}

words! {
    /// Which runs wait for each other's turn: those that take about as long.
    Lane {
        /// Seconds.
        Fast = "fast",
        /// Minutes.
        Medium = "medium",
        Long = "long",
    }
}
