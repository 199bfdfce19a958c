//! Acts that one request makes: each is refused or waits for a second person, and nothing changes meanwhile.

use axum::http::Method;
use serde_json::{Value, json};

use super::{Ask, CHANNELS, House, Insider, Outcome, report, review_body};
use crate::attacks::stolen_token::{loosening, withdraw_all};

/// Acts that nobody does, whatever the settings: they are about others.
const NEVER: &[&str] =
    &["a token of another person", "the link of another's invitation", "unsigned approvals"];

/// Every act of one request.
#[expect(clippy::too_many_lines, reason = "a table")]
pub(super) async fn acts(house: &House, insider: &Insider) -> anyhow::Result<Vec<Ask>> {
    let (ids, elsewhere) = (&house.ids, house.elsewhere.url());
    let (post, put, patch, delete) = (Method::POST, Method::PUT, Method::PATCH, Method::DELETE);
    let space = format!("/v1/spaces/{}", ids.space);
    let bearer = |secret: &str| json!({ "kind": "bearer", "secret": secret });
    let person =
        |role: &str| json!({ "email": format!("{role}@example.test"), "name": "Sock", "role": role });
    let conduct = |conduct: &str| json!({ "scope": "agent", "subject": "wild", "conduct": conduct, "reason": "please" });
    let lower = review_body(&house.app, &insider.token, "notes", "R1").await?;
    let (org, rules, connector) = ("/v1/org", "/v1/rules", "/v1/connectors/notes");
    let member = format!("/v1/members/{}", ids.member);
    let slug = insider.name.replace(' ', "-");
    Ok(vec![
        // A connector's place, and the audience of a secret.
        Ask::new("another place", (patch.clone(), connector), json!({ "place": elsewhere }), ""),
        Ask::new("another secret", (patch.clone(), connector), json!({ "auth": bearer("mirror-key") }), ""),
        Ask::new(
            "a connector with another's secret",
            (post.clone(), "/v1/connectors"),
            json!({ "source": "copy", "kind": "mcp", "place": elsewhere, "auth": bearer("notes-key") }),
            &format!("connectors add copy --mcp {elsewhere} --bearer notes-key"),
        ),
        Ask::new(
            "another place of a secret",
            (put.clone(), "/v1/secrets/notes-key/audience/mirror"),
            Value::Null,
            "secrets allow notes-key mirror",
        ),
        // A tier.
        Ask::new(
            "a lower tier",
            (post.clone(), "/v1/connectors/notes/review"),
            lower,
            "connectors review notes erase --accept --risk R1",
        ),
        // Voters.
        Ask::new(
            "an owner",
            (post.clone(), "/v1/invitations"),
            person("owner"),
            "invitations create owner@example.test --name Sock --role owner",
        ),
        Ask::new(
            "an admin",
            (post.clone(), "/v1/invitations"),
            person("admin"),
            "invitations create admin@example.test --name Sock --role admin",
        ),
        Ask::new(
            "a member",
            (post.clone(), "/v1/invitations"),
            person("member"),
            "invitations create member@example.test --name Sock",
        ),
        Ask::new(
            "a program",
            (post.clone(), "/v1/service-accounts"),
            json!({ "name": "sock", "role": "admin" }),
            "members add-service sock --role admin",
        ),
        Ask::new("a member's higher role", (patch.clone(), &member), json!({ "role": "admin" }), ""),
        Ask::new("a member as owner", (patch.clone(), &member), json!({ "role": "owner" }), ""),
        Ask::new(
            "another's answers in Slack",
            (put.clone(), "/v1/slack/people/U0SOCK"),
            json!({ "user": house.second_user }),
            &format!("slack link U0SOCK {}", house.second_user),
        ),
        Ask::new(
            "a token of another person",
            (post.clone(), &format!("/v1/members/{}/tokens", house.second_user)),
            json!({ "name": "sock" }),
            &format!("tokens create sock --user {}", house.second_user),
        ),
        Ask::new(
            "the link of another's invitation",
            (post.clone(), &format!("/v1/invitations/{}/link", ids.invitation)),
            Value::Null,
            &format!("invitations link {}", ids.invitation),
        ),
        // Settings of the organization.
        Ask::new(
            "a shorter retention",
            (patch.clone(), org),
            json!({ "receipts_kept_days": 1 }),
            "org set --keep-receipts-days 1",
        ),
        Ask::new(
            "an end of the legal hold",
            (patch.clone(), org),
            json!({ "legal_hold": false }),
            "org set --legal-hold false",
        ),
        Ask::new(
            "a smaller quorum",
            (patch.clone(), org),
            json!({ "approval_quorum": 1 }),
            "org set --quorum 1",
        ),
        Ask::new(
            "no four eyes",
            (patch.clone(), org),
            json!({ "approval_four_eyes": false }),
            "org set --four-eyes false",
        ),
        Ask::new(
            "one person",
            (patch.clone(), org),
            json!({ "loosening": "one" }),
            "org set --loosening one",
        ),
        // Stops.
        Ask::new(
            "a resumption",
            (put.clone(), "/v1/conduct"),
            conduct("normal"),
            "resume --agent wild --reason please",
        ),
        Ask::new(
            "a dry run instead of a stop",
            (put.clone(), "/v1/conduct"),
            conduct("dry_run"),
            "stop --agent wild --dry-run --reason please",
        ),
        // Rules and spaces.
        Ask::new(
            "a rule",
            (put.clone(), rules),
            json!({ "action": "linear.create_issue", "mode": "allow" }),
            "rules set linear.create_issue allow",
        ),
        Ask::new(
            "a rule for a source",
            (put.clone(), rules),
            json!({ "action": "linear.*", "mode": "allow" }),
            "rules set linear.* allow",
        ),
        Ask::new(
            "a rule for everything",
            (put.clone(), rules),
            json!({ "action": "*", "mode": "allow" }),
            "rules set * allow",
        ),
        Ask::new(
            "a rule of an automation",
            (put.clone(), rules),
            json!({ "action": "linear.create_issue", "mode": "allow", "automation": ids.automation }),
            "",
        ),
        Ask::new(
            "asking instead of denying",
            (put.clone(), rules),
            json!({ "action": "slack.*", "mode": "require_approval" }),
            "rules set slack.* require_approval",
        ),
        Ask::new(
            "a rule less",
            (delete, &format!("{rules}/{}", ids.rule)),
            Value::Null,
            &format!("rules remove {}", ids.rule),
        ),
        Ask::new(
            "a less careful space",
            (patch.clone(), &space),
            json!({ "risk_band": "green" }),
            &format!("spaces set {} --band green", ids.space),
        ),
        Ask::new(
            "a space for everyone",
            (patch.clone(), &space),
            json!({ "open_to": "everyone" }),
            &format!("spaces set {} --open-to everyone", ids.space),
        ),
        Ask::new(
            "credentials in a space",
            (patch, &space),
            json!({ "outbound_redaction": false }),
            &format!("spaces set {} --outbound-redaction false", ids.space),
        ),
        Ask::new(
            "a green space",
            (post, "/v1/spaces"),
            json!({ "slug": slug, "name": "Mine", "risk_band": "green" }),
            &format!("spaces create {slug} --name Mine --band green"),
        ),
        Ask::new(
            "a place in a space",
            (put, &format!("{space}/members/{}", ids.member)),
            json!({ "capabilities": ["*"] }),
            &format!("spaces members set {} {} --capability *", ids.space, ids.member),
        ),
    ])
}

#[tokio::test]
async fn nobody_alone_loosens_what_protects_the_organization() -> anyhow::Result<()> {
    let house = House::set().await?;
    let (mut tried, mut wrong, mut waiting) = (0, Vec::new(), 0);
    for insider in &house.insiders {
        for ask in acts(&house, insider).await? {
            for channel in CHANNELS {
                let before = house.state().await?;
                withdraw_all(&house.app, house.app.org).await?;
                let Some(outcome) = house.ask(insider, channel, &ask).await? else { continue };
                tried += 1;
                waiting += usize::from(matches!(outcome, Outcome::Waits(_)));
                if outcome.is_done() || before != house.state().await? {
                    wrong.push(format!("{} got {} over {channel:?}: {outcome:?}", insider.name, ask.name));
                }
            }
        }
    }
    anyhow::ensure!(waiting > 50, "only {waiting} of {tried} wait for somebody: {wrong:?}");
    report("acts of one request, over HTTP, web and command line", tried, &wrong);
    Ok(())
}

#[tokio::test]
async fn nobody_agrees_with_themselves_or_for_others() -> anyhow::Result<()> {
    let house = House::set().await?;
    let (mut tried, mut wrong) = (0, Vec::new());
    for insider in &house.insiders {
        for ask in acts(&house, insider).await? {
            withdraw_all(&house.app, house.app.org).await?;
            let Some(Outcome::Waits(id)) = house.ask(insider, CHANNELS[0], &ask).await? else { continue };
            let path = format!("/v1/proposed-changes/{id}");
            let shown = house.by_second(Method::GET, &path, Value::Null).await?;
            let yes = Ask::new(
                "their own proposal",
                (Method::POST, &format!("{path}/approve")),
                json!({ "digest": shown.body["digest"] }),
                &format!("changes approve {id}"),
            );
            let before = house.state().await?;
            for channel in CHANNELS {
                let Some(outcome) = house.ask(insider, channel, &yes).await? else { continue };
                tried += 1;
                if outcome.is_done() || before != house.state().await? {
                    wrong.push(format!(
                        "{} agreed to {} over {channel:?}: {outcome:?}",
                        insider.name, ask.name
                    ));
                }
            }
        }
    }
    report("agreeing to their own proposals", tried, &wrong);
    Ok(())
}

/// The control: where one person may loosen, the owner alone does all of it, in every channel that has it.
#[tokio::test]
async fn control_one_person_who_may_loosen_does_all_of_it() -> anyhow::Result<()> {
    let mut controls = 0;
    for channel in &CHANNELS {
        let house = House::set().await?;
        let owner = &house.insiders[0];
        loosening(&house.app, house.app.org, "one").await?;
        // The first two change the connector that the others are about.
        for ask in acts(&house, owner).await?.into_iter().filter(|ask| !NEVER.contains(&ask.name)).rev() {
            let before = house.state().await?;
            let Some(outcome) = house.ask(owner, *channel, &ask).await? else { continue };
            let is_tier = ask.name == "a lower tier";
            let is_changed = before != house.state().await? || is_tier || ask.name == "one person";
            anyhow::ensure!(outcome.is_done() && is_changed, "{} over {channel:?}: {outcome:?}", ask.name);
            controls += 1;
        }
    }
    testkit::tried(17, "control: one person may loosen", controls, controls);
    Ok(())
}

/// The control: with the second owner's yes, what waited is done.
#[tokio::test]
async fn control_with_a_second_yes_it_is_done() -> anyhow::Result<()> {
    let house = House::set().await?;
    let (mut tried, mut done) = (0, 0);
    for insider in &house.insiders {
        for ask in acts(&house, insider).await?.into_iter().rev() {
            let Some(Outcome::Waits(id)) = house.ask(insider, CHANNELS[1], &ask).await? else { continue };
            tried += 1;
            let path = format!("/v1/proposed-changes/{id}");
            let shown = house.by_second(Method::GET, &path, Value::Null).await?;
            let yes = json!({ "digest": shown.body["digest"] });
            let agreed = house.by_second(Method::POST, &format!("{path}/approve"), yes).await?;
            anyhow::ensure!(agreed.body["status"] == "approved", "{}: {}", ask.name, agreed.text);
            done += 1;
            // The rest needs somebody to wait for.
            loosening(&house.app, house.app.org, "two_people").await?;
        }
    }
    testkit::tried(17, "control: a second owner agrees", tried, done);
    anyhow::ensure!(done > 20, "{done} of {tried}");
    Ok(())
}
