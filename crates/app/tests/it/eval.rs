//! `countersign eval authoring`, run as a person would run it: the answers in `eval/answers.json`, written by hand, pass its
//! checks, and a model that always answers the same fails every one of them.

use std::process::{Command, Stdio};

use anyhow::Context as _;
use reqwest::Method;
use serde_json::{Value, json};
use testkit::{
    Deployment, Options,
    fakes::{FakeModel, Says, Step},
};

use crate::examples::BINARY;

const KEY: &str = "a-key-of-eval-173205";
const ANSWERS: &str = include_str!("eval/answers.json");
const SENTENCES: &str = include_str!("../../../cli/src/eval/sentences.json");
const PROPOSE: &str = "propose";
/// The tools whose definition is a text.
const WITH_DEFINITION: [&str; 2] = ["check", PROPOSE];

struct Stage {
    deployment: Deployment,
    model: FakeModel,
}

impl Stage {
    async fn set() -> anyhow::Result<Self> {
        let deployment =
            Deployment::start(Options { binary: Some(BINARY.into()), ..Options::default() }).await?;
        let model = FakeModel::start(KEY).await;
        model.otherwise(|asked| {
            let word = json!({ "word": "ready" });
            if asked.tools.is_empty() { Says::text(word.to_string()) } else { Says::calls([("note", word)]) }
        });
        let stage = Self { deployment, model };
        let put = |path, body| stage.deployment.as_owner(Method::PUT, path, body);
        put("/v1/secrets/model-key", json!({ "value": KEY })).await?;
        let provider = json!({
            "preset": "anthropic", "base_url": format!("{}/v1", stage.model.url()),
            "auth": { "kind": "header", "header": "x-api-key", "secret": "model-key" },
            "models": [{ "name": "fake-1", "context": 60_000, "max_output": 4_000,
                         "price": { "input": 1_000, "output": 10_000 } }],
        });
        put("/v1/models/fake", provider).await?;
        Ok(stage)
    }

    /// Runs the command; gives back its exit code and its JSON.
    async fn eval(&self, more: &[&str]) -> anyhow::Result<(i32, Value)> {
        let mut command = Command::new(BINARY);
        command.args(["eval", "authoring", "--provider", "fake", "--json"]).args(more);
        command.env("COUNTERSIGN_URL", &self.deployment.url);
        command.env("COUNTERSIGN_TOKEN", &self.deployment.owner_token).stdin(Stdio::null());
        let output = tokio::task::spawn_blocking(move || command.output()).await??;
        let told = String::from_utf8_lossy(&output.stderr).into_owned();
        let answer = serde_json::from_slice(&output.stdout).with_context(|| told)?;
        Ok((output.status.code().unwrap_or(-1), answer))
    }
}

fn sentences() -> anyhow::Result<Vec<Value>> {
    Ok(serde_json::from_str(SENTENCES)?)
}

/// The recorded turns of a sentence.
fn turns(recorded: &Value, sentence: &Value) -> anyhow::Result<Vec<Step>> {
    let name = sentence["name"].as_str().unwrap_or_default();
    let words = sentence["words"].as_str().unwrap_or_default();
    let turns = recorded[name].as_array().with_context(|| format!("no answer for {name}"))?;
    turns
        .iter()
        .map(|turn| {
            let calls = turn.as_array().context("a turn is a list of calls")?.iter().map(|call| {
                let mut params = call["params"].clone();
                let tool = call["tool"].as_str().unwrap_or_default();
                if WITH_DEFINITION.contains(&tool) && !params["definition"].is_null() {
                    params["definition"] = json!(params["definition"].to_string());
                }
                (tool, params)
            });
            Ok(Step::calls(calls).expect_user(words))
        })
        .collect()
}

#[tokio::test]
async fn recorded_answers_pass_the_checks_of_their_sentences() -> anyhow::Result<()> {
    let stage = Stage::set().await?;
    let recorded: Value = serde_json::from_str(ANSWERS)?;
    let sentences = sentences()?;
    assert_eq!(sentences.len(), 25);
    let script: Vec<Vec<Step>> =
        sentences.iter().map(|one| turns(&recorded, one)).collect::<anyhow::Result<_>>()?;
    stage.model.script(script.into_iter().flatten().collect());
    let (code, told) = stage.eval(&[]).await?;
    let items = told["items"].as_array().context("items")?;
    let wrong: Vec<String> = items
        .iter()
        .filter(|item| item["passed"] != true)
        .map(|item| format!("{}: {}\n{}", item["sentence"], item["why"], item["proposed"]))
        .collect();
    assert!(wrong.is_empty(), "{}", wrong.join("\n\n"));
    assert_eq!((code, &told["passed"], &told["of"]), (0, &json!(25), &json!(25)));
    assert_eq!(stage.model.finish(), Ok(()));
    // Some were refused first, and mended by the model.
    assert!(items.iter().any(|item| item["proposed"]["refused"] == 1), "{told}");
    Ok(())
}

#[tokio::test]
async fn a_model_that_always_answers_the_same_fails_every_sentence() -> anyhow::Result<()> {
    let stage = Stage::set().await?;
    stage.model.otherwise(|_| {
        let same = json!({
            "schema_version": "1.0", "name": "The same", "goal": "", "triggers": [],
            "plan": [{ "step_id": "list", "action": "linear.list_issues", "config": {} }],
        });
        let said = json!({ "definition": same.to_string(), "notes": "", "questions": [], "gaps": [] });
        Says::calls([(PROPOSE, said)])
    });
    let (code, told) = stage.eval(&[]).await?;
    let passed: Vec<&Value> = told["items"]
        .as_array()
        .context("items")?
        .iter()
        .filter(|item| item["passed"] == true)
        .map(|item| &item["sentence"])
        .collect();
    assert!(passed.is_empty(), "{passed:?}");
    assert_eq!((code, &told["passed"]), (1, &json!(0)));
    let (code, told) = stage.eval(&["--only", "weekday-digest", "--runs", "2"]).await?;
    assert_eq!((code, &told["of"]), (1, &json!(2)));
    Ok(())
}
