//! The words: ids, actions, risk, modes, states, decisions. Plain data, no I/O.
//!
//! Cast: an [`ActionDefinition`] says what one action of a source does; [`Risk`] and [`EffectClass`] say how
//! careful to be with it; a [`Decision`] says whether it may happen and why; [`Status`] is where an
//! invocation stands; typed ids ([`InvocationId`], [`OrgId`] …) name everything.
//!
//! INVARIANT: nothing here reads a clock, a random source, an environment or a network.
//! Not here: wire types (`api`), rows (each owner's `store.rs`), how a decision is reached (`policy`).

mod action;
mod actor;
pub mod capability;
mod conduct;
mod decision;
mod digest;
mod disposition;
mod event;
mod id;
mod invocation;
mod preview;
mod run;
mod shown;
mod subject;
mod suggest;
mod tenancy;
pub mod tool_name;
pub mod visible;

pub use action::{
    ActionAddress, ActionDefinition, ActionName, Drift, EffectClass, Labels, Risk, SlugError, SourceSlug,
};
pub use actor::Actor;
pub use conduct::{Conduct, ConductScope};
pub use decision::{
    Audience, ChosenBy, Decision, FactUsed, Flow, GateVerdict, Guardrail, GuardrailChange, Mode, ModeSource,
    PolicyVerdict, Verdict,
};
pub use digest::{CanonicalError, Digest};
pub use disposition::Disposition;
pub use event::EventType;
pub use id::{
    ApiTokenId, ApprovalId, AutomationId, ChangeId, ConnectionId, ConnectorId, ConsentId, DataKeyId,
    DeliveryId, EventId, FactId, GrantId, GrantRequestId, IdError, InOrg, InvitationId, InvocationId,
    ModelProviderId, NoticeId, NotifierId, OrgId, PasskeyId, PolicyId, ProposedChangeId, ReceiptId, RuleId,
    RunId, SecretId, SessionId, SigningKeyId, SpaceId, TriggerId, UserId, WebhookId,
};
pub use invocation::{ErrorClass, Failure, IdempotencyKey, IdempotencyKeyError, Status};
pub use preview::{Basis, Change, Preview};
pub use run::{AutomationStatus, Lane, RunStatus, StepStatus, TriggerType};
pub use shown::{
    ShownAnswer, ShownAnswers, ShownDestination, ShownDocument, ShownEdit, ShownFlow, ShownHidden,
    ShownPassage, ShownProposer, ShownRead,
};
pub use subject::{CredentialVersion, Destination, Proposer, StepOrigin};
pub use suggest::suggest;
pub use tenancy::{MemberKind, OpenTo, RiskBand, Role, SessionKind};
