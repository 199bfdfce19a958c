//! The gate settings of an organization, and consents.

use std::collections::HashMap;

use api::{ConsentRequest, ConsentView, ConsentsQuery, GatesRequest, GatesView, Page, PageQuery, Problem};
use axum::{Json, extract::State, http::StatusCode};
use jiff::Timestamp;
use model::{ConsentId, OrgId, UserId};
use oversight::policies::GivenConsent;
use policy::{ConsentFilter, GateSettings, StoredConsent, StoredGates};
use serde_json::json;

use super::policies::convert;
use crate::{
    App,
    extract::{Body, CurrentUser, Id, Query, page, paged},
    problem::Answer,
};

/// Return the gate settings: recipients, detectors, purposes, homes, crossings and flow.
#[utoipa::path(
    get, path = "/v1/gates", tag = "policy",
    responses((status = 200, body = GatesView), (status = "4XX", body = Problem))
)]
pub(crate) async fn get_gates(
    State(app): State<App>,
    CurrentUser(person): CurrentUser,
) -> Result<Json<GatesView>, Answer> {
    let stored = app.policies.gates(person.org).await?;
    view(&app, person.org, stored).await
}

/// Replace the gate settings.
///
/// They apply from the next decision on. Gates only refuse, so whatever is set lets nothing through that was stopped.
#[utoipa::path(
    put, path = "/v1/gates", tag = "policy", request_body = GatesRequest,
    responses(
        (status = 200, body = GatesView),
        (status = 409, body = Problem, description = "Another version was saved meanwhile"),
        (status = "4XX", body = Problem),
    )
)]
pub(crate) async fn put_gates(
    State(app): State<App>,
    CurrentUser(person): CurrentUser,
    Body(request): Body<GatesRequest>,
) -> Result<Json<GatesView>, Answer> {
    let GatesRequest { version, recipients, detectors, purposes, homes, crossings, flow } = request;
    let flow = match flow {
        Some(flow) => convert("/flow", flow)?,
        // Whoever does not know of flows must not end that they are held.
        None => app.policies.gates(person.org).await?.settings.flow,
    };
    let settings: GateSettings = convert(
        "",
        json!({
            "recipients": recipients, "detectors": detectors, "purposes": purposes, "homes": homes,
            "crossings": crossings, "flow": flow,
        }),
    )?;
    let stored = app.oversight.put_gates(&person.author(), settings, version).await?;
    view(&app, person.org, stored).await
}

async fn view(app: &App, org: OrgId, stored: StoredGates) -> Result<Json<GatesView>, Answer> {
    let names = app.tenancy.names(org, stored.set_by.as_slice()).await?;
    let GateSettings { recipients, detectors, purposes, homes, crossings, flow } = stored.settings;
    Ok(Json(GatesView {
        version: stored.version,
        recipients: convert("/recipients", recipients)?,
        detectors: convert("/detectors", detectors)?,
        purposes: convert("/purposes", purposes)?,
        homes: convert("/homes", homes)?,
        crossings: convert("/crossings", crossings)?,
        flow: convert("/flow", flow)?,
        set_by: stored.set_by,
        set_by_name: stored.set_by.and_then(|user| names.get(&user).cloned()),
        updated_at: stored.updated_at,
    }))
}

/// List consents, newest first.
#[utoipa::path(
    get, path = "/v1/consents", tag = "policy", params(ConsentsQuery),
    responses((status = 200, body = Page<ConsentView>), (status = "4XX", body = Problem))
)]
pub(crate) async fn list_consents(
    State(app): State<App>,
    CurrentUser(person): CurrentUser,
    Query(query): Query<ConsentsQuery>,
) -> Result<Json<Page<ConsentView>>, Answer> {
    let ConsentsQuery { purpose, subject, cursor, limit } = query;
    let (before, limit) = page(&PageQuery { cursor, limit })?;
    let filter = ConsentFilter { purpose, subject: None, before };
    let found = app.oversight.consents(person.org, (filter, subject.as_deref()), limit).await?;
    let users: Vec<UserId> = found.iter().map(|consent| consent.given_by).collect();
    let names = app.tenancy.names(person.org, &users).await?;
    let now = app.world.clock.now();
    Ok(Json(paged(found, limit, |found| found.id.uuid(), |consent| consent_view(consent, &names, now))))
}

/// Store that somebody agreed to a purpose.
#[utoipa::path(
    post, path = "/v1/consents", tag = "policy", request_body = ConsentRequest,
    responses((status = 201, body = ConsentView), (status = "4XX", body = Problem))
)]
pub(crate) async fn give_consent(
    State(app): State<App>,
    CurrentUser(person): CurrentUser,
    Body(request): Body<ConsentRequest>,
) -> Result<(StatusCode, Json<ConsentView>), Answer> {
    let ConsentRequest { purpose, subject, expires_at, note } = request;
    let given = GivenConsent { purpose, subject, expires_at, note };
    let stored = app.oversight.give_consent(&person.author(), given).await?;
    let names = app.tenancy.names(person.org, &[stored.given_by]).await?;
    Ok((StatusCode::CREATED, Json(consent_view(stored, &names, app.world.clock.now()))))
}

/// Revoke a consent.
///
/// When this returns, nothing begins any more that needs it.
#[utoipa::path(
    delete, path = "/v1/consents/{consent}", tag = "policy", params(("consent" = String, Path)),
    responses((status = 200, body = ConsentView), (status = "4XX", body = Problem))
)]
pub(crate) async fn revoke_consent(
    State(app): State<App>,
    CurrentUser(person): CurrentUser,
    Id(consent): Id<ConsentId>,
) -> Result<Json<ConsentView>, Answer> {
    let revoked = app.policies.revoke_consent(&person.author(), consent).await?;
    let names = app.tenancy.names(person.org, &[revoked.given_by]).await?;
    Ok(Json(consent_view(revoked, &names, app.world.clock.now())))
}

fn consent_view(stored: StoredConsent, names: &HashMap<UserId, String>, now: Timestamp) -> ConsentView {
    ConsentView {
        id: stored.id,
        state: stored.state(now).to_owned(),
        purpose: stored.purpose,
        note: stored.note,
        given_by: stored.given_by,
        given_by_name: names.get(&stored.given_by).cloned(),
        created_at: stored.created_at,
        expires_at: stored.expires_at,
        revoked_at: stored.revoked_at,
    }
}
