//! Holes that were found in review, one test for each:
//!
//! - (a) an owner forbids the use of another's secret first, so that the next use is its first one;
//! - (b) a connector is removed and added again, so that the review of its tool is its first one;
//! - (c) a standing permission for an automation is for whatever it becomes;
//! - (d) a run is started through a webhook whose token the insider made, or by an event that they published;
//! - (e) an owner removes the other owner, and is alone;
//! - (f) a change that waits for a second person has no record.

use axum::http::Method;
use events::Stretch;
use model::EventId;
use serde_json::{Value, json};

use super::{Ask, CHANNELS, House, Outcome, acts::acts, report, review_body};
use crate::{
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
