//! Abuse 15, leaks: secrets are put everywhere secrets go, a hostile target echoes them in every encoding, and then
//! every place is searched. The control sends markers, which are not secret, along the same paths and expects the
//! search to find them.

use std::collections::{BTreeMap, BTreeSet};

use platform::Dice;
use reqwest::Method;
use serde_json::{Value, json};
use testkit::{
    Agent, Deployment, Finding, Options, Size,
    fakes::{INTEGRATIONS, Stage},
};

use crate::{
    canary::{Canary, spoken},
    canary_search::{Found, Place, Search},
    echoing_target::{Hostile, Manner},
    storage,
};

/// How many characters precede a secret: none, or so many that a truncation at 120, 300 or 400 falls into it.
const BEFORE: [usize; 4] = [0, 100, 270, 370];
const ENCODINGS: [&str; 8] = ["plain", "base64", "hex", "url", "json", "gzip", "split", "reversed"];

struct Trial {
    deployment: Deployment,
    hostile: Stage<Hostile>,
    agent: Agent,
    answers: Vec<Place>,
    canaries: Vec<Canary>,
    dice: Dice,
    size: Size,
}

pub(crate) async fn run(size: Size) -> anyhow::Result<Finding> {
    let mut trial = Trial::start(size).await?;
    trial.credentials().await?;
    trial.secrets().await?;
    trial.params().await?;
    trial.tokens().await?;
    trial.telling().await?;
    trial.saved_work().await?;
    let secrets = trial.canaries.len();
    trial.markers().await?;
    trial.read_everything().await?;
    trial.judge(secrets).await
}

impl Trial {
    async fn start(size: Size) -> anyhow::Result<Self> {
        let hostile = Stage::start(Hostile::new(), 0).await?;
        let setting = |name: &str, value: &str| (name.to_owned(), value.to_owned());
        let mut env = vec![
            setting("RUST_LOG", if size == Size::Full { "trace" } else { "debug" }),
            setting("COUNTERSIGN_INVOCATIONS_PER_MINUTE", "1000000"),
            setting("COUNTERSIGN_PUBLIC_PER_MINUTE", "1000000"),
            setting("COUNTERSIGN_METRICS_LISTEN", &format!("127.0.0.1:{}", testkit::free_port()?)),
        ];
        for fake in &INTEGRATIONS {
            env.push((format!("COUNTERSIGN_{}_URL", fake.slug.to_uppercase()), hostile.url()));
        }
        let dice = platform::World::system().dice;
        // A mail server that does not exist: the errors about it must not contain its password.
        let mail = Canary::new("password of the mail server", &dice, 0);
        env.push(setting("COUNTERSIGN_SMTP_URL", &format!("smtp://countersign:{}@127.0.0.1:1", mail.secret)));
        env.push(setting("COUNTERSIGN_MAIL_FROM", "countersign@example.test"));
        let deployment = Deployment::start(Options { env, ..Options::default() }).await?;
        deployment.rule("*", "allow").await?;
        let agent = deployment.agent("leaky").await?;
        let mut canaries = vec![
            mail,
            Canary::of("token of a person", &deployment.owner_token, 8),
            Canary::of("token of a session", &agent.token, 8),
        ];
        let key = deployment.setting("COUNTERSIGN_MASTER_KEY").and_then(|key| key.split_once(':'));
        canaries.extend(key.map(|(_, key)| Canary::of("master key", key, 0)));
        let url = deployment.setting("COUNTERSIGN_DATABASE_URL").unwrap_or_default();
        let password = url.split_once('@').and_then(|(front, _)| front.rsplit_once(':')).map(|(_, it)| it);
        // `abuse/run` sets a password that is long enough to be distinguished from ordinary words.
        canaries.extend(
            password.filter(|it| it.len() >= 16).map(|it| Canary::of("password of PostgreSQL", it, 0)),
        );
        Ok(Self { deployment, hostile, agent, answers: Vec::new(), canaries, dice, size })
    }

    /// Sends a request and stores the whole response.
    async fn send(
        &mut self,
        method: Method,
        path: &str,
        (token, key): (&str, Option<&str>),
        body: Option<&Value>,
    ) -> anyhow::Result<(u16, Value)> {
        let url = format!("{}{path}", self.deployment.url);
        let mut request = self.deployment.client.request(method.clone(), url).bearer_auth(token);
        if let Some(key) = key {
            request = request.header("Idempotency-Key", key);
        }
        if let Some(body) = body {
            request = request.json(body);
        }
        let answer = request.send().await?;
        let status = answer.status().as_u16();
        let mut bytes = Vec::new();
        for (name, value) in answer.headers() {
            bytes.extend_from_slice(name.as_str().as_bytes());
            bytes.extend_from_slice(b": ");
            bytes.extend_from_slice(value.as_bytes());
            bytes.push(b'\n');
        }
        let content = answer.bytes().await?;
        bytes.extend_from_slice(&content);
        let place = path.split('?').next().unwrap_or(path);
        // Names of routes without ids: the report groups by them.
        let place: Vec<&str> =
            place.split('/').map(|part| if part.len() > 20 { "…" } else { part }).collect();
        self.answers.push(Place { name: format!("answer to {method} {}", place.join("/")), bytes });
        Ok((status, serde_json::from_slice(&content).unwrap_or(Value::Null)))
    }

    async fn as_owner(&mut self, method: Method, path: &str, body: Option<&Value>) -> anyhow::Result<Value> {
        let token = self.deployment.owner_token.clone();
        Ok(self.send(method, path, (&token, None), body).await?.1)
    }

    async fn invoke(&mut self, action: &str, params: &Value, dry_run: bool) -> anyhow::Result<(u16, Value)> {
        let (path, token) =
            (format!("/v1/sessions/{}/actions/invoke", self.agent.session), self.agent.token.clone());
        let body = json!({"action": action, "params": params, "dry_run": dry_run});
        self.send(Method::POST, &path, (&token, None), Some(&body)).await
    }

    fn canary(&mut self, kind: &'static str) -> String {
        let canary = Canary::new(kind, &self.dice, self.canaries.len());
        let secret = canary.secret.clone();
        self.canaries.push(canary);
        secret
    }

    /// Every way in which a target can return a secret: results, previews, error messages, redirects, invalid
    /// responses.
    async fn provoke(&mut self, source: usize, number: usize) -> anyhow::Result<()> {
        let (name, (read, params)) = (INTEGRATIONS[source].slug, INTEGRATIONS[source].read);
        let params: Value = serde_json::from_str(params)?;
        self.hostile.state(|hostile| hostile.manner = Manner::Result);
        let (status, answer) = self.invoke(read, &params, false).await?;
        anyhow::ensure!(status == 200, "{read} should succeed and echo, not {status}: {answer}");
        // Writes are verified twice and undone, which takes time.
        if name == "linear" && number.is_multiple_of(self.size.pick(5, 1)) {
            let update = json!({"issue": "ENG-1", "title": "new"});
            self.invoke("linear.update_issue", &update, true).await?;
            self.invoke("linear.update_issue", &update, false).await?;
            self.invoke("linear.create_issue", &json!({"team_id": "team-1", "title": "new"}), false).await?;
        }
        let dresses = spoken("x").len();
        let many = self.size.pick(4, dresses);
        for try_ in 0..many {
            let (dress, before) = ((number + try_ * 5) % dresses, BEFORE[(number / 2 + try_) % BEFORE.len()]);
            let status = if name == "slack" && try_ % 2 == 0 { 200 } else { 422 };
            self.hostile.state(|hostile| hostile.manner = Manner::Words { status, dress, before });
            self.invoke(read, &params, false).await?;
        }
        if number == 0 {
            for manner in [Manner::Away, Manner::Noise, Manner::Words { status: 503, dress: 0, before: 0 }] {
                self.hostile.state(|hostile| hostile.manner = manner);
                self.invoke(read, &params, false).await?;
            }
        }
        Ok(())
    }

    async fn connect(&mut self, source: &str, token: &str) -> anyhow::Result<()> {
        let path = format!("/v1/connections/{source}");
        self.as_owner(Method::PUT, &path, Some(&json!({"name": source, "token": token}))).await?;
        Ok(())
    }

    async fn credentials(&mut self) -> anyhow::Result<()> {
        for number in 0..30 {
            for (source, name) in INTEGRATIONS.iter().map(|fake| fake.slug).enumerate() {
                let secret = self.canary("credential of a connection");
                self.connect(name, &secret).await?;
                self.provoke(source, number).await?;
            }
        }
        Ok(())
    }

    async fn secrets(&mut self) -> anyhow::Result<()> {
        for number in 0..30 {
            let secret = self.canary("value of a secret");
            let path = format!("/v1/secrets/kept-{number}");
            self.as_owner(Method::PUT, &path, Some(&json!({"value": secret}))).await?;
        }
        Ok(())
    }

    /// Secrets in parameters under names that reveal them as secrets, which an action then returns under other names.
    async fn params(&mut self) -> anyhow::Result<()> {
        for name in ["password", "api_key", "client_secret", "Authorization", "accessToken", "private_key"] {
            for template in
                ["{{ data }}", "{{ NAME }}", "see {{ NAME }} there", "{{ NAME | upper_ }}", "{{ [NAME] }}"]
            {
                let secret = self.canary("parameter with a telling name");
                let params = json!({"template": template.replace("NAME", name), "data": {name: secret}});
                self.invoke("data.transform", &params, false).await?;
                self.invoke("data.transform", &params, true).await?;
            }
        }
        Ok(())
    }

    /// Tokens in places where tokens do not belong.
    async fn tokens(&mut self) -> anyhow::Result<()> {
        let mut tokens = vec![self.agent.token.clone(), self.deployment.owner_token.clone()];
        for _ in 0..18 {
            let agent = self.deployment.agent("another").await?;
            self.canaries.push(Canary::of("token of a session", &agent.token, 8));
            tokens.push(agent.token);
        }
        let (owner, path) = (self.deployment.owner_token.clone(), self.agent.session.clone());
        let path = format!("/v1/sessions/{path}/actions/invoke");
        let own = self.agent.token.clone();
        for token in tokens {
            let ask = json!({"action": "data.transform", "params": {"template": "hello"}});
            self.send(Method::POST, &path, (&own, Some(&token)), Some(&ask)).await?;
            for body in [
                json!({"action": token}),
                json!({"action": "data.transform", "params": {"template": token}}),
                json!({"action": "data.notify", "params": {"title": "hello", "body": token}}),
                json!({"action": "data.transform", token.clone(): 1}),
                json!({"action": "data.transform", "params": {token.clone(): 1}}),
                json!({"action": "linear.list_issues", "params": {"cursor": token}}),
            ] {
                self.send(Method::POST, &path, (&own, None), Some(&body)).await?;
            }
            for path in [
                format!("/v1/receipts?cursor={token}"),
                format!("/v1/receipts?session={token}"),
                format!("/v1/receipts/{token}"),
                format!("/v1/secrets/{token}"),
                format!("/{token}?token={token}"),
            ] {
                self.send(Method::GET, &path, (&owner, None), None).await?;
            }
            self.send(Method::GET, "/v1/me", (&format!("x{token}"), None), None).await?;
            self.send(
                Method::PUT,
                "/v1/rules",
                (&owner, None),
                Some(&json!({"action": token, "mode": token})),
            )
            .await?;
        }
        Ok(())
    }

    /// Secrets of notifications: those that sign webhooks and verify clicks, and the password of the mail server.
    async fn telling(&mut self) -> anyhow::Result<()> {
        let (owner, receiver) = (self.deployment.owner_token.clone(), self.hostile.url());
        for number in 0..5 {
            let (mut path, mut body) =
                ("/v1/webhooks".to_owned(), Some(json!({"url": format!("{receiver}/hook-{number}")})));
            for _ in 0..2 {
                // Added, then rotated. This response is the only one that shows the secret; it is not among those that
                // are searched.
                let (status, shown) = self.deployment.call(Method::POST, &path, &owner, body.take()).await?;
                let secret = shown["secret"].as_str().unwrap_or_default();
                anyhow::ensure!((200..300).contains(&status) && secret.len() > 20, "{path}: {status}");
                self.canaries.push(Canary::of("secret of a webhook", secret, "whsec_".len()));
                let id = shown["webhook"]["id"].as_str().unwrap_or_default().to_owned();
                path = format!("/v1/webhooks/{id}/rotate");
                self.as_owner(Method::POST, &format!("/v1/webhooks/{id}/test"), None).await?;
                self.as_owner(Method::GET, &format!("/v1/webhooks/{id}"), None).await?;
                self.as_owner(Method::GET, &format!("/v1/webhooks/{id}/deliveries"), None).await?;
            }
            let secret = self.canary("secret of clicks");
            self.as_owner(Method::PUT, "/v1/secrets/slack-signing-secret", Some(&json!({"value": secret})))
                .await?;
            let click = format!("/v1/slack/{}/interactions", self.deployment.org);
            self.as_owner(Method::POST, &click, Some(&json!({"payload": "forged"}))).await?;
        }
        let notifier = json!({"kind": "email", "target": "people@example.test"});
        let added = self.as_owner(Method::POST, "/v1/notifiers", Some(&notifier)).await?;
        let path = format!("/v1/notifiers/{}/test", added["id"].as_str().unwrap_or_default());
        let told = self.as_owner(Method::POST, &path, None).await?;
        anyhow::ensure!(told.is_object(), "the mail server that is not there was not asked: {told}");
        Ok(())
    }

    /// Tokens and secrets of webhook triggers, and secrets in requests to them.
    async fn saved_work(&mut self) -> anyhow::Result<()> {
        let owner = self.deployment.owner_token.clone();
        for number in 0..5 {
            let mapping = json!({"password": "$.login.password", "note": "$.note"});
            let definition = json!({
                "schema_version": "1.0", "name": format!("Leaky {number}"),
                "inputs": {"schema": {"type": "object", "properties": {"password": {}, "note": {"type": "string"}}}},
                "triggers": [{"type": "webhook", "config": {"signed": number == 4, "input_mapping": mapping}}],
                "plan": [{"step_id": "a", "action": "data.transform", "config": {"template": "{{ inputs.note }}"}}],
            });
            let body = Some(json!({"definition": definition}));
            // This response is the only one that shows the token; it is not among those that are searched.
            let (status, saved) = self.deployment.call(Method::POST, "/v1/automations", &owner, body).await?;
            anyhow::ensure!(status == 201, "saving: {status} {saved}");
            let made = &saved["new_tokens"][0];
            let token = made["token"].as_str().unwrap_or_default().to_owned();
            self.canaries.push(Canary::of("token of a trigger", &token, "csn_hook_".len()));
            if let Some(secret) = made["signing_secret"].as_str() {
                self.canaries.push(Canary::of("secret of a trigger", secret, "whsec_".len()));
            }
            let secret = self.canary("secret in a request to a trigger");
            let path = format!("/v1/hooks/{}", made["trigger"].as_str().unwrap_or_default());
            // Values that do not match the schema appear in an error; the others are stored.
            for note in [json!("hello"), json!({"password": secret}), json!(token)] {
                let body = json!({"login": {"password": secret}, "note": note});
                self.send(Method::POST, &path, (&token, None), Some(&body)).await?;
            }
            let path = format!("/v1/automations/{}", saved["id"].as_str().unwrap_or_default());
            self.as_owner(Method::GET, &path, None).await?;
            let listed = self.as_owner(Method::GET, "/v1/runs", None).await?;
            for run in listed["items"].as_array().into_iter().flatten() {
                let path = format!("/v1/runs/{}", run["id"].as_str().unwrap_or_default());
                self.as_owner(Method::GET, &path, None).await?;
            }
        }
        Ok(())
    }

    /// The control: markers, which are not secret, along the same paths as the secrets.
    async fn markers(&mut self) -> anyhow::Result<()> {
        let marker = Canary { kind: "marker", ..Canary::new("marker", &self.dice, 0) };
        self.canaries.push(marker.clone());
        self.hostile.state(|hostile| hostile.instead = Some(marker.secret.clone()));
        for source in 0..INTEGRATIONS.len() {
            self.provoke(source, source).await?;
        }
        let (read, params) = (INTEGRATIONS[0].read.0, json!({}));
        for dress in 0..spoken("x").len() {
            self.hostile.state(|hostile| hostile.manner = Manner::Words { status: 422, dress, before: 0 });
            self.invoke(read, &params, false).await?;
        }
        let notify = json!({"title": "hello", "body": marker.secret});
        self.invoke("data.notify", &notify, false).await?;
        self.as_owner(Method::GET, &format!("/v1/receipts/{}", marker.secret), None).await?;
        // Keys in Redis are made of ids, so the id of the session is the marker there.
        let bare = self.agent.session.trim_start_matches("ses_").to_owned();
        self.canaries.push(Canary { kind: "marker in redis", secret: bare, shape: 0 });
        Ok(())
    }

    async fn read_everything(&mut self) -> anyhow::Result<()> {
        let invocations = format!("/v1/sessions/{}/invocations", self.agent.session);
        let catalog = format!("/v1/sessions/{}/actions/available", self.agent.session);
        let metrics = self.deployment.setting("COUNTERSIGN_METRICS_LISTEN").unwrap_or_default();
        let metrics = self.deployment.client.get(format!("http://{metrics}/metrics")).send().await?;
        let bytes = metrics.error_for_status()?.bytes().await?.to_vec();
        anyhow::ensure!(!bytes.is_empty(), "there are no metrics to search");
        self.answers.push(Place { name: "metrics".to_owned(), bytes });
        for path in [
            "/readyz",
            "/v1/me",
            "/v1/events",
            "/v1/event-groups",
            "/.well-known/countersign-keys.json",
            &catalog,
        ] {
            self.as_owner(Method::GET, path, None).await?;
        }
        let lists = [
            "sessions",
            "spaces",
            "members",
            "tokens",
            "rules",
            "connections",
            "secrets",
            "receipts",
            "webhooks",
            "notifiers",
        ];
        let lists = lists.iter().map(|list| format!("/v1/{list}")).chain([invocations]);
        for list in lists {
            let mut cursor = String::new();
            loop {
                let page = self.as_owner(Method::GET, &format!("{list}?limit=100{cursor}"), None).await?;
                let Some(next) = page["next_cursor"].as_str() else { break };
                cursor = format!("&cursor={next}");
            }
        }
        Ok(())
    }

    async fn judge(mut self, secrets: usize) -> anyhow::Result<Finding> {
        // Values in Redis expire within minutes, so it is searched first.
        let redis = storage::redis(&self.deployment).await?;
        let mut all = storage::database(&self.deployment).await?;
        all.push(redis);
        self.deployment.kill()?;
        all.push(storage::log(&self.deployment)?);
        all.push(storage::payloads(&self.answers));
        let requests = self.answers.len();
        all.append(&mut self.answers);
        let bytes: usize = all.iter().map(|place| place.bytes.len()).sum();
        let search = Search::new(&self.canaries)?;
        let found: BTreeSet<Found> = all.iter().flat_map(|place| search.look(place)).collect();
        let (leaks, controls): (Vec<_>, Vec<_>) = found.into_iter().partition(|found| found.canary < secrets);
        let missed = missed(&self.canaries, &controls);
        let mut groups: BTreeMap<String, usize> = BTreeMap::new();
        for leak in &leaks {
            let kind = self.canaries.get(leak.canary).map_or("", |canary| canary.kind);
            *groups.entry(format!("{kind}, {}, {}", leak.dress, leak.place)).or_default() += 1;
        }
        let figure = leaks.iter().map(|leak| leak.canary).collect::<BTreeSet<_>>().len();
        let mut details = vec![
            ("canaries".to_owned(), json!(secrets)),
            ("requests".to_owned(), json!(requests)),
            ("places searched".to_owned(), json!(all.len())),
            ("bytes searched".to_owned(), json!(bytes)),
            ("control: markers found where they must be".to_owned(), json!(controls.len())),
            ("control: not found".to_owned(), json!(missed)),
        ];
        let shown = groups.into_iter().take(40).map(|(group, count)| (format!("LEAK {group}"), json!(count)));
        details.extend(shown);
        Ok(Finding {
            bar: "15".to_owned(),
            #[expect(clippy::cast_precision_loss, reason = "a few hundred canaries")]
            figure: figure as f64,
            unit: "canaries found in some place and encoding".to_owned(),
            pass: figure == 0 && missed.is_empty() && secrets >= 200,
            details,
        })
    }
}

/// Where the search should have found a marker and did not.
fn missed(canaries: &[Canary], found: &[Found]) -> Vec<String> {
    let is = |found: &Found, kind: &str| canaries.get(found.canary).is_some_and(|canary| canary.kind == kind);
    let seen = |kind: &str, dress: &str, place: &str| {
        found.iter().any(|found| is(found, kind) && found.dress == dress && found.place.starts_with(place))
    };
    let mut missed = Vec::new();
    for place in [
        "answer to POST",
        "answer to GET",
        "table invocations",
        "receipts, decoded",
        "column receipts.payload",
    ] {
        let missing = ENCODINGS.iter().filter(|dress| !seen("marker", dress, place));
        missed.extend(missing.map(|dress| format!("{dress} in {place}")));
    }
    for place in ["table attempts", "table events", "log"] {
        if !seen("marker", "plain", place) {
            missed.push(format!("plain in {place}"));
        }
    }
    if !seen("marker in redis", "plain", "redis") {
        missed.push("plain in redis".to_owned());
    }
    missed
}
