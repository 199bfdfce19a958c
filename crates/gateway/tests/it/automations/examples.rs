//! The shipped automations with a step of a model, run against a provider that answers from a script.

use automation::Turn;
use axum::http::Method;
use catalog::{SourceUrls, integrations};
use model::RunId;
use platform::config::Limits;
use serde_json::{Value, json};
use testkit::{
    TestApp,
    fakes::{FakeLinear, FakeModel, FakeSentry, FakeSlack, Says, Step},
};

use crate::{
    approvals::answers::{approve, perform},
    automations::definitions::{advance, save, show, start, waiting},
    invocations::invoke::TOKEN,
};

const KEY: &str = "a-key-of-examples-161803";

struct Stage {
    app: TestApp,
    linear: FakeLinear,
    sentry: FakeSentry,
    slack: FakeSlack,
    model: FakeModel,
}

impl Stage {
    async fn set() -> anyhow::Result<Self> {
        let (linear, sentry, slack) =
            (FakeLinear::start(TOKEN).await, FakeSentry::start(TOKEN).await, FakeSlack::start(TOKEN).await);
        let urls = SourceUrls::default()
            .with(&integrations::LINEAR, linear.url().parse()?)
            .with(&integrations::SENTRY, sentry.url().parse()?)
            .with(&integrations::SLACK, slack.url().parse()?);
        let app = TestApp::with(urls, Limits::default()).await?;
        for source in ["linear", "sentry", "slack"] {
            app.connect(source, TOKEN).await?;
        }
        let stage = Self { app, linear, sentry, slack, model: FakeModel::start(KEY).await };
        stage.model.otherwise(|_| Says::text("ready"));
        stage.owner("/v1/secrets/model-key", json!({ "value": KEY })).await?;
        let auth = json!({ "kind": "header", "header": "x-api-key", "secret": "model-key" });
        let provider = json!({
            "preset": "anthropic", "base_url": format!("{}/v1", stage.model.url()), "auth": auth,
            "models": [{ "name": "claude-sonnet-5-5" }],
        });
        stage.owner("/v1/models/anthropic", provider).await?;
        Ok(stage)
    }

    async fn owner(&self, path: &str, body: Value) -> anyhow::Result<()> {
        let done = self.app.send(Method::PUT, path, &self.app.owner_token, Some(body)).await?;
        anyhow::ensure!(done.status.is_success(), "{path}: {}", done.text);
        Ok(())
    }

    /// Starts a run of a shipped automation with a script.
    async fn start(&self, text: &str, inputs: Value, script: Vec<Step>) -> anyhow::Result<RunId> {
        let automation = save(&self.app, &serde_json::from_str(text)?).await?;
        self.model.script(script);
        start(&self.app, &automation, inputs).await
    }

    /// Advances a run to its end; a person approves what waits. Returns how often one was asked.
    async fn end(&self, run: RunId) -> anyhow::Result<usize> {
        for asked in 0..5 {
            match advance(&self.app, run).await? {
                Turn::Over => {
                    let shown = show(&self.app, run).await?;
                    anyhow::ensure!(shown["status"] == "succeeded", "{shown}");
                    anyhow::ensure!(shown["cost_usd"].as_f64() > Some(0.0), "{shown}");
                    assert_eq!(self.model.finish(), Ok(()));
                    return Ok(asked);
                }
                Turn::Await { .. } => {
                    let waiting = waiting(&self.app, run).await?;
                    approve(&self.app, &waiting).await?;
                    perform(&self.app, &waiting).await?;
                }
                Turn::Rest { .. } => anyhow::bail!("it rests: {}", show(&self.app, run).await?),
            }
        }
        anyhow::bail!("it asks too often")
    }
}

#[tokio::test]
async fn errors_are_sorted_and_one_issue_is_filed() -> anyhow::Result<()> {
    let text = include_str!("../../../../../examples/automations/models/triage-errors.json");
    let stage = Stage::set().await?;
    stage.sentry.put_issue(7, "TypeError in checkout");
    let verdict =
        |needed: bool| json!({ "needs_issue": needed, "priority": 2, "why": "Nobody can pay." }).to_string();
    let look = ("linear__list_issues", json!({ "title_contains": "TypeError" }));
    let script = vec![
        Step::calls([look])
            .expect_user("TypeError in checkout")
            .expect_tools(["linear__list_issues", "linear__get_issue"]),
        Step::text(verdict(true)),
    ];
    let run = stage.start(text, json!({ "issue": "7" }), script).await?;
    assert_eq!(stage.end(run).await?, 1, "a person approves the new issue");
    assert_eq!(stage.linear.count_effect("TypeError in checkout"), 1);
    Ok(())
}

#[tokio::test]
async fn a_thread_is_answered_from_files_after_a_person_approved_the_answer() -> anyhow::Result<()> {
    let text = include_str!("../../../../../examples/automations/models/answer-thread.json");
    let stage = Stage::set().await?;
    let folder = stage.app.workspace.join(stage.app.org.to_string());
    std::fs::create_dir_all(&folder)?;
    std::fs::write(folder.join("holidays.md"), "Everybody has 30 days.")?;
    let thread = stage.slack.put_message("How many days of holidays do we have?");
    let answer = json!({ "answer": "30 days.", "files": ["holidays.md"] }).to_string();
    let script = vec![
        Step::calls([("files__list", json!({}))]).expect_user("How many days"),
        Step::calls([("files__read_text", json!({ "path": "holidays.md" }))]).expect_result("holidays.md"),
        Step::text(answer).expect_result("Everybody has 30 days."),
    ];
    let run = stage.start(text, json!({ "channel": "C0GENERAL", "thread": thread }), script).await?;
    assert_eq!(stage.end(run).await?, 1);
    let said = serde_json::to_string(&stage.slack.messages())?;
    assert!(said.contains("30 days.") && said.contains("(holidays.md)"), "{said}");
    Ok(())
}

#[tokio::test]
async fn open_issues_are_summed_up_in_one_message() -> anyhow::Result<()> {
    let text = include_str!("../../../../../examples/automations/models/weekly-summary.json");
    let stage = Stage::set().await?;
    stage.linear.put_issue("ENG-1", "Rotate the key");
    let sum = json!({ "text": "Two things are left." }).to_string();
    let run = stage.start(text, json!({}), vec![Step::text(sum).expect_schema().expect_no_tools()]).await?;
    assert_eq!(stage.end(run).await?, 1);
    let said = serde_json::to_string(&stage.slack.messages())?;
    assert!(said.contains("Two things are left."), "{said}");
    Ok(())
}
