//! A stolen token of an agent does what its session may do, and nothing more: its capabilities, its space, its own
//! invocations, and only while nobody stops it. Over HTTP and MCP, at three gateways.

use std::time::Duration;

use axum::http::{Method, StatusCode};
use serde_json::{Value, json};
use testkit::Agent;

use super::{Credential, Response, Theft, report, send, text};

/// Actions that an agent would like to use, with parameters that are valid.
fn wanted() -> Vec<(&'static str, Value)> {
    let issue = "11111111-1111-4111-8111-111111111111";
    vec![
        ("linear.list_issues", json!({})),
        ("linear.create_issue", json!({ "team_id": issue, "title": "stolen" })),
        ("linear.add_comment", json!({ "issue": issue, "body": "stolen" })),
        ("linear.archive_issue", json!({ "issue": issue })),
        ("data.transform", json!({ "template": "stolen" })),
        ("files.write_text", json!({ "path": "stolen.txt", "text": "x" })),
        ("files.read_text", json!({ "path": "stolen.txt" })),
    ]
}

impl Theft {
    async fn invoke(
        &self,
        gateway: usize,
        agent: &Agent,
        action: &str,
        params: &Value,
    ) -> anyhow::Result<Response> {
        let path = format!("/v1/sessions/{}/actions/invoke", agent.session);
        let body = json!({ "action": action, "params": params });
        let held = Credential::Token(agent.token.clone());
        send(&self.gateways[gateway % 3], &held, (&Method::POST, &path), Some(&body)).await
    }

    /// The same over MCP; returns whether the tool was called or asked for.
    async fn call(
        &self,
        gateway: usize,
        agent: &Agent,
        action: &str,
        params: &Value,
    ) -> anyhow::Result<bool> {
        let call = json!({ "jsonrpc": "2.0", "id": 1, "method": "tools/call",
            "params": { "name": action.replace('.', "__"), "arguments": params } });
        let held = Credential::Token(agent.token.clone());
        let answer = send(&self.gateways[gateway % 3], &held, (&Method::POST, "/mcp"), Some(&call)).await?;
        let is_error = answer.body.get("error").is_some() || answer.body["result"]["isError"] == true;
        Ok(answer.status.is_success() && !is_error)
    }

    async fn open(&self, capabilities: Value) -> anyhow::Result<Agent> {
        let body = json!({ "agent": "stolen-agent", "kind": "unattended", "capabilities": capabilities });
        self.stage.app.open_session(&self.stage.a.owner, body).await
    }

    fn effects(&self) -> u64 {
        self.stage.linear.effects().values().sum()
    }
}

#[tokio::test]
async fn an_agents_token_reaches_only_what_its_session_may_use() -> anyhow::Result<()> {
    let theft = Theft::set().await?;
    theft.loosening("one").await?;
    theft.stage.app.rule("*", "allow").await?;
    let before = theft.effects();
    let (mut tried, mut wrong) = (0, Vec::new());
    for (capabilities, within) in [
        // Computing needs no capability.
        (json!(["linear:read"]), &["linear.list_issues", "data.transform"][..]),
        (json!(["data:*"]), &["data.transform"]),
        (json!(["nothing:read"]), &["data.transform"]),
    ] {
        let agent = theft.open(capabilities.clone()).await?;
        for (action, params) in wanted() {
            for gateway in 0..3 {
                tried += 2;
                let answer = theft.invoke(gateway, &agent, action, &params).await?;
                let called = theft.call(gateway, &agent, action, &params).await?;
                let may = within.contains(&action);
                if answer.status.is_success() != may || called != may {
                    wrong
                        .push(format!("{capabilities} {action}: {called} {} {}", answer.status, answer.text));
                }
            }
        }
        // Nothing of other sessions, of other spaces, or of people.
        let ids = &theft.stage.a.ids;
        let held = Credential::Token(agent.token.clone());
        for path in [
            format!("/v1/sessions/{}", ids.session),
            format!("/v1/sessions/{}/invocations", ids.session),
            format!("/v1/sessions/{}/invocations/{}", agent.session, ids.invocation),
            format!("/v1/sessions/{}/actions/available", ids.session),
            format!("/v1/receipts/{}", ids.receipt),
            format!("/v1/artifacts/{}", ids.artifact),
            "/v1/sessions".to_owned(),
            "/v1/invocations".to_owned(),
            "/v1/secrets".to_owned(),
            "/v1/events".to_owned(),
        ] {
            for gateway in &theft.gateways {
                tried += 1;
                let answer = send(gateway, &held, (&Method::GET, &path), None).await?;
                if !answer.status.is_client_error() || ids.stand_in(&answer.text) {
                    wrong.push(format!("{path}: {} {}", answer.status, answer.text));
                }
            }
        }
    }
    wrong.extend((theft.effects() != before).then(|| "something was changed in Linear".to_owned()));
    report("beyond the capabilities of a session, over HTTP and MCP", tried, &wrong);
    Ok(())
}

#[tokio::test]
async fn a_stop_holds_a_stolen_token_at_every_gateway() -> anyhow::Result<()> {
    let theft = Theft::set().await?;
    theft.loosening("one").await?;
    theft.stage.app.rule("linear.*", "allow").await?;
    let agent = theft.open(json!(["linear:*"])).await?;
    let held = Credential::Token(agent.token.clone());
    let path = format!("/v1/sessions/{}", agent.session);
    let own = send(&theft.gateways[0], &held, (&Method::GET, &path), None).await?;
    let space = text(&own.body["space"]);
    let (mut tried, mut wrong, mut controls) = (0, Vec::new(), 0);
    let params = json!({ "team_id": "11111111-1111-4111-8111-111111111111", "title": "stolen" });
    for (scope, subject) in [("agent", "stolen-agent"), ("source", "linear"), ("space", &space), ("org", "")]
    {
        for (conduct, is_stopped) in [("halted", true), ("normal", false)] {
            // The limit of a session, which is not tried here, begins again.
            theft.stage.app.advance(Duration::from_secs(61));
            let body = json!({ "scope": scope, "subject": subject, "conduct": conduct, "reason": "stolen" });
            let route = (&Method::PUT, "/v1/conduct");
            let done = send(&theft.gateways[0], &theft.owner(), route, Some(&body)).await?;
            anyhow::ensure!(done.status == StatusCode::OK, "{scope}: {}", done.text);
            let before = theft.effects();
            for gateway in 0..3 {
                let read = theft.invoke(gateway, &agent, "linear.list_issues", &json!({})).await?;
                let act = theft.invoke(gateway, &agent, "linear.create_issue", &params).await?;
                let called = theft.call(gateway, &agent, "linear.create_issue", &params).await?;
                let admitted = [read.status.is_success(), act.status.is_success(), called];
                if is_stopped {
                    tried += 3;
                    let held = admitted == [false; 3] && theft.effects() == before;
                    wrong.extend((!held).then(|| format!("{scope}: {admitted:?} {}", act.text)));
                } else {
                    // The control: what is not stopped goes on, so the refusals are because of the stop.
                    anyhow::ensure!(
                        admitted == [true; 3],
                        "{scope}: {admitted:?} {} {}",
                        read.text,
                        act.text
                    );
                    controls += 3;
                }
            }
        }
    }
    testkit::tried(18, "control: resumed", controls, controls);
    report("while an agent, a source, a space or the organization is stopped", tried, &wrong);
    Ok(())
}

/// The control: a session whose capabilities were not checked does everything.
#[tokio::test]
async fn control_without_the_bound_a_stolen_token_does_everything() -> anyhow::Result<()> {
    let theft = Theft::set().await?;
    theft.loosening("one").await?;
    theft.stage.app.rule("*", "allow").await?;
    let agent = theft.open(json!(["nothing:read"])).await?;
    let mut owner = theft.stage.app.db.owner().await?;
    sqlx::raw_sql("ALTER TABLE sessions NO FORCE ROW LEVEL SECURITY").execute(&mut owner).await?;
    let id: model::SessionId = agent.session.parse()?;
    sqlx::query("UPDATE sessions SET capabilities = '{*}' WHERE id = $1")
        .bind(id.uuid())
        .execute(&mut owner)
        .await?;
    let (mut tried, mut done) = (0, 0);
    for (action, params) in wanted() {
        tried += 1;
        let answer = theft.invoke(tried, &agent, action, &params).await?;
        done += usize::from(answer.status.is_success());
        anyhow::ensure!(answer.status != StatusCode::FORBIDDEN, "{action}: {}", answer.text);
    }
    testkit::tried(18, "control: capabilities not bounded", tried, done);
    anyhow::ensure!(done > 3, "{done} of {tried}");
    Ok(())
}
