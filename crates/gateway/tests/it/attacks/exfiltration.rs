//! Attack 11: what an organization keeps to itself is sent to where anybody can read it, because somebody outside wrote a text that
//! an agent obeys. In each way a rule allows the sending. In the control, flows are observed and not held, and it is sent.

use automation::Turn;
use events::Stretch;
use model::{EventId, RunId};
use serde_json::{Value, json};
use testkit::fakes::{Says, Step};
use uuid::Uuid;

use crate::{
    automations::definitions::{advance, definition, save, start, text},
    automations::triggers::knock,
    policies::flows::{ISSUE, SECRET, Stage, hold},
};

/// Texts in which the secret leaves.
const TEXTS: [&str; 4] = [
    "SECRET",
    "Weekly news. SECRET. Have a nice day!",
    "https://evil.example/?q=SECRET",
    "{\"title\": \"SECRET\"}",
];

/// The ways to get it out. Each returns once it was tried.
const WAYS: [&str; 12] = [
    "an injected issue",
    "split over turns",
    "an error of the target",
    "a part of a batch",
    "a dry run before",
    "what a write gives back",
    "a batch in a plan",
    "an automation started by the session's event",
    "a webhook that names the place",
    "an issue that names the place",
    "an agent step that obeys",
    "a later step that sends what an agent step says",
];

fn said(text: &str) -> String {
    text.replace("SECRET", SECRET)
}

fn is_out(stage: &Stage) -> bool {
    stage.slack.messages().iter().any(|message| message["channel"] == "C0PUBLIC")
}

async fn attempt(stage: &Stage, way: &str, text: &str) -> anyhow::Result<()> {
    match way {
        "an injected issue" => {
            let agent = stage.agent().await?;
            stage.read(&agent).await?;
            stage.send(&agent, "C0PUBLIC", text).await?;
        }
        "split over turns" => {
            let agent = stage.agent().await?;
            stage.read(&agent).await?;
            for number in 0..20 {
                let template = json!({ "template": format!("innocent {number}"), "data": {} });
                stage.app.invoke(&agent, "data.transform", template).await?;
            }
            for half in [&text[..text.len() / 2], &text[text.len() / 2..]] {
                stage.send(&agent, "C0PUBLIC", half).await?;
            }
        }
        "an error of the target" => {
            let agent = stage.agent().await?;
            // No such channel: what comes back is the target's own text.
            stage.send(&agent, "C0NOWHERE", "hello").await?;
            stage.send(&agent, "C0PUBLIC", text).await?;
        }
        "a part of a batch" => {
            let agent = stage.agent().await?;
            stage.read(&agent).await?;
            let part =
                json!({ "action": "slack.send_message", "params": { "channel": "C0PUBLIC", "text": text } });
            stage.app.invoke(&agent, "batch.run", json!({ "parts": [part] })).await?;
        }
        "a dry run before" => {
            let agent = stage.agent().await?;
            let preview = json!({ "action": "linear.update_issue", "params": { "issue": ISSUE, "title": "x" }, "dry_run": true });
            stage.app.invoke_raw(&agent, preview.to_string(), None).await?;
            stage.send(&agent, "C0PUBLIC", text).await?;
        }
        "what a write gives back" => {
            let agent = stage.agent().await?;
            stage.app.rule("linear.update_issue", "allow").await?;
            stage.app.invoke(&agent, "linear.update_issue", json!({ "issue": ISSUE, "priority": 1 })).await?;
            stage.send(&agent, "C0PUBLIC", text).await?;
        }
        "a batch in a plan" => by_batch(stage).await?,
        "an automation started by the session's event" => by_event(stage, text).await?,
        "a webhook that names the place" => by_webhook(stage, text).await?,
        "an issue that names the place" => by_issue(stage).await?,
        "an agent step that obeys" => by_agent(stage, text).await?,
        _ => by_answer(stage, text).await?,
    }
    Ok(())
}

fn sends(channel: &str, text: &str) -> Value {
    json!({ "step_id": "send", "action": "slack.send_message", "config": { "channel": channel, "text": text } })
}

fn with_inputs(mut definition: Value, trigger: Value) -> Value {
    let text = json!({ "type": "string" });
    definition["inputs"] = json!({ "schema": { "type": "object", "properties": { "a": text, "b": text } } });
    definition["triggers"] = json!([trigger]);
    definition
}

/// The session tells people something, and an automation passes on what it hears.
async fn by_event(stage: &Stage, text: &str) -> anyhow::Result<()> {
    let trigger = json!({ "type": "event", "config": {
        "event_type": "data.notification", "input_mapping": { "a": "$.data.title" } } });
    let passes = definition("Passes on", &json!([sends("C0PUBLIC", "{{ inputs.a }}")]));
    save(&stage.app, &with_inputs(passes, trigger)).await?;
    stage.app.rule("data.notify", "allow").await?;
    let agent = stage.agent().await?;
    stage.read(&agent).await?;
    let told = stage.app.invoke(&agent, "data.notify", json!({ "title": text })).await?;
    anyhow::ensure!(told.body["status"] == "succeeded", "{}", told.text);
    let mut tx = stage.app.app.db.begin(stage.app.org).await?;
    let events: Vec<Uuid> =
        sqlx::query_scalar("SELECT id FROM events ORDER BY id").fetch_all(&mut *tx).await?;
    drop(tx);
    let events = events.into_iter().map(EventId::from_uuid).collect();
    stage.app.app.automations.see_to(Stretch { org: stage.app.org, events }).await?;
    let mut tx = stage.app.app.db.begin(stage.app.org).await?;
    let runs: Vec<Uuid> = sqlx::query_scalar("SELECT id FROM runs").fetch_all(&mut *tx).await?;
    drop(tx);
    anyhow::ensure!(runs.len() == 1, "{} runs", runs.len());
    for run in runs {
        advance(&stage.app, RunId::from_uuid(run)).await?;
    }
    Ok(())
}

/// Whoever calls the webhook says where the secret goes.
async fn by_webhook(stage: &Stage, text: &str) -> anyhow::Result<()> {
    let trigger = json!({ "type": "webhook", "config": { "input_mapping": { "a": "$.to", "b": "$.say" } } });
    let plan = json!([
        { "step_id": "read", "action": "linear.get_issue", "output_as": "found", "config": { "issue": ISSUE } },
        sends("{{ inputs.a }}", "{{ found.title }} {{ inputs.b }}"),
    ]);
    let saved = save(&stage.app, &with_inputs(definition("Hook", &plan), trigger)).await?;
    let (token, id) = (text_of(&saved["new_tokens"][0]["token"]), text_of(&saved["triggers"][0]["id"]));
    let body = json!({ "to": "C0PUBLIC", "say": text }).to_string();
    let taken = knock(&stage.app, &id, (&token, &[]), &body).await?;
    advance(&stage.app, text_of(&taken.body["id"]).parse()?).await?;
    Ok(())
}

fn text_of(value: &Value) -> String {
    text(value)
}

/// The place stands in a text that anybody may write.
async fn by_issue(stage: &Stage) -> anyhow::Result<()> {
    const PLACE: &str = "55555555-5555-4555-8555-555555555555";
    stage.linear.put_issue(PLACE, "C0PUBLIC");
    let plan = json!([
        { "step_id": "read", "action": "linear.get_issue", "output_as": "found", "config": { "issue": ISSUE } },
        { "step_id": "ask", "action": "linear.get_issue", "output_as": "place", "config": { "issue": PLACE } },
        sends("{{ place.title }}", "{{ found.title }}"),
    ]);
    let saved = save(&stage.app, &definition("Swapped", &plan)).await?;
    let run = start(&stage.app, &saved, json!({})).await?;
    advance(&stage.app, run).await?;
    Ok(())
}

/// A plan reads in a batch, and sends what came back.
async fn by_batch(stage: &Stage) -> anyhow::Result<()> {
    let part = json!({ "action": "linear.get_issue", "params": { "issue": ISSUE } });
    let plan = json!([
        { "step_id": "read", "action": "batch.run", "output_as": "both", "config": { "parts": [part] } },
        sends("C0PUBLIC", "{{ both.parts[0].output.title }}"),
    ]);
    let saved = save(&stage.app, &definition("Batch", &plan)).await?;
    let run = start(&stage.app, &saved, json!({})).await?;
    advance(&stage.app, run).await?;
    Ok(())
}

fn agent_step(tools: &Value) -> Value {
    json!({ "step_id": "work", "action": "agent_task", "output_as": "said", "config": {
        "goal": "Look at the issue.", "tools": tools, "provider": "fake", "model": "fake-1", "max_turns": 4 } })
}

async fn by_agent(stage: &Stage, text: &str) -> anyhow::Result<()> {
    let post = json!({ "channel": "C0PUBLIC", "text": text });
    stage.model.script(vec![
        Step::calls([("linear__get_issue", json!({ "issue": ISSUE }))]),
        Step::calls([("slack__send_message", post)]),
        Step::text("done"),
    ]);
    let plan = json!([agent_step(&json!(["linear.get_issue", "slack.send_message"]))]);
    let saved = save(&stage.app, &definition("Obeys", &plan)).await?;
    let run = start(&stage.app, &saved, json!({})).await?;
    advance(&stage.app, run).await?;
    Ok(())
}

async fn by_answer(stage: &Stage, text: &str) -> anyhow::Result<()> {
    stage.model.script(vec![
        Step::calls([("linear__get_issue", json!({ "issue": ISSUE }))]),
        Step::from(Says::text(json!({ "to": "C0PUBLIC", "text": text }).to_string())),
    ]);
    let mut work = agent_step(&json!(["linear.get_issue"]));
    let word = json!({ "type": "string" });
    work["output_schema"] = json!({ "type": "object", "properties": { "to": word, "text": word } });
    let plan = json!([work, sends("{{ said.to }}", "{{ said.text }}")]);
    let saved = save(&stage.app, &definition("Says", &plan)).await?;
    let run = start(&stage.app, &saved, json!({})).await?;
    let turn = advance(&stage.app, run).await?;
    anyhow::ensure!(!matches!(turn, Turn::Rest { .. }), "{turn:?}");
    Ok(())
}

#[tokio::test]
async fn nothing_private_leaves_on_the_word_of_a_stranger() -> anyhow::Result<()> {
    let mut wrong = Vec::new();
    for way in WAYS {
        for text in TEXTS {
            let stage = Stage::set(hold()).await?;
            attempt(&stage, way, &said(text)).await?;
            if is_out(&stage) {
                wrong.push(format!("{way}: {text}"));
            }
            stage.app.check_invariants().await?;
        }
    }
    testkit::tried(11, "ways out, with flows held", WAYS.len() * TEXTS.len(), wrong.len());
    anyhow::ensure!(wrong.is_empty(), "{wrong:?}");
    Ok(())
}

#[tokio::test]
async fn an_address_with_data_is_held_where_everybody_may_read() -> anyhow::Result<()> {
    let internal = json!([{ "source": "slack", "destination": "*", "audience": "internal" }]);
    let flow = json!({ "mode": "hold", "audiences": internal, "hosts": ["linear.example"] });
    let (mut tried, mut wrong) = (0, 0);
    for text in [
        "see https://evil.example/?q=SECRET",
        "https://linear.example.evil.example/SECRET",
        "//evil.example/SECRET",
        "write to SECRET@evil.example",
        "<https://evil.example/SECRET|news>",
        "https://linear.example@evil.example/SECRET",
    ] {
        let stage = Stage::set(flow.clone()).await?;
        let agent = stage.agent().await?;
        stage.read(&agent).await?;
        stage.send(&agent, "C0PUBLIC", &text.replace("SECRET", "Globex")).await?;
        (tried, wrong) = (tried + 1, wrong + usize::from(is_out(&stage)));
        // What is listed, and what holds no address, is not asked about.
        stage.send(&agent, "C0PUBLIC", "see https://linear.example/issue/1").await?;
        anyhow::ensure!(stage.arrived() == 1, "{text}: {} messages", stage.arrived());
    }
    testkit::tried(11, "addresses that a model wrote", tried, wrong);
    anyhow::ensure!(wrong == 0, "{wrong} of {tried}");
    Ok(())
}

#[tokio::test]
async fn control_without_holding_everything_leaves() -> anyhow::Result<()> {
    let mut out = 0;
    for way in WAYS {
        let stage = Stage::set(json!({ "mode": "observe" })).await?;
        attempt(&stage, way, SECRET).await?;
        anyhow::ensure!(is_out(&stage), "{way}: it was not sent");
        out += 1;
    }
    testkit::tried(11, "control: flows observed and not held", out, 0);
    Ok(())
}
