//! Stopping and resuming: an organization, a space, a source, an agent or an automation.

use api::{ConductRequest, ConductView, Page, Problem};
use axum::{Json, extract::State};
use model::{Conduct, ConductScope, OrgId};
use policy::{NewConduct, SetConduct};

use crate::{
    App,
    extract::{Body, CurrentUser, bounded},
    problem::Answer,
};

/// List what is stopped or in a dry run, newest first.
#[utoipa::path(
    get, path = "/v1/conduct", tag = "policy",
    responses((status = 200, body = Page<ConductView>), (status = "4XX", body = Problem))
)]
pub(crate) async fn list_conduct(
    State(app): State<App>,
    CurrentUser(person): CurrentUser,
) -> Result<Json<Page<ConductView>>, Answer> {
    Ok(Json(Page { items: all(&app, person.org).await?, next_cursor: None }))
}

/// Stop something, turn it into a dry run, or resume it.
///
/// When this returns, nothing in the scope begins any more; reads neither, if it was stopped. What was under way ends
/// as it would have.
#[utoipa::path(
    put, path = "/v1/conduct", tag = "policy", request_body = ConductRequest,
    responses((status = 200, body = ConductView), (status = "4XX", body = Problem))
)]
pub(crate) async fn set_conduct(
    State(app): State<App>,
    CurrentUser(person): CurrentUser,
    Body(request): Body<ConductRequest>,
) -> Result<Json<ConductView>, Answer> {
    bounded("/subject", &request.subject, 100)?;
    bounded("/reason", &request.reason, 500)?;
    if request.reason.trim().is_empty() {
        return Err(Answer::invalid("/reason", "required: those who are stopped read it"));
    }
    let scope = ConductScope::parse(&request.scope, &request.subject).ok_or_else(|| {
        let rule = "must be `org` alone, or `space`, `source`, `agent` or `automation` with a `subject`";
        Answer::invalid("/scope", rule)
    })?;
    // What is resumed may no longer exist; what is stopped must, or a misspelt name would stop nothing.
    let name = match request.conduct {
        Conduct::Normal => request.subject,
        _ => name_of(&app, person.org, &scope).await?,
    };
    let new = NewConduct { scope, name, conduct: request.conduct, reason: request.reason };
    let set = app.conducts.set(&person.author(), new).await?;
    let names = app.tenancy.names(person.org, set.set_by.as_slice()).await?;
    let set_by_name = set.set_by.and_then(|user| names.get(&user).cloned());
    Ok(Json(view(set, set_by_name)))
}

/// What people call a scope; an error if it does not exist.
async fn name_of(app: &App, org: OrgId, scope: &ConductScope) -> Result<String, Answer> {
    Ok(match scope {
        ConductScope::Org => app.tenancy.org(org).await?.name,
        ConductScope::Space(space) => app.tenancy.named_space(org, Some(&space.to_string())).await?.name,
        ConductScope::Source(source) => {
            let actions = app.pipeline.reader().actions(org).await?;
            match actions.iter().any(|action| action.definition.address.source == *source) {
                true => source.to_string(),
                false => return Err(oversight::Error::NotFound("source").into()),
            }
        }
        ConductScope::Agent(agent) => app.oversight.agent(org, agent).await?.agent.agent,
        ConductScope::Automation(automation) => app.automations.find(org, *automation).await?.automation.name,
    })
}

/// Everything that is not normal, newest first.
pub(crate) async fn all(app: &App, org: OrgId) -> Result<Vec<ConductView>, Answer> {
    let found = app.conducts.list(org).await?;
    let users: Vec<_> = found.iter().filter_map(|set| set.set_by).collect();
    let names = app.tenancy.names(org, &users).await?;
    let named = found.into_iter().map(|set| {
        let set_by_name = set.set_by.and_then(|user| names.get(&user).cloned());
        view(set, set_by_name)
    });
    Ok(named.collect())
}

fn view(found: SetConduct, set_by_name: Option<String>) -> ConductView {
    ConductView {
        scope: found.scope.kind().to_owned(),
        subject: found.scope.subject(),
        name: found.name,
        conduct: found.conduct,
        reason: found.reason,
        set_by: found.set_by,
        set_by_name,
        set_at: found.set_at,
    }
}
