//! Attack 2: approve A, perform B. Every way to have another action performed than the approved one is tried many
//! times. In the control the binding itself is forged, and the attack succeeds.

mod moved;
mod parts;

use axum::http::StatusCode;
use model::{InvocationId, Role, Status};
use platform::db::Database;
use serde_json::{Value, json};
use testkit::{Agent, TestApp, fakes::FakeLinear};

use crate::{
    approvals::answers::{Waiting, answer, approve, ask, opened, perform},
    invocations::invoke::with_linear,
};

/// How often each way is tried.
const EACH: usize = 30;

/// The ways of the attack. Each must end without an effect that nobody approved.
const WAYS: [&str; 11] = [
    "the digest of another request",
    "a yes used again for its twin",
    "a yes after the expiry",
    "a key that stands twice",
    "a number beyond 2^53",
    "the credential swapped after the yes",
    "the sealed parameters of another row",
    "the name of the action changed in the row",
    "the digest changed in the row",
    "a rule that forbids it set after the yes",
    "the approver removed after the yes",
];

/// Changes rows as an attacker with access to the database could; row-level security and privileges are lifted for it.
async fn forge(app: &TestApp, statement: &'static str, ids: &[&Waiting]) -> anyhow::Result<()> {
    let mut owner = app.db.owner().await?;
    for lift in [
        "ALTER TABLE invocations NO FORCE ROW LEVEL SECURITY",
        "ALTER TABLE approvals NO FORCE ROW LEVEL SECURITY",
        "ALTER TABLE sessions NO FORCE ROW LEVEL SECURITY",
        "ALTER TABLE memberships NO FORCE ROW LEVEL SECURITY",
    ] {
        sqlx::query(lift).execute(&mut owner).await?;
    }
    let mut query = sqlx::query(statement);
    for waiting in ids {
        query = query.bind(waiting.id.parse::<InvocationId>()?.uuid());
    }
    let changed = query.execute(&mut owner).await?.rows_affected();
    anyhow::ensure!(changed > 0, "nothing was forged by `{statement}`");
    Ok(())
}

struct Scene {
    app: TestApp,
    linear: FakeLinear,
    admin: String,
    agent: Agent,
}

impl Scene {
    async fn set() -> anyhow::Result<Self> {
        let (app, linear) = with_linear().await?;
        let admin = app.person(app.org, Role::Admin).await?;
        let agent = app.agent().await?;
        Ok(Self { app, linear, admin, agent })
    }

    fn effects(&self) -> u64 {
        self.linear.effects().values().sum()
    }

    /// An invocation that an admin approved.
    async fn approved(&self, title: &str) -> anyhow::Result<Waiting> {
        let waiting = ask(&self.app, &self.agent, title).await?;
        let said = answer(&self.app, &self.admin, ("approve", &waiting), json!({})).await?;
        anyhow::ensure!(said.body["status"] == "approved", "{}", said.text);
        Ok(waiting)
    }

    /// Performs an invocation; returns whether it succeeded.
    async fn done(&self, waiting: &Waiting) -> anyhow::Result<bool> {
        let ended = perform(&self.app, waiting).await;
        // Parameters that cannot be decrypted cause an error on every attempt, so nothing is performed either.
        Ok(ended.is_ok_and(|ended| ended.is_some_and(|ended| ended.status == Status::Succeeded)))
    }

    async fn forge(&self, statement: &'static str, ids: &[&Waiting]) -> anyhow::Result<()> {
        forge(&self.app, statement, ids).await
    }

    /// Performs one attack; returns whether something happened that nobody approved.
    async fn attack(&self, way: &str, number: usize) -> anyhow::Result<bool> {
        let title = format!("Harmless {number}");
        let before = self.effects();
        match way {
            "the digest of another request" => {
                let (shown, meant) =
                    (ask(&self.app, &self.agent, &title).await?, ask(&self.app, &self.agent, "Evil").await?);
                let swapped = Waiting { id: meant.id.clone(), shown: shown.shown.clone() };
                let said = answer(&self.app, &self.admin, ("approve", &swapped), json!({})).await?;
                let wrong = said.status != StatusCode::CONFLICT || self.done(&meant).await?;
                self.withdraw(&[&shown, &meant]).await?;
                return Ok(wrong);
            }
            "a yes used again for its twin" => {
                let first = self.approved(&title).await?;
                let twin = ask(&self.app, &self.agent, &title).await?;
                let once = self.done(&first).await? && !self.done(&twin).await?;
                let again = approve(&self.app, &first).await?.status == StatusCode::CONFLICT;
                self.withdraw(&[&twin]).await?;
                return Ok(!(once && again && self.effects() == before + 1));
            }
            "a yes after the expiry" => {
                let late = ask(&self.app, &self.agent, &title).await?;
                self.app.advance(std::time::Duration::from_secs(5 * 60 + 1));
                let said = answer(&self.app, &self.admin, ("approve", &late), json!({})).await?;
                return Ok(said.status != StatusCode::GONE || self.done(&late).await?);
            }
            "a key that stands twice" | "a number beyond 2^53" => {
                let body = if way.starts_with("a key") {
                    format!(
                        r#"{{"action":"linear.create_issue","params":{{"team_id":"11111111-1111-4111-8111-111111111111","title":"{title}","title":"Evil"}}}}"#
                    )
                } else {
                    format!(
                        r#"{{"action":"linear.create_issue","params":{{"team_id":"11111111-1111-4111-8111-111111111111","title":"{title}","priority":9007199254740993}}}}"#
                    )
                };
                let asked = self.app.invoke_raw(&self.agent, body, None).await?;
                return Ok(asked.status != StatusCode::UNPROCESSABLE_ENTITY);
            }
            _ => {}
        }
        let waiting = self.approved(&title).await?;
        self.change(way, &waiting, number).await?;
        let wrong = self.done(&waiting).await? || self.effects() != before;
        self.restore(way).await?;
        self.clear().await?;
        Ok(wrong)
    }

    /// Makes the change between the approval and the execution.
    async fn change(&self, way: &str, waiting: &Waiting, number: usize) -> anyhow::Result<()> {
        match way {
            "the credential swapped after the yes" => self.app.connect("linear", "lin_api_test").await,
            "the sealed parameters of another row" => {
                let evil = ask(&self.app, &self.agent, "Evil").await?;
                let swap = "UPDATE invocations SET params_sealed = (SELECT params_sealed FROM invocations WHERE id = $2) WHERE id = $1";
                self.forge(swap, &[waiting, &evil]).await?;
                self.withdraw(&[&evil]).await
            }
            "the name of the action changed in the row" => {
                self.forge("UPDATE invocations SET action = 'add_comment' WHERE id = $1", &[waiting]).await
            }
            "the digest changed in the row" => {
                self.forge(
                    "UPDATE invocations SET shown_digest = sha256(shown_digest) WHERE id = $1",
                    &[waiting],
                )
                .await
            }
            "a rule that forbids it set after the yes" => {
                let key = ["linear.create_issue", "linear.*", "*"][number % 3];
                self.app.rule(key, "deny").await
            }
            "the approver removed after the yes" => self.set_role("member").await,
            other => anyhow::bail!("no such way: {other}"),
        }
    }

    async fn restore(&self, way: &str) -> anyhow::Result<()> {
        match way {
            "a rule that forbids it set after the yes" => {
                let mut tx = self.app.app.db.begin(self.app.org).await?;
                sqlx::query("DELETE FROM rules").execute(&mut *tx).await?;
                Ok(platform::db::commit(tx).await?)
            }
            "the approver removed after the yes" => self.set_role("admin").await,
            _ => Ok(()),
        }
    }

    async fn set_role(&self, role: &str) -> anyhow::Result<()> {
        let db: &Database = &self.app.app.db;
        let mut tx = db.begin(self.app.org).await?;
        let change = sqlx::query("UPDATE memberships SET role = $1 WHERE role <> 'owner'").bind(role);
        change.execute(&mut *tx).await?;
        Ok(platform::db::commit(tx).await?)
    }

    /// Denies what people were asked again about.
    async fn clear(&self) -> anyhow::Result<()> {
        let inbox = self
            .app
            .send(axum::http::Method::GET, "/v1/inbox?limit=100", &self.app.owner_token, None)
            .await?;
        for item in inbox.body["items"].as_array().into_iter().flatten() {
            let waiting = opened(&self.app, &item["invocation"]["id"]).await?;
            self.withdraw(&[&waiting]).await?;
        }
        Ok(())
    }

    /// Withdraws the invocations that are left over, to free their places among the pending ones.
    async fn withdraw(&self, left: &[&Waiting]) -> anyhow::Result<()> {
        for waiting in left {
            self.app
                .app
                .pipeline
                .approvals()
                .withdraw(self.app.org, waiting.id.parse()?, "left over")
                .await?;
        }
        Ok(())
    }
}

#[tokio::test]
async fn nothing_is_done_but_what_was_approved() -> anyhow::Result<()> {
    for way in WAYS {
        let scene = Scene::set().await?;
        let mut wrong = 0;
        for number in 0..EACH {
            wrong += usize::from(Box::pin(scene.attack(way, number)).await?);
            // The clock is advanced because a session may make at most sixty requests a minute.
            scene.app.advance(std::time::Duration::from_secs(20));
            if number % 10 == 9 {
                scene.app.advance(std::time::Duration::from_secs(60));
            }
        }
        testkit::tried(2, way, EACH, wrong);
        assert_eq!(wrong, 0, "{way}");
    }
    Ok(())
}

/// With the binding forged as well, the attack succeeds: the binding is what stops it.
#[tokio::test]
async fn with_the_digest_forged_everywhere_another_credential_is_used() -> anyhow::Result<()> {
    let scene = Scene::set().await?;
    let mut succeeded = 0;
    for number in 0..5 {
        let title = format!("Harmless {number}");
        let waiting = scene.approved(&title).await?;
        scene.app.connect("linear", "lin_api_test").await?;
        let twin = ask(&scene.app, &scene.agent, &title).await?;
        let forged = "WITH twin AS (SELECT shown_digest FROM invocations WHERE id = $2),
                           row AS (UPDATE invocations SET shown_digest = (SELECT shown_digest FROM twin) WHERE id = $1)
                      UPDATE approvals SET shown_digest = twin.shown_digest, subject_digest = twin.shown_digest
                      FROM twin WHERE invocation_id = $1";
        scene.forge(forged, &[&waiting, &twin]).await?;
        succeeded += usize::from(scene.done(&waiting).await?);
        scene.withdraw(&[&twin]).await?;
    }
    testkit::tried(2, "control: the digest forged in the row and in the vote", succeeded, 0);
    assert_eq!(succeeded, 5);
    Ok(())
}

/// The gateway parses JSON strictly. A parser that takes the last of two equal keys would show one value and perform
/// the other.
#[test]
fn a_reader_that_is_not_strict_would_take_the_second_of_two_keys() {
    let lenient: Value = serde_json::from_str(r#"{"title":"Harmless","title":"Evil"}"#).unwrap_or_default();
    assert_eq!(lenient["title"], "Evil");
    testkit::tried(2, "control: a lenient reader", 1, 0);
}
