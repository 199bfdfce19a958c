//! Saving policies, facts and cases: what is wrong is told, what loosens waits, and what they name stays true.

use axum::http::{Method, StatusCode};
use base64::Engine as _;
use model::Role;
use serde_json::{Value, json};
use testkit::TestApp;

use super::{fact, owner, policy, set_policy};
use crate::invocations::invoke::{issue, with_linear};

const ASK: &str = r#"@id("titles") @mode("ask") @why("Somebody should read it")
forbid (principal, action == Action::"linear.create_issue", resource)
when { context.input.title like "*urgent*" };"#;

#[tokio::test]
async fn a_policy_holds_from_the_next_decision_on_and_is_named_everywhere() -> anyhow::Result<()> {
    let (app, linear) = with_linear().await?;
    app.rule("linear.create_issue", "allow").await?;
    let agent = app.agent().await?;
    let done = app.invoke(&agent, "linear.create_issue", issue("urgent: before")).await?;
    assert_eq!(done.body["status"], "succeeded", "{}", done.text);
    policy(&app, ASK).await?;
    let calm = app.invoke(&agent, "linear.create_issue", issue("calm")).await?;
    assert_eq!(calm.body["status"], "succeeded", "{}", calm.text);
    let asked = app.invoke(&agent, "linear.create_issue", issue("urgent: after")).await?;
    assert_eq!(asked.status, StatusCode::ACCEPTED, "{}", asked.text);
    let decision = &asked.body["decision"];
    let verdict = json!({ "name": "titles", "version": 1, "mode": "require_approval", "why": "Somebody should read it" });
    assert_eq!(decision["policies"], json!([verdict]));
    let change = json!({ "guardrail": "policy", "from": "allow", "to": "require_approval",
        "reason": "policy `titles`: Somebody should read it" });
    assert_eq!(decision["guardrails"], json!([change]));
    // A guardrail that holds: what is approved is approved once.
    let inbox = owner(&app, Method::GET, "/v1/inbox", None).await?.body;
    assert!(inbox.to_string().contains("policy `titles`"), "{inbox}");
    // Denied by a later version, and the receipt says by which.
    policy(&app, &ASK.replace("@mode(\"ask\")", "@mode(\"deny\")")).await?;
    let denied = app.invoke(&agent, "linear.create_issue", issue("urgent: denied")).await?;
    assert_eq!(denied.status, StatusCode::FORBIDDEN, "{}", denied.text);
    let receipt = denied.body["receipt"].as_str().unwrap_or_default().to_owned();
    let receipt = owner(&app, Method::GET, &format!("/v1/receipts/{receipt}"), None).await?;
    let payload = receipt.body["envelope"]["payload"].as_str().unwrap_or_default();
    let signed: Value = serde_json::from_slice(&base64::engine::general_purpose::STANDARD.decode(payload)?)?;
    let named = &signed["decision"]["policies"][0];
    assert_eq!(
        (&named["name"], &named["version"], &named["mode"]),
        (&json!("titles"), &json!(2), &json!("deny"))
    );
    assert_eq!(linear.effects().len(), 2);
    // The catalog says that it depends on the parameters.
    let matrix = owner(&app, Method::GET, "/v1/policy/matrix", None).await?.body;
    let rows = matrix["rows"].as_array().into_iter().flatten();
    let row = rows.clone().find(|row| row["action"] == "linear.create_issue").cloned().unwrap_or_default();
    assert_eq!((&row["mode"], &row["depends"]), (&json!("allow"), &json!(["titles"])));
    app.check_invariants().await
}

#[tokio::test]
async fn what_cannot_be_saved_is_told_with_its_place() -> anyhow::Result<()> {
    let app = TestApp::start().await?;
    let wrong = ASK.replace("input.title", "input.titel");
    let refused = set_policy(&app, &wrong).await?;
    assert_eq!(refused.status, StatusCode::UNPROCESSABLE_ENTITY, "{}", refused.text);
    assert!(refused.text.contains("line 3"), "{}", refused.text);
    let other_name = owner(&app, Method::PUT, "/v1/policies/other", Some(json!({ "text": ASK }))).await?;
    assert_eq!(other_name.status, StatusCode::UNPROCESSABLE_ENTITY);
    let two = format!("// first\n{ASK}\n{}", wrong.replace("titles", "second"));
    let check = json!({ "policies": [{ "text": two }] });
    let checked = owner(&app, Method::POST, "/v1/policies/check", Some(check)).await?.body;
    assert_eq!(
        (&checked["ok"], checked["policies"].as_array().map(Vec::len)),
        (&json!(false), Some(2)),
        "{checked}"
    );
    let problem = &checked["problems"][0];
    assert_eq!(
        (&problem["policy"], &problem["index"], &problem["line"]),
        (&json!("second"), &json!(0), &json!(7)),
        "{checked}"
    );
    // A fact that does not exist, and one whose field is no number.
    let reads = r#"@id("cap") forbid (principal, action == Action::"linear.create_issue", resource) when { context.history.made > 3 };"#;
    let refused = set_policy(&app, reads).await?;
    assert!(refused.text.contains("the fact `made` does not exist"), "{}", refused.text);
    let sum = json!({ "kind": "sum", "of": ["linear.create_issue"], "field": "input.title", "within": "1h", "per": "org" });
    let refused = owner(&app, Method::PUT, "/v1/facts/made", Some(sum)).await?;
    assert!(refused.text.contains("is no number"), "{}", refused.text);
    let count = json!({ "kind": "count", "of": ["linear.create_issue"], "within": "1h", "per": "org" });
    fact(&app, "made", count).await?;
    policy(&app, reads).await?;
    let refused = owner(&app, Method::DELETE, "/v1/facts/made", None).await?;
    assert_eq!((refused.status, &refused.body["code"]), (StatusCode::CONFLICT, &json!("in_use")));
    assert_eq!(owner(&app, Method::DELETE, "/v1/policies/cap", None).await?.status, StatusCode::NO_CONTENT);
    assert_eq!(owner(&app, Method::DELETE, "/v1/facts/made", None).await?.status, StatusCode::NO_CONTENT);
    Ok(())
}

#[tokio::test]
async fn a_policy_whose_case_fails_is_not_applied() -> anyhow::Result<()> {
    let app = TestApp::start().await?;
    let case = json!({
        "request": { "action": "linear.create_issue", "params": { "team_id": "t", "title": "urgent" } },
        "expect": "require_approval", "policies": ["titles"],
    });
    let set = owner(&app, Method::PUT, "/v1/policy-cases/urgent-asks", Some(case)).await?;
    assert_eq!(set.status, StatusCode::OK, "{}", set.text);
    let deny = ASK.replace("@mode(\"ask\")", "@mode(\"deny\")");
    let refused = set_policy(&app, &deny).await?;
    assert_eq!(
        (refused.status, &refused.body["code"]),
        (StatusCode::UNPROCESSABLE_ENTITY, &json!("case_failed"))
    );
    assert!(
        refused.text.contains("`urgent-asks` expects require_approval and gets deny"),
        "{}",
        refused.text
    );
    // It may observe, and the right one may be applied.
    let observing = json!({ "text": deny, "state": "observing" });
    let saved = owner(&app, Method::PUT, "/v1/policies/titles", Some(observing)).await?;
    assert_eq!(saved.body["state"], "observing", "{}", saved.text);
    policy(&app, ASK).await
}

#[tokio::test]
async fn loosening_a_policy_waits_for_a_second_owner_and_tightening_does_not() -> anyhow::Result<()> {
    let app = TestApp::start().await?;
    let second = app.person(app.org, Role::Owner).await?;
    policy(&app, ASK).await?;
    let weaker = ASK.replace("*urgent*", "*very urgent*");
    let proposed = set_policy(&app, &weaker).await?;
    assert_eq!(proposed.status, StatusCode::ACCEPTED, "{}", proposed.text);
    assert!(proposed.text.contains("changes a policy that is applied"), "{}", proposed.text);
    let (id, digest) = (proposed.body["id"].as_str().unwrap_or_default(), &proposed.body["digest"]);
    let agreed = json!({ "digest": digest });
    let path = format!("/v1/proposed-changes/{id}/approve");
    let done = app.send(Method::POST, &path, &second, Some(agreed)).await?;
    assert_eq!(done.status, StatusCode::OK, "{}", done.text);
    let listed = owner(&app, Method::GET, "/v1/policies", None).await?.body;
    assert_eq!((&listed["items"][0]["text"], &listed["items"][0]["version"]), (&json!(weaker), &json!(2)));
    let observing = json!({ "text": weaker, "state": "observing" });
    let proposed = owner(&app, Method::PUT, "/v1/policies/titles", Some(observing)).await?;
    assert_eq!(proposed.status, StatusCode::ACCEPTED, "{}", proposed.text);
    let proposed = owner(&app, Method::DELETE, "/v1/policies/titles", None).await?;
    assert_eq!(proposed.status, StatusCode::ACCEPTED, "{}", proposed.text);
    let zone = owner(&app, Method::PATCH, "/v1/org", Some(json!({ "time_zone": "Europe/Berlin" }))).await?;
    assert_eq!(zone.status, StatusCode::ACCEPTED, "{}", zone.text);
    let stricter = r#"@id("no-writes") forbid (principal, action in Action::"risk:R2", resource);"#;
    assert_eq!(set_policy(&app, stricter).await?.status, StatusCode::OK);
    Ok(())
}

#[tokio::test]
async fn a_policy_that_observes_is_recorded_reported_and_not_applied() -> anyhow::Result<()> {
    let (app, _linear) = with_linear().await?;
    app.rule("linear.create_issue", "allow").await?;
    let deny = ASK.replace("@mode(\"ask\")", "@mode(\"deny\")");
    let observing = json!({ "text": deny, "state": "observing" });
    owner(&app, Method::PUT, "/v1/policies/titles", Some(observing)).await?;
    let agent = app.agent().await?;
    for title in ["urgent", "calm", "urgent again"] {
        let done = app.invoke(&agent, "linear.create_issue", issue(title)).await?;
        assert_eq!(done.body["status"], "succeeded", "{}", done.text);
        let observed = done.body["decision"]["policies"].as_array().map_or(0, Vec::len);
        assert_eq!(observed, usize::from(title.contains("urgent")));
    }
    let report = owner(&app, Method::GET, "/v1/policies/reports?days=1", None).await?.body;
    let report = &report["items"][0];
    let said = [&report["held"], &report["would_deny"], &report["would_ask"], &report["already_stricter"]];
    assert_eq!(said, [&json!(2), &json!(2), &json!(0), &json!(0)], "{report}");
    assert_eq!(report["by_action"][0]["examples"].as_array().map(Vec::len), Some(2));
    Ok(())
}

#[tokio::test]
async fn every_starter_passes_its_own_cases() -> anyhow::Result<()> {
    let app = TestApp::start().await?;
    let space = json!({ "slug": "production", "name": "Production", "risk_band": "amber" });
    let made = owner(&app, Method::POST, "/v1/spaces", Some(space)).await?;
    assert!(made.status.is_success(), "{}", made.text);
    let starters = owner(&app, Method::GET, "/v1/policy-starters", None).await?.body;
    let starters = starters["items"].as_array().cloned().unwrap_or_default();
    assert_eq!(starters.len(), 15);
    for starter in starters {
        let text = starter["text"].as_str().unwrap_or_default();
        let filled: Value = serde_json::from_str(&filled(&starter.to_string(), &starter["needs"], true))?;
        let check = json!({
            "policies": [{ "text": self::filled(text, &starter["needs"], false) }],
            "facts": filled["facts"], "cases": filled["cases"], "actions": starter["actions"], "alone": true,
        });
        let checked = owner(&app, Method::POST, "/v1/policies/check", Some(check)).await?;
        assert_eq!(checked.body["ok"], true, "{}: {}", starter["name"], checked.text);
        assert!(checked.body["cases"].as_array().map_or(0, Vec::len) >= 3, "{}", checked.text);
        let warnings = checked.body["problems"].as_array().map_or(0, Vec::len);
        assert_eq!(warnings, 0, "{}: {}", starter["name"], checked.text);
    }
    Ok(())
}

/// A text with the defaults of what a person chooses. Inside of JSON, texts are escaped.
fn filled(text: &str, needs: &Value, inside_json: bool) -> String {
    let mut text = text.to_owned();
    for need in needs.as_array().into_iter().flatten() {
        let value = match &need["default"] {
            Value::String(word) => word.clone(),
            Value::Array(words) => words.iter().map(ToString::to_string).collect::<Vec<_>>().join(", "),
            other => other.to_string(),
        };
        let value = if inside_json { value.replace('"', "\\\"") } else { value };
        text = text.replace(&format!("{{{{{}}}}}", need["name"].as_str().unwrap_or_default()), &value);
    }
    text
}

#[tokio::test]
async fn a_changed_fact_waits_for_a_second_owner_and_can_be_approved() -> anyhow::Result<()> {
    let app = TestApp::start().await?;
    let second = app.person(app.org, Role::Owner).await?;
    let made = |within: &str| json!({ "kind": "count", "of": ["linear.create_issue"], "within": within, "per": "org" });
    fact(&app, "made", made("1h")).await?;
    let proposed = owner(&app, Method::PUT, "/v1/facts/made", Some(made("2h"))).await?;
    assert_eq!(proposed.status, StatusCode::ACCEPTED, "{}", proposed.text);
    let path = format!("/v1/proposed-changes/{}/approve", proposed.body["id"].as_str().unwrap_or_default());
    let agreed = json!({ "digest": proposed.body["digest"] });
    let done = app.send(Method::POST, &path, &second, Some(agreed)).await?;
    assert_eq!(done.status, StatusCode::OK, "{}", done.text);
    let listed = owner(&app, Method::GET, "/v1/facts", None).await?.body;
    assert_eq!(listed["items"][0]["within"], "2h", "{listed}");
    Ok(())
}

#[tokio::test]
async fn nobody_overwrites_a_version_that_they_did_not_read() -> anyhow::Result<()> {
    let app = TestApp::start().await?;
    let put = async |text: &str, version: i32| {
        let body = json!({ "text": text, "version": version });
        owner(&app, Method::PUT, "/v1/policies/titles", Some(body)).await
    };
    assert_eq!(put(ASK, 1).await?.body["code"], "version_changed", "there is none yet");
    assert_eq!(put(ASK, 0).await?.status, StatusCode::OK);
    let deny = ASK.replace("@mode(\"ask\")", "@mode(\"deny\")");
    assert_eq!(put(&deny, 0).await?.status, StatusCode::CONFLICT);
    assert_eq!(put(&deny, 1).await?.body["version"], 2);
    Ok(())
}

#[tokio::test]
async fn a_case_may_be_about_some_policies_alone() -> anyhow::Result<()> {
    let app = TestApp::start().await?;
    let count = json!({ "kind": "count", "of": ["linear.create_issue"], "within": "1h", "per": "org" });
    fact(&app, "made", count).await?;
    let case = |expect: &str, only: Value| {
        let request =
            json!({ "action": "linear.create_issue", "params": { "team_id": "t", "title": "urgent" } });
        json!({ "request": request, "expect": expect, "only": only })
    };
    for (name, case) in [
        ("about-titles", case("require_approval", json!(["titles"]))),
        ("about-both", case("deny", json!(["titles", "never"]))),
    ] {
        let path = format!("/v1/policy-cases/{name}");
        let set = owner(&app, Method::PUT, &path, Some(case)).await?;
        assert_eq!(set.status, StatusCode::OK, "{}", set.text);
    }
    // One that is about a policy that does not exist yet keeps nobody from saving; what nothing says happened did not.
    let rare = r#"@id("rare") forbid (principal, action == Action::"linear.create_issue", resource)
        when { context.history.made > 3 };"#;
    policy(&app, rare).await?;
    policy(&app, ASK).await?;
    let never =
        r#"@id("never") @mode("ask") forbid (principal, action == Action::"linear.create_issue", resource);"#;
    let refused = set_policy(&app, never).await?;
    assert_eq!(refused.body["code"], "case_failed", "{}", refused.text);
    assert!(refused.text.contains("about-both"), "{}", refused.text);
    // One that observes is evaluated in the cases that name it, and in no others.
    let never = never.replace("@mode(\"ask\") ", "");
    let observing = json!({ "text": never, "state": "observing" });
    owner(&app, Method::PUT, "/v1/policies/never", Some(observing)).await?;
    policy(&app, &ASK.replace("read it", "read it first")).await
}
