//! The organization and its members.

use api::{MemberPatch, MemberView, OrgPatch, OrgView, Page, PageQuery, Problem, ServiceAccountRequest};
use axum::{Json, extract::State, http::StatusCode};
use model::UserId;
use tenancy::MemberChange;

use super::passkeys;
use crate::{
    App,
    extract::{Body, CurrentUser, Id, Query, bounded, page, paged},
    problem::Answer,
    view,
};

/// Return the organization and its settings.
#[utoipa::path(
    get, path = "/v1/org", tag = "people",
    responses((status = 200, body = OrgView), (status = "4XX", body = Problem))
)]
pub(crate) async fn get_org(
    State(app): State<App>,
    CurrentUser(person): CurrentUser,
) -> Result<Json<OrgView>, Answer> {
    Ok(Json(view::org(app.tenancy.org(person.org).await?)))
}

/// Change the settings of the organization: approvals of R3 and R4, and the retention of receipts.
///
/// Only a passkey switches off that approvals are signed with one (`signed`).
#[utoipa::path(
    patch, path = "/v1/org", tag = "people", request_body = OrgPatch,
    responses((status = 200, body = OrgView), (status = "4XX", body = Problem))
)]
pub(crate) async fn change_org(
    State(app): State<App>,
    CurrentUser(person): CurrentUser,
    Body(patch): Body<OrgPatch>,
) -> Result<Json<OrgView>, Answer> {
    if patch.approval_quorum.is_some_and(|quorum| !(1..=10).contains(&quorum)) {
        return Err(Answer::invalid("/approval_quorum", "must be between 1 and 10"));
    }
    if patch.receipts_kept_days.is_some_and(|days| !(1..=36_500).contains(&days)) {
        return Err(Answer::invalid("/receipts_kept_days", "must be between 1 and 36500"));
    }
    let two_people = match patch.loosening.as_deref() {
        None => None,
        Some("one") => Some(false),
        Some("two_people") => Some(true),
        Some(_) => return Err(Answer::invalid("/loosening", "must be `one` or `two_people`")),
    };
    let change = tenancy::OrgChange {
        quorum: patch.approval_quorum,
        four_eyes: patch.approval_four_eyes,
        passkey: patch.approval_passkey,
        receipts_kept_days: patch.receipts_kept_days,
        legal_hold: patch.legal_hold,
        two_people,
        time_zone: patch.time_zone,
        model_budget: patch.model_budget.map(read_budget).transpose()?,
    };
    let signed = patch.signed.map(|given| passkeys::signed_at(given, "/signed")).transpose()?;
    let org = app.oversight.change_org(&person.author(), change, signed).await?;
    Ok(Json(view::org(org)))
}

fn read_budget(given: api::ModelBudget) -> Result<tenancy::ModelBudget, Answer> {
    let wrong = || Answer::invalid("/model_budget/usd_per_day", "must be between 0 and 1000000");
    let nano = |usd: f64| {
        if !(0.0..=1e6).contains(&usd) {
            return Err(wrong());
        }
        #[expect(clippy::cast_possible_truncation, reason = "it is whole and within the range")]
        let nano = (usd * 1e9).round() as i64;
        Ok(nano)
    };
    let tokens = |tokens: u64| {
        i64::try_from(tokens).map_err(|_| Answer::invalid("/model_budget/tokens_per_day", "is too large"))
    };
    Ok(tenancy::ModelBudget {
        nano_usd: given.usd_per_day.map(nano).transpose()?,
        tokens: given.tokens_per_day.map(tokens).transpose()?,
    })
}

/// List members.
#[utoipa::path(
    get, path = "/v1/members", tag = "people", params(PageQuery),
    responses((status = 200, body = Page<MemberView>), (status = "4XX", body = Problem))
)]
pub(crate) async fn list_members(
    State(app): State<App>,
    CurrentUser(person): CurrentUser,
    Query(query): Query<PageQuery>,
) -> Result<Json<Page<MemberView>>, Answer> {
    let (after, limit) = page(&query)?;
    let found = app.tenancy.members(person.org, tenancy::Page { after, limit }).await?;
    Ok(Json(paged(found, limit, |found| found.user.uuid(), view::member)))
}

/// Add a service account: a program with tokens and without a vote.
#[utoipa::path(
    post, path = "/v1/service-accounts", tag = "people", request_body = ServiceAccountRequest,
    responses((status = 201, body = MemberView), (status = "4XX", body = Problem))
)]
pub(crate) async fn add_service_account(
    State(app): State<App>,
    CurrentUser(person): CurrentUser,
    Body(request): Body<ServiceAccountRequest>,
) -> Result<(StatusCode, Json<MemberView>), Answer> {
    bounded("/name", &request.name, 200)?;
    if request.name.trim().is_empty() {
        return Err(Answer::invalid("/name", "required, for example `deploy pipeline`"));
    }
    let member = app.tenancy.add_service_account(&person.author(), request.name, request.role).await?;
    Ok((StatusCode::CREATED, Json(view::member(member))))
}

/// Change a member's role or name.
#[utoipa::path(
    patch, path = "/v1/members/{user}", tag = "people", params(("user" = String, Path)), request_body = MemberPatch,
    responses((status = 200, body = MemberView), (status = "4XX", body = Problem))
)]
pub(crate) async fn change_member(
    State(app): State<App>,
    CurrentUser(person): CurrentUser,
    Id(user): Id<UserId>,
    Body(patch): Body<MemberPatch>,
) -> Result<Json<MemberView>, Answer> {
    bounded("/name", patch.name.as_deref().unwrap_or_default(), 200)?;
    let change = MemberChange { name: patch.name, role: patch.role };
    Ok(Json(view::member(app.tenancy.change_member(&person.author(), user, change).await?)))
}

/// Remove a member and revoke all of their tokens.
///
/// The record of their actions is kept.
#[utoipa::path(
    delete, path = "/v1/members/{user}", tag = "people", params(("user" = String, Path)),
    responses((status = 204), (status = "4XX", body = Problem))
)]
pub(crate) async fn remove_member(
    State(app): State<App>,
    CurrentUser(person): CurrentUser,
    Id(user): Id<UserId>,
) -> Result<StatusCode, Answer> {
    app.tenancy.remove_member(&person.author(), user).await?;
    Ok(StatusCode::NO_CONTENT)
}
