//! All routes, in reading order.

use axum::{Router, extract::DefaultBodyLimit, http::HeaderValue, middleware};
use tower_http::{catch_panic::CatchPanicLayer, set_header::SetResponseHeaderLayer, trace::TraceLayer};
use utoipa::{
    Modify, OpenApi,
    openapi::security::{HttpAuthScheme, HttpBuilder, SecurityScheme},
};
use utoipa_axum::{router::OpenApiRouter, routes};

use crate::{
    App, access,
    extract::MAX_BODY_BYTES,
    mcp,
    problem::page,
    routes::{
        actions, activity, agents, approvals, automations, connectors, events, groups,
        identity::{invitations, passkeys, people, sessions, signin, spaces, tokens},
        models, notifiers, oauth, operations, overview,
        policy::{conduct, flow, gates, grants, matrix, policies, proposed, rules},
        proof::{artifacts, changes, ledger, receipts},
        runs, sources, vault, webhooks,
    },
    web,
};

#[derive(OpenApi)]
#[openapi(
    info(
        title = "Countersign",
        description = "A gateway for actions of AI agents: policy, approvals, safe execution, signed receipts.",
        license(name = "Apache-2.0", identifier = "Apache-2.0"),
    ),
    tags(
        (name = "actions", description = "Routes for agents: list actions, invoke them, read the results."),
        (name = "mcp", description = "The same for clients of the Model Context Protocol (MCP)."),
        (name = "approvals", description = "The inbox: pending approvals, grant requests and unknown outcomes."),
        (name = "activity", description = "All invocations, and counts over time."),
        (name = "sessions", description = "Sessions of agents, sign-in, and the identity of the caller."),
        (name = "policy", description = "Rules, grants and the resulting decisions."),
        (name = "automations", description = "Automations: definitions, triggers and runs."),
        (name = "sources", description = "Sources of actions, and their recent use."),
        (name = "connectors", description = "Connected servers, and the review of their tools."),
        (name = "models", description = "Providers of language models."),
        (name = "events", description = "The event log: read, stream, publish, and share events among consumers."),
        (name = "notifiers", description = "Notifications to Slack and e-mail, and links to Slack users."),
        (name = "vault", description = "Connections and secrets. Their values can be written but never read."),
        (name = "webhooks", description = "Webhooks: URLs that receive signed events."),
        (name = "people", description = "Spaces, members and their tokens."),
        (name = "receipts", description = "Signed receipts of finished invocations, and the keys that verify them."),
        (name = "ledger", description = "The log of all receipts: checkpoints, hashes and proofs."),
        (name = "operations", description = "Health and this reference."),
    ),
    security(("bearer" = [])),
    modifiers(&Bearer),
)]
struct Description;

struct Bearer;

impl Modify for Bearer {
    fn modify(&self, openapi: &mut utoipa::openapi::OpenApi) {
        let scheme = HttpBuilder::new()
            .scheme(HttpAuthScheme::Bearer)
            .description(Some("`csn_ses_…` for an agent's session, `csn_api_…` for a person"));
        let components = openapi.components.get_or_insert_default();
        components.add_security_scheme("bearer", SecurityScheme::Http(scheme.build()));
    }
}

fn described() -> OpenApiRouter<App> {
    OpenApiRouter::with_openapi(Description::openapi())
        .merge(for_agents())
        .merge(for_identity())
        .merge(for_people())
        .merge(for_authority())
        .merge(for_policies())
        .merge(for_saved_work())
        .merge(for_telling())
        .merge(for_anyone())
}

/// Routes for agents.
fn for_agents() -> OpenApiRouter<App> {
    OpenApiRouter::new()
        .routes(routes!(sessions::get_me))
        .routes(routes!(actions::list_actions))
        .routes(routes!(actions::get_guide))
        .routes(routes!(actions::invoke_action))
        .routes(routes!(actions::list_invocations))
        .routes(routes!(actions::get_invocation))
        .routes(routes!(approvals::explain_decision))
        .routes(routes!(grants::request_grant))
        .routes(routes!(grants::get_grant_request))
        .routes(routes!(mcp::speak_mcp))
}

/// Routes for who may do what: agents, stops, changes that wait for a second owner.
fn for_authority() -> OpenApiRouter<App> {
    OpenApiRouter::new()
        .routes(routes!(conduct::list_conduct, conduct::set_conduct))
        .routes(routes!(proposed::list_proposed_changes))
        .routes(routes!(proposed::get_proposed_change))
        .routes(routes!(proposed::approve_proposed_change))
        .routes(routes!(proposed::deny_proposed_change))
        .routes(routes!(proposed::withdraw_proposed_change))
        .routes(routes!(agents::list_agents))
        .routes(routes!(agents::get_agent))
}

/// Routes for policies as text, and for gates.
fn for_policies() -> OpenApiRouter<App> {
    OpenApiRouter::new()
        .routes(routes!(policies::list_policies))
        .routes(routes!(policies::put_policy, policies::delete_policy))
        .routes(routes!(policies::check_policies))
        .routes(routes!(policies::get_policy_schema))
        .routes(routes!(policies::report_policies))
        .routes(routes!(policies::backtest_policies))
        .routes(routes!(policies::compare_policies))
        .routes(routes!(policies::suggest_policies))
        .routes(routes!(policies::list_policy_starters))
        .routes(routes!(policies::list_facts))
        .routes(routes!(policies::put_fact, policies::delete_fact))
        .routes(routes!(policies::list_policy_cases))
        .routes(routes!(policies::put_policy_case, policies::delete_policy_case))
        .routes(routes!(gates::get_gates, gates::put_gates))
        .routes(routes!(gates::list_consents, gates::give_consent))
        .routes(routes!(gates::revoke_consent))
}

/// Signing in, and the organization with its people.
fn for_identity() -> OpenApiRouter<App> {
    OpenApiRouter::new()
        .routes(routes!(signin::get_ways_to_sign_in, signin::sign_in, signin::sign_out))
        .routes(routes!(signin::switch_org))
        .routes(routes!(signin::confirm_sign_in))
        .routes(routes!(signin::begin_oidc))
        .routes(routes!(signin::finish_oidc))
        .routes(routes!(people::get_org, people::change_org))
        .routes(routes!(spaces::list_spaces, spaces::create_space))
        .routes(routes!(spaces::change_space))
        .routes(routes!(spaces::list_space_members))
        .routes(routes!(spaces::set_space_member, spaces::remove_space_member))
        .routes(routes!(people::list_members))
        .routes(routes!(people::add_service_account))
        .routes(routes!(invitations::list_invitations, invitations::invite_person))
        .routes(routes!(invitations::renew_invitation))
        .routes(routes!(invitations::withdraw_invitation))
        .routes(routes!(invitations::look_at_invitation))
        .routes(routes!(invitations::join_org))
        .routes(routes!(people::change_member, people::remove_member))
        .routes(routes!(tokens::list_member_tokens, tokens::create_member_token))
        .routes(routes!(tokens::list_tokens, tokens::create_token))
        .routes(routes!(tokens::list_all_tokens))
        .routes(routes!(tokens::revoke_token))
        .routes(routes!(passkeys::list_passkeys, passkeys::add_passkey))
        .routes(routes!(passkeys::offer_passkey))
        .routes(routes!(passkeys::confirm_passkey))
        .routes(routes!(passkeys::remove_passkey))
}

/// Routes for people.
fn for_people() -> OpenApiRouter<App> {
    OpenApiRouter::new()
        .routes(routes!(approvals::list_inbox))
        .routes(routes!(approvals::get_pace))
        .routes(routes!(approvals::discard_quarantined))
        .routes(routes!(approvals::release_quarantined))
        .routes(routes!(approvals::get_inbox_item))
        .routes(routes!(activity::list_activity))
        .routes(routes!(activity::list_attempts))
        .routes(routes!(overview::get_overview))
        .routes(routes!(approvals::get_org_invocation))
        .routes(routes!(approvals::approve_invocation))
        .routes(routes!(approvals::deny_invocation))
        .routes(routes!(approvals::reveal_values))
        .routes(routes!(approvals::edit_params))
        .routes(routes!(approvals::reconcile_invocation))
        .routes(routes!(grants::list_grants, grants::give_grant))
        .routes(routes!(grants::revoke_grant))
        .routes(routes!(grants::answer_grant_request))
        .routes(routes!(sessions::list_sessions, sessions::create_session))
        .routes(routes!(sessions::get_session, sessions::end_session))
        .routes(routes!(rules::list_rules, rules::put_rule))
        .routes(routes!(rules::delete_rule))
        .routes(routes!(matrix::get_matrix))
        .routes(routes!(sources::list_integrations))
        .routes(routes!(sources::list_sources))
        .routes(routes!(sources::get_source))
        .routes(routes!(connectors::list_connectors, connectors::add_connector))
        .routes(routes!(
            connectors::get_connector,
            connectors::change_connector,
            connectors::remove_connector
        ))
        .routes(routes!(connectors::harvest_connector))
        .routes(routes!(connectors::review_tool))
        .routes(routes!(models::list_model_presets))
        .routes(routes!(models::list_model_providers))
        .routes(routes!(models::put_model_provider, models::remove_model_provider))
        .routes(routes!(models::test_model_provider))
        .routes(routes!(models::get_spending))
        .routes(routes!(oauth::authorize_connector))
        .routes(routes!(oauth::return_authorization))
        .routes(routes!(oauth::finish_authorization))
        .routes(routes!(vault::list_connections))
        .routes(routes!(vault::put_connection, vault::delete_connection))
        .routes(routes!(vault::list_secrets))
        .routes(routes!(vault::put_secret, vault::delete_secret))
        .routes(routes!(vault::allow_secret, vault::forbid_secret))
        .routes(routes!(receipts::list_receipts))
        .routes(routes!(receipts::get_receipt))
        .routes(routes!(artifacts::get_artifact))
        .routes(routes!(ledger::get_bundle))
        .routes(routes!(ledger::list_entries))
        .routes(routes!(ledger::list_bundles))
        .routes(routes!(changes::list_changes))
        .routes(routes!(changes::get_change))
        .routes(routes!(changes::get_change_bundle))
        .routes(routes!(changes::list_change_bundles))
}

/// Automations and their runs.
fn for_saved_work() -> OpenApiRouter<App> {
    OpenApiRouter::new()
        .routes(routes!(automations::list_automations, automations::create_automation))
        .routes(routes!(automations::validate_automation))
        .routes(routes!(automations::propose_automation))
        .routes(routes!(automations::get_automation, automations::change_automation))
        .routes(routes!(automations::list_versions))
        .routes(routes!(flow::list_flows))
        .routes(routes!(flow::report_flows))
        .routes(routes!(approvals::endorse_reads))
        .routes(routes!(automations::run_automation))
        .routes(routes!(automations::rotate_trigger))
        .routes(routes!(automations::revoke_trigger))
        .routes(routes!(automations::take_hook))
        .routes(routes!(runs::list_runs))
        .routes(routes!(runs::get_run))
        .routes(routes!(runs::get_transcript))
        .routes(routes!(runs::cancel_run))
        .routes(routes!(runs::repeat_run))
}

/// Events, webhooks and notifiers.
fn for_telling() -> OpenApiRouter<App> {
    OpenApiRouter::new()
        .routes(routes!(events::list_events, events::publish_events))
        .routes(routes!(events::stream_events))
        .routes(routes!(groups::list_groups))
        .routes(routes!(groups::get_group, groups::put_group, groups::remove_group))
        .routes(routes!(groups::read_group))
        .routes(routes!(groups::ack_events))
        .routes(routes!(groups::nack_events))
        .routes(routes!(groups::claim_events))
        .routes(routes!(groups::list_dead_letters))
        .routes(routes!(groups::revive_dead_letters))
        .routes(routes!(groups::replay_group))
        .routes(routes!(notifiers::list_notifiers, notifiers::add_notifier))
        .routes(routes!(notifiers::remove_notifier))
        .routes(routes!(notifiers::test_notifier))
        .routes(routes!(notifiers::list_slack_people))
        .routes(routes!(notifiers::link_slack_person, notifiers::unlink_slack_person))
        .routes(routes!(notifiers::take_slack_click))
        .routes(routes!(webhooks::list_webhooks, webhooks::add_webhook))
        .routes(routes!(webhooks::get_webhook, webhooks::change_webhook, webhooks::remove_webhook))
        .routes(routes!(webhooks::rotate_webhook))
        .routes(routes!(webhooks::test_webhook))
        .routes(routes!(webhooks::list_deliveries))
        .routes(routes!(webhooks::resend_delivery))
}

/// Public routes.
fn for_anyone() -> OpenApiRouter<App> {
    OpenApiRouter::new()
        .routes(routes!(receipts::get_keys))
        .routes(routes!(ledger::get_checkpoint))
        .routes(routes!(ledger::list_checkpoints))
        .routes(routes!(ledger::get_tile))
        .routes(routes!(ledger::prove_inclusion))
        .routes(routes!(ledger::prove_consistency))
        .routes(routes!(automations::get_automation_schema))
        .routes(routes!(operations::get_health))
        .routes(routes!(operations::get_readiness))
        .routes(routes!(operations::get_openapi))
        .routes(routes!(operations::get_docs))
        .routes(routes!(operations::get_docs_reader))
        .routes(routes!(page::get_docs_problems))
}

/// The OpenAPI 3.1 document.
pub fn openapi() -> utoipa::openapi::OpenApi {
    described().into_openapi()
}

/// The complete application.
pub fn router(app: App) -> Router {
    let (router, _) = described().split_for_parts();
    router
        .route_layer(middleware::from_fn_with_state(app.clone(), access::check))
        .method_not_allowed_fallback(mcp::method_not_allowed)
        .fallback(web::show)
        .layer(DefaultBodyLimit::max(MAX_BODY_BYTES))
        .layer(SetResponseHeaderLayer::if_not_present(
            axum::http::header::CACHE_CONTROL,
            HeaderValue::from_static("no-store"),
        ))
        .layer(SetResponseHeaderLayer::overriding(
            axum::http::header::X_CONTENT_TYPE_OPTIONS,
            HeaderValue::from_static("nosniff"),
        ))
        .layer(CatchPanicLayer::new())
        .layer(TraceLayer::new_for_http().make_span_with(|request: &axum::extract::Request| {
            // The path without its query, which could contain values that must not be logged.
            tracing::info_span!("request", method = %request.method(), path = request.uri().path())
        }))
        .with_state(app)
}
