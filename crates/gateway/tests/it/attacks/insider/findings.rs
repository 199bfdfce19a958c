//! Holes that were found in review, one test for each:
//!
//! - (a) an owner forbids the use of another's secret first, so that the next use is its first one;
//! - (b) a connector is removed and added again, so that the review of its tool is its first one;
//! - (c) a standing permission for an automation is for whatever it becomes;
//! - (d) a run is started through a webhook whose token the insider made, or by an event that they published;
//! - (e) an owner removes the other owner, and is alone;
//! - (f) a change that waits for a second person has no record;
//! - (g) a rule that allows under a condition makes one that allows without it no loosening;
//! - (h) a tool that was accepted without a risk has none that could be lowered;
//! - (i) a program proposes with a token that an owner made for it, and the owner approves;
//! - (j) a run is started by an event of the gateway itself, about what the insider's agent did.

use std::time::Duration;

use axum::http::Method;
use events::Stretch;
use model::EventId;
use serde_json::{Value, json};

use super::{Ask, CHANNELS, Channel, House, Outcome, acts::acts, automation, merge, report, review_body};
use crate::{
    approvals::answers::opened_by,
    attacks::stolen_token::{text, withdraw_all},
    automations::triggers::{knock, runs},
};

#[tokio::test]
async fn finding_a_an_owner_does_not_move_anothers_secret_by_forbidding_its_use_first() -> anyhow::Result<()>
{
    let (mut tried, mut wrong) = (0, Vec::new());
    for channel in &CHANNELS {
        let house = House::set().await?;
        let elsewhere = house.elsewhere.url();
        for insider in &house.insiders {
            let used = "/v1/secrets/notes-key/audience/notes";
            let forbid =
                Ask::new("no use", (Method::DELETE, used), Value::Null, "secrets forbid notes-key notes");
            house.ask(insider, *channel, &forbid).await?;
            let bearer = json!({ "kind": "bearer", "secret": "notes-key" });
            for ask in [
                Ask::new(
                    "another place",
                    (Method::PATCH, "/v1/connectors/notes"),
                    json!({ "place": elsewhere }),
                    "",
                ),
                Ask::new(
                    "another use",
                    (Method::PUT, "/v1/secrets/notes-key/audience/mirror"),
                    Value::Null,
                    "secrets allow notes-key mirror",
                ),
                Ask::new(
                    "a connector with it",
                    (Method::POST, "/v1/connectors"),
                    json!({ "source": "copy", "kind": "mcp", "place": elsewhere, "auth": bearer }),
                    &format!("connectors add copy --mcp {elsewhere} --bearer notes-key"),
                ),
            ] {
                let Some(outcome) = house.ask(insider, *channel, &ask).await? else { continue };
                tried += 1;
                if outcome.is_done() {
                    wrong.push(format!("{} got {} over {channel:?}: {outcome:?}", insider.name, ask.name));
                }
            }
        }
    }
    report("(a) another's secret after its use was forbidden", tried, &wrong);
    Ok(())
}

#[tokio::test]
async fn finding_b_a_tier_is_not_lowered_by_removing_and_adding_the_connector() -> anyhow::Result<()> {
    let house = House::set().await?;
    let (mut tried, mut wrong) = (0, Vec::new());
    let place = house.notes.url();
    for insider in &house.insiders {
        for channel in &CHANNELS {
            let path = "/v1/connectors/plain";
            let remove =
                Ask::new("no connector", (Method::DELETE, path), Value::Null, "connectors remove plain");
            let add = Ask::new(
                "the connector again",
                (Method::POST, "/v1/connectors"),
                json!({ "source": "plain", "kind": "mcp", "place": place }),
                &format!("connectors add plain --mcp {place}"),
            );
            for ask in [&remove, &add] {
                house.ask(insider, *channel, ask).await?;
            }
            let review = Ask::new(
                "a lower tier",
                (Method::POST, "/v1/connectors/plain/review"),
                review_body(&house.app, &insider.token, "plain", "R1").await?,
                "connectors review plain erase --accept --risk R1",
            );
            let Some(outcome) = house.ask(insider, *channel, &review).await? else { continue };
            tried += 1;
            if outcome.is_done() {
                wrong.push(format!("{} got a lower tier over {channel:?}: {outcome:?}", insider.name));
            }
        }
    }
    report("(b) a lower tier after removing and adding the connector", tried, &wrong);
    Ok(())
}

#[tokio::test]
async fn finding_c_a_permission_for_an_automation_ends_when_it_is_edited() -> anyhow::Result<()> {
    let (mut tried, mut wrong) = (0, Vec::new());
    for permission in ["grant", "rule"] {
        let house = House::set().await?;
        let automation = &house.ids.automation;
        for insider in &house.insiders {
            for channel in &CHANNELS {
                tried += 1;
                house.reset().await?;
                let body = json!({ "action": "linear.create_issue", "automation": automation });
                if permission == "grant" {
                    house.arrange(Method::POST, "/v1/grants", body).await?;
                } else {
                    let mut body = body;
                    body["mode"] = json!("allow");
                    house.arrange(Method::PUT, "/v1/rules", body).await?;
                }
                // The control: as it was seen, it runs.
                let seen = house.linear.issues_titled("as it was seen").len();
                house.run(automation, &house.second).await?;
                let ran = house.linear.issues_titled("as it was seen").len();
                anyhow::ensure!(ran == seen + 1, "with a {permission} it runs as it was seen");
                let title = format!("as nobody saw it {tried}");
                let outcome = house.edit(insider, *channel, &title).await?;
                house.run(automation, &insider.token).await?;
                if !house.linear.issues_titled(&title).is_empty() {
                    wrong.push(format!(
                        "{}'s edit over {channel:?} ran with a {permission}: {outcome:?}",
                        insider.name
                    ));
                }
            }
        }
    }
    report("(c) edits of an automation with a grant or a rule", tried, &wrong);
    Ok(())
}

#[tokio::test]
async fn finding_d_nobody_approves_what_their_webhook_or_their_event_started() -> anyhow::Result<()> {
    let house = House::set().await?;
    house.four_eyes().await?;
    let (mut tried, mut wrong, mut number) = (0, Vec::new(), 0);
    for insider in &house.insiders {
        for channel in &CHANNELS {
            let rotate = Ask::new(
                "a token of a webhook",
                (Method::POST, &format!("/v1/triggers/{}/rotate", house.ids.trigger)),
                Value::Null,
                &format!("automations rotate {}", house.ids.trigger),
            );
            let Some(Outcome::Done(told)) = house.ask(insider, *channel, &rotate).await? else { continue };
            let is_part = |c: char| c.is_ascii_alphanumeric() || c == '_' || c == '-';
            let token =
                told.split(|c| !is_part(c)).find(|word| word.starts_with("csn_hook_")).unwrap_or_default();
            let started = knock(&house.app, &house.ids.trigger, (token, &[]), "{}").await?;
            let waiting = house.awaited(text(&started.body["id"]).parse()?).await?;
            let (more, refused) = house.refuses(insider, (&waiting, "started with their webhook")).await?;
            tried += more;
            wrong.extend(refused);

            number += 1;
            let event = json!({ "specversion": "1.0", "id": format!("e{number}"), "source": "/drive",
                "type": "drive.file_added", "data": {} });
            let publish =
                Ask::new("an event", (Method::POST, "/v1/events"), event.clone(), "events publish - --json");
            let Some(Outcome::Done(told)) =
                house.ask(insider, *channel, &publish.typing(&event.to_string())).await?
            else {
                continue;
            };
            let words = told.split(|c: char| !c.is_ascii_alphanumeric() && c != '_');
            let id: EventId =
                words.clone().find(|word| word.starts_with("evt_")).unwrap_or_default().parse()?;
            house.app.app.automations.see_to(Stretch { org: house.app.org, events: vec![id] }).await?;
            let found = runs(&house.app).await?;
            let run = found.iter().find(|run| run["automation"] == house.ids.merging.as_str());
            let waiting = house.awaited(text(&run.cloned().unwrap_or_default()["id"]).parse()?).await?;
            let (more, refused) = house.refuses(insider, (&waiting, "started with their event")).await?;
            tried += more;
            wrong.extend(refused);
            // The control: somebody else approves it.
            if wrong.is_empty() {
                house.somebody_else_approves(&waiting).await?;
            }
        }
    }
    report("(d) approving what their webhook or their event started", tried, &wrong);
    Ok(())
}

#[tokio::test]
async fn finding_e_an_owner_who_removed_the_other_one_does_not_loosen_alone() -> anyhow::Result<()> {
    let (mut tried, mut wrong) = (0, Vec::new());
    for way in ["removed", "lowered"] {
        for channel in &CHANNELS {
            let house = House::set().await?;
            // As it is by default: two people as soon as there are two owners.
            let mut tx = house.app.app.db.begin(house.app.org).await?;
            sqlx::query("UPDATE orgs SET loosening = NULL").execute(&mut *tx).await?;
            platform::db::commit(tx).await?;
            let [owner, _] = &house.insiders;
            let path = format!("/v1/members/{}", house.second_user);
            let alone = match way {
                "removed" => Ask::new(
                    "no other owner",
                    (Method::DELETE, &path),
                    Value::Null,
                    &format!("members remove {}", house.second_user),
                ),
                _ => Ask::new("a lower role", (Method::PATCH, &path), json!({ "role": "admin" }), ""),
            };
            let Some(outcome) = house.ask(owner, *channel, &alone).await? else { continue };
            for ask in acts(&house, owner).await? {
                let Some(done) = house.ask(owner, *channel, &ask).await? else { continue };
                tried += 1;
                if done.is_done() {
                    wrong.push(format!("{way} ({outcome:?}), then {} over {channel:?}: {done:?}", ask.name));
                }
            }
        }
    }
    report("(e) loosening after the other owner was removed", tried, &wrong);
    Ok(())
}

#[tokio::test]
async fn finding_f_a_change_that_waits_has_a_record() -> anyhow::Result<()> {
    let house = House::set().await?;
    let (mut tried, mut wrong) = (0, Vec::new());
    let count = async |user: &str| -> anyhow::Result<usize> {
        let path = format!("/v1/changes?change=change.proposed&user={user}&limit=100");
        let found = house.by_second(Method::GET, &path, Value::Null).await?;
        Ok(found.body["items"].as_array().map_or(0, Vec::len))
    };
    for insider in &house.insiders {
        for ask in acts(&house, insider).await? {
            withdraw_all(&house.app, house.app.org).await?;
            for channel in &CHANNELS {
                let before = count(&insider.user).await?;
                let Some(Outcome::Waits(id)) = house.ask(insider, *channel, &ask).await? else { continue };
                tried += 1;
                // A page has a hundred of them.
                if before < 100 && count(&insider.user).await? != before + 1 {
                    wrong.push(format!(
                        "{}: {} over {channel:?} waits as {id} without a record",
                        insider.name, ask.name
                    ));
                }
            }
        }
    }
    anyhow::ensure!(tried > 50, "only {tried} wait");
    report("(f) the record of a change that waits", tried, &wrong);
    Ok(())
}

#[tokio::test]
async fn finding_g_a_narrow_rule_that_allows_does_not_stand_for_the_wide_one() -> anyhow::Result<()> {
    let house = House::set().await?;
    let (mut tried, mut wrong) = (0, Vec::new());
    let allow = |more: Value| {
        let mut body = json!({ "action": "linear.create_issue", "mode": "allow" });
        if let (Some(body), Some(more)) = (body.as_object_mut(), more.as_object()) {
            body.extend(more.clone());
        }
        body
    };
    house
        .arrange(Method::PUT, "/v1/rules", allow(json!({ "where": { "title": { "equals": "as agreed" } } })))
        .await?;
    house.arrange(Method::PUT, "/v1/rules", allow(json!({ "automation": house.ids.automation }))).await?;
    let wider = Ask::new(
        "the rule without its condition",
        (Method::PUT, "/v1/rules"),
        allow(json!({})),
        "rules set linear.create_issue allow",
    );
    for insider in &house.insiders {
        for channel in &CHANNELS {
            let before = house.state().await?;
            let Some(outcome) = house.ask(insider, *channel, &wider).await? else { continue };
            tried += 1;
            if outcome.is_done() || before != house.state().await? {
                wrong.push(format!("{} got {} over {channel:?}: {outcome:?}", insider.name, wider.name));
            }
            withdraw_all(&house.app, house.app.org).await?;
        }
    }
    // The control: where the wide one is there, setting it again loosens nothing.
    house.arrange(Method::PUT, "/v1/rules", allow(json!({}))).await?;
    let narrower = allow(json!({ "where": { "title": { "equals": "another" } } }));
    let narrower = Ask::new("a narrower rule", (Method::PUT, "/v1/rules"), narrower, "");
    let outcome = house.ask(&house.insiders[0], Channel::Http, &narrower).await?;
    anyhow::ensure!(outcome.as_ref().is_some_and(Outcome::is_done), "{outcome:?}");
    report("(g) a wide rule after a narrow one", tried, &wrong);
    Ok(())
}

#[tokio::test]
async fn finding_h_a_tier_that_nobody_named_is_not_lowered_by_one_person() -> anyhow::Result<()> {
    let house = House::set().await?;
    let (mut tried, mut wrong) = (0, Vec::new());
    let body = json!({ "source": "fresh", "kind": "mcp", "place": house.notes.url() });
    house.arrange(Method::POST, "/v1/connectors", body).await?;
    let mut accepted = review_body(&house.app, &house.second, "fresh", "R3").await?;
    accepted.as_object_mut().map(|body| body.remove("risk"));
    house.arrange(Method::POST, "/v1/connectors/fresh/review", accepted).await?;
    for insider in &house.insiders {
        for channel in &CHANNELS {
            let review = Ask::new(
                "a lower tier",
                (Method::POST, "/v1/connectors/fresh/review"),
                review_body(&house.app, &insider.token, "fresh", "R1").await?,
                "connectors review fresh erase --accept --risk R1",
            );
            let Some(outcome) = house.ask(insider, *channel, &review).await? else { continue };
            tried += 1;
            if outcome.is_done() {
                wrong.push(format!("{} got a lower tier over {channel:?}: {outcome:?}", insider.name));
            }
            withdraw_all(&house.app, house.app.org).await?;
        }
    }
    report("(h) a lower tier of a tool that was accepted without one", tried, &wrong);
    Ok(())
}

#[tokio::test]
async fn finding_i_nobody_approves_what_a_program_proposed_with_their_token() -> anyhow::Result<()> {
    let house = House::set().await?;
    house.four_eyes().await?;
    let (mut tried, mut wrong) = (0, Vec::new());
    let account = json!({ "name": "pipeline", "role": "admin" });
    let program = house.arrange(Method::POST, "/v1/service-accounts", account).await?;
    let [owner, _] = &house.insiders;
    let path = format!("/v1/members/{}/tokens", text(&program["user"]));
    let made = house.app.send(Method::POST, &path, &owner.token, Some(json!({ "name": "mine" }))).await?;
    anyhow::ensure!(made.status.is_success(), "{}", made.text);
    let body = json!({ "agent": "pipeline", "kind": "interactive", "capabilities": ["*"] });
    let agent = house.app.open_session(&text(&made.body["token"]), body).await?;
    for is_revoked in [false, true] {
        let asked =
            house.app.invoke(&agent, "github.merge_pull_request", merge()[0]["config"].clone()).await?;
        let waiting = opened_by(&house.app, &house.approver, &asked.body["id"]).await?;
        if is_revoked {
            // The session would end with its token; what was asked before waits.
            let mut tx = house.app.app.db.begin(house.app.org).await?;
            let revoke = "UPDATE api_tokens SET revoked_at = now() WHERE minted_by <> user_id";
            sqlx::query(revoke).execute(&mut *tx).await?;
            platform::db::commit(tx).await?;
        }
        for channel in &CHANNELS {
            let waiting = &opened_by(&house.app, &house.approver, &json!(waiting.id)).await?;
            let Some(outcome) = house.approve(owner, *channel, waiting).await? else { continue };
            tried += 1;
            if !matches!(&outcome, Outcome::Refused(why) if why.contains("counts_as_one")) {
                wrong.push(format!("over {channel:?}, revoked {is_revoked}: {outcome:?}"));
            }
        }
        house.somebody_else_approves(&waiting).await?;
    }
    report("(i) approving what a program proposed with their token", tried, &wrong);
    Ok(())
}

#[tokio::test]
async fn finding_j_nobody_approves_what_an_event_about_their_agent_started() -> anyhow::Result<()> {
    let house = House::set().await?;
    house.four_eyes().await?;
    let (mut tried, mut wrong) = (0, Vec::new());
    let mut follows = automation("Follows", &merge());
    follows["triggers"] = json!([{ "type": "event", "config": { "event_type": "action.executed" } }]);
    let follows = house.arrange(Method::POST, "/v1/automations", json!({ "definition": follows })).await?;
    for insider in &house.insiders {
        let done = house.app.invoke(&insider.agent, "data.transform", json!({ "template": "x" })).await?;
        anyhow::ensure!(done.body["status"] == "succeeded", "{}", done.text);
        let id = event_about(&house, &done.body["id"]).await?;
        house.app.app.automations.see_to(Stretch { org: house.app.org, events: vec![id] }).await?;
        let found = runs(&house.app).await?;
        let run = found.iter().find(|run| run["automation"] == follows["id"]);
        let waiting = house.awaited(text(&run.cloned().unwrap_or_default()["id"]).parse()?).await?;
        let (more, refused) = house.refuses(insider, (&waiting, "started with what their agent did")).await?;
        tried += more;
        wrong.extend(refused);
        // The control: somebody else approves it.
        house.somebody_else_approves(&waiting).await?;
    }
    report("(j) approving what an event about their agent started", tried, &wrong);
    Ok(())
}

/// The event about an invocation that ended. Events are listed when no older transaction of the server is open.
async fn event_about(house: &House, invocation: &Value) -> anyhow::Result<EventId> {
    for _ in 0..600 {
        let path = "/v1/events?type=action.executed&limit=100";
        let listed = house.by_second(Method::GET, path, Value::Null).await?.body;
        let items = listed["items"].as_array().cloned().unwrap_or_default();
        if let Some(told) = items.iter().find(|told| told["data"]["invocation"] == *invocation) {
            return Ok(text(&told["eventid"]).parse()?);
        }
        tokio::time::sleep(Duration::from_millis(50)).await;
    }
    anyhow::bail!("no event about {invocation}")
}
