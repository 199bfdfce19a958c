//! Acts in which an insider would be two people: they start another's work and approve it, or enrol a passkey of their
//! own and sign with it.

use std::time::Duration;

use axum::http::{Method, StatusCode};
use model::RunId;
use receipt::passkey::Statement;
use serde_json::{Value, json};
use testkit::Passkey;

use super::{Ask, CHANNELS, Channel, House, Insider, Outcome, automation, merge, report};
use crate::{
    approvals::answers::{Waiting, answer, opened_by},
    attacks::stolen_token::{Credential, Response, send, text},
    automations::definitions::{advance, show},
};

impl House {
    /// One approval is enough for what is hard to undo, of somebody else.
    pub(super) async fn four_eyes(&self) -> anyhow::Result<()> {
        self.arrange(Method::PATCH, "/v1/org", json!({ "approval_quorum": 1 })).await.map(drop)
    }

    /// What a run waits for.
    pub(super) async fn awaited(&self, run: RunId) -> anyhow::Result<Waiting> {
        self.app.advance(Duration::from_secs(10));
        advance(&self.app, run).await?;
        let shown = show(&self.app, run).await?;
        anyhow::ensure!(shown["awaits"].is_string(), "the run does not wait: {shown}");
        opened_by(&self.app, &self.approver, &shown["awaits"]).await
    }

    /// An insider approves it over a channel.
    pub(super) async fn approve(
        &self,
        insider: &Insider,
        channel: Channel,
        waiting: &Waiting,
    ) -> anyhow::Result<Option<Outcome>> {
        let ask = Ask::new(
            "an approval",
            (Method::POST, &format!("/v1/invocations/{}/approve?wait=0s", waiting.id)),
            json!({ "shown_digest": waiting.shown }),
            &format!("inbox approve {} --wait 0s", waiting.id),
        );
        self.ask(insider, channel, &ask).await
    }

    /// Tries to approve over all channels; returns what went wrong.
    pub(super) async fn refuses(
        &self,
        insider: &Insider,
        (waiting, how): (&Waiting, &str),
    ) -> anyhow::Result<(usize, Vec<String>)> {
        let (mut tried, mut wrong) = (0, Vec::new());
        // What is shown changes with every answer to the same action.
        let waiting = &opened_by(&self.app, &self.approver, &json!(waiting.id)).await?;
        for channel in CHANNELS {
            let Some(outcome) = self.approve(insider, channel, waiting).await? else { continue };
            tried += 1;
            let is_over_http = matches!(channel, Channel::Http | Channel::Web);
            if is_over_http && !matches!(&outcome, Outcome::Refused(why) if why.contains("four_eyes")) {
                wrong.push(format!("{} {how} it, and over {channel:?}: {outcome:?}", insider.name));
            } else if outcome.is_done() {
                wrong
                    .push(format!("{} approved what they {how} over {channel:?}: {outcome:?}", insider.name));
            }
        }
        Ok((tried, wrong))
    }

    /// The control: somebody who has nothing to do with it approves it.
    pub(super) async fn somebody_else_approves(&self, waiting: &Waiting) -> anyhow::Result<()> {
        let waiting = opened_by(&self.app, &self.approver, &json!(waiting.id)).await?;
        let yes = answer(&self.app, &self.approver, ("approve", &waiting), json!({})).await?;
        anyhow::ensure!(yes.body["status"] == "approved", "{}", yes.text);
        Ok(())
    }
}

/// The run that an answer names.
fn run_in(outcome: &Outcome) -> anyhow::Result<RunId> {
    let Outcome::Done(told) = outcome else { anyhow::bail!("not started: {outcome:?}") };
    let run =
        told.split(|c: char| !c.is_ascii_alphanumeric() && c != '_').find(|word| word.starts_with("run_"));
    Ok(run.unwrap_or_default().parse()?)
}

#[tokio::test]
async fn nobody_approves_what_they_started_saved_opened_or_ran_again() -> anyhow::Result<()> {
    let house = House::set().await?;
    house.four_eyes().await?;
    let (mut tried, mut wrong, mut controls) = (0, Vec::new(), 0);
    let merging = house.ids.merging.clone();
    let mut number = 0;
    for insider in &house.insiders {
        let mut all: Vec<(&str, Waiting)> = Vec::new();
        for channel in &CHANNELS {
            let start = Ask::new(
                "a run",
                (Method::POST, &format!("/v1/automations/{merging}/runs")),
                json!({}),
                "automations run Merging",
            );
            let Some(started) = house.ask(insider, *channel, &start).await? else { continue };
            all.push(("started", house.awaited(run_in(&started)?).await?));
            // The second owner's run, which was cancelled, again.
            let run = house.run(&merging, &house.second).await?;
            house.by_second(Method::POST, &format!("/v1/runs/{run}/cancel"), Value::Null).await?;
            let again = Ask::new(
                "a run again",
                (Method::POST, &format!("/v1/runs/{run}/rerun")),
                json!({}),
                &format!("runs rerun {run} --from-start"),
            );
            let Some(started) = house.ask(insider, *channel, &again).await? else { continue };
            all.push(("ran again", house.awaited(run_in(&started)?).await?));
            // A version that they saved, which the second owner starts.
            number += 1;
            let mut edited = automation("Merging", &merge());
            edited["goal"] = json!(format!("version {number}"));
            let path = format!("/v1/automations/{merging}");
            let now = house.by_second(Method::GET, &path, Value::Null).await?;
            let ask = Ask::new(
                "a version",
                (Method::PATCH, &path),
                json!({ "definition": edited, "from_version": now.body["version"] }),
                "automations apply -",
            );
            let saved = house.ask(insider, *channel, &ask.typing(&edited.to_string())).await?;
            anyhow::ensure!(
                saved.as_ref().is_some_and(Outcome::is_done),
                "not saved over {channel:?}: {saved:?}"
            );
            all.push(("saved", house.awaited(house.run(&merging, &house.second).await?).await?));
        }
        let params = merge()[0]["config"].clone();
        let asked = house.app.invoke(&insider.agent, "github.merge_pull_request", params).await?;
        all.push(("opened", opened_by(&house.app, &house.approver, &asked.body["id"]).await?));
        for (how, waiting) in &all {
            let (more, refused) = house.refuses(insider, (waiting, how)).await?;
            tried += more;
            wrong.extend(refused);
            house.somebody_else_approves(waiting).await?;
            controls += 1;
        }
    }
    let pull = house.github.pull_request(1).unwrap_or_default();
    anyhow::ensure!(pull["merged"] == false, "nothing was performed: {pull}");
    testkit::tried(17, "control: somebody else approves it", controls, controls);
    report("approving what they started, saved, opened or ran again", tried, &wrong);
    Ok(())
}

/// The control: without four eyes, an insider starts another's automation and approves it.
#[tokio::test]
async fn control_without_four_eyes_an_insider_starts_and_approves() -> anyhow::Result<()> {
    let house = House::set().await?;
    house.four_eyes().await?;
    house.arrange(Method::PATCH, "/v1/org", json!({ "approval_four_eyes": false })).await?;
    let mut controls = 0;
    for insider in &house.insiders {
        for channel in &CHANNELS {
            let run = house.run(&house.ids.merging, &insider.token).await?;
            let waiting = house.awaited(run).await?;
            let outcome = house.approve(insider, *channel, &waiting).await?;
            anyhow::ensure!(outcome.as_ref().is_some_and(Outcome::is_done), "{channel:?}: {outcome:?}");
            controls += 1;
        }
    }
    testkit::tried(17, "control: no four eyes", controls, controls);
    Ok(())
}

/// Registers a device with a credential of an insider; returns the passkey.
async fn register(house: &House, credential: &Credential, device: &Passkey) -> anyhow::Result<Response> {
    let route = (&Method::POST, "/v1/passkeys/registration");
    let offered = send(&house.gateway, credential, route, None).await?;
    let body = device.register(&text(&offered.body["challenge"]), "laptop");
    send(&house.gateway, credential, (&Method::POST, "/v1/passkeys"), Some(&body)).await
}

/// Votes with a signature of this device.
async fn vote(
    house: &House,
    insider: &Insider,
    (credential, device): (&Credential, &Passkey),
    waiting: &Waiting,
) -> anyhow::Result<Response> {
    let waiting = opened_by(&house.app, &insider.token, &json!(waiting.id)).await?;
    let body = json!({ "shown_digest": waiting.shown, "assertion": sign(house, insider, device, &waiting)? });
    let path = format!("/v1/invocations/{}/approve?wait=0s", waiting.id);
    send(&house.gateway, credential, (&Method::POST, &path), Some(&body)).await
}

/// The requests with which an insider alone would make their passkeys count, or do without one.
fn shortcuts(passkeys: &[String]) -> Vec<Ask> {
    let off = json!({ "approval_passkey": false });
    let off = Ask::new("unsigned approvals", (Method::PATCH, "/v1/org"), off, "org set --passkey false");
    let own = passkeys.iter().map(|passkey| {
        let (confirm, command) =
            (format!("/v1/passkeys/{passkey}/confirm"), format!("passkeys confirm {passkey}"));
        Ask::new("their own passkey", (Method::POST, &confirm), Value::Null, &command)
    });
    own.chain([off]).collect()
}

/// The approver has a passkey that the second owner confirmed: without one, nobody could demand signatures.
async fn somebody_signs(house: &House) -> anyhow::Result<()> {
    let added = register(house, &Credential::Token(house.approver.clone()), &Passkey::new(99)?).await?;
    let confirm = format!("/v1/passkeys/{}/confirm", text(&added.body["id"]));
    let confirmed = house.by_second(Method::POST, &confirm, Value::Null).await?;
    anyhow::ensure!(confirmed.status == StatusCode::OK, "{}", confirmed.text);
    Ok(())
}

/// The control: confirmed by somebody else, a passkey counts.
async fn counts_once_confirmed(
    house: &House,
    insider: &Insider,
    (credential, device): (&Credential, &Passkey),
    passkey: &str,
) -> anyhow::Result<()> {
    let confirm = format!("/v1/passkeys/{passkey}/confirm");
    let confirmed = house.by_second(Method::POST, &confirm, Value::Null).await?;
    anyhow::ensure!(confirmed.status == StatusCode::OK, "{}", confirmed.text);
    let run = house.run(&house.ids.merging, &house.second).await?;
    let waiting = house.awaited(run).await?;
    let counted = vote(house, insider, (credential, device), &waiting).await?;
    anyhow::ensure!(counted.body["status"] == "approved", "{}", counted.text);
    Ok(())
}

#[tokio::test]
async fn a_first_passkey_of_an_insider_signs_nothing() -> anyhow::Result<()> {
    let house = House::set().await?;
    somebody_signs(&house).await?;
    house
        .arrange(Method::PATCH, "/v1/org", json!({ "approval_quorum": 1, "approval_passkey": true }))
        .await?;
    let (mut tried, mut wrong, mut controls) = (0, Vec::new(), 0);
    for (number, insider) in (1..).zip(&house.insiders) {
        let token = Credential::Token(insider.token.clone());
        let ways = [
            (token, Passkey::new(number)?, Passkey::new(number + 10)?),
            (insider.cookie.clone(), Passkey::new(number + 20)?, Passkey::new(number + 30)?),
        ];
        let mut passkeys = Vec::new();
        for (credential, device, other) in &ways {
            let added = register(&house, credential, device).await?;
            // Another device of theirs is not signed by the first while that one counts for nothing.
            for made in [&added, &register(&house, credential, other).await?] {
                tried += 1;
                if made.status.is_success() && !made.body["confirmed_at"].is_null() {
                    wrong.push(format!("{} has a passkey that counts: {}", insider.name, made.text));
                }
            }
            anyhow::ensure!(added.status == StatusCode::CREATED, "{}: {}", insider.name, added.text);
            passkeys.push(text(&added.body["id"]));
        }
        if house.record("passkey.added", &insider.user).await?.is_none() {
            wrong.push(format!("{}'s passkey has no record", insider.name));
        }
        for ask in shortcuts(&passkeys) {
            for channel in CHANNELS {
                let Some(outcome) = house.ask(insider, channel, &ask).await? else { continue };
                tried += 1;
                if outcome.is_done() {
                    wrong.push(format!("{} got {} over {channel:?}: {outcome:?}", insider.name, ask.name));
                }
            }
        }
        let run = house.run(&house.ids.merging, &house.second).await?;
        let waiting = house.awaited(run).await?;
        for (credential, device, _) in &ways {
            let refused = vote(&house, insider, (credential, device), &waiting).await?;
            tried += 1;
            if refused.status.is_success() {
                wrong.push(format!("{} signed with it: {}", insider.name, refused.text));
            }
        }
        for ((credential, device, _), passkey) in ways.iter().zip(&passkeys) {
            counts_once_confirmed(&house, insider, (credential, device), passkey).await?;
            controls += 1;
        }
    }
    testkit::tried(17, "control: a passkey that somebody else confirmed", controls, controls);
    report("a first passkey of their own", tried, &wrong);
    Ok(())
}

fn sign(house: &House, insider: &Insider, device: &Passkey, waiting: &Waiting) -> anyhow::Result<Value> {
    device.sign(&Statement::Vote {
        org: &house.app.org.to_string(),
        invocation: &waiting.id,
        user: &insider.user,
        verdict: "approved",
        shown_digest: &waiting.shown,
    })
}
