//! The ledger of receipts: its order, its routes, the rotation of keys, the erasure of bodies.

use std::time::Duration;

use axum::http::{Method, StatusCode, header};
use ledger::Sequenced;
use receipt::{Bundle, Checkpoint, Entry, KeySet, Record, Walk, account, merkle::Tree, tile};
use serde_json::{Value, json};
use testkit::{Agent, TestApp};

pub(crate) async fn act(app: &TestApp, agent: &Agent, times: usize) -> anyhow::Result<()> {
    for nth in 0..times {
        let done =
            app.invoke(agent, "data.transform", json!({ "template": format!("secret {nth}") })).await?;
        assert_eq!(done.status, StatusCode::OK);
    }
    Ok(())
}

async fn get(app: &TestApp, path: &str, token: &str) -> anyhow::Result<testkit::Answered> {
    app.send(Method::GET, path, token, None).await
}

/// The public keys, fetched over HTTP.
async fn keys(app: &TestApp) -> anyhow::Result<KeySet> {
    Ok(KeySet::from_json(get(app, "/.well-known/countersign-keys.json", "").await?.text.as_bytes())?)
}

async fn checkpoint(app: &TestApp) -> anyhow::Result<Checkpoint> {
    let note = get(app, "/v1/ledger/checkpoint", "").await?.text;
    Ok(Checkpoint::verify(&note, &keys(app).await?)?)
}

async fn records(app: &TestApp, token: &str) -> anyhow::Result<Vec<Record>> {
    let (mut all, mut after) = (Vec::new(), 0);
    loop {
        let page = get(app, &format!("/v1/ledger/entries?limit=3&after={after}"), token).await?;
        for item in page.body["items"].as_array().unwrap() {
            all.push(Record::from_json(item.to_string().as_bytes())?);
        }
        match page.body["next"].as_u64() {
            Some(next) => after = next,
            None => return Ok(all),
        }
    }
}

/// The leaves, read from the served tiles.
async fn leaves(app: &TestApp, size: u64) -> anyhow::Result<Vec<[u8; 32]>> {
    let mut leaves = Vec::new();
    for tile in tile::Tile::all(size).filter(|tile| tile.level == 0) {
        let path = format!("/v1/ledger/{}", tile.path(tile.width(size)));
        let answer = get(app, &path, "").await?;
        assert_eq!(answer.headers[header::CACHE_CONTROL], "public, max-age=31536000, immutable");
        leaves.extend(tile::hashes(&answer.bytes).unwrap());
    }
    Ok(leaves)
}

#[tokio::test]
async fn every_receipt_is_numbered_proven_and_part_of_what_is_signed() -> anyhow::Result<()> {
    let app = TestApp::start().await?;
    assert_eq!(get(&app, "/v1/ledger/checkpoint", "").await?.body["code"], "not_logged_yet");
    let agent = app.agent().await?;
    let (_, other) = app.another_org().await?;
    let foreign = app.agent_of(&other).await?;
    act(&app, &agent, 3).await?;
    act(&app, &foreign, 2).await?;
    app.sequence().await?;
    let first = checkpoint(&app).await?;
    act(&app, &foreign, 1).await?;
    act(&app, &agent, 4).await?;
    let size = app.sequence().await?;
    let (signed, keys) = (checkpoint(&app).await?, keys(&app).await?);
    // One entry for a key; three for each founding, one for each session; and the receipts.
    assert_eq!((first.size, signed.size, size), (14, 19, 19));

    let leaves = leaves(&app, size).await?;
    let mut walk = Walk::new(signed.clone(), vec![first.clone()])?;
    for leaf in &leaves {
        walk.push(*leaf)?;
    }
    walk.finish()?;
    let (own, theirs) = (records(&app, &app.owner_token).await?, records(&app, &other).await?);
    assert_eq!((own.len(), theirs.len()), (11, 7));
    let document: receipt::KeySetDocument =
        serde_json::from_value(get(&app, "/.well-known/countersign-keys.json", "").await?.body)?;
    let of_keys: Vec<_> = document.keys.iter().flat_map(receipt::KeyDocument::entries).collect();
    let entries = own.iter().chain(&theirs).map(|record| (record.index, &record.entry));
    let entries = entries.chain(of_keys.iter().map(|(index, entry)| (*index, entry)));
    let found = account(entries, size, true, &receipt::Before::default(), |index| {
        leaves.get(usize::try_from(index).unwrap()).copied()
    });
    assert_eq!(found, [], "everything is accounted for");
    for record in own.iter().chain(&theirs) {
        record.verify(&keys)?;
    }
    let consistent = get(&app, "/v1/ledger/consistency?first=14&second=19", "").await?;
    let proof: Vec<[u8; 32]> = hashes(&consistent.body);
    let (older, newer) = (Tree { size: 14, root: &first.root }, Tree { size: 19, root: &signed.root });
    assert!(receipt::merkle::is_consistent(older, newer, &proof));
    let included = get(&app, "/v1/ledger/inclusion?index=4&size=19", "").await?;
    assert!(receipt::merkle::is_included(&leaves[4], 4, newer, &hashes(&included.body)));
    for beyond in
        ["consistency?first=6&second=20", "consistency?first=7&second=6", "inclusion?index=19&size=19"]
    {
        let refused = get(&app, &format!("/v1/ledger/{beyond}"), "").await?;
        assert_eq!(refused.status, StatusCode::UNPROCESSABLE_ENTITY, "{beyond}");
    }
    for nothing in ["0/001", "0/000", "0/000.p/20", "1/000.p/1", "7/000", "0/000.p/011"] {
        let refused = get(&app, &format!("/v1/ledger/tile/{nothing}"), "").await?;
        assert_eq!(refused.status, StatusCode::NOT_FOUND, "{nothing}");
    }
    app.check_invariants().await
}

fn hashes(body: &Value) -> Vec<[u8; 32]> {
    use base64::{Engine as _, prelude::BASE64_STANDARD};
    let texts = body["hashes"].as_array().unwrap().iter();
    texts.map(|text| BASE64_STANDARD.decode(text.as_str().unwrap()).unwrap().try_into().unwrap()).collect()
}

#[tokio::test]
async fn a_receipt_with_its_proof_is_for_those_whose_receipt_it_is() -> anyhow::Result<()> {
    let app = TestApp::start().await?;
    let agent = app.agent().await?;
    let done = app.invoke(&agent, "data.transform", json!({ "template": "x" })).await?;
    let path = format!("/v1/receipts/{}/bundle", done.body["receipt"].as_str().unwrap());
    let early = get(&app, &path, &agent.token).await?;
    assert_eq!((early.status, early.body["code"].as_str()), (StatusCode::CONFLICT, Some("not_logged_yet")));
    app.sequence().await?;
    for token in [&agent.token, &app.owner_token] {
        let bundle = Bundle::from_json(get(&app, &path, token).await?.text.as_bytes())?;
        bundle.verify(&keys(&app).await?)?;
    }
    let (_, other) = app.another_org().await?;
    let stranger = app.agent_of(&other).await?;
    for token in [&other, &stranger.token, &app.agent().await?.token] {
        assert_eq!(get(&app, &path, token).await?.status, StatusCode::NOT_FOUND);
    }
    let listed = get(&app, "/v1/ledger/bundles", &app.owner_token).await?;
    assert_eq!(
        (listed.body["items"].as_array().map(Vec::len), listed.body["not_logged"].as_u64()),
        (Some(1), Some(0))
    );
    assert_eq!(get(&app, "/v1/ledger/bundles", &other).await?.body["items"], json!([]));
    let later = get(&app, "/v1/ledger/bundles?from=2099-01-01T00:00:00Z", &app.owner_token).await?;
    assert_eq!(later.body["items"], json!([]));
    Ok(())
}

#[tokio::test]
async fn an_idle_log_is_signed_every_minute_and_its_past_is_kept() -> anyhow::Result<()> {
    let app = TestApp::start().await?;
    app.sequence().await?;
    let first = checkpoint(&app).await?;
    app.advance(Duration::from_secs(30));
    assert_eq!(app.app.ledger.sequence().await?, Sequenced::Nothing);
    for _ in 0..3 {
        app.advance(Duration::from_secs(61));
        assert_eq!(app.sequence().await?, first.size);
    }
    let last = checkpoint(&app).await?;
    assert!(last.time > first.time && last.root == first.root);
    let (mut kept, mut cursor) = (Vec::new(), String::new());
    loop {
        let page = get(&app, &format!("/v1/ledger/checkpoints?limit=2{cursor}"), "").await?;
        for item in page.body["items"].as_array().unwrap() {
            kept.push(Checkpoint::verify(item["checkpoint"].as_str().unwrap(), &keys(&app).await?)?);
        }
        let Some(next) = page.body["next_cursor"].as_str() else { break };
        cursor = format!("&cursor={next}");
    }
    assert_eq!(kept.len(), 4);
    assert!(kept.is_sorted_by(|newer, older| newer.time > older.time));
    Ok(())
}

#[tokio::test]
async fn an_erased_body_leaves_its_facts_its_proof_and_nothing_to_guess_from() -> anyhow::Result<()> {
    let app = TestApp::start().await?;
    let agent = app.agent().await?;
    act(&app, &agent, 2).await?;
    app.sequence().await?;
    let days = |days: u32| {
        app.send(Method::PATCH, "/v1/org", &app.owner_token, Some(json!({ "receipts_kept_days": days })))
    };
    assert_eq!(days(0).await?.status, StatusCode::UNPROCESSABLE_ENTITY);
    assert_eq!(days(30).await?.body["receipts_kept_days"], 30);
    // Nothing is erased before its time, whatever the caller asks: the database checks the retention itself.
    assert_eq!(app.app.ledger.erase_overdue(app.org, 0).await?, 0);
    let mut owner = app.db.owner().await?;
    sqlx::query("ALTER TABLE receipts NO FORCE ROW LEVEL SECURITY").execute(&mut owner).await?;
    sqlx::query("UPDATE receipts SET finished_at = finished_at - interval '31 days'")
        .execute(&mut owner)
        .await?;
    // A shorter period holds after a week.
    assert_eq!(app.app.ledger.erase_overdue(app.org, 0).await?, 0);
    sqlx::query("ALTER TABLE orgs NO FORCE ROW LEVEL SECURITY").execute(&mut owner).await?;
    sqlx::query("UPDATE orgs SET receipts_shorter_at = now() - interval '1 second'")
        .execute(&mut owner)
        .await?;
    assert_eq!(app.app.ledger.erase_overdue(app.org, 0).await?, 2);
    let left: String =
        sqlx::query_scalar("SELECT string_agg(r::text, ' ') FROM receipts r").fetch_one(&mut owner).await?;
    assert!(!left.contains("secret") && !left.contains(&hex::encode("secret")));

    app.sequence().await?;
    let all = keys(&app).await?;
    let mut records = records(&app, &app.owner_token).await?;
    records.retain(|record| !matches!(record.entry, Entry::Change { .. }));
    assert!(
        matches!(
            records.as_slice(),
            [
                Record { kept: Some(_), envelope: None, .. },
                Record { kept: Some(_), .. },
                Record { entry: Entry::Erasure { number: 8, .. }, .. },
                Record { entry: Entry::Erasure { number: 9, .. }, .. },
            ]
        ),
        "{records:?}"
    );
    let listed = get(&app, "/v1/ledger/bundles", &app.owner_token).await?;
    for item in listed.body["items"].as_array().unwrap() {
        let (found, _) = Bundle::from_json(item.to_string().as_bytes())?.verify(&all)?;
        assert_eq!(
            (found.verified.is_none(), found.document()["status"].as_str()),
            (true, Some("succeeded"))
        );
    }
    let shown = get(&app, "/v1/receipts", &app.owner_token).await?;
    assert!(
        shown.body["items"][0]["envelope"].is_null() && shown.body["items"][0]["kept"]["facts"].is_object()
    );
    app.check_invariants().await
}
