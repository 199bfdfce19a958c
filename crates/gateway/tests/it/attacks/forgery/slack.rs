//! Attack 12, clicks in Slack: forged, replayed, stale, of another person, malformed, slow. None changes anything. In
//! the control the signature is not checked, and the click that it had refused approves.

use std::time::Duration;

use axum::http::Method;
use model::Role;
use notify::Click;
use platform::shutdown::Shutdown;
use serde_json::{Value, json};
use testkit::{
    Answered, TestApp,
    fakes::{Press, SignedClick, form},
};
use tokio::{
    io::{AsyncReadExt as _, AsyncWriteExt as _},
    net::{TcpListener, TcpStream},
};

use crate::{
    approvals::answers::{self, Waiting},
    approvals::slack::{APPROVE, DENY, SECRET, Told, said},
    invocations::invoke::issue,
};

/// A pending invocation, the message about it, and a click that would approve it.
struct Ground {
    told: Told,
    waiting: Waiting,
    message: Value,
}

impl Ground {
    async fn set() -> anyhow::Result<Self> {
        let told = Told::start().await?;
        let (waiting, message) = told.asked("Please").await?;
        Ok(Self { told, waiting, message })
    }

    fn press(&self, user: &str) -> anyhow::Result<Press> {
        Press::of(&self.message, user, APPROVE).ok_or_else(|| anyhow::anyhow!("no button"))
    }

    fn click(&self) -> anyhow::Result<SignedClick> {
        Ok(self.press("U0ADMIN")?.signed(SECRET, self.told.now()))
    }

    /// The number of votes, and the number of invocations that are not pending.
    async fn changed(&self) -> anyhow::Result<(i64, i64)> {
        let mut tx = self.told.app.app.db.begin(self.told.app.org).await?;
        let counted = sqlx::query_as(
            "SELECT (SELECT count(*) FROM approvals),
                    (SELECT count(*) FROM invocations WHERE status <> 'pending')",
        );
        Ok(counted.fetch_one(&mut *tx).await?)
    }

    async fn assert_untouched(&self) -> anyhow::Result<()> {
        assert_eq!(self.changed().await?, (0, 0));
        assert_eq!(self.told.status(&self.waiting).await?, "pending");
        assert!(self.told.linear.effects().is_empty());
        Ok(())
    }
}

fn unsigned(answer: &Answered) -> bool {
    answer.status == 401 && answer.body["code"] == "unauthenticated"
}

/// Delivers clicks that must all be refused with the same answer before they are parsed; returns how many were not.
async fn refused(told: &Told, clicks: &[SignedClick]) -> anyhow::Result<usize> {
    let mut wrong = 0;
    let mut first: Option<String> = None;
    for click in clicks {
        let answer = told.deliver(click).await?;
        let same = first.get_or_insert_with(|| answer.text.clone()) == &answer.text;
        wrong += usize::from(!unsigned(&answer) || !same);
    }
    Ok(wrong)
}

/// A text with one byte changed.
fn flipped(text: &str, at: usize, to: u8) -> String {
    let mut bytes = text.as_bytes().to_vec();
    bytes[at] = if bytes[at] == to { to + 1 } else { to };
    String::from_utf8_lossy(&bytes).into_owned()
}

#[tokio::test]
async fn no_byte_of_a_signed_click_can_be_another() -> anyhow::Result<()> {
    let ground = Ground::set().await?;
    let right = ground.click()?;
    let mut forged = Vec::new();
    for at in 0..right.signature.len() {
        forged.push(SignedClick { signature: flipped(&right.signature, at, b'0'), ..right.clone() });
    }
    for at in 0..right.timestamp.len() {
        forged.push(SignedClick { timestamp: flipped(&right.timestamp, at, b'1'), ..right.clone() });
    }
    for at in 0..right.body.len() {
        forged.push(SignedClick { body: flipped(&right.body, at, b'x'), ..right.clone() });
    }
    let wrong = refused(&ground.told, &forged).await?;
    testkit::tried(12, "every byte of signature, time and body", forged.len(), wrong);
    assert!(forged.len() >= 500 && wrong == 0, "{wrong} of {}", forged.len());
    ground.assert_untouched().await?;
    // The change was the only reason for the refusal: the unchanged click is accepted.
    said(&ground.told.deliver(&right).await?, "Approved. The action is being executed.");
    ground.told.becomes(&ground.waiting, "approved").await
}

#[tokio::test]
async fn what_is_not_signed_with_this_orgs_secret_now_is_refused_alike() -> anyhow::Result<()> {
    let ground = Ground::set().await?;
    let (told, now) = (&ground.told, ground.told.now());
    let (right, press) = (ground.click()?, ground.press("U0ADMIN")?);
    let none = String::new;
    let mut forged = vec![
        SignedClick { signature: none(), ..right.clone() },
        SignedClick { timestamp: none(), ..right.clone() },
        SignedClick { signature: right.signature.replace("v0=", "v1="), ..right.clone() },
        SignedClick { signature: right.signature.to_uppercase(), ..right.clone() },
        SignedClick { signature: format!("{}0", right.signature), ..right.clone() },
        SignedClick { signature: format!("{},{}", right.signature, right.signature), ..right.clone() },
        SignedClick { timestamp: format!("+{}", right.timestamp), ..right.clone() },
        SignedClick { timestamp: format!("0{}", right.timestamp), ..right.clone() },
    ];
    for secret in ["", "another-orgs-secret", "\0", &"a".repeat(1_000), &SECRET[1..]] {
        forged.push(press.signed(secret, now));
    }
    for off in [301, 600, 86_400, 10_000_000] {
        forged.extend([press.signed(SECRET, now - off), press.signed(SECRET, now + off)]);
    }
    forged.extend([press.signed(SECRET, 0), press.signed(SECRET, -now), press.signed(SECRET, i64::MAX)]);
    let mut wrong = refused(told, &forged).await?;
    // An organization without a secret, one with its own secret, one that does not exist, and invalid organization ids.
    let (bare, _) = told.app.another_org().await?;
    let (other, owner) = told.app.another_org().await?;
    let secret = Some(json!({"value": "another-orgs-secret"}));
    told.app.send(Method::PUT, "/v1/secrets/slack-signing-secret", &owner, secret).await?;
    let never = format!("org_{}", "0".repeat(32));
    let like = told.deliver(&forged[0]).await?.text;
    for org in [&*bare.to_string(), &other.to_string(), &never, "nobody", "org_", "%00", "..%2f"] {
        let answer = told.app.request(right.request(org)?).await?;
        wrong += usize::from(!unsigned(&answer) || answer.text != like);
    }
    testkit::tried(12, "secrets, moments and orgs", forged.len() + 7, wrong);
    assert_eq!(wrong, 0);
    ground.assert_untouched().await
}

#[tokio::test]
async fn a_click_counts_once_however_often_it_is_sent() -> anyhow::Result<()> {
    let ground = Ground::set().await?;
    let click = ground.click()?;
    let all = futures::future::try_join_all((0..20).map(|_| ground.told.deliver(&click))).await?;
    let counted = all.iter().filter(|answer| answer.status == 200).count();
    let replayed = all.iter().filter(|answer| answer.body["code"] == "click_replayed").count();
    assert_eq!((counted, replayed), (1, 19));
    ground.told.becomes(&ground.waiting, "approved").await?;
    assert_eq!(ground.changed().await?, (1, 1));
    // Once the gateway has forgotten the click, the click is too old anyway.
    ground.told.app.advance(Duration::from_secs(601));
    assert_eq!(ground.told.app.app.notify.purge_clicks().await?, 1);
    assert!(unsigned(&ground.told.deliver(&click).await?));
    testkit::tried(12, "replays", 20, 0);
    Ok(())
}

#[tokio::test]
async fn a_click_of_somebody_who_may_not_answer_changes_nothing() -> anyhow::Result<()> {
    let ground = Ground::set().await?;
    let told = &ground.told;
    let lowered = told.link("U0LOWERED", Role::Admin).await?;
    let removed = told.link("U0REMOVED", Role::Admin).await?;
    told.link("U0UNLINKED", Role::Admin).await?;
    told.owner(Method::DELETE, "/v1/slack/people/U0UNLINKED", None).await?;
    let mut tx = told.app.app.db.begin(told.app.org).await?;
    let uuid = |id: &str| id.parse::<model::UserId>().map(model::UserId::uuid);
    sqlx::query("UPDATE memberships SET role = 'member' WHERE user_id = $1")
        .bind(uuid(&lowered)?)
        .execute(&mut *tx)
        .await?;
    sqlx::query("DELETE FROM memberships WHERE user_id = $1").bind(uuid(&removed)?).execute(&mut *tx).await?;
    platform::db::commit(tx).await?;
    let strangers =
        ["U0LOWERED", "U0REMOVED", "U0UNLINKED", "U0MEMBER", "U0STRANGER", "", "u0admin", "U0ADMIN "];
    for action in [APPROVE, DENY] {
        for user in strangers {
            let press = Press { action: action.to_owned(), ..ground.press(user)? };
            let answer = told.deliver(&press.signed(SECRET, told.now())).await?;
            assert_eq!(answer.status, 200, "{}", answer.text);
        }
    }
    testkit::tried(12, "people who may not", 2 * strangers.len(), 0);
    ground.assert_untouched().await
}

#[tokio::test]
async fn a_stale_or_foreign_click_changes_nothing() -> anyhow::Result<()> {
    let ground = Ground::set().await?;
    let told = &ground.told;
    let (other, other_message) = told.asked("Other").await?;
    let press = ground.press("U0ADMIN")?;
    let shown = &ground.waiting.shown;
    // An invocation of another organization, clicked at this organization's address by this organization's admin.
    let (_, owner) = told.app.another_org().await?;
    let connected = json!({"name": "linear", "token": "lin_api_test"});
    told.app.send(Method::PUT, "/v1/connections/linear", &owner, Some(connected)).await?;
    let foreign = told.app.agent_of(&owner).await?;
    let asked = told.app.invoke(&foreign, "linear.create_issue", issue("Foreign")).await?;
    let foreign = answers::opened_by(&told.app, &owner, &asked.body["id"]).await?;
    let mut presses = vec![];
    for value in [
        format!("{} {}", ground.waiting.id, other.shown),
        format!("{} sha256:{}", ground.waiting.id, "0".repeat(64)),
        format!("{} {shown}", other.id),
        format!("{} {}", foreign.id, foreign.shown),
        format!("{} {shown}", ground.waiting.id.replace("inv_", "ses_")),
        ground.waiting.id.clone(),
        String::new(),
    ] {
        presses.push(Press { value, ..press.clone() });
    }
    // The right button under another message of ours, or under a message that is not ours.
    let ts = other_message["ts"].as_str().unwrap_or_default().to_owned();
    presses.push(Press { ts, ..press.clone() });
    presses.push(Press { ts: "1700000000.999999".to_owned(), ..press.clone() });
    presses.push(Press { channel: "C0ELSEWHERE".to_owned(), ..press.clone() });
    presses.push(Press { action: "somebody_elses".to_owned(), ..press.clone() });
    for press in &presses {
        let answer = told.deliver(&press.signed(SECRET, told.now())).await?;
        assert!(answer.status == 200 || answer.status == 422, "{}", answer.text);
    }
    ground.assert_untouched().await?;
    // The invocation was denied elsewhere, or has expired: the click is too late.
    let path = format!("/v1/invocations/{}/deny", ground.waiting.id);
    let denied = told.owner(Method::POST, &path, Some(json!({"shown_digest": shown}))).await?;
    assert_eq!(denied.status, 200, "{}", denied.text);
    let late = told.deliver(&press.signed(SECRET, told.now())).await?;
    assert_eq!(late.body["text"], "Not counted: the invocation is already denied.");
    told.app.advance(Duration::from_secs(5 * 60));
    let late = told.press(&other_message, "U0ADMIN", APPROVE).await?;
    assert_eq!(late.body["text"], "Not counted: the invocation expired without an answer.");
    testkit::tried(12, "stale and foreign", presses.len() + 2, 0);
    assert_eq!(ground.changed().await?, (1, 2), "one was denied, and one expired");
    assert!(told.linear.effects().is_empty());
    Ok(())
}

/// Bodies that are almost valid clicks.
fn misshapen(press: &Press) -> anyhow::Result<Vec<String>> {
    let (payload, right) = (press.payload(), form(&press.payload().to_string()));
    let two = json!([payload["actions"][0], payload["actions"][0]]);
    let changed = |name: &str, value: Value| {
        let mut changed = payload.clone();
        changed[name] = value;
        form(&changed.to_string())
    };
    let repeated = payload.to_string().replacen('{', r#"{"type":"block_actions","#, 1);
    let mut bodies = vec![
        String::new(),
        payload.to_string(),
        format!("{right}&{right}"),
        format!("{right}&x=1"),
        format!("x=1&{right}"),
        right.replace("payload=", "Payload="),
        right.replace("payload=", "payload[]="),
        form("not json"),
        form(&repeated),
        form(&format!("{}{}", "[".repeat(5_000), "]".repeat(5_000))),
        changed("type", json!("view_submission")),
        changed("type", json!("shortcut")),
        changed("actions", json!([])),
        changed("actions", two),
        changed("user", json!("U0ADMIN")),
        changed("container", json!({})),
    ];
    // Every field that is read, with a value of another type.
    for place in [
        "/type",
        "/user",
        "/user/id",
        "/container",
        "/container/channel_id",
        "/container/message_ts",
        "/actions",
        "/actions/0",
        "/actions/0/action_id",
        "/actions/0/value",
    ] {
        for wrong in [json!(null), json!(7), json!(true), json!(["x"]), json!({"x": 1})] {
            let mut payload = payload.clone();
            *payload.pointer_mut(place).ok_or_else(|| anyhow::anyhow!("no {place}"))? = wrong;
            bodies.push(form(&payload.to_string()));
        }
    }
    Ok(bodies)
}

#[tokio::test]
async fn a_misshapen_click_is_refused_although_it_is_signed() -> anyhow::Result<()> {
    let ground = Ground::set().await?;
    let told = &ground.told;
    let press = ground.press("U0ADMIN")?;
    let bodies = misshapen(&press)?;
    let mut wrong = Vec::new();
    for body in &bodies {
        let answer = told.deliver(&SignedClick::new(SECRET, told.now(), body.clone())).await?;
        if answer.status != 422 {
            wrong.push((body.clone(), answer.text));
        }
    }
    for content_type in ["", "application/json", "text/plain", "multipart/form-data; boundary=x"] {
        let click =
            SignedClick { content_type: content_type.to_owned(), ..press.signed(SECRET, told.now() - 1) };
        told.app.advance(Duration::from_secs(1));
        let answer = told.deliver(&click).await?;
        if answer.status != 422 {
            wrong.push((content_type.to_owned(), answer.text));
        }
    }
    let large = told.deliver(&SignedClick::new(SECRET, told.now(), form(&" ".repeat(64 << 10)))).await?;
    assert_eq!((large.status.as_u16(), large.body["code"].as_str()), (413, Some("too_large")));
    testkit::tried(12, "misshapen", bodies.len() + 5, wrong.len());
    assert!(wrong.is_empty(), "{wrong:#?}");
    ground.assert_untouched().await
}

#[tokio::test]
async fn an_admin_can_neither_set_nor_learn_what_slack_signs_with() -> anyhow::Result<()> {
    let ground = Ground::set().await?;
    let app = &ground.told.app;
    let admin = app.person(app.org, Role::Admin).await?;
    let path = "/v1/secrets/slack-signing-secret";
    let set = app.send(Method::PUT, path, &admin, Some(json!({"value": "a guess"}))).await?;
    assert_eq!((set.status.as_u16(), set.body["code"].as_str()), (403, Some("role_too_low")));
    let mut tried = 1;
    for auth in [
        json!({"kind": "bearer", "secret": "slack-signing-secret"}),
        json!({"kind": "header", "header": "x-key", "secret": "slack-signing-secret"}),
        json!({"kind": "oauth", "secret": "slack-signing-secret"}),
    ] {
        let body = json!({"source": "thief", "kind": "mcp", "place": "http://127.0.0.1:1/mcp", "auth": auth});
        let added = app.send(Method::POST, "/v1/connectors", &admin, Some(body)).await?;
        assert_eq!(added.status, 422, "{}", added.text);
        tried += 1;
    }
    let body = json!({"source": "plain", "kind": "mcp", "place": "http://127.0.0.1:1/mcp"});
    let plain = app.send(Method::POST, "/v1/connectors", &admin, Some(body)).await?;
    assert!(plain.status.is_success(), "{}", plain.text);
    let auth = json!({"auth": {"kind": "bearer", "secret": "slack-signing-secret"}});
    let changed = app.send(Method::PATCH, "/v1/connectors/plain", &admin, Some(auth)).await?;
    assert_eq!(changed.status, 422, "{}", changed.text);
    let forged = ground.press("U0ADMIN")?.signed("a guess", ground.told.now());
    assert!(unsigned(&ground.told.deliver(&forged).await?));
    testkit::tried(12, "an admin after the signing secret", tried + 2, 0);
    ground.assert_untouched().await
}

/// Serves the app at a real address.
async fn listening(app: &TestApp) -> anyhow::Result<(std::net::SocketAddr, Shutdown)> {
    let listener = TcpListener::bind("127.0.0.1:0").await?;
    let address = listener.local_addr()?;
    let shutdown = app.app.shutdown.clone();
    let limits = gateway::Limits::default();
    let serving = gateway::serve(listener, gateway::router(app.app.clone()), limits, shutdown.clone());
    shutdown.spawn(async move { drop(serving.await) });
    Ok((address, shutdown))
}

#[tokio::test]
async fn a_click_that_arrives_byte_by_byte_is_let_go() -> anyhow::Result<()> {
    let ground = Ground::set().await?;
    let (address, shutdown) = listening(&ground.told.app).await?;
    let click = ground.click()?;
    let head = format!(
        "POST /v1/slack/{}/interactions HTTP/1.1\r\nHost: x\r\nContent-Type: {}\r\nX-Slack-Request-Timestamp: {}\r\n\
         X-Slack-Signature: {}\r\nContent-Length: {}\r\n\r\n",
        ground.told.app.org,
        click.content_type,
        click.timestamp,
        click.signature,
        click.body.len()
    );
    let (mut reading, mut writing) = TcpStream::connect(address).await?.into_split();
    writing.write_all(head.as_bytes()).await?;
    let body = click.body.into_bytes();
    shutdown.spawn(async move {
        for byte in body {
            if writing.write_all(&[byte]).await.is_err() {
                return;
            }
            tokio::time::sleep(Duration::from_millis(500)).await;
        }
    });
    let mut answer = vec![0; 1_024];
    let read = tokio::time::timeout(Duration::from_secs(25), reading.read(&mut answer)).await??;
    let answer = String::from_utf8_lossy(&answer[..read]).into_owned();
    assert!(answer.starts_with("HTTP/1.1 408 "), "{answer}");
    shutdown.begin();
    testkit::tried(12, "a slow sender", 1, 0);
    ground.assert_untouched().await
}

#[tokio::test]
async fn without_the_signature_check_the_forged_click_approves() -> anyhow::Result<()> {
    let ground = Ground::set().await?;
    let forged = ground.press("U0ADMIN")?.signed("a guess", 0);
    assert!(unsigned(&ground.told.deliver(&forged).await?));
    ground.assert_untouched().await?;
    let click = Click {
        timestamp: &forged.timestamp,
        signature: &forged.signature,
        content_type: &forged.content_type,
        body: forged.body.as_bytes(),
    };
    let app = &ground.told.app;
    let said = app.app.notify.receive_checked_click(app.org, click).await?;
    assert!(!said.starts_with("Not counted"), "{said}");
    ground.told.becomes(&ground.waiting, "approved").await?;
    testkit::tried(12, "control: the signature is not checked, and the forged click approves", 1, 0);
    Ok(())
}
