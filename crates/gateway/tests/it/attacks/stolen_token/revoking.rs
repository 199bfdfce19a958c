//! A revocation is in force within a second on three gateways, for whatever was stolen and however it ends, also for a
//! stream that was open before.

use std::time::{Duration, Instant};

use axum::{
    Router,
    body::Body,
    http::{Method, Request, StatusCode, header},
};
use futures::StreamExt as _;
use model::Role;
use serde_json::{Value, json};
use tower::ServiceExt as _;

use super::{Credential, HOST, Theft, Victim, fresh_token, operations, report, send, sign_in, text};

/// How long a revoked credential may still be admitted.
pub(super) const BAR: Duration = Duration::from_secs(1);
/// How long a thief goes on trying.
pub(super) const PATIENCE: Duration = Duration::from_secs(20);

/// Uses a credential without a pause until it is refused as revoked; returns when the last admitted request began.
async fn hammer(gateway: &Router, credential: &Credential) -> anyhow::Result<Instant> {
    let (since, mut last) = (Instant::now(), Instant::now());
    while since.elapsed() < PATIENCE {
        let began = Instant::now();
        let answer = send(gateway, credential, (&Method::GET, "/v1/me"), None).await?;
        if answer.status == StatusCode::UNAUTHORIZED {
            return Ok(last);
        }
        // Its person was removed while the request was under way: it is not admitted, and the next one is refused.
        if answer.status == StatusCode::NOT_FOUND {
            continue;
        }
        // A gateway that is busy or fails does not know that the credential was revoked.
        anyhow::ensure!(answer.status.is_success(), "{credential:?}: {} {}", answer.status, answer.text);
        last = began;
    }
    Ok(last)
}

/// Ends something while these credentials are used at all gateways; returns how many were admitted more than a second
/// after it.
async fn end(
    theft: &Theft,
    credentials: &[&Credential],
    (credential, route): (&Credential, (&Method, &str)),
    body: Option<&Value>,
) -> anyhow::Result<Vec<String>> {
    // Every gateway has seen them before.
    for (gateway, held) in pairs(theft, credentials) {
        let known = send(gateway, held, (&Method::GET, "/v1/me"), None).await?;
        anyhow::ensure!(known.status == StatusCode::OK, "before {route:?}: {}", known.text);
    }
    let thieves = pairs(theft, credentials).map(|(gateway, held)| hammer(gateway, held));
    let ending = async {
        let done = send(&theft.gateways[0], credential, route, body).await?;
        anyhow::ensure!(done.status.is_success() && !done.waits(), "{route:?}: {}", done.text);
        Ok(Instant::now())
    };
    let (lasts, ended) = futures::join!(futures::future::join_all(thieves), ending);
    let (lasts, ended) = (lasts.into_iter().collect::<anyhow::Result<Vec<_>>>()?, ended?);
    let late = lasts.into_iter().filter(|last| *last > ended + BAR);
    Ok(late.map(|last| format!("{route:?}: admitted {:?} later", last - ended)).collect())
}

fn pairs<'t>(
    theft: &'t Theft,
    credentials: &'t [&'t Credential],
) -> impl Iterator<Item = (&'t Router, &'t Credential)> {
    theft.gateways.iter().flat_map(|gateway| credentials.iter().map(move |held| (gateway, *held)))
}

impl Theft {
    /// The rows of the organization, when nothing is written any more.
    async fn settled(&self) -> anyhow::Result<String> {
        let mut last = self.stage.digest(self.stage.a.id).await?;
        loop {
            tokio::time::sleep(Duration::from_millis(20)).await;
            let now = self.stage.digest(self.stage.a.id).await?;
            if now == last {
                return Ok(now);
            }
            last = now;
        }
    }

    /// Tries every operation at every gateway with a credential that ended; returns how many, and what was not refused.
    async fn try_everything(&self, victim: &Victim) -> anyhow::Result<(usize, Vec<String>)> {
        let ids = victim.ids(self.stage.a.ids.clone());
        let (mut tried, mut wrong) = (0, Vec::new());
        let before = self.settled().await?;
        for operation in operations() {
            let (path, body) = (operation.filled(&ids)?, operation.body("dead", &ids)?);
            for gateway in &self.gateways {
                tried += 1;
                let route = (&operation.method, path.as_str());
                let answer = send(gateway, &victim.credential, route, body.as_ref()).await?;
                // What is for people only is refused to a session whether it ended or not.
                let is_refused = answer.status == StatusCode::UNAUTHORIZED
                    || (victim.role.is_none() && answer.status == StatusCode::FORBIDDEN);
                if !is_refused {
                    wrong.push(format!("{} {route:?}: {} {}", victim.name, answer.status, answer.text));
                }
            }
        }
        if before != self.settled().await? {
            wrong.push(format!("{}: something changed after it was revoked", victim.name));
        }
        Ok((tried, wrong))
    }
}

#[tokio::test]
async fn after_a_revocation_nothing_is_admitted_at_any_gateway() -> anyhow::Result<()> {
    let mut theft = Theft::set().await?;
    let victims = theft.victims().await?;
    let (mut tried, mut wrong, mut ended) = (0, Vec::new(), 0);
    for victim in &victims {
        let route = (&Method::DELETE, victim.revocation.as_str());
        wrong.extend(end(&theft, &[&victim.credential], (&theft.owner(), route), None).await?);
        ended += theft.gateways.len();
        let (more, refused) = theft.try_everything(victim).await?;
        tried += more;
        wrong.extend(refused);
    }
    testkit::tried(18, "gateways on which a revocation is in force within a second", ended, 0);
    report("operations at three gateways with a revoked credential", tried, &wrong);
    Ok(())
}

#[tokio::test]
async fn it_ends_with_everything_it_came_from() -> anyhow::Result<()> {
    let theft = Theft::set().await?;
    theft.loosening("one").await?;
    let (app, org, owner) = (&theft.stage.app, theft.stage.a.id, theft.owner());
    let (mut tried, mut wrong) = (0, Vec::new());
    for way in ["revoked", "revoked by its person", "signed out", "removed", "unlisted", "ended"] {
        // A member of a space, a browser that was signed in with their token, and an agent that was opened in it.
        let token = app.person(org, Role::Member).await?;
        let held = app.send(Method::GET, "/v1/tokens", &token, None).await?.body["items"][0].clone();
        let user = text(&held["user"]);
        let listed = format!("/v1/spaces/{}/members/{user}", theft.stage.a.ids.space);
        let body = json!({ "capabilities": ["linear:*"] });
        let gateway = &theft.gateways[0];
        send(gateway, &owner, (&Method::PUT, &listed), Some(&body)).await?;
        let cookie = sign_in(gateway, &token).await?;
        let body = json!({ "agent": "stolen", "kind": "interactive", "space": theft.stage.a.ids.space,
            "capabilities": ["linear:*"] });
        let opened = send(gateway, &cookie, (&Method::POST, "/v1/sessions"), Some(&body)).await?;
        let agent = Credential::Token(text(&opened.body["token"]));
        let other = Credential::Token(fresh_token(app, org, user.parse()?).await?);
        let token = Credential::Token(token);
        let (path, by, dead): (String, &Credential, Vec<&Credential>) = match way {
            "revoked" => (format!("/v1/tokens/{}", text(&held["id"])), &owner, vec![&token, &cookie, &agent]),
            "revoked by its person" => {
                (format!("/v1/tokens/{}", text(&held["id"])), &other, vec![&token, &cookie, &agent])
            }
            "signed out" => ("/v1/signin".to_owned(), &cookie, vec![&cookie]),
            "removed" => (format!("/v1/members/{user}"), &owner, vec![&token, &cookie, &agent, &other]),
            "unlisted" => (listed, &owner, vec![&agent]),
            _ => (format!("/v1/sessions/{}", text(&opened.body["session"]["id"])), &token, vec![&agent]),
        };
        tried += dead.len() * theft.gateways.len();
        wrong.extend(end(&theft, &dead, (by, (&Method::DELETE, &path)), None).await?);
        for (gateway, held) in pairs(&theft, &dead) {
            let after = send(gateway, held, (&Method::GET, "/v1/me"), None).await?;
            if after.status != StatusCode::UNAUTHORIZED {
                wrong.push(format!("{way}, and then {held:?}: {} {}", after.status, after.text));
            }
        }
    }
    report("what ends with a token, a browser, a member or a place in a space", tried, &wrong);
    Ok(())
}

#[tokio::test]
async fn a_lower_role_is_in_force_and_a_credential_ends_with_its_time() -> anyhow::Result<()> {
    let theft = Theft::set().await?;
    let (app, org, owner) = (&theft.stage.app, theft.stage.a.id, theft.owner());
    let (mut tried, mut wrong) = (0, Vec::new());
    let token = app.person(org, Role::Admin).await?;
    let cookie = sign_in(&theft.gateways[0], &token).await?;
    let user = text(&app.send(Method::GET, "/v1/me", &token, None).await?.body["user"]);
    let lower = json!({ "role": "member" });
    let route = format!("/v1/members/{user}");
    let done = send(&theft.gateways[0], &owner, (&Method::PATCH, &route), Some(&lower)).await?;
    anyhow::ensure!(done.status == StatusCode::OK, "{}", done.text);
    let since = Instant::now();
    for (gateway, held) in pairs(&theft, &[&Credential::Token(token), &cookie]) {
        tried += 1;
        while send(gateway, held, (&Method::GET, "/v1/rules"), None).await?.status != StatusCode::FORBIDDEN {
            if since.elapsed() > BAR {
                wrong.push("an admin who is no longer one reads the rules".to_owned());
                break;
            }
        }
    }
    let expires_at = app.app.world.clock.now() + Duration::from_secs(600);
    let operator = changes::Author::operator(org);
    let made = app.app.tenancy.create_token(&operator, user.parse()?, "brief", Some(expires_at)).await?;
    let brief = made.1.reveal().to_owned();
    let cookie = sign_in(&theft.gateways[1], &brief).await?;
    let body = json!({ "agent": "brief", "kind": "interactive", "lifetime_s": 600 });
    let agent = app.open_session(&theft.stage.a.owner, body).await?;
    let held = [Credential::Token(brief), cookie, Credential::Token(agent.token)];
    let held: Vec<&Credential> = held.iter().collect();
    for (by, is_admitted) in [(Duration::from_millis(599_999), true), (Duration::from_millis(1), false)] {
        app.advance(by);
        for (gateway, held) in pairs(&theft, &held) {
            tried += 1;
            let me = send(gateway, held, (&Method::GET, "/v1/me"), None).await?;
            if me.status.is_success() != is_admitted {
                wrong.push(format!("after {by:?} {held:?}: {} {}", me.status, me.text));
            }
        }
    }
    report("a lower role, and the end of its time", tried, &wrong);
    Ok(())
}

/// Follows the events at a gateway.
async fn follow(gateway: &Router, credential: &Credential) -> anyhow::Result<axum::body::BodyDataStream> {
    let request = Request::get("/v1/events/stream").header(header::HOST, HOST);
    let request = match credential {
        Credential::Token(token) => request.header(header::AUTHORIZATION, format!("Bearer {token}")),
        Credential::Cookie(cookie) => request.header(header::COOKIE, cookie),
    };
    let answer = gateway.clone().oneshot(request.body(Body::empty())?).await?;
    anyhow::ensure!(answer.status() == StatusCode::OK, "{}", answer.status());
    Ok(answer.into_body().into_data_stream())
}

/// Reads a stream until this text comes; `false` if the stream ends, or nothing comes for a while.
async fn comes(stream: &mut axum::body::BodyDataStream, wanted: &str, within: Duration) -> bool {
    let reading = async {
        while let Some(Ok(bytes)) = stream.next().await {
            if String::from_utf8_lossy(&bytes).contains(wanted) {
                return true;
            }
        }
        false
    };
    tokio::time::timeout(within, reading).await.unwrap_or(false)
}

pub(super) async fn publish(theft: &Theft, id: &str) -> anyhow::Result<()> {
    let body =
        json!({ "specversion": "1.0", "id": id, "source": "/drive", "type": "drive.file_added", "data": {} });
    let owner = theft.owner();
    let done = send(&theft.gateways[0], &owner, (&Method::POST, "/v1/events"), Some(&body)).await?;
    anyhow::ensure!(done.status.is_success(), "{}", done.text);
    Ok(())
}

#[tokio::test]
async fn a_stream_tells_nothing_that_happens_a_second_after_its_token_was_revoked() -> anyhow::Result<()> {
    let mut theft = Theft::set().await?;
    let victims: Vec<Victim> =
        theft.victims().await?.into_iter().filter(|victim| victim.role.is_some()).collect();
    let (mut streams, mut owners, mut wrong) = (Vec::new(), Vec::new(), Vec::new());
    for gateway in &theft.gateways {
        for victim in &victims {
            streams.push((victim.name, follow(gateway, &victim.credential).await?));
        }
        owners.push(follow(gateway, &theft.owner()).await?);
    }
    publish(&theft, "before").await?;
    for (name, stream) in &mut streams {
        anyhow::ensure!(comes(stream, "/drive", PATIENCE).await, "{name} is not told what happens before");
    }
    for victim in &victims {
        theft.revoke(victim).await?;
    }
    tokio::time::sleep(BAR).await;
    publish(&theft, "after").await?;
    // Whoever may read it is told it, at each gateway; so it could have come to the others too.
    for stream in &mut owners {
        anyhow::ensure!(comes(stream, "\"after\"", PATIENCE).await, "the owner is not told what happens");
    }
    let tried = streams.len();
    for (name, stream) in &mut streams {
        if comes(stream, "\"after\"", Duration::from_millis(100)).await {
            wrong.push(format!("{name} was told what happened after the revocation"));
        }
    }
    report("streams that were open before the revocation", tried, &wrong);
    Ok(())
}

/// The control: what is not revoked is admitted everywhere, so the refusals are because of the revocation.
#[tokio::test]
async fn control_what_is_not_revoked_is_admitted_at_every_gateway() -> anyhow::Result<()> {
    let mut theft = Theft::set().await?;
    let victims = theft.victims().await?;
    theft.stage.app.advance(Duration::from_secs(60));
    let (mut tried, mut admitted) = (0, 0);
    for victim in &victims {
        for gateway in &theft.gateways {
            tried += 1;
            let me = send(gateway, &victim.credential, (&Method::GET, "/v1/me"), None).await?;
            admitted += usize::from(me.status == StatusCode::OK);
        }
    }
    testkit::tried(18, "control: nothing revoked", tried, admitted);
    anyhow::ensure!(admitted == tried, "{admitted} of {tried} are admitted");
    Ok(())
}
