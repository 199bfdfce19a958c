//! People are notified in Slack about pending invocations and answer there.

use std::time::Duration;

use axum::http::{Method, StatusCode};
use catalog::SourceUrls;
use model::Role;
use platform::config::Limits;
use serde_json::{Value, json};
use testkit::{
    Agent, Answered, TestApp,
    fakes::{FakeLinear, FakeSlack, Fault, Press, SignedClick},
};

use crate::{
    approvals::answers::{self, Waiting},
    invocations::invoke::issue,
};

pub(crate) const SECRET: &str = "a-signing-secret-of-slack";
pub(crate) const APPROVE: &str = "countersign_approve";
pub(crate) const DENY: &str = "countersign_deny";
const BOT: &str = "xoxb-of-the-bot";
const LINEAR: &str = "lin_api_test";

/// An app that notifies people in Slack: `U0ADMIN` is an admin, `U0MEMBER` a member.
pub(crate) struct Told {
    pub(crate) app: TestApp,
    pub(crate) linear: FakeLinear,
    pub(crate) slack: FakeSlack,
    pub(crate) agent: Agent,
}

impl Told {
    pub(crate) async fn start() -> anyhow::Result<Self> {
        let (linear, slack) = (FakeLinear::start(LINEAR).await, FakeSlack::start(BOT).await);
        let urls = SourceUrls::default()
            .with(&catalog::integrations::LINEAR, linear.url().parse()?)
            .with(&catalog::integrations::SLACK, slack.url().parse()?);
        let limits =
            Limits { invocations_per_minute: 1_000_000, pending_per_session: 1_000, ..Limits::default() };
        let app = TestApp::with(urls, limits).await?;
        app.connect("linear", LINEAR).await?;
        app.connect("slack", BOT).await?;
        let agent = app.agent().await?;
        let told = Self { app, linear, slack, agent };
        told.put("/v1/secrets/slack-signing-secret", json!({"value": SECRET})).await?;
        let notifier = json!({"kind": "slack", "target": "C0GENERAL"});
        let added = told.owner(Method::POST, "/v1/notifiers", Some(notifier)).await?;
        anyhow::ensure!(added.status == StatusCode::CREATED, "{}", added.text);
        told.link("U0ADMIN", Role::Admin).await?;
        told.link("U0MEMBER", Role::Member).await?;
        told.app.notify();
        Ok(told)
    }

    pub(crate) async fn owner(
        &self,
        method: Method,
        path: &str,
        body: Option<Value>,
    ) -> anyhow::Result<Answered> {
        self.app.send(method, path, &self.app.owner_token, body).await
    }

    async fn put(&self, path: &str, body: Value) -> anyhow::Result<()> {
        let done = self.owner(Method::PUT, path, Some(body)).await?;
        anyhow::ensure!(done.status == StatusCode::OK, "{path}: {}", done.text);
        Ok(())
    }

    /// Adds a person and links a Slack user to them; returns the person's id.
    pub(crate) async fn link(&self, slack_user: &str, role: Role) -> anyhow::Result<String> {
        let token = self.app.person(self.app.org, role).await?;
        let user = self.app.send(Method::GET, "/v1/me", &token, None).await?.body["user"].clone();
        self.put(&format!("/v1/slack/people/{slack_user}"), json!({"user": user})).await?;
        Ok(user.as_str().unwrap_or_default().to_owned())
    }

    pub(crate) async fn ask(&self, title: &str) -> anyhow::Result<Waiting> {
        answers::ask(&self.app, &self.agent, title).await
    }

    /// Waits for the message about an invocation to be as `wanted`.
    pub(crate) async fn message(
        &self,
        waiting: &Waiting,
        wanted: impl Fn(&Value) -> bool,
    ) -> anyhow::Result<Value> {
        for _ in 0..3_000 {
            let all = self.slack.messages();
            let found = all.into_iter().find(|message| message.to_string().contains(&waiting.id));
            if let Some(message) = found.filter(&wanted) {
                return Ok(message);
            }
            tokio::time::sleep(Duration::from_millis(20)).await;
        }
        anyhow::bail!("no such message: {:?}", self.slack.messages())
    }

    /// Requests an invocation and waits for the message with buttons.
    pub(crate) async fn asked(&self, title: &str) -> anyhow::Result<(Waiting, Value)> {
        let waiting = self.ask(title).await?;
        let message = self.message(&waiting, |message| message.to_string().contains(APPROVE)).await?;
        // A click that arrives before our own commit is refused because the message is not known yet, and the person
        // has to click again. So wait for the commit.
        for _ in 0..3_000 {
            let mut tx = self.app.app.db.begin(self.app.org).await?;
            let known: bool = sqlx::query_scalar("SELECT count(ts) > 0 FROM notices WHERE subject = $1")
                .bind(&waiting.id)
                .fetch_one(&mut *tx)
                .await?;
            if known {
                return Ok((waiting, message));
            }
            tokio::time::sleep(Duration::from_millis(20)).await;
        }
        anyhow::bail!("the message was never recorded")
    }

    pub(crate) fn now(&self) -> i64 {
        self.app.app.world.clock.now().as_second()
    }

    pub(crate) async fn deliver(&self, click: &SignedClick) -> anyhow::Result<Answered> {
        self.app.request(click.request(&self.app.org.to_string())?).await
    }

    /// A user's click on a button, as Slack would send it now.
    pub(crate) async fn press(&self, message: &Value, user: &str, action: &str) -> anyhow::Result<Answered> {
        let press =
            Press::of(message, user, action).ok_or_else(|| anyhow::anyhow!("no button: {message}"))?;
        self.deliver(&press.signed(SECRET, self.now())).await
    }

    /// Waits until an invocation has a status: on a busy machine a click is answered before it has taken effect.
    pub(crate) async fn becomes(&self, waiting: &Waiting, status: &str) -> anyhow::Result<()> {
        for _ in 0..1_000 {
            if self.status(waiting).await? == status {
                return Ok(());
            }
            tokio::time::sleep(Duration::from_millis(50)).await;
        }
        anyhow::bail!("it is {}, not {status}", self.status(waiting).await?)
    }

    pub(crate) async fn status(&self, waiting: &Waiting) -> anyhow::Result<String> {
        let found = self.owner(Method::GET, &format!("/v1/invocations/{}", waiting.id), None).await?;
        Ok(found.body["status"].as_str().unwrap_or_default().to_owned())
    }
}

fn shows(state: &'static str) -> impl Fn(&Value) -> bool {
    move |message| {
        let text = message.to_string();
        text.contains(&format!("No longer pending: {state}")) && !text.contains(APPROVE)
    }
}

/// The text shown to the person who clicked: the expected one, or on a busy machine the one that says that it takes
/// longer.
pub(crate) fn said(pressed: &Answered, expected: &str) -> String {
    assert_eq!(pressed.status, StatusCode::OK, "{}", pressed.text);
    let said = pressed.body["text"].as_str().unwrap_or_default();
    assert!(said == expected || said.starts_with("This takes longer than usual"), "{said}");
    said.to_owned()
}

#[tokio::test]
async fn what_is_asked_is_told_in_slack_approved_there_performed_and_the_message_says_so()
-> anyhow::Result<()> {
    let told = Told::start().await?;
    let (waiting, message) = told.asked("Please").await?;
    let shown = message.to_string();
    assert!(
        shown.contains("test-agent") && shown.contains("linear.create_issue") && shown.contains("R2"),
        "{shown}"
    );
    assert!(shown.contains("Please") && shown.contains("Pending until"), "{shown}");

    let pressed = told.press(&message, "U0ADMIN", APPROVE).await?;
    assert_eq!(pressed.body["response_type"], "ephemeral");
    let said = said(&pressed, "Approved. The action is being executed.");
    told.message(&waiting, shows("approved")).await?;
    let done = answers::perform(&told.app, &waiting).await?;
    assert!(done.is_some_and(|done| done.status == model::Status::Succeeded));
    assert_eq!(told.linear.effects().values().sum::<u64>(), 1);
    told.message(&waiting, shows("succeeded")).await?;
    assert_eq!(told.slack.messages().len(), 1, "the message is changed, not repeated");
    // The ephemeral message is sent at the same time as the answer, so it may arrive a little later.
    for _ in 0..3_000 {
        if !told.slack.whispers().is_empty() {
            break;
        }
        tokio::time::sleep(Duration::from_millis(20)).await;
    }
    assert_eq!(told.slack.whispers(), [("U0ADMIN".to_owned(), said)]);

    let path = format!("/v1/sessions/{}/invocations/{}/decision", told.agent.session, waiting.id);
    let decision = told.owner(Method::GET, &path, None).await?;
    assert_eq!(decision.body["votes"][0]["channel"], "slack", "{}", decision.text);
    told.app.check_invariants().await
}

#[tokio::test]
async fn a_no_in_slack_ends_it_and_what_expires_loses_its_buttons() -> anyhow::Result<()> {
    let told = Told::start().await?;
    let (late, _) = told.asked("Nobody answers").await?;
    let mut heard = Vec::new();
    // A busy machine may take longer at times, but not every time.
    while heard.last().is_none_or(|said| said != "Denied.") {
        assert!(heard.len() < 5, "{heard:?}");
        let (waiting, message) = told.asked("Rather not").await?;
        heard.push(said(&told.press(&message, "U0ADMIN", DENY).await?, "Denied."));
        told.message(&waiting, shows("denied")).await?;
        assert_eq!(told.status(&waiting).await?, "denied");
    }
    told.app.advance(Duration::from_secs(5 * 60));
    assert_eq!(told.app.app.pipeline.approvals().sweep().await?, 1);
    told.message(&late, shows("expired")).await?;
    assert!(told.linear.effects().is_empty());
    told.app.check_invariants().await
}

#[tokio::test]
async fn what_is_asked_again_is_told_again_and_the_old_buttons_do_nothing() -> anyhow::Result<()> {
    let told = Told::start().await?;
    let (waiting, old) = told.asked("Wrong").await?;
    let body = json!({
        "shown_digest": waiting.shown, "params": crate::invocations::invoke::issue("Right"), "note": "a typo",
    });
    let edited =
        told.owner(Method::POST, &format!("/v1/invocations/{}/edit", waiting.id), Some(body)).await?;
    assert_eq!(edited.status, StatusCode::OK, "{}", edited.text);
    let is_new = |message: &Value| {
        let text = message.to_string();
        text.contains("Edited by") && text.contains("a typo") && text.contains(APPROVE)
    };
    let new = told.message(&waiting, is_new).await?;
    told.press(&old, "U0ADMIN", APPROVE).await?;
    assert_eq!(told.status(&waiting).await?, "pending");
    told.press(&new, "U0ADMIN", APPROVE).await?;
    told.becomes(&waiting, "approved").await?;
    answers::perform(&told.app, &waiting).await?;
    assert_eq!(told.linear.issues_titled("Right").len(), 1);
    assert_eq!((told.linear.issues_titled("Wrong").len(), told.slack.messages().len()), (0, 1));
    told.app.check_invariants().await
}

#[tokio::test]
async fn what_does_not_fit_is_pointed_at_and_cannot_be_approved_in_slack() -> anyhow::Result<()> {
    let told = Told::start().await?;
    let mut params = issue("Long");
    params["description"] = json!("word ".repeat(2_000));
    let asked = told.app.invoke(&told.agent, "linear.create_issue", params).await?;
    let waiting =
        Waiting { id: asked.body["id"].as_str().unwrap_or_default().to_owned(), shown: String::new() };
    let message = told.message(&waiting, |_| true).await?.to_string();
    assert!(!message.contains(APPROVE) && message.contains("https://gateway.test/"), "{message}");
    assert!(message.contains("characters are not shown here"), "{message}");
    Ok(())
}

#[tokio::test]
async fn what_slack_refuses_is_tried_again_no_sooner_than_it_says() -> anyhow::Result<()> {
    let told = Told::start().await?;
    told.slack.fault(Fault::Fail { status: 429, retry_after: Some(30), body: json!({}) });
    let waiting = told.ask("Later").await?;
    let state = || async {
        let mut tx = told.app.app.db.begin(told.app.org).await?;
        let row: Option<(String, i32, Option<String>)> =
            sqlx::query_as("SELECT status, attempts, last_error FROM notices")
                .fetch_optional(&mut *tx)
                .await?;
        anyhow::Ok(row)
    };
    let mut seen = None;
    for _ in 0..3_000 {
        seen = state().await?.filter(|(_, _, error)| error.is_some());
        if seen.is_some() {
            break;
        }
        tokio::time::sleep(Duration::from_millis(20)).await;
    }
    assert_eq!(seen, Some(("pending".to_owned(), 1, Some("Slack answered 429".to_owned()))));
    told.app.advance(Duration::from_secs(29));
    assert_eq!(told.app.app.notify.send_due().await?, 0);
    told.app.advance(Duration::from_secs(1));
    assert_eq!(told.app.app.notify.send_due().await?, 1);
    told.message(&waiting, |_| true).await?;
    assert_eq!(state().await?.map(|row| row.0).as_deref(), Some("sent"));
    Ok(())
}

#[tokio::test]
async fn a_request_for_a_grant_is_told_and_its_answer_too() -> anyhow::Result<()> {
    let told = Told::start().await?;
    let path = format!("/v1/sessions/{}/grants/request", told.agent.session);
    let body = json!({"action": "linear.create_issue", "reason": "<!channel> triage"});
    let asked = told.app.send(Method::POST, &path, &told.agent.token, Some(body)).await?;
    let id = asked.body["id"].as_str().unwrap_or_default().to_owned();
    let waiting = Waiting { id: id.clone(), shown: String::new() };
    let message = told.message(&waiting, |_| true).await?;
    assert!(!message["text"].to_string().contains("<!channel>") && !message.to_string().contains(APPROVE));
    let answer = format!("/v1/grant-requests/{id}/answer");
    told.owner(Method::POST, &answer, Some(json!({"give": false}))).await?;
    told.message(&waiting, shows("denied")).await?;
    Ok(())
}

#[tokio::test]
async fn two_processes_never_send_one_notice_twice() -> anyhow::Result<()> {
    let told = Told::start().await?;
    let registry = catalog::Registry::builtin(&SourceUrls::default())?;
    let other = told.app.another_gateway(registry).await?;
    let mut all = Vec::new();
    for number in 0..20 {
        all.push(told.ask(&format!("{number}")).await?);
    }
    // Both processes send in addition to what the follower starts by itself.
    for _ in 0..20 {
        let (one, two) = tokio::join!(told.app.app.notify.send_due(), other.notify.send_due());
        one?;
        two?;
    }
    for waiting in &all {
        told.message(waiting, |_| true).await?;
    }
    assert_eq!(told.slack.messages().len(), 20);
    Ok(())
}
