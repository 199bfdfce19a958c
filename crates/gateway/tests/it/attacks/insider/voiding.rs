//! Acts that one person may do, because they void what was approved: another value of a secret, another place without a
//! secret, another version of an automation.

use std::time::Duration;

use axum::http::{Method, StatusCode};
use model::RunId;
use serde_json::{Value, json};

use super::{Ask, CHANNELS, Channel, House, Insider, automation, report};
use crate::{
    approvals::answers::{Waiting, answer, opened_by, perform},
    attacks::stolen_token::{loosening, text},
    automations::definitions::{advance, make, show},
    invocations::invoke::{TOKEN, issue},
};

/// An act of several requests, what is approved before it, and the kind of the record it leaves.
struct Act {
    name: &'static str,
    action: &'static str,
    asks: Vec<Ask>,
    record: &'static str,
    /// How the second owner puts it right again.
    restore: Vec<(Method, &'static str, Value)>,
}

fn acts(house: &House) -> Vec<Act> {
    let secret = "/v1/secrets/notes-key";
    let set = || {
        Ask::new(
            "another value",
            (Method::PUT, secret),
            json!({ "value": "mine-to-keep" }),
            "secrets set notes-key",
        )
        .typing("mine-to-keep")
    };
    let remove = Ask::new("no value", (Method::DELETE, secret), Value::Null, "secrets remove notes-key");
    let own = json!({ "name": "x", "token": TOKEN });
    let connection = Ask::new(
        "a connection",
        (Method::PUT, "/v1/connections/linear"),
        own,
        "connections add linear --name x",
    );
    let theirs = json!({ "value": "a-value-to-keep" });
    let place = json!({ "place": house.elsewhere.url() });
    vec![
        Act {
            name: "another value of a secret",
            action: "notes.erase",
            asks: vec![set()],
            record: "secret.set",
            restore: vec![(Method::PUT, "/v1/secrets/notes-key", theirs.clone())],
        },
        Act {
            name: "a secret that is removed and added again",
            action: "notes.erase",
            asks: vec![remove, set()],
            record: "secret.set",
            restore: vec![
                (Method::PUT, "/v1/secrets/notes-key", theirs),
                (Method::PUT, "/v1/secrets/notes-key/audience/notes", Value::Null),
            ],
        },
        Act {
            name: "another connection",
            action: "linear.create_issue",
            asks: vec![connection.typing(TOKEN)],
            record: "connection.set",
            restore: vec![(Method::PUT, "/v1/connections/linear", json!({ "name": "x", "token": TOKEN }))],
        },
        Act {
            name: "another place without a secret",
            action: "plain.erase",
            asks: vec![Ask::new("another place", (Method::PATCH, "/v1/connectors/plain"), place, "")],
            record: "connector.changed",
            restore: vec![(Method::PATCH, "/v1/connectors/plain", json!({ "place": house.notes.url() }))],
        },
    ]
}

impl House {
    /// What has happened outside.
    fn effects(&self) -> (usize, usize, u64) {
        (self.notes.called(), self.elsewhere.called(), self.linear.effects().values().sum())
    }

    /// An action of the second owner's agent that somebody else approved.
    async fn approved(&self, action: &str) -> anyhow::Result<Waiting> {
        let body = json!({ "agent": "theirs", "kind": "interactive", "capabilities": ["*"] });
        let agent = self.app.open_session(&self.second, body).await?;
        let params = if action.starts_with("linear.") { issue("approved") } else { json!({}) };
        let asked = self.app.invoke(&agent, action, params).await?;
        anyhow::ensure!(asked.status == StatusCode::ACCEPTED, "{action}: {}", asked.text);
        let waiting = opened_by(&self.app, &self.approver, &asked.body["id"]).await?;
        let yes = answer(&self.app, &self.approver, ("approve", &waiting), json!({})).await?;
        anyhow::ensure!(yes.body["status"] == "approved", "{action}: {}", yes.text);
        Ok(waiting)
    }
}

#[tokio::test]
async fn what_one_person_changes_is_no_longer_approved() -> anyhow::Result<()> {
    let house = House::set().await?;
    house.arrange(Method::PATCH, "/v1/org", json!({ "approval_quorum": 1 })).await?;
    let (mut tried, mut wrong, mut controls) = (0, Vec::new(), 0);
    for act in acts(&house) {
        // The control: what nobody touched is performed.
        let (approved, before) = (house.approved(act.action).await?, house.effects());
        perform(&house.app, &approved).await?;
        anyhow::ensure!(house.effects() != before, "{} was approved and not performed", act.action);
        controls += 1;
        for insider in &house.insiders {
            for channel in &CHANNELS {
                if act.asks.iter().any(|ask| *channel == Channel::Cli && ask.command.is_empty()) {
                    continue;
                }
                tried += 1;
                let approved = house.approved(act.action).await?;
                let mut outcomes = Vec::new();
                for ask in &act.asks {
                    outcomes.extend(house.ask(insider, *channel, ask).await?);
                }
                let before = house.effects();
                perform(&house.app, &approved).await?;
                if house.effects() != before {
                    wrong.push(format!("{}: {} over {channel:?} left it approved", insider.name, act.name));
                }
                // Refused is also right; what was done has its record.
                let is_done = outcomes.iter().all(super::Outcome::is_done);
                if is_done && house.record(act.record, &insider.user).await?.is_none() {
                    wrong.push(format!("{}: {} over {channel:?} has no record", insider.name, act.name));
                }
                for (method, path, body) in &act.restore {
                    house.arrange(method.clone(), path, body.clone()).await?;
                }
            }
        }
    }
    testkit::tried(17, "control: untouched, it is performed", controls, controls);
    report("secrets, connections and places that change after the yes", tried, &wrong);
    Ok(())
}

impl House {
    /// Starts the second owner's automation and lets it run; returns the run.
    pub(super) async fn run(&self, automation: &str, token: &str) -> anyhow::Result<RunId> {
        // Many runs in a minute would be refused as a loop.
        self.app.advance(Duration::from_secs(10));
        let path = format!("/v1/automations/{automation}/runs");
        let started = self.app.send(Method::POST, &path, token, Some(json!({}))).await?;
        anyhow::ensure!(started.status.is_success(), "{}", started.text);
        let run: RunId = text(&started.body["id"]).parse()?;
        advance(&self.app, run).await?;
        Ok(run)
    }

    /// The second owner's automation, as it was seen.
    pub(super) async fn reset(&self) -> anyhow::Result<()> {
        let seen = automation("Nightly", &json!([make("a", "as it was seen")]));
        let path = format!("/v1/automations/{}", self.ids.automation);
        self.arrange(Method::PATCH, &path, json!({ "definition": seen })).await?;
        Ok(())
    }

    /// An edit of it by an insider, whose step does something else.
    pub(super) async fn edit(
        &self,
        insider: &Insider,
        channel: Channel,
        title: &str,
    ) -> anyhow::Result<super::Outcome> {
        let edited = automation("Nightly", &json!([make("a", title)]));
        let path = format!("/v1/automations/{}", self.ids.automation);
        let ask = Ask::new(
            "an edit",
            (Method::PATCH, &path),
            json!({ "definition": edited }),
            "automations apply -",
        );
        let outcome = self.ask(insider, channel, &ask.typing(&edited.to_string())).await?;
        outcome.ok_or_else(|| anyhow::anyhow!("no such command"))
    }
}

#[tokio::test]
async fn a_permission_for_a_step_ends_when_the_step_is_edited() -> anyhow::Result<()> {
    let (mut tried, mut wrong, mut controls) = (0, Vec::new(), 0);
    for extent in ["always", "grant"] {
        let house = House::set().await?;
        for insider in &house.insiders {
            for channel in &CHANNELS {
                tried += 1;
                house.reset().await?;
                // The second owner saw the step, and allowed it from now on.
                let run = house.run(&house.ids.automation, &house.second).await?;
                let awaits = show(&house.app, run).await?["awaits"].clone();
                if awaits.is_string() {
                    let waiting = opened_by(&house.app, &house.second, &awaits).await?;
                    loosening(&house.app, house.app.org, "one").await?;
                    let yes =
                        answer(&house.app, &house.second, ("approve", &waiting), json!({ "extent": extent }))
                            .await?;
                    loosening(&house.app, house.app.org, "two_people").await?;
                    anyhow::ensure!(yes.status.is_success(), "{}", yes.text);
                    perform(&house.app, &waiting).await?;
                }
                // The control: as it was seen, it runs.
                let seen = house.linear.issues_titled("as it was seen").len();
                house.run(&house.ids.automation, &house.second).await?;
                anyhow::ensure!(
                    house.linear.issues_titled("as it was seen").len() == seen + 1,
                    "it runs as it was seen"
                );
                controls += 1;
                let title = format!("as nobody saw it {tried}");
                let outcome = house.edit(insider, *channel, &title).await?;
                house.run(&house.ids.automation, &insider.token).await?;
                if !house.linear.issues_titled(&title).is_empty() {
                    wrong
                        .push(format!("{} edited it over {channel:?} and it ran: {outcome:?}", insider.name));
                }
                if outcome.is_done() && house.record("automation.changed", &insider.user).await?.is_none() {
                    wrong.push(format!("{}'s edit over {channel:?} has no record", insider.name));
                }
            }
        }
    }
    testkit::tried(17, "control: as it was seen, it runs", controls, controls);
    report("edits of an automation with permissions for its step", tried, &wrong);
    Ok(())
}
