//! Requests that wait for a result. Those whose credential is revoked meanwhile are refused; those whose credential is
//! not revoked are told the result, at the same gateway and with the same request.

use std::time::{Duration, Instant};

use axum::http::{Method, StatusCode};
use serde_json::{Value, json};
use testkit::Agent;

use super::{
    Credential, Response, Theft, Victim, operations, report,
    revoking::{BAR, PATIENCE, publish},
    send, text,
};
use crate::approvals::answers::{answer, opened_by};

/// How long they wait, in seconds. Everything that they wait for happens before that.
const WAIT_S: u64 = 30;

/// A request that waits.
struct Waiter {
    name: &'static str,
    gateway: usize,
    credential: Credential,
    is_revoked: bool,
    method: Method,
    path: String,
    body: Option<Value>,
    /// The invocation that it approves before it waits.
    approves: Option<String>,
    /// What the answer says when it tells the result.
    tells: &'static str,
}

impl Waiter {
    /// Whether the caller was refused. MCP reports the end of a session as the result of the tool.
    fn is_refused(&self, answer: &Response) -> bool {
        answer.status == StatusCode::UNAUTHORIZED
            || (self.path == "/mcp" && answer.text.contains("session_over"))
    }
}

/// Somebody who waits.
#[derive(Clone, Copy)]
struct Who<'w> {
    name: &'static str,
    credential: &'w Credential,
    is_revoked: bool,
}

impl Who<'_> {
    fn waits(self, gateway: usize, (method, path): (Method, String), tells: &'static str) -> Waiter {
        Waiter {
            name: self.name,
            gateway,
            credential: self.credential.clone(),
            is_revoked: self.is_revoked,
            method,
            path,
            body: None,
            approves: None,
            tells,
        }
    }
}

/// What they wait for.
struct Awaited {
    /// The newest event before.
    event: String,
    run: String,
    /// An agent that is not revoked, and its pending invocation.
    agent: (Agent, String),
    /// The same of the stolen agent.
    stolen: (Agent, String),
}

impl Theft {
    async fn awaited(&self, victims: &[Victim]) -> anyhow::Result<Awaited> {
        let newest =
            send(&self.gateways[0], &self.owner(), (&Method::GET, "/v1/events?limit=1"), None).await?;
        let event = text(&newest.body["last"]);
        let cancel = operations().into_iter().find(|one| one.path == "/v1/runs/{run}/cancel");
        let cancel = cancel.ok_or_else(|| anyhow::anyhow!("no run can be cancelled"))?;
        let run = self.stage.prepare(&cancel, &self.stage.a.owner).await?.run;
        let agent = self.stage.app.agent_of(&self.stage.a.owner).await?;
        let stolen = victims.iter().find_map(|victim| {
            let session = victim.revocation.strip_prefix("/v1/sessions/")?.to_owned();
            let Credential::Token(token) = victim.credential.clone() else { return None };
            Some(Agent { session, token })
        });
        let stolen = stolen.ok_or_else(|| anyhow::anyhow!("no agent was stolen"))?;
        let (asked, lost) = (self.ask_for(&agent).await?, self.ask_for(&stolen).await?);
        Ok(Awaited { event, run, agent: (agent, asked), stolen: (stolen, lost) })
    }

    /// Invokes an action that needs approval; returns the ID of the invocation.
    async fn ask_for(&self, agent: &Agent) -> anyhow::Result<String> {
        let params = json!({ "team_id": "11111111-1111-4111-8111-111111111111", "title": "awaited" });
        let asked = self.stage.app.invoke(agent, "linear.create_issue", params).await?;
        anyhow::ensure!(asked.status == StatusCode::ACCEPTED, "{}", asked.text);
        Ok(text(&asked.body["id"]))
    }

    /// Those who wait at one gateway.
    async fn waiters(
        &self,
        gateway: usize,
        people: &[Who<'_>],
        awaited: &Awaited,
    ) -> anyhow::Result<Vec<Waiter>> {
        let Awaited { event, run, agent: (agent, asked), stolen } = awaited;
        let wait = format!("wait={WAIT_S}s");
        let session = format!("/v1/sessions/{}/invocations/{asked}?{wait}", agent.session);
        let mut all = Vec::new();
        for who in people {
            for (path, tells) in [
                (format!("/v1/events?after={event}&{wait}&type=drive.*"), "\"after\""),
                (session.clone(), "\"denied\""),
                (format!("/v1/invocations/{asked}?{wait}"), "\"denied\""),
                (format!("/v1/runs/{run}?{wait}"), "\"cancelled\""),
            ] {
                all.push(who.waits(gateway, (Method::GET, path), tells));
            }
            if ["a member", "the owner"].contains(&who.name) {
                // Consumers of one group compete for an event, so each has a group.
                let path = self.group(&format!("awaits-{gateway}-{}", all.len())).await?;
                let body = json!({ "consumer": "one", "wait": format!("{WAIT_S}s") });
                let waiter = who.waits(gateway, (Method::POST, path), "\"after\"");
                all.push(Waiter { body: Some(body), ..waiter });
            }
            if ["an admin", "an admin's browser", "the owner"].contains(&who.name) {
                let asked = self.ask_for(agent).await?;
                let path = format!("/v1/invocations/{asked}/approve?{wait}");
                let waiter = who.waits(gateway, (Method::POST, path), "\"succeeded\"");
                all.push(Waiter { approves: Some(asked), ..waiter });
            }
        }
        for ((agent, asked), name, is_revoked) in
            [(stolen, "the stolen agent", true), (&awaited.agent, "an agent", false)]
        {
            let credential = Credential::Token(agent.token.clone());
            let who = Who { name, credential: &credential, is_revoked };
            let path = format!("/v1/sessions/{}/invocations/{asked}?{wait}", agent.session);
            all.push(who.waits(gateway, (Method::GET, path), "\"denied\""));
            let arguments = json!({ "invocation": asked, "wait_seconds": WAIT_S });
            let call = json!({ "jsonrpc": "2.0", "id": 1, "method": "tools/call",
                "params": { "name": "countersign__await", "arguments": arguments } });
            let waiter = who.waits(gateway, (Method::POST, "/mcp".to_owned()), "\"denied\"");
            all.push(Waiter { body: Some(call), ..waiter });
        }
        Ok(all)
    }

    /// Creates a consumer group; returns the path of its reads.
    async fn group(&self, name: &str) -> anyhow::Result<String> {
        let path = format!("/v1/event-groups/{name}");
        let body = json!({ "filter": { "type": { "equals": "drive.file_added" } } });
        let made = send(&self.gateways[0], &self.owner(), (&Method::PUT, &path), Some(&body)).await?;
        anyhow::ensure!(made.status.is_success(), "{path}: {}", made.text);
        Ok(format!("{path}/read"))
    }

    /// Sends it and waits for the answer.
    async fn wait(&self, waiter: &Waiter) -> anyhow::Result<Response> {
        let (gateway, route) = (&self.gateways[waiter.gateway], (&waiter.method, waiter.path.as_str()));
        let Some(invocation) = &waiter.approves else {
            return send(gateway, &waiter.credential, route, waiter.body.as_ref()).await;
        };
        // What is shown changes with every answer to the same action, and others answer at the same time.
        for _ in 0..50 {
            let shown = opened_by(&self.stage.app, &self.stage.a.owner, &json!(invocation)).await?.shown;
            let body = json!({ "shown_digest": shown });
            let answer = send(gateway, &waiter.credential, route, Some(&body)).await?;
            if answer.status != StatusCode::CONFLICT {
                return Ok(answer);
            }
        }
        anyhow::bail!("{}: what is shown about {invocation} never stays the same", waiter.name)
    }

    /// Waits until these are approved, which is when those who approved them wait for the result.
    async fn all_approved(&self, invocations: &[&str]) -> anyhow::Result<()> {
        let since = Instant::now();
        for invocation in invocations {
            let path = format!("/v1/invocations/{invocation}");
            loop {
                let found = self.stage.app.send(Method::GET, &path, &self.stage.a.owner, None).await?;
                if found.body["status"] == "approved" {
                    break;
                }
                anyhow::ensure!(since.elapsed() < PATIENCE, "not approved: {}", found.text);
                tokio::time::sleep(Duration::from_millis(20)).await;
            }
        }
        Ok(())
    }

    async fn deny(&self, invocation: &str) -> anyhow::Result<()> {
        let (app, owner) = (&self.stage.app, &self.stage.a.owner);
        let waiting = opened_by(app, owner, &json!(invocation)).await?;
        let denied = answer(app, owner, ("deny", &waiting), json!({})).await?;
        anyhow::ensure!(denied.status.is_success(), "{}", denied.text);
        Ok(())
    }

    /// Everything that somebody waits for.
    async fn happen(&self, awaited: &Awaited, approved: &[&str]) -> anyhow::Result<()> {
        publish(self, "after").await?;
        self.deny(&awaited.agent.1).await?;
        // If what a session asked for ends with it, there is nothing left to deny.
        drop(self.deny(&awaited.stolen.1).await);
        let app = &self.stage.app;
        for invocation in approved {
            app.app.pipeline.perform(self.stage.a.id, invocation.parse()?).await.map(drop)?;
        }
        let path = format!("/v1/runs/{}/cancel", awaited.run);
        let cancelled = app.send(Method::POST, &path, &self.stage.a.owner, None).await?;
        anyhow::ensure!(cancelled.status.is_success(), "{}", cancelled.text);
        Ok(())
    }
}

#[tokio::test]
async fn whoever_waits_is_told_nothing_after_the_revocation() -> anyhow::Result<()> {
    let mut theft = Theft::set().await?;
    let victims = theft.victims().await?;
    let owner = theft.owner();
    let stolen = victims.iter().filter(|victim| victim.role.is_some());
    let mut people: Vec<Who<'_>> = stolen
        .map(|victim| Who { name: victim.name, credential: &victim.credential, is_revoked: true })
        .collect();
    people.push(Who { name: "the owner", credential: &owner, is_revoked: false });
    let awaited = theft.awaited(&victims).await?;
    let mut waiters = Vec::new();
    for gateway in 0..theft.gateways.len() {
        waiters.extend(theft.waiters(gateway, &people, &awaited).await?);
    }
    let approved: Vec<&str> = waiters.iter().filter_map(|waiter| waiter.approves.as_deref()).collect();
    let revoking = async {
        // Those who wait are polled first, so they are admitted and wait by then.
        tokio::time::sleep(BAR).await;
        theft.all_approved(&approved).await?;
        for victim in &victims {
            theft.revoke(victim).await?;
        }
        theft.happen(&awaited, &approved).await
    };
    let waiting = futures::future::join_all(waiters.iter().map(|waiter| theft.wait(waiter)));
    let (answers, done) = futures::join!(waiting, revoking);
    done?;
    let (mut tried, mut controls, mut wrong) = (0, 0, Vec::new());
    for (waiter, answer) in waiters.iter().zip(answers) {
        let answer = answer?;
        let is_told = answer.text.contains(waiter.tells);
        let said = || format!("{} at {}: {} {}", waiter.name, waiter.path, answer.status, answer.text);
        if waiter.is_revoked {
            tried += 1;
            wrong.extend((is_told || !waiter.is_refused(&answer)).then(said));
        } else {
            // The control: whoever was not revoked is told.
            anyhow::ensure!(answer.status == StatusCode::OK && is_told, "{}", said());
            controls += 1;
        }
    }
    testkit::tried(18, "control: requests that waited and were not revoked", controls, controls);
    report("requests that waited during the revocation", tried, &wrong);
    Ok(())
}
