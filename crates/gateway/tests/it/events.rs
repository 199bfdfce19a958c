//! Events over HTTP: publishing, listing, waiting, streaming, and sharing among the consumers of a group.

use std::time::{Duration, Instant};

use axum::http::{Method, StatusCode};
use model::Role;
use serde_json::{Value, json};
use testkit::{Agent, Answered, TestApp};
use tokio::{
    io::{AsyncBufReadExt as _, AsyncWriteExt as _, BufReader},
    net::{TcpListener, TcpStream},
};

fn added(id: &str) -> Value {
    json!({"specversion": "1.0", "id": id, "source": "/drive", "type": "drive.file_added", "data": {"file": id}})
}

async fn relayed() -> anyhow::Result<TestApp> {
    let app = TestApp::start().await?;
    app.relay();
    Ok(app)
}

async fn ask(app: &TestApp, method: Method, path: &str, body: Option<Value>) -> anyhow::Result<Value> {
    let done = app.send(method, path, &app.owner_token, body).await?;
    anyhow::ensure!(done.status.is_success(), "{path}: {}", done.text);
    Ok(done.body)
}

#[tokio::test]
async fn what_an_application_publishes_is_read_in_order_and_waited_for() -> anyhow::Result<()> {
    let app = relayed().await?;
    let first = ask(&app, Method::POST, "/v1/events", Some(added("1"))).await?;
    let again = ask(&app, Method::POST, "/v1/events", Some(json!([added("1"), added("2")]))).await?;
    assert_eq!(again["items"][0], json!({"eventid": first["items"][0]["eventid"], "duplicate": true}));
    let after = first["items"][0]["eventid"].as_str().unwrap_or_default();
    let next = ask(&app, Method::GET, &format!("/v1/events?after={after}&wait=50s"), None).await?;
    assert_eq!(next["items"][0]["id"], "2");
    let last = next["last"].as_str().unwrap_or_default();
    let waiting = format!("/v1/events?after={last}&type=drive.*&wait=20s");
    let (waited, _) = tokio::join!(ask(&app, Method::GET, &waiting, None), async {
        tokio::time::sleep(Duration::from_millis(200)).await;
        ask(&app, Method::POST, "/v1/events", Some(added("3"))).await
    });
    assert_eq!(waited?["items"][0]["data"], json!({"file": "3"}));
    let newest = ask(&app, Method::GET, "/v1/events?limit=2&type=drive.file_added", None).await?;
    let ids: Vec<_> =
        newest["items"].as_array().into_iter().flatten().map(|event| event["id"].clone()).collect();
    assert_eq!(ids, ["2", "3"]);
    Ok(())
}

#[tokio::test]
async fn what_is_not_an_event_is_refused_with_its_place() -> anyhow::Result<()> {
    let app = relayed().await?;
    let with = |name: &str, value: Value| {
        let mut event = added("1");
        event[name] = value;
        event
    };
    for (body, pointer) in [
        (with("specversion", json!("0.3")), "/specversion"),
        (with("type", json!("action.executed")), "/type"),
        (with("source", json!("/countersign")), "/source"),
        (with("datacontenttype", json!("text/xml")), "/datacontenttype"),
        (with("surprise", json!(1)), ""),
        (json!([added("1"), with("type", json!("x"))]), "/1/type"),
        (json!([]), ""),
        (Value::Array((0..101).map(|id| added(&id.to_string())).collect()), ""),
    ] {
        let refused = app.send(Method::POST, "/v1/events", &app.owner_token, Some(body.clone())).await?;
        assert_eq!(refused.status, StatusCode::UNPROCESSABLE_ENTITY, "{body:.200}: {}", refused.text);
        assert_eq!(refused.body["errors"][0]["pointer"], pointer, "{}", refused.text);
    }
    ask(&app, Method::POST, "/v1/events", Some(added("1"))).await?;
    let other = with("data", json!({"file": "another"}));
    let renamed = app.send(Method::POST, "/v1/events", &app.owner_token, Some(other)).await?;
    assert_eq!((renamed.status, &renamed.body["code"]), (StatusCode::CONFLICT, &json!("event_id_reused")));
    Ok(())
}

#[tokio::test]
async fn a_credential_in_what_is_published_is_taken_out() -> anyhow::Result<()> {
    let app = relayed().await?;
    let secret = "ghp_0123456789abcdefghijklmnopqrstuvwxyzAB";
    let mut event = added("1");
    event["data"] = json!({"log": format!("pushed with {secret}")});
    ask(&app, Method::POST, "/v1/events", Some(event)).await?;
    ask(&app, Method::PUT, "/v1/event-groups/work", Some(json!({"from": "start"}))).await?;
    let read =
        ask(&app, Method::POST, "/v1/event-groups/work/read", Some(json!({"consumer": "a", "wait": "10s"})));
    let read = read.await?;
    let id = read["items"][0]["event"]["eventid"].clone();
    assert!(!read.to_string().contains(secret) && id.is_string(), "{read}");
    let nack = json!({"events": [id], "error": format!("could not: {secret}")});
    ask(&app, Method::PUT, "/v1/event-groups/work", Some(json!({"max_attempts": 1}))).await?;
    ask(&app, Method::POST, "/v1/event-groups/work/nack", Some(nack)).await?;
    let dead = ask(&app, Method::GET, "/v1/event-groups/work/dead-letters", None).await?;
    assert!(dead.to_string().contains("could not") && !dead.to_string().contains(secret), "{dead}");
    Ok(())
}

#[tokio::test]
async fn a_group_is_made_read_and_replayed() -> anyhow::Result<()> {
    let app = relayed().await?;
    let group = "/v1/event-groups/indexer";
    let filter = json!({"type": {"starts_with": "drive."}});
    let made = app.send(Method::PUT, group, &app.owner_token, Some(json!({"filter": filter}))).await?;
    assert_eq!((made.status, &made.body["max_attempts"]), (StatusCode::CREATED, &json!(10)));
    ask(&app, Method::POST, "/v1/events", Some(json!([added("1"), added("2")]))).await?;
    let read = |consumer: &str| json!({"consumer": consumer, "wait": "10s"});
    let taken = ask(&app, Method::POST, &format!("{group}/read"), Some(read("a"))).await?;
    let id = |at: usize| taken["items"][at]["event"]["eventid"].clone();
    assert_eq!(taken["items"].as_array().map(Vec::len), Some(2));
    let acked = ask(&app, Method::POST, &format!("{group}/ack"), Some(json!({"events": [id(0)]}))).await?;
    assert_eq!(acked["count"], 1);
    let claimed =
        ask(&app, Method::POST, &format!("{group}/claim"), Some(json!({"consumer": "b", "from": "a"})))
            .await?;
    assert_eq!(
        (&claimed["items"][0]["event"]["id"], &claimed["items"][0]["attempt"]),
        (&json!("2"), &json!(2))
    );
    let view = ask(&app, Method::GET, group, None).await?;
    assert_eq!(
        (&view["in_flight"], &view["ahead"], &view["dead_letters"]),
        (&json!(1), &json!(0), &json!(0))
    );
    ask(&app, Method::POST, &format!("{group}/replay"), Some(json!({"from": id(0)}))).await?;
    let again = ask(&app, Method::POST, &format!("{group}/read"), Some(read("c"))).await?;
    assert_eq!(again["items"].as_array().map(Vec::len), Some(2));
    for (path, body) in [
        (format!("{group}/replay"), json!({"from": "yesterday"})),
        (format!("{group}/read"), json!({"consumer": ""})),
        (format!("{group}/read"), json!({"consumer": "a", "max": 101})),
        (format!("{group}/ack"), json!({"events": []})),
    ] {
        let refused = app.send(Method::POST, &path, &app.owner_token, Some(body)).await?;
        assert_eq!(refused.status, StatusCode::UNPROCESSABLE_ENTITY, "{path}: {}", refused.text);
    }
    let bad = json!({"filter": {"data.x": {"like": "y"}}});
    let refused = app.send(Method::PUT, group, &app.owner_token, Some(bad)).await?;
    assert_eq!(refused.body["errors"][0]["pointer"], "/filter/data.x/like", "{}", refused.text);
    Ok(())
}

/// Follows the stream of a gateway over a real connection, as a program would.
async fn follow(app: &gateway::App, token: &str, query: &str) -> anyhow::Result<BufReader<TcpStream>> {
    let listener = TcpListener::bind("127.0.0.1:0").await?;
    let address = listener.local_addr()?;
    let (router, stop) = (gateway::router(app.clone()), app.shutdown.clone());
    let serving = gateway::serve(listener, router, gateway::Limits::default(), stop);
    app.shutdown.spawn(async move { drop(serving.await) });
    let mut stream = TcpStream::connect(address).await?;
    let request = format!(
        "GET /v1/events/stream{query} HTTP/1.1\r\nhost: x\r\nconnection: close\r\nauthorization: Bearer {token}\r\n\r\n"
    );
    stream.write_all(request.as_bytes()).await?;
    Ok(BufReader::new(stream))
}

/// Returns the next line that starts with `beginning`, or `None` when the stream ends.
async fn line(stream: &mut BufReader<TcpStream>, beginning: &str) -> anyhow::Result<Option<String>> {
    let mut line = String::new();
    loop {
        line.clear();
        let read = tokio::time::timeout(Duration::from_secs(30), stream.read_line(&mut line)).await??;
        if read == 0 {
            return Ok(None);
        }
        if let Some(rest) = line.trim_end().strip_prefix(beginning) {
            return Ok(Some(rest.to_owned()));
        }
    }
}

/// Has an agent request an invocation and waits until a person sees it in the stream. Returns the answer, the id of the
/// event, and the time between the two.
async fn ask_and_see(
    app: &TestApp,
    agent: &Agent,
    stream: &mut BufReader<TcpStream>,
) -> anyhow::Result<(Answered, String, Duration)> {
    let asked = app.invoke(agent, "files.write_text", json!({"path": "a.txt", "text": "x"})).await?;
    let since = Instant::now();
    assert_eq!(asked.status, StatusCode::ACCEPTED, "{}", asked.text);
    let id = line(stream, "id: ").await?.unwrap_or_default();
    let kind = line(stream, "event: ").await?;
    let data: Value = serde_json::from_str(&line(stream, "data: ").await?.unwrap_or_default())?;
    let took = since.elapsed();
    assert_eq!(kind.as_deref(), Some("action.approval_requested"));
    assert_eq!((&data["data"]["invocation"], &data["eventid"]), (&asked.body["id"], &json!(id)));
    Ok((asked, id, took))
}

#[tokio::test]
async fn a_person_sees_within_a_second_what_an_agent_asks_for_through_another_gateway() -> anyhow::Result<()>
{
    let app = relayed().await?;
    let other = app.another_gateway(::catalog::Registry::builtin(&::catalog::SourceUrls::default())?).await?;
    let mut stream = follow(&other, &app.owner_token, "?type=action.*,grant.*").await?;
    line(&mut stream, "HTTP/1.1 200").await?;
    line(&mut stream, "content-type: text/event-stream").await?;
    let agent = app.agent().await?;
    app.rule("files.*", "require_approval").await?;
    let (mut asked, mut id, mut took) = ask_and_see(&app, &agent, &mut stream).await?;
    // On a busy machine a single attempt may take longer.
    for _ in 1..15 {
        if took >= Duration::from_secs(1) {
            (asked, id, took) = ask_and_see(&app, &agent, &mut stream).await?;
        }
    }
    assert!(took < Duration::from_secs(1), "{took:?}");
    // A client that was disconnected continues after the last event it received.
    let shown = crate::approvals::answers::opened(&app, &asked.body["id"]).await?.shown;
    let path = format!("/v1/invocations/{}/deny", asked.body["id"].as_str().unwrap_or_default());
    ask(&app, Method::POST, &path, Some(json!({"shown_digest": shown}))).await?;
    let mut resumed = follow(&app.app, &app.owner_token, &format!("?after={id}")).await?;
    assert_eq!(line(&mut resumed, "event: ").await?.as_deref(), Some("action.denied"));
    Ok(())
}

#[tokio::test]
async fn a_stream_does_not_outlive_its_token() -> anyhow::Result<()> {
    let app = relayed().await?;
    let token = app.person(app.org, Role::Member).await?;
    let mut stream = follow(&app.app, &token, "").await?;
    line(&mut stream, "content-type: text/event-stream").await?;
    let mine = app.send(Method::GET, "/v1/tokens", &token, None).await?;
    let id = mine.body["items"][0]["id"].as_str().unwrap_or_default();
    let gone = app.send(Method::DELETE, &format!("/v1/tokens/{id}"), &token, None).await?;
    assert!(gone.status.is_success(), "{}", gone.text);
    let since = Instant::now();
    // It may still tell what happened up to then, the revocation included.
    while line(&mut stream, "data: ").await?.is_some() {}
    assert!(since.elapsed() < Duration::from_secs(25));
    Ok(())
}
