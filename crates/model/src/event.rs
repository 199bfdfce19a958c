//! The types of events this product tells of itself.

/// The `type` (CloudEvents) of a fact.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum EventType {
    /// An invocation waits for a person.
    ApprovalRequested,
    /// An invocation was refused by policy.
    ActionDenied,
    /// An invocation was set aside because it looks unsafe.
    ActionQuarantined,
    /// An invocation reached the end of its execution: succeeded, failed, reverted, unknown or skipped.
    ActionExecuted,
    /// An action asked to tell people something (`data.notify`).
    Notification,
}

impl EventType {
    /// The type as it stands in the event.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::ApprovalRequested => "action.approval_requested",
            Self::ActionDenied => "action.denied",
            Self::ActionQuarantined => "action.quarantined",
            Self::ActionExecuted => "action.executed",
            Self::Notification => "data.notification",
        }
    }
}
