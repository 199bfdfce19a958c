//! Approvals signed with a person's passkey: created as browsers create them, stored in the receipt, and invalid for
//! anything else.

use std::time::Duration;

use axum::http::{Method, StatusCode};
use model::Role;
use receipt::passkey::{self, Statement};
use serde_json::{Value, json};
use testkit::{Answered, Passkey, TestApp};

use crate::approvals::answers::{Waiting, answer, ask_merge, perform};

/// A person who may approve, with a token.
struct Approver {
    token: String,
    user: String,
}

async fn approver(app: &TestApp) -> anyhow::Result<Approver> {
    let token = app.person(app.org, Role::Admin).await?;
    let me = app.send(Method::GET, "/v1/me", &token, None).await?;
    Ok(Approver { token, user: text(&me.body["user"]) })
}

fn owner(app: &TestApp) -> Approver {
    Approver { token: app.owner_token.clone(), user: app.owner.to_string() }
}

fn text(value: &Value) -> String {
    value.as_str().unwrap_or_default().to_owned()
}

async fn offer(app: &TestApp, who: &Approver) -> anyhow::Result<Answered> {
    app.send(Method::POST, "/v1/passkeys/registration", &who.token, None).await
}

async fn add(app: &TestApp, who: &Approver, body: Value) -> anyhow::Result<Answered> {
    app.send(Method::POST, "/v1/passkeys", &who.token, Some(body)).await
}

async fn register(app: &TestApp, who: &Approver, device: &Passkey) -> anyhow::Result<Answered> {
    let offered = offer(app, who).await?;
    add(app, who, device.register(&text(&offered.body["challenge"]), "laptop")).await
}

/// Signs a person's verdict about an invocation with a device.
fn sign(
    app: &TestApp,
    who: &Approver,
    device: &Passkey,
    (verdict, waiting): (&str, &Waiting),
) -> anyhow::Result<Value> {
    device.sign(&Statement::Vote {
        org: &app.org.to_string(),
        invocation: &waiting.id,
        user: &who.user,
        verdict,
        shown_digest: &waiting.shown,
    })
}

async fn approve(
    app: &TestApp,
    who: &Approver,
    waiting: &Waiting,
    assertion: &Value,
) -> anyhow::Result<Answered> {
    answer(app, &who.token, ("approve", waiting), json!({ "assertion": assertion, "channel": "web" })).await
}

async fn demand(app: &TestApp, passkey: bool) -> anyhow::Result<Answered> {
    let mut change = json!({ "approval_passkey": passkey });
    if !passkey {
        // Only a passkey switches it off.
        let (device, owner) = (Passkey::new(99)?, owner(app));
        register(app, &owner, &device).await?;
        let at = app.app.world.clock.now().to_string();
        let (org, user) = (app.org.to_string(), &owner.user);
        change["signed"] = device.sign(&Statement::UnsignedApprovals { org: &org, user, at: &at })?;
        change["signed"]["at"] = json!(at);
    }
    app.send(Method::PATCH, "/v1/org", &app.owner_token, Some(change)).await
}

fn refusal(answered: &Answered) -> (StatusCode, String) {
    (answered.status, text(&answered.body["code"]))
}

fn forbidden(code: &str) -> (StatusCode, String) {
    (StatusCode::FORBIDDEN, code.to_owned())
}

/// An organization that requires passkeys, with a person who has one.
async fn signing() -> anyhow::Result<(TestApp, testkit::fakes::FakeGitHub, Approver, Passkey)> {
    let (app, github) = crate::invocations::invoke::with_github().await?;
    github.put_pull_request("Site", &"a".repeat(40));
    let who = approver(&app).await?;
    let device = Passkey::new(7)?;
    let registered = register(&app, &who, &device).await?;
    anyhow::ensure!(registered.status == StatusCode::CREATED, "{}", registered.text);
    let set = demand(&app, true).await?;
    anyhow::ensure!(set.body["approval_passkey"] == true, "{}", set.text);
    Ok((app, github, who, device))
}

#[tokio::test]
async fn a_signed_yes_is_performed_and_anyone_can_check_the_signature() -> anyhow::Result<()> {
    let (app, _github, who, device) = signing().await?;
    let agent = app.agent().await?;
    let waiting = ask_merge(&app, &agent).await?;
    let item = app.send(Method::GET, &format!("/v1/inbox/{}", waiting.id), &who.token, None).await?;
    assert_eq!(item.body["passkey_needed"], true, "{}", item.text);
    let bare = answer(&app, &who.token, ("approve", &waiting), json!({})).await?;
    assert_eq!(refusal(&bare), forbidden("passkey_needed"), "{}", bare.text);

    let signed = sign(&app, &who, &device, ("approved", &waiting))?;
    let said = approve(&app, &who, &waiting, &signed).await?;
    assert_eq!(said.body["status"], "approved", "{}", said.text);
    let ended = perform(&app, &waiting).await?;
    let ended = ended.ok_or_else(|| anyhow::anyhow!("the invocation was not executed"))?;
    assert_eq!(ended.status, model::Status::Succeeded, "{:?}", ended.failure);

    let receipt = ended.receipt.ok_or_else(|| anyhow::anyhow!("no receipt"))?;
    let found = app.send(Method::GET, &format!("/v1/receipts/{receipt}"), &app.owner_token, None).await?;
    let envelope = found.body["envelope"].to_string();
    let keys = || async {
        anyhow::Ok(receipt::KeySet::from_json(&serde_json::to_vec(&app.app.ledger.key_set().await?)?)?)
    };
    let verified = receipt::verify(envelope.as_bytes(), &keys().await?)?;
    assert_eq!(verified.document["approvals"][0]["assertion"]["signature"], signed["signature"]);
    let list = app.send(Method::GET, "/v1/passkeys", &who.token, None).await?;
    assert!(list.body["items"][0]["last_used_at"].is_string(), "{}", list.text);
    let trusted = passkey::read_list(list.text.as_bytes())?;
    receipt::verify(envelope.as_bytes(), &keys().await?.with_passkeys(trusted.clone()))?;
    // With a list of trusted passkeys, a verifier sees that the key belongs to another person.
    let others: Vec<_> =
        trusted.into_iter().map(|kept| passkey::Passkey { user: app.owner.to_string(), ..kept }).collect();
    let refused = receipt::verify(envelope.as_bytes(), &keys().await?.with_passkeys(others));
    assert_eq!(refused.map(|_| ()).unwrap_err().code(), "passkey_unknown");
    app.check_invariants().await
}

/// Assertions that an attacker might send instead of a signature of `who` on `one`, each with the code of the check
/// that refuses it.
fn attacks(
    app: &TestApp,
    (who, device): (&Approver, &Passkey),
    (other, theirs): (&Approver, &Passkey),
    (one, two): (&Waiting, &Waiting),
) -> anyhow::Result<Vec<(&'static str, Value, &'static str)>> {
    let good = sign(app, who, device, ("approved", one))?;
    let changed = |field: &str, value: Value| {
        let mut changed = good.clone();
        changed[field] = value;
        changed
    };
    let with = |change: fn(&mut Passkey)| {
        let mut device = device.clone();
        change(&mut device);
        sign(app, who, &device, ("approved", one))
    };
    Ok(vec![
        (
            "the signature for another invocation",
            sign(app, who, device, ("approved", two))?,
            "assertion_statement",
        ),
        ("a no taken for a yes", sign(app, who, device, ("denied", one))?, "assertion_statement"),
        ("another person's vote", sign(app, other, device, ("approved", one))?, "assertion_statement"),
        ("another person's passkey", sign(app, who, theirs, ("approved", one))?, "passkey_unknown"),
        (
            "another's signature under this name",
            {
                let mut swapped = sign(app, who, theirs, ("approved", one))?;
                swapped["credential"] = good["credential"].clone();
                swapped
            },
            "assertion_signature",
        ),
        (
            "a look-alike page",
            with(|device| {
                device.origin = "https://gateway.test.evil.test".to_owned();
                device.site = "gateway.test.evil.test".to_owned();
            })?,
            "assertion_site",
        ),
        (
            "a page that lies about the site",
            with(|device| device.origin = "https://evil.test".to_owned())?,
            "assertion_site",
        ),
        (
            "another port",
            with(|device| device.origin = "https://gateway.test:8443".to_owned())?,
            "assertion_site",
        ),
        (
            "without encryption",
            with(|device| device.origin = "http://gateway.test".to_owned())?,
            "assertion_site",
        ),
        ("nobody was there", with(|device| device.flags = 0x04)?, "assertion_presence"),
        ("nobody knows who was there", with(|device| device.flags = 0x01)?, "assertion_presence"),
        ("half a signature", changed("signature", json!("MEQCIA")), "assertion_signature"),
        ("no base64url", changed("authenticator_data", json!("??")), "assertion_malformed"),
    ])
}

#[tokio::test]
async fn what_was_signed_for_something_else_or_by_somebody_else_is_refused() -> anyhow::Result<()> {
    let (app, _github, who, device) = signing().await?;
    let other = approver(&app).await?;
    let theirs = Passkey::new(9)?;
    register(&app, &other, &theirs).await?;
    let agent = app.agent().await?;
    let (one, two) = (ask_merge(&app, &agent).await?, ask_merge(&app, &agent).await?);
    let good = sign(&app, &who, &device, ("approved", &one))?;
    for (attack, assertion, name) in attacks(&app, (&who, &device), (&other, &theirs), (&one, &two))? {
        let refused = approve(&app, &who, &one, &assertion).await?;
        assert_eq!(refusal(&refused), forbidden("assertion_refused"), "{attack}: {}", refused.text);
        assert!(text(&refused.body["detail"]).contains(name), "{attack}: {}", refused.text);
    }
    assert_eq!(approve(&app, &who, &one, &good).await?.body["status"], "approved");
    let again = approve(&app, &who, &two, &good).await?;
    assert_eq!(refusal(&again), forbidden("assertion_refused"), "replayed: {}", again.text);
    // With the requirement off, a signature is still checked if there is one, and an answer without one is accepted.
    demand(&app, false).await?;
    let bare = answer(&app, &who.token, ("approve", &two), json!({})).await?;
    assert_eq!(bare.body["status"], "approved", "{}", bare.text);
    Ok(())
}

#[tokio::test]
async fn a_no_needs_no_passkey_and_a_device_that_counts_backwards_is_a_copy() -> anyhow::Result<()> {
    let (app, _github, who, mut device) = signing().await?;
    let agent = app.agent().await?;
    let waiting = ask_merge(&app, &agent).await?;
    let no = answer(&app, &who.token, ("deny", &waiting), json!({ "reason": "not now" })).await?;
    assert_eq!(no.body["status"], "denied", "{}", no.text);
    for (count, code) in
        [(5, None), (5, Some("assertion_refused")), (4, Some("assertion_refused")), (6, None)]
    {
        let waiting = ask_merge(&app, &agent).await?;
        device.count = count;
        let said = approve(&app, &who, &waiting, &sign(&app, &who, &device, ("approved", &waiting))?).await?;
        assert_eq!(said.body["code"].as_str(), code, "{count}: {}", said.text);
    }
    Ok(())
}

#[tokio::test]
async fn a_vote_that_lost_its_signature_is_worth_nothing_when_it_is_performed() -> anyhow::Result<()> {
    for (change, ended) in [
        ("UPDATE approvals SET note = note", model::Status::Succeeded),
        ("UPDATE approvals SET assertion = NULL", model::Status::Denied),
        (
            "UPDATE approvals SET assertion = jsonb_set(assertion, '{signature}', '\"MEQCIA\"')",
            model::Status::Denied,
        ),
    ] {
        let (app, _github, who, device) = signing().await?;
        let waiting = ask_merge(&app, &app.agent().await?).await?;
        let signed = sign(&app, &who, &device, ("approved", &waiting))?;
        approve(&app, &who, &waiting, &signed).await?;
        // The change of an attacker with access to the database.
        let mut owner = app.db.owner().await?;
        sqlx::query("ALTER TABLE approvals NO FORCE ROW LEVEL SECURITY").execute(&mut owner).await?;
        sqlx::query(change).execute(&mut owner).await?;
        let performed = perform(&app, &waiting).await?.map(|performed| performed.status);
        assert_eq!(performed, Some(ended), "{change}");
    }
    Ok(())
}

#[tokio::test]
async fn a_further_passkey_is_signed_by_the_first() -> anyhow::Result<()> {
    let (app, _github, who, first) = signing().await?;
    let second = Passkey::new(8)?;
    let offered = offer(&app, &who).await?;
    assert_eq!(
        (&offered.body["confirm"], offered.body["exclude"].as_array().map(Vec::len)),
        (&json!(true), Some(1))
    );
    let mut body = second.register(&text(&offered.body["challenge"]), "phone");
    let bare = add(&app, &who, body.clone()).await?;
    assert_eq!(refusal(&bare), forbidden("passkey_confirm"), "{}", bare.text);
    let encoded = |bytes: Vec<u8>| {
        use base64::{Engine as _, engine::general_purpose::URL_SAFE_NO_PAD};
        URL_SAFE_NO_PAD.encode(bytes)
    };
    let org = app.org.to_string();
    let statement = |device: &Passkey| (encoded(device.credential.clone()), encoded(device.public_key()));
    for (signer, about, code) in [
        // A new passkey cannot confirm itself, and a confirmation is valid for one key only.
        (&second, &second, Some("assertion_refused")),
        (&first, &first, Some("assertion_refused")),
        (&first, &second, None),
    ] {
        let (credential, public_key) = statement(about);
        body["confirmed_by"] = signer.sign(&Statement::Passkey {
            org: &org,
            user: &who.user,
            credential: &credential,
            public_key: &public_key,
        })?;
        let added = add(&app, &who, body.clone()).await?;
        assert_eq!(added.body["code"].as_str(), code, "{}", added.text);
    }
    let twice = add(&app, &who, body).await?;
    assert_eq!(twice.status, StatusCode::CONFLICT, "{}", twice.text);
    Ok(())
}

#[tokio::test]
async fn a_registration_is_for_its_person_here_and_now() -> anyhow::Result<()> {
    let (app, _github) = crate::invocations::invoke::with_github().await?;
    let none = demand(&app, true).await?;
    assert_eq!(refusal(&none), (StatusCode::CONFLICT, "no_passkeys".to_owned()), "{}", none.text);
    let (who, other) = (approver(&app).await?, approver(&app).await?);
    let device = Passkey::new(7)?;
    let offered = text(&offer(&app, &who).await?.body["challenge"]);
    let refused = |name: &'static str, answered: Answered| {
        assert_eq!(refusal(&answered), forbidden("assertion_refused"), "{name}: {}", answered.text);
        assert!(text(&answered.body["detail"]).contains(name), "{name}: {}", answered.text);
    };
    refused("assertion_statement", add(&app, &other, device.register(&offered, "x")).await?);
    refused("assertion_statement", add(&app, &who, device.register("AAAA", "x")).await?);
    let (mut elsewhere, mut alone) = (device.clone(), device.clone());
    elsewhere.origin = "https://evil.test".to_owned();
    refused("assertion_site", add(&app, &who, elsewhere.register(&offered, "x")).await?);
    alone.flags = 0x01;
    refused("assertion_presence", add(&app, &who, alone.register(&offered, "x")).await?);
    let mut swapped = device.register(&offered, "x");
    swapped["challenge"] = offer(&app, &who).await?.body["challenge"].clone();
    refused("assertion_statement", add(&app, &who, swapped).await?);
    app.advance(Duration::from_secs(301));
    refused("assertion_statement", add(&app, &who, device.register(&offered, "x")).await?);
    let added = register(&app, &who, &device).await?;
    assert_eq!(added.status, StatusCode::CREATED, "{}", added.text);
    // A device can be registered for one person only.
    let taken = register(&app, &other, &device).await?;
    assert_eq!(taken.status, StatusCode::CONFLICT, "{}", taken.text);
    let path = format!("/v1/passkeys/{}", text(&added.body["id"]));
    assert_eq!(app.send(Method::DELETE, &path, &who.token, None).await?.status, StatusCode::FORBIDDEN);
    assert_eq!(app.send(Method::DELETE, &path, &app.owner_token, None).await?.status, StatusCode::NO_CONTENT);
    let list = app.send(Method::GET, &format!("/v1/passkeys?user={}", who.user), &other.token, None).await?;
    assert!(list.body["items"][0]["removed_at"].is_string(), "{}", list.text);
    assert_eq!(refusal(&demand(&app, true).await?).1, "no_passkeys");
    Ok(())
}

#[tokio::test]
async fn whoever_leaves_signs_nothing_more() -> anyhow::Result<()> {
    let (app, _github, who, device) = signing().await?;
    let removed = format!("/v1/members/{}", who.user);
    app.send(Method::DELETE, &removed, &app.owner_token, None).await?;
    let other = approver(&app).await?;
    let list = app.send(Method::GET, &format!("/v1/passkeys?user={}", who.user), &other.token, None).await?;
    assert!(list.body["items"][0]["removed_at"].is_string(), "{}", list.text);
    let waiting = ask_merge(&app, &app.agent().await?).await?;
    let signed = sign(&app, &other, &device, ("approved", &waiting))?;
    let refused = approve(&app, &other, &waiting, &signed).await?;
    assert_eq!(refusal(&refused), forbidden("assertion_refused"), "{}", refused.text);
    Ok(())
}

#[tokio::test]
async fn whatever_makes_signing_easier_is_told_with_who_did_it() -> anyhow::Result<()> {
    let (app, _github, who, _device) = signing().await?;
    app.relay();
    assert_eq!(demand(&app, true).await?.status, StatusCode::OK, "setting the same value is no change");
    assert_eq!(demand(&app, false).await?.status, StatusCode::OK);
    let list = app.send(Method::GET, "/v1/passkeys", &who.token, None).await?;
    let passkey = text(&list.body["items"][0]["id"]);
    app.send(Method::DELETE, &format!("/v1/passkeys/{passkey}"), &app.owner_token, None).await?;

    let mut told: Vec<Value> = Vec::new();
    for _ in 0..600 {
        let path = "/v1/events?type=passkey.*,org.*";
        let found = app.send(Method::GET, path, &app.owner_token, None).await?;
        told = found.body["items"].as_array().cloned().unwrap_or_default();
        if told.iter().any(|event| event["type"] == "passkey.removed") {
            break;
        }
        tokio::time::sleep(Duration::from_millis(50)).await;
    }
    let told: Vec<_> = told.iter().map(|event| (text(&event["type"]), event["data"].clone())).collect();
    let of_passkey = |by: &str| json!({ "passkey": passkey, "user": who.user, "by": by });
    let rule = |asked: bool| {
        json!({
            "approval_quorum": 1, "approval_four_eyes": false, "approval_passkey": asked, "receipts_kept_days": 180, "time_zone": "UTC",
            "legal_hold": false, "loosening": "one", "model_nano_usd_per_day": 10_000_000_000_i64, "model_tokens_per_day": null,
        })
    };
    let owner = app.owner.to_string();
    let change = |before: bool| json!({ "by": owner, "before": rule(before), "after": rule(!before) });
    let expected = [
        ("passkey.added".to_owned(), of_passkey(&who.user)),
        ("org.changed".to_owned(), change(false)),
        ("org.changed".to_owned(), change(true)),
        ("passkey.removed".to_owned(), of_passkey(&owner)),
    ];
    let (records, told): (Vec<_>, Vec<_>) = told
        .into_iter()
        .filter(|(_, data)| text(&data["user"]) != owner)
        .partition(|(event_type, _)| event_type == "org.change.recorded");
    assert_eq!(told, expected);
    let recorded: Vec<_> = records.iter().map(|(_, data)| text(&data["change"])).collect();
    for kind in ["passkey.added", "org.changed", "passkey.removed"] {
        assert!(recorded.iter().any(|recorded| recorded == kind), "{kind} is not among {recorded:?}");
    }
    Ok(())
}
