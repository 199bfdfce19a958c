//! Attack 12, requests to webhook triggers: forged, changed, old, replayed and foreign requests start no runs.

use axum::http::StatusCode;
use base64::{Engine as _, prelude::BASE64_STANDARD};
use hmac::{Hmac, KeyInit as _, Mac as _};
use serde_json::json;
use sha2::Sha256;
use testkit::TestApp;

use crate::{
    automations::definitions::{save, text},
    automations::triggers::{knock, runs, triggered},
    invocations::invoke::with_linear,
};

const BODY: &str = r#"{"t":"what to do","n":1}"#;

/// A trigger, its token, and the key that its requests are signed with.
struct Hook {
    trigger: String,
    token: String,
    key: Vec<u8>,
}

async fn hook(app: &TestApp, name: &str, signed: bool) -> anyhow::Result<Hook> {
    let config = json!({ "signed": signed, "input_mapping": { "title": "$.t" } });
    let saved = save(app, &triggered(name, json!({ "type": "webhook", "config": config }))).await?;
    let made = &saved["new_tokens"][0];
    let secret = text(&made["signing_secret"]);
    let key = BASE64_STANDARD.decode(secret.trim_start_matches("whsec_"))?;
    Ok(Hook { trigger: text(&saved["triggers"][0]["id"]), token: text(&made["token"]), key })
}

/// A signature as the standard defines it, computed independently of the product.
fn signature(key: &[u8], id: &str, timestamp: &str, body: &str) -> anyhow::Result<String> {
    let mut mac = Hmac::<Sha256>::new_from_slice(key)?;
    mac.update(format!("{id}.{timestamp}.{body}").as_bytes());
    Ok(format!("v1,{}", BASE64_STANDARD.encode(mac.finalize().into_bytes())))
}

/// A request: its three headers and its body.
#[derive(Clone)]
struct Said {
    id: String,
    timestamp: String,
    signature: String,
    body: String,
}

impl Said {
    fn rightly(hook: &Hook, id: &str, now_s: i64) -> anyhow::Result<Self> {
        let timestamp = now_s.to_string();
        let signature = signature(&hook.key, id, &timestamp, BODY)?;
        Ok(Self { id: id.to_owned(), timestamp, signature, body: BODY.to_owned() })
    }

    async fn send(&self, app: &TestApp, hook: &Hook) -> anyhow::Result<StatusCode> {
        let headers = [
            ("webhook-id", self.id.as_str()),
            ("webhook-timestamp", &self.timestamp),
            ("webhook-signature", &self.signature),
        ];
        Ok(knock(app, &hook.trigger, (&hook.token, &headers), &self.body).await?.status)
    }
}

/// Variants of a text, each with one byte changed.
fn flipped(text: &str) -> Vec<String> {
    (0..text.len())
        .map(|at| {
            let mut bytes = text.as_bytes().to_vec();
            bytes[at] = if bytes[at] == b'7' { b'8' } else { b'7' };
            String::from_utf8(bytes).unwrap_or_default()
        })
        .collect()
}

/// Replaces one part of a request.
type Change = fn(&mut Said, String);

/// Requests that differ from a genuine one in any way.
fn forgeries(hook: &Hook, other: &Hook, now_s: i64) -> anyhow::Result<Vec<Said>> {
    let mut all = Vec::new();
    for round in 0..6 {
        let right = Said::rightly(hook, &format!("msg_{round}"), now_s)?;
        let parts: [(&str, Change); 4] = [
            (&right.id, |said, new| said.id = new),
            (&right.timestamp, |said, new| said.timestamp = new),
            (&right.signature, |said, new| said.signature = new),
            (&right.body, |said, new| said.body = new),
        ];
        for (part, set) in parts {
            for changed in flipped(part).into_iter().chain([String::new(), format!("{part}x")]) {
                let mut said = right.clone();
                set(&mut said, changed);
                all.push(said);
            }
        }
    }
    for far_s in [-86_400, -301, 301, 86_400, -1_000_000_000] {
        all.push(Said::rightly(hook, "msg_late", now_s + far_s)?);
    }
    for wrong in ["v2", "V1", "v1a", ""] {
        let mut said = Said::rightly(hook, "msg_version", now_s)?;
        said.signature = said.signature.replacen("v1", wrong, 1);
        all.push(said);
    }
    let foreign = Said::rightly(other, "msg_foreign", now_s)?;
    all.push(foreign);
    Ok(all)
}

#[tokio::test]
async fn what_is_not_signed_as_it_is_starts_nothing() -> anyhow::Result<()> {
    let (app, _linear) = with_linear().await?;
    let (guarded, other) = (hook(&app, "guarded", true).await?, hook(&app, "other", true).await?);
    let now_s = app.app.world.clock.now().as_second();
    let all = forgeries(&guarded, &other, now_s)?;
    let mut wrong = Vec::new();
    for (at, said) in all.iter().enumerate() {
        let status = said.send(&app, &guarded).await?;
        if status != StatusCode::UNAUTHORIZED {
            wrong.push(format!("{at}: {status} {} {} {}", said.id, said.timestamp, said.signature));
        }
    }
    let unsigned = knock(&app, &guarded.trigger, (&guarded.token, &[]), BODY).await?.status;
    assert_eq!(unsigned, StatusCode::UNAUTHORIZED);
    testkit::tried(12, "forged requests to a webhook trigger", all.len() + 1, wrong.len());
    assert!(wrong.is_empty(), "{wrong:#?}");
    assert!(runs(&app).await?.is_empty());
    // A genuine request starts one run, and repeating it returns the same run.
    let right = Said::rightly(&guarded, "msg_right", now_s)?;
    for _ in 0..5 {
        assert_eq!(right.send(&app, &guarded).await?, StatusCode::ACCEPTED);
    }
    assert_eq!(runs(&app).await?.len(), 1, "a replay starts nothing");
    Ok(())
}

#[tokio::test]
async fn control_without_the_demand_for_a_signature_forgeries_start_runs() -> anyhow::Result<()> {
    let (app, _linear) = with_linear().await?;
    let (open, other) = (hook(&app, "open", false).await?, hook(&app, "other", true).await?);
    let now_s = app.app.world.clock.now().as_second();
    let said = forgeries(&other, &other, now_s)?.into_iter().filter(|said| said.body == BODY).take(20);
    let mut started = 0;
    for said in said {
        started += usize::from(said.send(&app, &open).await? == StatusCode::ACCEPTED);
    }
    testkit::tried(12, "control: forged requests where no signature is demanded", started, 0);
    assert_eq!(started, 20);
    Ok(())
}
