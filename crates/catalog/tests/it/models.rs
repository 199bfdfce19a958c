//! Model calls over the three wires, against a provider that checks what it is sent and makes the mistakes that models make.

use std::{sync::Arc, time::Duration};

use catalog::{
    Call, CallContext, Outcome, SourceError,
    connector::Auth,
    models::{
        self, Message, Model, Price, Prompt, Provider, Quirks, Reply, SchemaSupport, Stop, ToolResult,
        ToolText, Wire,
    },
};
use model::{ErrorClass, ModelProviderId, UserId};
use serde_json::{Value, json};
use testkit::fakes::{FakeModel, Fault, Says, Step};
use uuid::Uuid;

use crate::support::{TOKEN, context};

fn provider(fake: &FakeModel, wire: Wire) -> Provider {
    let secret = "key".to_owned();
    Provider {
        id: ModelProviderId::from_uuid(Uuid::nil()),
        slug: "fake".parse().unwrap(),
        wire,
        base_url: format!("{}/v1", fake.url()).parse().unwrap(),
        auth: match wire {
            Wire::AnthropicMessages => Auth::Header { header: "x-api-key".to_owned(), secret },
            Wire::OpenaiChat | Wire::OpenaiResponses => Auth::Bearer { secret },
        },
        models: vec![Model {
            name: "fake-1".to_owned(),
            context: 8_000,
            max_output: 1_000,
            price: Some(price()),
        }],
        quirks: Quirks::of(wire),
        may_see_private: true,
        is_free: false,
        enabled: true,
        probed: None,
        created_by: UserId::from_uuid(Uuid::nil()),
        created_at: "2026-11-19T08:00:00Z".parse().unwrap(),
    }
}

fn price() -> Price {
    Price { input: 1_000, output: 5_000, cache_read: Some(100), cache_write: None, tiers: vec![] }
}

fn prompt(text: &str) -> Prompt {
    Prompt {
        system: "You sort issues.".to_owned(),
        messages: vec![Message::User { text: text.to_owned() }],
        tools: ["linear__list_issues", "linear__get_issue"].map(tool).into(),
        ..Prompt::default()
    }
}

fn tool(name: &str) -> ToolText {
    let schema = json!({ "type": "object", "properties": { "id": { "type": "string" } } });
    ToolText { name: name.to_owned(), description: "Reads issues.".to_owned(), schema }
}

fn schema() -> Value {
    json!({
        "type": "object",
        "properties": { "kind": { "type": "string", "enum": ["bug", "question"] } },
        "required": ["kind"],
        "additionalProperties": false,
    })
}

/// Asks a provider; the prompt is stored and named, as the pipeline does it.
#[expect(clippy::disallowed_methods, reason = "what a source sends is what these tests are about")]
async fn ask(provider: &Provider, prompt: &Prompt) -> Result<Outcome, SourceError> {
    let parts = prompt.parts().unwrap();
    let params = models::describe(prompt, &parts, "fake-1", 500);
    let params = serde_json::to_value(params).unwrap();
    let action = models::action(provider).unwrap();
    assert_eq!(action.validate(&params), Ok(()));
    let ctx = CallContext { payloads: Arc::new(parts.payloads), ..context("k") };
    action.source.execute(&Call { action: provider.slug.clone(), params }, &ctx).await
}

fn reply(outcome: &Outcome) -> Reply {
    serde_json::from_slice(&outcome.payload.as_ref().unwrap().bytes).unwrap()
}

async fn answer(provider: &Provider, prompt: &Prompt) -> Reply {
    reply(&ask(provider, prompt).await.unwrap())
}

/// The results of all calls of a reply, one of them an error.
fn results(reply: &Reply) -> Message {
    let result = |(number, call): (usize, &models::ToolCall)| ToolResult {
        id: call.id.clone(),
        text: format!("result {number}"),
        is_error: number == 1,
    };
    Message::Results { results: reply.calls.iter().enumerate().map(result).collect() }
}

#[tokio::test]
async fn a_conversation_with_thoughts_and_tools_is_the_same_over_all_wires() {
    for wire in Wire::ALL {
        let fake = FakeModel::start(TOKEN).await;
        let provider = provider(&fake, wire);
        let calls = [("linear__list_issues", json!({})), ("linear__get_issue", json!({ "id": "I-1" }))];
        let first = Says::text_and_calls("Let me look.", calls.clone());
        // Chat Completions carry no thoughts.
        let first = if wire == Wire::OpenaiChat { first } else { first.thinking() };
        fake.script(vec![
            Step::new(first)
                .expect_model("fake-1")
                .expect_system("You sort issues.")
                .expect_user("which are bugs?")
                .expect_tools(["linear__list_issues", "linear__get_issue"]),
            Step::calls([("linear__get_issue", json!({ "id": "I-2" }))]).expect_result("result 1"),
            Step::text(r#"{"kind":"bug"}"#).expect_user("answer now").expect_no_tools().expect_schema(),
        ]);
        let mut prompt = prompt("which are bugs?");
        let one = answer(&provider, &prompt).await;
        assert_eq!((one.text.as_str(), one.stop), ("Let me look.", Stop::Calls), "{wire:?}");
        let wanted: Vec<_> =
            one.calls.iter().map(|call| (call.name.as_str(), call.params.clone().unwrap())).collect();
        assert_eq!(wanted, calls, "{wire:?}");
        prompt.messages.extend([Message::Reply { raw: one.raw.clone() }, results(&one)]);
        let two = answer(&provider, &prompt).await;
        prompt.messages.extend([Message::Reply { raw: two.raw.clone() }, results(&two)]);
        prompt.messages.push(Message::User { text: "answer now".to_owned() });
        (prompt.must_answer, prompt.schema) = (true, Some(schema()));
        let three = answer(&provider, &prompt).await;
        assert_eq!((three.text.as_str(), three.stop), (r#"{"kind":"bug"}"#, Stop::Done), "{wire:?}");
        assert!(three.request_id.is_some() && three.usage.is_some(), "{wire:?}");
        assert_eq!(fake.finish(), Ok(()), "{wire:?}");
    }
}

#[tokio::test]
async fn mistakes_of_models_do_not_end_a_conversation() {
    let call = || ("linear__get_issue", json!({ "id": "I-1" }));
    for wire in Wire::ALL {
        for mistake in [
            Says::broken_arguments("linear__get_issue", "{\"id\": "),
            Says::repeated_ids([call(), call()]),
            Says::no_ids([call(), call()]),
            Says::calls([("nobody", json!({}))]),
        ] {
            let fake = FakeModel::start(TOKEN).await;
            let provider = provider(&fake, wire);
            let told = format!("{wire:?} {mistake:?}");
            let is_broken = matches!(mistake, Says::BrokenArguments { .. });
            fake.script(vec![
                Step::new(mistake.clone()),
                Step::new(mistake),
                Step::text("done").expect_result("result 0"),
            ]);
            let mut prompt = prompt("go");
            for _ in 0..2 {
                let wrong = answer(&provider, &prompt).await;
                assert_eq!(wrong.calls.iter().all(|call| call.params.is_none()), is_broken, "{told}");
                prompt.messages.extend([Message::Reply { raw: wrong.raw.clone() }, results(&wrong)]);
            }
            assert_eq!(answer(&provider, &prompt).await.text, "done", "{told}");
            assert_eq!(fake.finish(), Ok(()), "{told}");
        }
    }
}

#[tokio::test]
async fn ends_of_replies_are_told_apart() {
    for wire in Wire::ALL {
        let fake = FakeModel::start(TOKEN).await;
        let provider = provider(&fake, wire);
        for (says, stop) in [
            (Says::Refusal, Stop::Refused),
            (Says::Empty, Stop::Done),
            (Says::text("half of").cut(), Stop::Length),
            (Says::calls([("linear__get_issue", json!({}))]).cut(), Stop::Length),
        ] {
            let told = format!("{wire:?} {says:?}");
            fake.script(vec![says.into(), Step::text("on")]);
            let mut prompt = prompt("go");
            let ended = answer(&provider, &prompt).await;
            assert_eq!(ended.stop, stop, "{told}");
            prompt.messages.push(Message::Reply { raw: ended.raw.clone() });
            if !ended.calls.is_empty() {
                prompt.messages.push(results(&ended));
            }
            prompt.messages.push(Message::User { text: "go on".to_owned() });
            assert_eq!(answer(&provider, &prompt).await.text, "on", "{told}");
        }
        fake.script(vec![Says::ContextExceeded.into()]);
        let full = ask(&provider, &prompt("go")).await;
        match wire {
            Wire::AnthropicMessages => assert_eq!(reply(&full.unwrap()).stop, Stop::Context),
            _ => assert_eq!(full.unwrap_err().class, ErrorClass::ContextExceeded, "{wire:?}"),
        }
        assert_eq!(fake.finish(), Ok(()), "{wire:?}");
    }
}

#[tokio::test]
async fn costs_are_by_tokens_and_what_nobody_knows_is_not_zero() {
    for wire in Wire::ALL {
        let fake = FakeModel::start(TOKEN).await;
        let mut provider = provider(&fake, wire);
        let cost = async |provider: &Provider, says: Says| {
            fake.script(vec![says.into()]);
            let outcome = ask(provider, &prompt("go")).await.unwrap().output;
            (outcome["cost"]["nano_usd"].as_u64(), outcome["cost"]["basis"].as_str().map(str::to_owned))
        };
        let told = |nano: u64, basis: &str| (Some(nano), Some(basis.to_owned()));
        let says = || Says::text("hello").usage(1_000, 20, 600);
        assert_eq!(
            cost(&provider, says()).await,
            told(400_000 + 60_000 + 100_000, "organization"),
            "{wire:?}"
        );
        // Input as estimated and as much output as was allowed: what was not told cannot be cheap.
        let (nano, basis) = cost(&provider, Says::text("hello").no_usage()).await;
        assert!(nano.unwrap() > 500 * 5_000 && basis.as_deref() == Some("assumed"), "{wire:?}");
        provider.models[0].price = None;
        assert_eq!(cost(&provider, says()).await, (None, None), "{wire:?}");
        provider.is_free = true;
        assert_eq!(cost(&provider, says()).await, told(0, "free"), "{wire:?}");
        if wire == Wire::OpenaiChat {
            provider.is_free = false;
            provider.quirks.reports_cost = true;
            assert_eq!(cost(&provider, says().cost(0.001_5)).await, told(1_500_000, "reported"));
            provider.quirks.reports_cost = false;
            assert_eq!(cost(&provider, says().cost(0.0)).await, (None, None), "it is not believed");
        }
    }
}

#[tokio::test]
async fn failures_have_the_class_that_says_what_to_do() {
    let quota = Some("credit_balance_exhausted");
    for wire in Wire::ALL {
        let fake = FakeModel::start(TOKEN).await;
        let provider = provider(&fake, wire);
        for (says, class, wait_ms) in [
            (Says::fail(429, "rate_limit_error", None), ErrorClass::RateLimited, None),
            (
                Says::fail(429, "rate_limit_error", None).retry_after("7"),
                ErrorClass::RateLimited,
                Some(7_000),
            ),
            (
                Says::fail(529, "overloaded_error", None).retry_after_ms(250),
                ErrorClass::RateLimited,
                Some(250),
            ),
            (Says::fail(429, "insufficient_quota", quota), ErrorClass::QuotaExhausted, None),
            (Says::fail(500, "server_error", None), ErrorClass::Transient, None),
            (Says::fail(404, "not_found_error", Some("model_not_found")), ErrorClass::NotFound, None),
            (Says::fail(400, "invalid_request_error", None), ErrorClass::Invalid, None),
            (Says::Raw { status: 200, body: json!({ "hello": 1 }) }, ErrorClass::Permanent, None),
        ] {
            let told = format!("{wire:?} {says:?}");
            fake.script(vec![says.into()]);
            let error = ask(&provider, &prompt("go")).await.unwrap_err();
            assert_eq!(error.class, class, "{told}: {error}");
            assert_eq!(error.retry_after, wait_ms.map(Duration::from_millis), "{told}");
            assert!(error.sent, "{told}");
            assert!(!error.message.contains(TOKEN), "{told}: {error}");
        }
        fake.fault(Fault::Delay { ms: 400 });
        fake.script(vec![Step::text("late")]);
        let mut stranger = provider.clone();
        stranger.auth = Auth::None;
        assert_eq!(ask(&stranger, &prompt("go")).await.unwrap_err().class, ErrorClass::Auth, "{wire:?}");
    }
}

#[tokio::test]
async fn a_prompt_that_is_not_the_decided_one_is_not_sent() {
    let fake = FakeModel::start(TOKEN).await;
    let provider = provider(&fake, Wire::OpenaiChat);
    let (decided, other) = (prompt("decided").parts().unwrap(), prompt("other").parts().unwrap());
    let params = serde_json::to_value(models::describe(&prompt("decided"), &decided, "fake-1", 500)).unwrap();
    let action = models::action(&provider).unwrap();
    let mut swapped = decided.payloads.clone();
    let list = other.payloads[&other.digest].clone();
    swapped.extend(other.payloads.clone());
    swapped.insert(decided.digest, list);
    for payloads in [swapped, other.payloads, models::Payloads::new()] {
        let ctx = CallContext { payloads: Arc::new(payloads), ..context("k") };
        let call = Call { action: provider.slug.clone(), params: params.clone() };
        #[expect(clippy::disallowed_methods, reason = "what a source sends is what these tests are about")]
        let error = action.source.execute(&call, &ctx).await.unwrap_err();
        assert!(!error.sent, "{error}");
    }
    assert!(fake.asked().is_empty());
    fake.script(vec![Step::text("control")]);
    assert_eq!(answer(&provider, &prompt("decided")).await.text, "control");
}

#[tokio::test]
async fn a_server_that_cuts_prompts_is_noticed() {
    let fake = FakeModel::start(TOKEN).await;
    let mut provider = provider(&fake, Wire::OpenaiChat);
    let says = || Says::text("hello").usage(100, 5, 0);
    let long = prompt(&"word ".repeat(2_000));
    fake.script(vec![says().into(), says().into(), Says::text("hello").into()]);
    assert_eq!(answer(&provider, &long).await.text, "hello", "control: nobody looks");
    provider.quirks.cuts_prompts = true;
    assert_eq!(ask(&provider, &long).await.unwrap_err().class, ErrorClass::ContextExceeded);
    assert_eq!(answer(&provider, &long).await.text, "hello", "all of it was read");
}

#[tokio::test]
async fn a_probe_finds_out_what_a_server_takes() {
    let now = "2026-11-19T08:00:00Z".parse().unwrap();
    let tool = || Says::calls([("note", json!({ "word": "ready" }))]);
    let word = || Says::text(r#"{"word":"ready"}"#);
    let refused = || Says::fail(400, "invalid_request_error", None);
    for wire in Wire::ALL {
        let fake = FakeModel::start(TOKEN).await;
        let provider = provider(&fake, wire);
        let ctx = context("k");
        fake.script(vec![tool().into(), word().into()]);
        let (probed, quirks) = models::probe(&provider, &ctx, now).await;
        assert!(
            probed.calls_tools && probed.answers_in_schema && probed.error.is_none(),
            "{wire:?} {probed:?}"
        );
        assert_eq!(quirks, provider.quirks, "{wire:?}");
        fake.script(vec![tool().into(), refused().into(), refused().into(), word().into()]);
        let (probed, quirks) = models::probe(&provider, &ctx, now).await;
        assert!(probed.answers_in_schema, "{wire:?} {probed:?}");
        assert_eq!((quirks.schema, quirks.strict), (SchemaSupport::JsonObject, false), "{wire:?}");
        fake.script(vec![Step::text("I cannot"), Step::text("ready")]);
        let (probed, _) = models::probe(&provider, &ctx, now).await;
        assert!(!probed.calls_tools && !probed.answers_in_schema && probed.error.is_none(), "{wire:?}");
        fake.script(vec![Says::fail(429, "insufficient_quota", Some("credit_balance_exhausted")).into()]);
        let (probed, _) = models::probe(&provider, &ctx, now).await;
        assert!(probed.error.is_some(), "{wire:?}");
    }
}
