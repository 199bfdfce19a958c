//! The kinds of changes that are recorded.

macro_rules! kinds {
    ($($name:ident = $text:literal,)*) => {
        /// What is changed, and how.
        #[derive(Debug, Clone, Copy, PartialEq, Eq)]
        pub enum Kind { $($name,)* }

        impl Kind {
            /// All of them.
            pub const ALL: &[Self] = &[$(Self::$name,)*];

            /// The word in records.
            pub const fn as_str(self) -> &'static str {
                match self { $(Self::$name => $text,)* }
            }
        }
    };
}

kinds! {
    OrgFounded = "org.founded",
    OrgChanged = "org.changed",
    Restored = "deployment.restored",
    Proposed = "change.proposed",
    KeysRotated = "keys.rotated",
    MemberInvited = "member.invited",
    InvitationRenewed = "invitation.renewed",
    InvitationWithdrawn = "invitation.withdrawn",
    MemberAdded = "member.added",
    MemberChanged = "member.changed",
    MemberRemoved = "member.removed",
    TokenCreated = "token.created",
    TokenRevoked = "token.revoked",
    SignedIn = "browser.signed_in",
    SignInConfirmed = "browser.confirmed",
    SignedOut = "browser.signed_out",
    SpaceCreated = "space.created",
    SpaceChanged = "space.changed",
    SpaceMemberSet = "space_member.set",
    SpaceMemberRemoved = "space_member.removed",
    SessionOpened = "session.opened",
    SessionEnded = "session.ended",
    SecretSet = "secret.set",
    SecretDeleted = "secret.deleted",
    SecretAllowed = "secret.allowed",
    SecretForbidden = "secret.forbidden",
    ConnectionSet = "connection.set",
    ConnectionDeleted = "connection.deleted",
    PasskeyAdded = "passkey.added",
    PasskeyConfirmed = "passkey.confirmed",
    PasskeyRemoved = "passkey.removed",
    RuleSet = "rule.set",
    RuleRemoved = "rule.removed",
    PolicySet = "policy.set",
    PolicyRemoved = "policy.removed",
    FactSet = "fact.set",
    FactRemoved = "fact.removed",
    GatesChanged = "gates.changed",
    ConsentGiven = "consent.given",
    ConsentRevoked = "consent.revoked",
    FlowEndorsed = "flow.endorsed",
    GrantGiven = "grant.given",
    GrantRevoked = "grant.revoked",
    Stopped = "conduct.stopped",
    Resumed = "conduct.resumed",
    ConnectorAdded = "connector.added",
    ConnectorChanged = "connector.changed",
    ConnectorRemoved = "connector.removed",
    ToolReviewed = "tool.reviewed",
    ModelProviderSet = "model_provider.set",
    ModelProviderRemoved = "model_provider.removed",
    SlackLinked = "slack.linked",
    SlackUnlinked = "slack.unlinked",
    AutomationCreated = "automation.created",
    AutomationChanged = "automation.changed",
    TriggerTokenReplaced = "trigger.token_replaced",
    TriggerTokenRevoked = "trigger.token_revoked",
}
