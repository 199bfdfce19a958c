//! Policies, facts, cases, gates and consents of the two organizations.

use axum::http::Method;
use model::OrgId;
use serde_json::{Value, json};
use testkit::TestApp;

use super::setup::{Ids, Operation, text};

/// Names that no other caller uses, for what is deleted.
const KEPT: &str = "kept_by_a_alone";

/// What an organization has of these.
pub(crate) struct Made {
    pub(crate) policy: String,
    pub(crate) fact: String,
    pub(crate) case: String,
    pub(crate) consent: String,
}

pub(crate) fn is_of_policies(path: &str) -> bool {
    ["/v1/policies", "/v1/policy-", "/v1/facts", "/v1/gates", "/v1/consents"]
        .iter()
        .any(|start| path.starts_with(start))
}

/// One of each. The fact is there before the requests that it counts.
pub(crate) async fn furnish(app: &TestApp, (_, owner): (OrgId, &str), name: &str) -> anyhow::Result<Made> {
    let send = |method, path: String, body: Value| async move {
        let done = app.send(method, &path, owner, Some(body)).await?;
        anyhow::ensure!(done.status.is_success(), "{path}: {}", done.text);
        Ok(done.body)
    };
    let made = Made {
        policy: format!("policy-of-{name}"),
        fact: format!("fact_of_{name}"),
        case: format!("case-of-{name}"),
        consent: String::new(),
    };
    send(Method::PUT, format!("/v1/facts/{}", made.fact), fact()).await?;
    let read = policy(&made.policy, &format!("context.history.{} > 1000000", made.fact));
    send(Method::PUT, format!("/v1/policies/{}", made.policy), read).await?;
    send(Method::PUT, format!("/v1/policy-cases/{}", made.case), case(&made.case)).await?;
    send(Method::PUT, "/v1/gates".to_owned(), gates(0)).await?;
    let consent = json!({"purpose": "newsletter", "subject": format!("somebody-of-{name}")});
    let consent = send(Method::POST, "/v1/consents".to_owned(), consent).await?;
    Ok(Made { consent: text(&consent["id"])?, ..made })
}

fn fact() -> Value {
    json!({"kind": "count", "of": ["linear.*"], "within": "1h", "per": "session"})
}

fn policy(name: &str, condition: &str) -> Value {
    let text = format!(
        "@id(\"{name}\") forbid (principal, action == Action::\"linear.list_issues\", resource) when {{ {condition} }};"
    );
    json!({ "text": text })
}

fn case(name: &str) -> Value {
    json!({"name": name, "request": {"action": "linear.list_issues"}, "expect": "allow"})
}

/// Gate settings that refuse nothing, read at a version.
fn gates(version: i32) -> Value {
    let detector = json!({"name": "nothing", "pattern": "in-no-parameter-at-all", "why": "a test"});
    json!({"version": version, "detectors": [detector]})
}

/// A body that makes an operation succeed.
pub(crate) fn body(operation: &Operation, fresh: &str, ids: &Ids) -> Option<Value> {
    let asked = "forbid (principal, action == Action::\"linear.list_issues\", resource);";
    match (operation.method.as_str(), operation.path.as_str()) {
        ("PUT", "/v1/gates") => Some(gates(1)),
        ("POST", "/v1/consents") => Some(json!({"purpose": "newsletter", "subject": fresh})),
        ("PUT", "/v1/policies/{policy}") => Some(policy(&ids.policy, "context.asked == \"never\"")),
        ("PUT", "/v1/facts/{fact}") => Some(fact()),
        ("PUT", "/v1/policy-cases/{case}") => Some(case(&ids.case)),
        ("POST", "/v1/policies/check") => Some(json!({"policies": [{"text": asked}]})),
        ("POST", "/v1/policies/backtest") => Some(json!({"days": 1, "remove": [ids.policy]})),
        ("POST", "/v1/policies/compare") => Some(json!({"remove": ids.policy})),
        _ => None,
    }
}

/// Creates what an operation deletes.
pub(crate) async fn prepare(
    app: &TestApp,
    owner: &str,
    operation: &Operation,
    ids: &mut Ids,
) -> anyhow::Result<()> {
    if operation.method != Method::DELETE {
        return Ok(());
    }
    let (path, body) = match operation.path.as_str() {
        "/v1/consents/{consent}" => {
            let consent = json!({"purpose": "newsletter", "subject": "somebody"});
            let made = app.send(Method::POST, "/v1/consents", owner, Some(consent)).await?;
            ids.consent = text(&made.body["id"])?;
            return Ok(());
        }
        "/v1/policies/{policy}" => {
            KEPT.clone_into(&mut ids.policy);
            (format!("/v1/policies/{KEPT}"), policy(KEPT, "context.asked == \"never\""))
        }
        "/v1/facts/{fact}" => {
            KEPT.clone_into(&mut ids.fact);
            (format!("/v1/facts/{KEPT}"), fact())
        }
        _ => {
            KEPT.clone_into(&mut ids.case);
            (format!("/v1/policy-cases/{KEPT}"), case(KEPT))
        }
    };
    let made = app.send(Method::PUT, &path, owner, Some(body)).await?;
    anyhow::ensure!(made.status.is_success(), "preparing {path}: {}", made.text);
    // Otherwise it would be filled in the background, and a refused request would look as if it had changed something.
    Ok(app.app.pipeline.fill_facts().await?)
}
