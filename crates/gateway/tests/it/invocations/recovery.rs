//! Recovery of invocations whose process died. A claim whose lease expires stands for the dead process.

use std::time::Duration;

use serde_json::json;
use testkit::{
    Agent, TestApp,
    fakes::{FakeGitHub, Service, Stage},
};

use crate::invocations::invoke::{issue, with_github, with_linear};

/// Starts an invocation whose target never answers, and abandons it when the claim is committed and the request sent.
async fn abandon<S: Service>(
    app: &TestApp,
    (agent, target): (&Agent, &Stage<S>),
    action: &str,
    params: serde_json::Value,
) -> anyhow::Result<()> {
    let before = target.requests().len();
    let sent = async {
        while target.requests().len() == before {
            tokio::time::sleep(Duration::from_millis(5)).await;
        }
    };
    tokio::select! {
        done = app.invoke(agent, action, params) => anyhow::bail!("the target hangs, but it ended: {:?}", done?.body),
        sent = tokio::time::timeout(Duration::from_secs(30), sent) => Ok(sent?),
    }
}

/// The same in a new app, with an action whose effect cannot be looked up.
async fn abandon_issue(title: &str) -> anyhow::Result<(TestApp, FakeGitHub)> {
    let (app, github) = with_github().await?;
    github.hang();
    let params = json!({ "owner": "acme", "repo": "web", "title": title });
    abandon(&app, (&app.agent().await?, &*github), "github.create_issue", params).await?;
    Ok((app, github))
}

async fn statuses(app: &TestApp) -> anyhow::Result<Vec<String>> {
    let mut tx = app.app.db.begin(app.org).await?;
    Ok(sqlx::query_scalar("SELECT status FROM invocations ORDER BY id").fetch_all(&mut *tx).await?)
}

#[tokio::test]
async fn nothing_is_recovered_while_its_lease_holds() -> anyhow::Result<()> {
    let (app, _github) = abandon_issue("Held").await?;
    assert_eq!(app.app.pipeline.recover().await?, 0);
    assert_eq!(statuses(&app).await?, ["executing"]);
    Ok(())
}

#[tokio::test]
async fn an_orphaned_once_only_action_ends_unknown() -> anyhow::Result<()> {
    let (app, github) = abandon_issue("Orphan").await?;
    app.advance(Duration::from_secs(600));
    assert_eq!(app.app.pipeline.recover().await?, 1);
    assert_eq!(statuses(&app).await?, ["unknown"]);
    assert_eq!(github.effects().get("Orphan").copied(), Some(1));
    app.check_invariants().await
}

#[tokio::test]
async fn an_orphaned_checkable_action_is_looked_up_and_not_doubled() -> anyhow::Result<()> {
    let (app, linear) = with_linear().await?;
    app.rule("linear.create_issue", "allow").await?;
    let agent = app.agent().await?;
    linear.hang();
    abandon(&app, (&agent, &*linear), "linear.create_issue", issue("Orphan")).await?;
    app.advance(Duration::from_secs(600));
    assert_eq!(app.app.pipeline.recover().await?, 1);
    assert_eq!(statuses(&app).await?, ["succeeded"]);
    assert_eq!(linear.effects().get("Orphan").copied(), Some(1));
    app.check_invariants().await
}

#[tokio::test]
async fn an_orphan_that_is_no_longer_permitted_is_not_repeated() -> anyhow::Result<()> {
    let (app, linear) = with_linear().await?;
    let agent = app.agent().await?;
    linear.fault(testkit::fakes::Fault::HangBefore);
    abandon(&app, (&agent, &*linear), "linear.list_issues", json!({})).await?;
    app.rule("linear.list_issues", "deny").await?;
    app.advance(Duration::from_secs(600));
    let before = linear.requests().len();
    assert_eq!(app.app.pipeline.recover().await?, 1);
    assert_eq!(statuses(&app).await?, ["failed"]);
    assert_eq!(linear.requests().len(), before, "nothing was sent");
    app.check_invariants().await
}

#[tokio::test]
async fn an_orphan_whose_action_is_no_longer_known_is_not_stuck() -> anyhow::Result<()> {
    let (app, _github) = abandon_issue("Gone").await?;
    // The service may not rename an action, and row-level security also applies to the owner of the table, so it is
    // lifted for this change.
    let mut owner = app.db.owner().await?;
    for statement in [
        "ALTER TABLE invocations NO FORCE ROW LEVEL SECURITY",
        "UPDATE invocations SET action = 'forgotten'",
        "ALTER TABLE invocations FORCE ROW LEVEL SECURITY",
    ] {
        sqlx::query(statement).execute(&mut owner).await?;
    }
    app.advance(Duration::from_secs(600));
    assert_eq!(app.app.pipeline.recover().await?, 1);
    assert_eq!(statuses(&app).await?, ["unknown"]);
    app.check_invariants().await
}
