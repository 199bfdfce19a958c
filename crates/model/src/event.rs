//! The types of events this product tells of itself.

/// The `type` (CloudEvents) of a fact.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum EventType {
    /// An invocation waits for a person.
    ApprovalRequested,
    /// Enough people said yes to an invocation.
    ApprovalGiven,
    /// A person was shown the hidden values of something that waits.
    ApprovalRevealed,
    /// A person corrected the parameters of an invocation that waits.
    ActionEdited,
    /// A person released as text what had been quarantined.
    ActionReleased,
    /// A person discarded what had been quarantined.
    ActionDiscarded,
    /// Nobody answered an invocation in time.
    ActionExpired,
    /// A person found out what became of an invocation.
    ActionReconciled,
    /// An agent asks for a standing permission.
    GrantRequested,
    /// A person answered such a request.
    GrantAnswered,
    /// An invocation was refused, by policy or by a person.
    ActionDenied,
    /// An invocation was set aside because it looks unsafe.
    ActionQuarantined,
    /// An invocation reached the end of its execution: succeeded, failed, reverted, unknown or skipped.
    ActionExecuted,
    /// A connector was asked for its tools.
    ConnectorHarvested,
    /// A tool of a connector is no longer what was reviewed.
    ConnectorToolDrifted,
    /// A webhook was disabled because nothing arrives there any more.
    WebhookDisabled,
    /// A person asked for an event to try a webhook with.
    WebhookTest,
    /// A run began.
    RunStarted,
    /// A run waits for a person.
    RunWaiting,
    /// A run did all it should.
    RunSucceeded,
    /// A run did not: a step failed, or timed out.
    RunFailed,
    /// A person ended a run.
    RunCancelled,
    /// Somebody has a passkey more.
    PasskeyAdded,
    /// An owner took a passkey out of use.
    PasskeyRemoved,
    /// How the org approves, or how long it keeps what receipts say, is another.
    OrgChanged,
    /// A change of authority was recorded.
    ChangeRecorded,
    /// A change that loosens waits for a second owner.
    ChangeProposed,
    /// A change that waited was approved, denied or withdrawn.
    ChangeAnswered,
    /// An action asked to tell people something (`data.notify`).
    Notification,
}

impl EventType {
    /// All of them.
    pub const ALL: &[Self] = &[
        Self::ApprovalRequested,
        Self::ApprovalGiven,
        Self::ApprovalRevealed,
        Self::ActionEdited,
        Self::ActionReleased,
        Self::ActionDiscarded,
        Self::ActionExpired,
        Self::ActionReconciled,
        Self::GrantRequested,
        Self::GrantAnswered,
        Self::ActionDenied,
        Self::ActionQuarantined,
        Self::ActionExecuted,
        Self::ConnectorHarvested,
        Self::ConnectorToolDrifted,
        Self::WebhookDisabled,
        Self::WebhookTest,
        Self::RunStarted,
        Self::RunWaiting,
        Self::RunSucceeded,
        Self::RunFailed,
        Self::RunCancelled,
        Self::PasskeyAdded,
        Self::PasskeyRemoved,
        Self::OrgChanged,
        Self::ChangeRecorded,
        Self::ChangeProposed,
        Self::ChangeAnswered,
        Self::Notification,
    ];

    /// The type as it stands in the event.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::ApprovalRequested => "action.approval_requested",
            Self::ApprovalGiven => "action.approval_given",
            Self::ApprovalRevealed => "action.values_revealed",
            Self::ActionEdited => "action.edited",
            Self::ActionReleased => "action.released",
            Self::ActionDiscarded => "action.discarded",
            Self::ActionExpired => "action.expired",
            Self::ActionReconciled => "action.reconciled",
            Self::GrantRequested => "grant.requested",
            Self::GrantAnswered => "grant.answered",
            Self::ActionDenied => "action.denied",
            Self::ActionQuarantined => "action.quarantined",
            Self::ActionExecuted => "action.executed",
            Self::ConnectorHarvested => "connector.harvested",
            Self::ConnectorToolDrifted => "connector.tool_drifted",
            Self::WebhookDisabled => "webhook.disabled",
            Self::WebhookTest => "webhook.test",
            Self::RunStarted => "automation.run.started",
            Self::RunWaiting => "automation.run.waiting",
            Self::RunSucceeded => "automation.run.succeeded",
            Self::RunFailed => "automation.run.failed",
            Self::RunCancelled => "automation.run.cancelled",
            Self::PasskeyAdded => "passkey.added",
            Self::PasskeyRemoved => "passkey.removed",
            Self::OrgChanged => "org.changed",
            Self::ChangeRecorded => "org.change.recorded",
            Self::ChangeProposed => "org.change.proposed",
            Self::ChangeAnswered => "org.change.answered",
            Self::Notification => "data.notification",
        }
    }
}
