//! The target moves between the yes and the call: another title, another head commit, another file, another status. The
//! call is not made, the question comes back with what changed, and a yes to that one is performed. In the control the
//! record of what the yes relied on is erased, and the call is made.

use axum::http::{Method, StatusCode};
use catalog::SourceUrls;
use model::Status;
use platform::config::Limits;
use serde_json::{Value, json};
use testkit::{
    Agent, TestApp,
    fakes::{FakeGitHub, FakeLinear, FakeSentry, Fault},
};

use crate::{
    approvals::answers::{Waiting, approve, opened, perform},
    invocations::invoke::TOKEN,
};

/// How often each way is tried.
const EACH: usize = 10;
const ISSUE: &str = "33333333-3333-4333-8333-333333333333";

/// What is asked, and what must be named when the question comes back.
const WAYS: [(&str, &str); 6] = [
    ("linear.update_issue", "the target (title)"),
    ("github.merge_pull_request", "the target (head commit)"),
    ("sentry.update_issue", "the target (status)"),
    ("files.write_text", "the target (content)"),
    // The shown part stays the same, so the name of the part is not known.
    ("files.write_text in a place that is hidden", "the target"),
    ("files.write_text far behind the beginning", "the target"),
];

struct Scene {
    app: TestApp,
    linear: FakeLinear,
    github: FakeGitHub,
    sentry: FakeSentry,
    agent: Agent,
}

impl Scene {
    async fn set() -> anyhow::Result<Self> {
        let (linear, github, sentry) =
            (FakeLinear::start(TOKEN).await, FakeGitHub::start(TOKEN).await, FakeSentry::start(TOKEN).await);
        let urls = SourceUrls::default()
            .with(&catalog::integrations::LINEAR, linear.url().parse()?)
            .with(&catalog::integrations::GITHUB, github.url().parse()?)
            .with(&catalog::integrations::SENTRY, sentry.url().parse()?);
        let app = TestApp::with(urls, Limits::default()).await?;
        for source in ["linear", "github", "sentry"] {
            app.connect(source, TOKEN).await?;
        }
        let agent = app.agent().await?;
        Ok(Self { app, linear, github, sentry, agent })
    }

    /// Whether a request could change anything: calls of the fakes that had an effect, and the file.
    fn state(&self) -> Value {
        let effects = [self.linear.effects(), self.github.effects(), self.sentry.effects()];
        json!([effects, self.file().ok()])
    }

    fn file(&self) -> std::io::Result<String> {
        std::fs::read_to_string(self.path())
    }

    fn path(&self) -> std::path::PathBuf {
        self.app.workspace.join(self.app.org.to_string()).join("note.txt")
    }

    fn write(&self, text: &str) -> anyhow::Result<()> {
        std::fs::create_dir_all(self.app.workspace.join(self.app.org.to_string()))?;
        Ok(std::fs::write(self.path(), text)?)
    }

    /// Puts the target in its first state and asks for a change of it.
    async fn ask(&self, way: &str, number: usize) -> anyhow::Result<(Waiting, u64)> {
        let mut pull = 0;
        let (action, params) = match way {
            "linear.update_issue" => {
                self.linear.put_issue(ISSUE, "Before");
                self.linear.retitle(ISSUE, &format!("Before {number}"));
                ("linear.update_issue", json!({ "issue": ISSUE, "title": "Wanted" }))
            }
            "github.merge_pull_request" => {
                let sha = "a".repeat(40);
                pull = self.github.put_pull_request("Harmless", &sha);
                let params = json!({ "owner": "acme", "repo": "web", "number": pull, "sha": sha });
                ("github.merge_pull_request", params)
            }
            "sentry.update_issue" => {
                self.sentry.put_issue(7, "Harmless");
                let params = json!({ "organization": "acme", "issue_id": "7", "status": "resolved" });
                ("sentry.update_issue", params)
            }
            _ => {
                self.write(&content(way, "first", number))?;
                ("files.write_text", json!({ "path": "note.txt", "text": "wanted" }))
            }
        };
        let asked = self.app.invoke(&self.agent, action, params).await?;
        anyhow::ensure!(asked.status == StatusCode::ACCEPTED, "{way}: {}", asked.text);
        Ok((opened(&self.app, &asked.body["id"]).await?, pull))
    }

    /// What somebody else does to the target meanwhile.
    fn shift(&self, way: &str, number: usize, pull: u64) -> anyhow::Result<()> {
        match way {
            "linear.update_issue" => self.linear.retitle(ISSUE, &format!("Somebody else's {number}")),
            "github.merge_pull_request" => self.github.push(pull, &format!("{number:040}")),
            "sentry.update_issue" => self.sentry.set_status(7, "ignored"),
            _ => self.write(&content(way, "second", number))?,
        }
        Ok(())
    }

    async fn yes(&self, waiting: &Waiting) -> anyhow::Result<()> {
        let said = approve(&self.app, waiting).await?;
        anyhow::ensure!(said.body["status"] == "approved", "{}", said.text);
        Ok(())
    }

    /// Whether it was performed.
    async fn done(&self, waiting: &Waiting) -> anyhow::Result<bool> {
        Ok(perform(&self.app, waiting).await?.is_some_and(|ended| ended.status == Status::Succeeded))
    }

    /// One attack; returns whether anything was not as it must be.
    async fn attack(&self, (way, part): (&str, &str), number: usize) -> anyhow::Result<bool> {
        let (waiting, pull) = self.ask(way, number).await?;
        self.yes(&waiting).await?;
        self.shift(way, number, pull)?;
        let before = self.state();
        let mut wrong = self.done(&waiting).await? || self.state() != before;
        let path = format!("/v1/inbox/{}", waiting.id);
        let item = self.app.send(Method::GET, &path, &self.app.owner_token, None).await?.body;
        wrong |= item["shown"]["changed"] != json!([part]);
        // The yes to what it was is void, and a yes to what it is now counts.
        wrong |= approve(&self.app, &waiting).await?.status != StatusCode::CONFLICT;
        let again = opened(&self.app, &json!(waiting.id)).await?;
        self.yes(&again).await?;
        // A merge names the commit it is for, so GitHub itself refuses another one.
        wrong |= self.done(&again).await? == (way == "github.merge_pull_request");
        // A session may make at most sixty requests a minute.
        self.app.advance(std::time::Duration::from_secs(2));
        Ok(wrong)
    }
}

/// The text of the file, which differs where the way says.
fn content(way: &str, which: &str, number: usize) -> String {
    if way.ends_with("hidden") {
        format!("password={which}{number}abcdefgh and more")
    } else if way.ends_with("beginning") {
        format!("{}{which}{number}{}", "x".repeat(200_000), "y".repeat(10 - which.len()))
    } else {
        format!("{which} {number}")
    }
}

#[tokio::test]
async fn a_target_that_moved_is_not_changed_and_the_question_comes_back() -> anyhow::Result<()> {
    for way in WAYS {
        let scene = Scene::set().await?;
        let mut wrong = 0;
        for number in 0..EACH {
            wrong += usize::from(Box::pin(scene.attack(way, number)).await?);
        }
        testkit::tried(2, &format!("the target moved after the yes: {}", way.0), EACH, wrong);
        assert_eq!(wrong, 0, "{}", way.0);
    }
    Ok(())
}

/// A target that is as it was shown is changed, and one that cannot be read is not.
#[tokio::test]
async fn a_target_that_did_not_move_is_changed_and_one_that_is_gone_is_not() -> anyhow::Result<()> {
    let scene = Scene::set().await?;
    for (way, _) in WAYS {
        let (waiting, _) = scene.ask(way, 1).await?;
        scene.yes(&waiting).await?;
        assert!(scene.done(&waiting).await?, "{way}");
    }
    scene.write("first")?;
    let (waiting, _) = scene.ask("files.write_text", 1).await?;
    scene.yes(&waiting).await?;
    std::fs::remove_file(scene.path())?;
    std::fs::create_dir(scene.path())?;
    let ended = perform(&scene.app, &waiting).await?.ok_or_else(|| anyhow::anyhow!("not over"))?;
    let message = ended.failure.map(|failure| failure.message).unwrap_or_default();
    assert_eq!(ended.status, Status::Denied, "{message}");
    assert!(message.starts_with("the target could not be read again before sending"), "{message}");
    scene.app.check_invariants().await
}

/// What a target says when it is read again goes into the receipt, so a credential that it repeats is taken out.
#[tokio::test]
async fn a_target_that_repeats_the_credential_when_it_is_read_again_does_not_reveal_it() -> anyhow::Result<()>
{
    let scene = Scene::set().await?;
    let (waiting, _) = scene.ask("linear.update_issue", 1).await?;
    scene.yes(&waiting).await?;
    let body = json!({ "errors": [{ "message": format!("no access for {TOKEN}") }] });
    scene.linear.fault(Fault::Fail { status: 400, retry_after: None, body });
    let ended = perform(&scene.app, &waiting).await?.ok_or_else(|| anyhow::anyhow!("not over"))?;
    let message = ended.failure.map(|failure| failure.message).unwrap_or_default();
    assert!(message.contains("no access for") && !message.contains(TOKEN), "{message}");
    scene.app.check_invariants().await
}

/// Without the record of what the yes relied on, every one of these calls is made.
#[tokio::test]
async fn with_the_record_erased_the_moved_target_is_changed() -> anyhow::Result<()> {
    let scene = Scene::set().await?;
    let mut owner = scene.app.db.owner().await?;
    sqlx::query("ALTER TABLE shown_documents NO FORCE ROW LEVEL SECURITY").execute(&mut owner).await?;
    for (way, _) in WAYS.into_iter().filter(|(way, _)| *way != "github.merge_pull_request") {
        let (waiting, pull) = scene.ask(way, 1).await?;
        scene.yes(&waiting).await?;
        scene.shift(way, 1, pull)?;
        sqlx::query("UPDATE shown_documents SET basis_digest = NULL").execute(&mut owner).await?;
        let done = scene.done(&waiting).await?;
        testkit::tried(
            2,
            &format!("control: {way}, and the record of its target erased"),
            usize::from(done),
            0,
        );
        assert!(done, "{way}");
    }
    Ok(())
}
