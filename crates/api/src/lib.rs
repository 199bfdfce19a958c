//! Types of requests and responses, shared by the gateway and the client.
//!
//! Each resource has one file: `XRequest` is a request body, `XView` a response body. [`Problem`] is the body of every
//! response that is not a success, [`Page`] that of every list.
//!
//! INVARIANT: no type holds a secret except [`NewTokenView`], [`NewSessionView`], [`SecretRequest`],
//! [`ConnectionRequest`], [`SignInRequest`], [`NewInvitationView`], [`OfferRequest`], [`JoinRequest`],
//! [`OAuthReturn`], [`NewWebhookSecretView`] and [`NewHookTokenView`], and their `Debug` output does not contain it. Not here: HTTP status codes and routes (`gateway`), commands (`cli`).

mod actions;
mod activity;
mod approvals;
mod automations;
mod changes;
mod connectors;
mod events;
mod invitations;
mod invocations;
mod ledger;
mod models;
mod notifiers;
mod org;
mod page;
mod passkeys;
mod policy;
mod problem;
mod receipts;
mod sources;
mod tenancy;
mod webhooks;

pub use actions::{ActionView, CatalogView, SourceView};
pub use activity::agents::{AgentDetail, AgentSession, AgentSource, AgentView};
pub use activity::overview::{
    AgentCalls, Bucket, OverviewQuery, OverviewView, PersonAnswers, RuleSuggestion, SourceCalls,
};
pub use activity::{ActivityItem, ActivityPage, ActivityQuery, AttemptView};
pub use approvals::{
    ApprovalItem, ApproveRequest, Channel, DecisionView, DenyRequest, EditRequest, Extent, GrantAnswer,
    GrantAsk, GrantBounds, GrantCreate, GrantReach, GrantRequestView, GrantView, HistoryView, InboxItem,
    LengthPace, PaceView, QuarantinedItem, ReconcileRequest, Reconciled, RevealedValue, RevealedView,
    RulingRequest, UnknownItem, VoteView,
};
pub use automations::{
    AgentCallView, AgentTurnView, AutomationDetail, AutomationPatch, AutomationRequest, AutomationView,
    DefinitionProblem, EndedPermission, NewHookTokenView, PlannedStep, ProposeRequest, ProposedAutomation,
    RecentRun, RerunRequest, RunDetail, RunError, RunRequest, RunStepView, RunView, RunsQuery,
    ScheduleOutlook, StepOutlook, TranscriptCall, TranscriptQuery, TranscriptTurn, TranscriptView,
    TriggerView, ValidateRequest, ValidationView, VersionView, WatchQuery, WorthChecking,
};
pub use changes::{ChangeAuthor, ChangeView, ChangesQuery};
pub use connectors::{
    AuthorizeView, AuthorizedView, ConnectorAuth, ConnectorDetail, ConnectorKind, ConnectorPatch,
    ConnectorRequest, ConnectorView, HarvestView, OAuthReturn, ToolChange, ToolNews, ToolReviewRequest,
    ToolState, ToolVerdict, ToolView,
};
pub use events::{
    ClaimRequest, CountView, DeadLetterView, EventIds, EventRequest, EventView, EventsQuery, EventsRequest,
    EventsView, GroupDeliveryView, GroupRequest, GroupView, NackRequest, PublishedView, ReadRequest,
    ReplayRequest,
};
pub use invitations::{
    InvitationRequest, InvitationView, JoinRequest, JoinView, JoinedView, NewInvitationView, OfferRequest,
    ServiceAccountRequest,
};
pub use invocations::{FailureView, InvocationView, InvokeRequest};
pub use ledger::{
    BundlesQuery, BundlesView, CheckpointView, ConsistencyQuery, EntriesQuery, EntriesView, InclusionQuery,
    ProofView,
};
pub use models::{
    ModelPresetView, ModelPrice, ModelPriceTier, ModelProviderRequest, ModelProviderView, ModelRequest,
    ModelTest, ModelView, ModelWire, SpendingDay, SpendingQuery, SpendingView,
};
pub use notifiers::{
    ClickAnswer, NotifierKind, NotifierRequest, NotifierTest, NotifierView, SlackPersonRequest,
    SlackPersonView,
};
pub use org::{ModelBudget, OrgPatch, OrgView};
pub use page::{Page, PageQuery, WaitQuery};
pub use passkeys::{
    AssertionRequest, PasskeyOffer, PasskeyPerson, PasskeyQuery, PasskeyRequest, PasskeySite, PasskeyView,
    SignedRequest,
};
pub use policy::conduct::{ConductRequest, ConductView};
pub use policy::flow::{EndorseRequest, EndorsementView, FlowReport, FlowReportItem, FlowView, FlowsView};
pub use policy::gates::{
    AllowedRecipients, ConsentRequest, ConsentView, ConsentsQuery, FlowAudience, FlowConsent, FlowMode,
    FlowSettings, GateCrossing, GateDetector, GateHome, GatePurpose, GatesRequest, GatesView,
};
pub use policy::policies::{
    CheckedPolicy, DeclaredAction, FactRequest, FactView, PolicyAction, PolicyCase, PolicyCaseRequest,
    PolicyCaseResult, PolicyCaseView, PolicyCheck, PolicyCheckResult, PolicyField, PolicyProblem,
    PolicyReport, PolicyReportAction, PolicyRequest, PolicyStarter, PolicyText, PolicyView, PolicyVocabulary,
    ReportQuery, StarterNeed,
};
pub use policy::proposed::{AgreeRequest, ProposedChangeView, ProposedPart, ProposedQuery, RefuseRequest};
pub use policy::trial::{
    BacktestAction, BacktestBand, BacktestDay, BacktestExample, BacktestGrant, BacktestLine,
    BacktestProgress, BacktestRequest, BacktestResult, CompareRequest, ComparedAction, Comparison,
    ComparisonExample, ModeCounts, PolicySuggestion,
};
pub use policy::{MatrixQuery, MatrixRow, MatrixView, RuleRequest, RuleView};
pub use problem::{FieldProblem, Problem};
pub use receipts::{ReceiptView, ReceiptsQuery};
pub use sources::{
    IntegrationView, IntegrationsView, SourceAction, SourceDetail, SourceKind, SourceSummary, SourcesView,
    SpaceQuery, UsageView,
};
pub use tenancy::{
    AudienceView, ConnectionRequest, ConnectionView, MeView, MemberPatch, MemberView, NewSessionView,
    NewTokenView, OrgChoiceView, OrgSwitch, Plain, ProviderView, SecretRequest, SecretView, SessionRequest,
    SessionView, SignInRequest, SignInView, SpaceMemberRequest, SpaceMemberView, SpacePatch, SpaceRequest,
    SpaceView, TokenRequest, TokenView,
};
pub use webhooks::{
    DeliveryState, DeliveryView, NewWebhookSecretView, WebhookPatch, WebhookRequest, WebhookView,
};
