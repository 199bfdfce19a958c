//! Attack 19: approvers are flooded. Two thousand requests of fifty sessions, hooks and runs: the caps hold exactly, what
//! others ask for is on the first page of the inbox, and who is denied again and again must wait.

use std::{
    collections::BTreeMap,
    time::{Duration, Instant},
};

use axum::http::{Method, StatusCode};
use catalog::SourceUrls;
use futures::{StreamExt as _, stream};
use model::Role;
use platform::config::Limits;
use serde_json::{Value, json};
use testkit::{Agent, Answered, TestApp, fakes::FakeLinear};
use uuid::Uuid;

use crate::{
    approvals::answers::{answer, approve, ask, opened, perform},
    automations::definitions::{advance, definition, make, save, start, text},
    automations::triggers::{knock, triggered},
    invocations::invoke::{TOKEN, issue},
};

/// How many requests are made at once.
const AT_ONCE: usize = 16;
/// How long an innocent request may take to be seen.
const BAR: Duration = Duration::from_secs(60);

/// The caps as they are by default, and no limit per minute, which is not what is tried here.
fn limits() -> Limits {
    Limits { invocations_per_minute: 1_000_000, ..Limits::default() }
}

async fn app(limits: Limits) -> anyhow::Result<(TestApp, FakeLinear)> {
    let linear = FakeLinear::start(TOKEN).await;
    let urls = SourceUrls::default().with(&catalog::integrations::LINEAR, linear.url().parse()?);
    let app = TestApp::with(urls, limits).await?;
    app.connect("linear", TOKEN).await?;
    Ok((app, linear))
}

/// One that asks without end.
#[derive(Clone)]
enum Flooder {
    Agent(Agent),
    Hook { trigger: String, token: String },
    Run(Value),
}

impl Flooder {
    /// Asks once; returns whether the request was refused. A step of a run waits until there is one.
    async fn ask(&self, app: &TestApp, title: &str) -> anyhow::Result<bool> {
        let run = match self {
            Self::Agent(agent) => {
                let asked = app.invoke(agent, "linear.create_issue", issue(title)).await?;
                let is_refused = is_refused(&asked);
                anyhow::ensure!(asked.status == StatusCode::ACCEPTED || is_refused, "{}", asked.text);
                return Ok(is_refused);
            }
            Self::Hook { trigger, token } => {
                let body = json!({ "t": title }).to_string();
                let told = knock(app, trigger, (token, &[]), &body).await?;
                anyhow::ensure!(told.status == StatusCode::ACCEPTED, "{}", told.text);
                text(&told.body["id"]).parse()?
            }
            Self::Run(automation) => start(app, automation, json!({})).await?,
        };
        Ok(matches!(advance(app, run).await?, automation::Turn::Rest { .. }))
    }
}

fn is_refused(asked: &Answered) -> bool {
    let code = text(&asked.body["code"]);
    asked.status == StatusCode::TOO_MANY_REQUESTS
        && ["too_many_pending", "cooling_down"].contains(&code.as_str())
}

/// Everyone asks so many times, at once; returns how many requests were refused.
async fn flood(app: &TestApp, flooders: &[Flooder], times: usize) -> anyhow::Result<usize> {
    let all = (0..times).flat_map(|time| flooders.iter().map(move |flooder| (time, flooder)));
    let asked = stream::iter(all)
        .map(|(time, flooder)| async move { flooder.ask(app, &format!("flood {time}")).await });
    let refused: Vec<anyhow::Result<bool>> = asked.buffer_unordered(AT_ONCE).collect().await;
    let refused = refused.into_iter().collect::<anyhow::Result<Vec<_>>>()?;
    Ok(refused.into_iter().filter(|refused| *refused).count())
}

/// Sessions that a new person opens.
async fn agents(app: &TestApp, sessions: usize) -> anyhow::Result<Vec<Flooder>> {
    let token = app.person(app.org, Role::Admin).await?;
    let mut all = Vec::new();
    for _ in 0..sessions {
        all.push(Flooder::Agent(app.agent_of(&token).await?));
    }
    Ok(all)
}

async fn hook(app: &TestApp, name: &str) -> anyhow::Result<Flooder> {
    let config = json!({ "input_mapping": { "title": "$.t" } });
    let saved = save(app, &triggered(name, json!({ "type": "webhook", "config": config }))).await?;
    let token = text(&saved["new_tokens"][0]["token"]);
    Ok(Flooder::Hook { trigger: text(&saved["triggers"][0]["id"]), token })
}

async fn runs(app: &TestApp, name: &str) -> anyhow::Result<Flooder> {
    let mut wanted = definition(name, &json!([make("a", "flood")]));
    wanted["execution"] = json!({ "concurrency": "allow_parallel" });
    Ok(Flooder::Run(save(app, &wanted).await?))
}

/// How many invocations wait, by opener, by session, and in all.
async fn waiting(app: &TestApp) -> anyhow::Result<(BTreeMap<Uuid, i64>, BTreeMap<Uuid, i64>, i64)> {
    let rows: Vec<(Uuid, Uuid)> =
        sqlx::query_as("SELECT opener, session_id FROM invocations WHERE status = 'pending'")
            .fetch_all(&mut app.db.owner().await?)
            .await?;
    let (mut openers, mut sessions) = (BTreeMap::new(), BTreeMap::new());
    for (opener, session) in &rows {
        *openers.entry(*opener).or_default() += 1;
        *sessions.entry(*session).or_default() += 1;
    }
    Ok((openers, sessions, i64::try_from(rows.len())?))
}

/// The first page of the inbox, as the API returns it by default.
async fn first_page(app: &TestApp) -> anyhow::Result<Vec<String>> {
    let page = app.send(Method::GET, "/v1/inbox", &app.owner_token, None).await?;
    let items = page.body["items"].as_array().cloned().unwrap_or_default();
    Ok(items.iter().map(|item| text(item.pointer("/invocation/id").unwrap_or_else(|| &item["id"]))).collect())
}

/// Requests of those who ask for little: of an agent, of a run, and for a grant.
async fn innocent(app: &TestApp, name: &str) -> anyhow::Result<Vec<String>> {
    let agent = app.agent_of(&app.person(app.org, Role::Member).await?).await?;
    let asked = app.invoke(&agent, "linear.create_issue", issue("innocent")).await?;
    anyhow::ensure!(asked.status == StatusCode::ACCEPTED, "{}", asked.text);
    let request = json!({ "action": "linear.add_comment", "reason": "innocent" });
    let path = format!("/v1/sessions/{}/grants/request", agent.session);
    let wanted = app.send(Method::POST, &path, &agent.token, Some(request)).await?;
    anyhow::ensure!(wanted.status.is_success(), "{}", wanted.text);
    let automation = save(app, &definition(name, &json!([make("a", "innocent")]))).await?;
    let run = start(app, &automation, json!({})).await?;
    advance(app, run).await?;
    let step = crate::automations::definitions::show(app, run).await?;
    Ok(vec![text(&asked.body["id"]), text(&wanted.body["id"]), text(&step["steps"][0]["invocation"])])
}

/// How many of these are on the first page within a minute.
async fn seen(app: &TestApp, wanted: &[String]) -> anyhow::Result<usize> {
    let since = Instant::now();
    let page = first_page(app).await?;
    anyhow::ensure!(since.elapsed() < BAR, "the first page took {:?}", since.elapsed());
    Ok(wanted.iter().filter(|id| page.contains(id)).count())
}

/// Denies the newest of what these sessions ask for, so that places are free again.
async fn deny_some(app: &TestApp, count: i64) -> anyhow::Result<()> {
    let ids: Vec<Uuid> = sqlx::query_scalar(
        "SELECT id FROM invocations WHERE status = 'pending' AND params ->> 'title' LIKE 'flood%' ORDER BY id DESC LIMIT $1",
    )
    .bind(count)
    .fetch_all(&mut app.db.owner().await?)
    .await?;
    for id in ids {
        let waiting = opened(app, &json!(model::InvocationId::from_uuid(id))).await?;
        answer(app, &app.owner_token, ("deny", &waiting), json!({})).await?;
    }
    Ok(())
}

#[tokio::test]
async fn caps_are_exact_and_the_innocent_are_seen() -> anyhow::Result<()> {
    let (app, linear) = app(limits()).await?;
    // Two people, whose agents take all the places that they may.
    let mut two = agents(&app, 6).await?;
    two.extend(agents(&app, 6).await?);
    let mut wrong = 0;
    let refused = flood(&app, &two, 40).await?;
    let (by_opener, by_session, _) = waiting(&app).await?;
    wrong += usize::from(refused != 12 * 40 - 100 || by_opener.values().any(|count| *count != 50));
    wrong += by_session.values().filter(|count| **count > 10).count();

    // The agents of six more people, six hooks and two automations: more than all places of the organization.
    let mut all = Vec::new();
    for _ in 0..6 {
        all.extend(agents(&app, 5).await?);
    }
    for name in 0..6 {
        all.push(hook(&app, &format!("Hook {name}")).await?);
    }
    for name in 0..2 {
        all.push(runs(&app, &format!("Runs {name}")).await?);
    }
    // Everyone takes the five places of the reserve first, so that the total is known.
    flood(&app, &all, 5).await?;
    let early = innocent(&app, "Early").await?;
    wrong += early.len() - seen(&app, &early).await?;
    flood(&app, &all, 35).await?;
    wrong += early.len() - seen(&app, &early).await?;
    let (_, _, total) = waiting(&app).await?;
    // Four fifths of 500; one of the places is that of a request for a grant.
    anyhow::ensure!(total == 399, "{total} invocations wait");
    // Nobody who floods gets one more, and the inbox is as it was.
    let refused = flood(&app, &all, 1).await? + flood(&app, &two, 1).await?;
    wrong += usize::from(refused != all.len() + two.len());
    wrong += usize::from(waiting(&app).await?.2 != total);

    // Late ones are seen too, and stay while places become free and are taken at once.
    let late = innocent(&app, "Late").await?;
    for _ in 0..3 {
        deny_some(&app, 10).await?;
        flood(&app, &all, 1).await?;
        wrong += late.len() - seen(&app, &late).await?;
        wrong += early.len() - seen(&app, &early).await?;
    }
    let asked = 12 * 41 + all.len() * 44;
    anyhow::ensure!(asked >= 2_000 && linear.issues_titled("flood 0").is_empty(), "{asked} requests");
    testkit::tried(19, "requests of fifty sessions, hooks and runs", asked, wrong);
    anyhow::ensure!(wrong == 0, "{wrong} checks failed: {by_opener:?} {by_session:?}");
    app.check_invariants().await
}

#[tokio::test]
async fn a_cool_down_is_exact_and_doubles() -> anyhow::Result<()> {
    let (app, _linear) = app(limits()).await?;
    let agent = app.agent().await?;
    let (mut tried, mut wrong) = (0, 0);
    for _ in 0..3 {
        let asked = ask(&app, &agent, "again").await?;
        answer(&app, &app.owner_token, ("deny", &asked), json!({ "reason": "no" })).await?;
    }
    let mut length = 60;
    for _ in 0..12 {
        // A millisecond before it is over it still holds.
        app.advance(Duration::from_secs(length) - Duration::from_millis(1));
        let early = app.invoke(&agent, "linear.create_issue", issue("again")).await?;
        wrong +=
            usize::from(early.body["code"] != "cooling_down" || !early.headers.contains_key("retry-after"));
        // The session may ask for something else meanwhile, and others may ask for the same.
        let other =
            app.invoke(&agent, "linear.add_comment", json!({ "issue": "ENG-1", "body": "x" })).await?;
        let others = app.invoke(&app.agent().await?, "linear.create_issue", issue("other")).await?;
        for free in [other, others] {
            wrong += usize::from(free.status != StatusCode::ACCEPTED);
            app.app.pipeline.approvals().withdraw(app.org, text(&free.body["id"]).parse()?, "test").await?;
        }
        app.advance(Duration::from_millis(1));
        let asked = app.invoke(&agent, "linear.create_issue", issue("again")).await?;
        wrong += usize::from(asked.status != StatusCode::ACCEPTED);
        let waiting = opened(&app, &asked.body["id"]).await?;
        answer(&app, &app.owner_token, ("deny", &waiting), json!({})).await?;
        length = (length * 2).min(24 * 60 * 60);
        tried += 4;
        if length > 4 * 60 * 60 {
            break;
        }
    }
    // An approval ends it.
    app.advance(Duration::from_secs(length));
    let asked = ask(&app, &agent, "at last").await?;
    approve(&app, &asked).await?;
    perform(&app, &asked).await?;
    let next = app.invoke(&agent, "linear.create_issue", issue("and on")).await?;
    wrong += usize::from(next.status != StatusCode::ACCEPTED);
    testkit::tried(19, "requests around a cool-down", tried + 1, wrong);
    anyhow::ensure!(wrong == 0, "{wrong} wrong");
    app.check_invariants().await
}

#[tokio::test]
async fn the_runs_of_an_automation_cool_down_together() -> anyhow::Result<()> {
    let (app, _linear) = app(limits()).await?;
    let Flooder::Run(automation) = runs(&app, "Again").await? else { anyhow::bail!("not an automation") };
    for _ in 0..3 {
        let run = start(&app, &automation, json!({})).await?;
        advance(&app, run).await?;
        deny_some(&app, 1).await?;
        advance(&app, run).await?;
    }
    let run = start(&app, &automation, json!({})).await?;
    advance(&app, run).await?;
    let ended = crate::automations::definitions::show(&app, run).await?;
    let wrong = usize::from(ended["steps"][0]["error"]["class"] != "cooling_down");
    testkit::tried(19, "a run after three denials", 1, wrong);
    anyhow::ensure!(wrong == 0, "{ended}");
    Ok(())
}

#[tokio::test]
async fn control_without_caps_everything_waits() -> anyhow::Result<()> {
    let unlimited = Limits {
        pending_per_session: u32::MAX,
        pending_per_opener: u32::MAX,
        pending_per_org: u32::MAX,
        ..limits()
    };
    let (app, _linear) = app(unlimited).await?;
    let mut all = agents(&app, 6).await?;
    all.push(hook(&app, "Hook").await?);
    let refused = flood(&app, &all, 40).await?;
    let (_, _, total) = waiting(&app).await?;
    testkit::tried(19, "control: no caps", usize::try_from(total)?, usize::try_from(total)?);
    anyhow::ensure!((refused, total) == (0, 7 * 40), "{refused} refused, {total} wait");
    Ok(())
}

#[tokio::test]
async fn control_without_turns_the_innocent_are_not_seen() -> anyhow::Result<()> {
    let (app, _linear) = app(limits()).await?;
    let early = innocent(&app, "Early").await?;
    let mut all = agents(&app, 5).await?;
    all.extend(agents(&app, 5).await?);
    flood(&app, &all, 10).await?;
    anyhow::ensure!(seen(&app, &early).await? == early.len(), "with turns they are seen");
    let forget = "ALTER TABLE invocations NO FORCE ROW LEVEL SECURITY; UPDATE invocations SET turn = 0;
        ALTER TABLE grant_requests NO FORCE ROW LEVEL SECURITY; UPDATE grant_requests SET turn = 0;";
    sqlx::raw_sql(forget).execute(&mut app.db.owner().await?).await?;
    let lost = early.len() - seen(&app, &early).await?;
    testkit::tried(19, "control: no turns", early.len(), lost);
    anyhow::ensure!(lost == early.len(), "{lost} of {} are lost", early.len());
    Ok(())
}

#[tokio::test]
async fn control_without_the_record_of_denials_there_is_no_cool_down() -> anyhow::Result<()> {
    let (app, _linear) = app(limits()).await?;
    let agent = app.agent().await?;
    let (mut owner, mut asked) = (app.db.owner().await?, 0);
    sqlx::raw_sql("ALTER TABLE approvals NO FORCE ROW LEVEL SECURITY").execute(&mut owner).await?;
    for _ in 0..10 {
        let waiting = ask(&app, &agent, "again").await?;
        answer(&app, &app.owner_token, ("deny", &waiting), json!({})).await?;
        sqlx::raw_sql("UPDATE approvals SET proposer = NULL").execute(&mut owner).await?;
        asked += 1;
    }
    testkit::tried(19, "control: denials forgotten", asked, asked);
    Ok(())
}
