//! Agents, by name: what they did, what they may do, and whether they are stopped.

use api::{AgentDetail, AgentSession, AgentSource, AgentView, ConductView, Page, Problem};
use axum::{Json, extract::State};
use model::ConductScope;
use oversight::Agent;

use crate::{
    App,
    extract::{CurrentUser, Id, bounded},
    problem::Answer,
    routes::policy::conduct,
    view,
};

/// List the agents that were seen in the last 30 days, the last one first.
///
/// An agent is known by the name that its sessions were opened with. Automations are not listed.
#[utoipa::path(
    get, path = "/v1/agents", tag = "activity",
    responses((status = 200, body = Page<AgentView>), (status = "4XX", body = Problem))
)]
pub(crate) async fn list_agents(
    State(app): State<App>,
    CurrentUser(person): CurrentUser,
) -> Result<Json<Page<AgentView>>, Answer> {
    let set = conduct::all(&app, person.org).await?;
    let found = app.oversight.agents(person.org).await?;
    let items = found.into_iter().map(|agent| view_of(agent, &set)).collect();
    Ok(Json(Page { items, next_cursor: None }))
}

/// Return an agent with its open sessions.
#[utoipa::path(
    get, path = "/v1/agents/{agent}", tag = "activity", params(("agent" = String, Path)),
    responses((status = 200, body = AgentDetail), (status = "4XX", body = Problem))
)]
pub(crate) async fn get_agent(
    State(app): State<App>,
    CurrentUser(person): CurrentUser,
    Id(agent): Id<String>,
) -> Result<Json<AgentDetail>, Answer> {
    bounded("", &agent, 100)?;
    let set = conduct::all(&app, person.org).await?;
    let found = app.oversight.agent(person.org, &agent).await?;
    let sources = found.agent.sources.iter().map(|(source, calls)| AgentSource {
        source: source.clone(),
        calls: calls.calls,
        succeeded: calls.succeeded,
        failed: calls.failed,
        denied: calls.denied,
    });
    let names = found.names;
    Ok(Json(AgentDetail {
        sources: sources.collect(),
        agent: view_of(found.agent, &set),
        sessions: (found.sessions.into_iter())
            .map(|session| AgentSession {
                created_by_name: names.get(&session.created_by).cloned(),
                session: view::session(session),
            })
            .collect(),
        capabilities: found.capabilities.into_iter().collect(),
    }))
}

fn view_of(agent: Agent, set: &[ConductView]) -> AgentView {
    let own = ConductScope::Agent(agent.agent.clone());
    let holds =
        |set: &&ConductView| set.scope == "org" || (set.scope == own.kind() && set.subject == agent.agent);
    AgentView {
        conduct: set.iter().filter(holds).max_by_key(|set| set.conduct).cloned(),
        open_sessions: agent.open_sessions,
        last_seen: agent.last_seen,
        calls: agent.calls.calls,
        succeeded: agent.calls.succeeded,
        failed: agent.calls.failed,
        denied: agent.calls.denied,
        asked: agent.calls.asked,
        waiting: agent.calls.waiting,
        sources: agent.sources.into_keys().collect(),
        agent: agent.agent,
    }
}
