//! One gateway to be killed, with the targets it calls and a client that asks it.

use std::time::Duration;

use anyhow::Context as _;
use serde_json::{Value, json};
use sqlx::PgConnection;
use testkit::{
    Agent, Deployment, Options,
    fakes::{FakeGitHub, FakeLinear},
};

use crate::window::{Kind, Trace};

/// The token both targets want.
const TOKEN: &str = "lin_api_chaos";
/// One call may take this long …
const ACTION_TIMEOUT_MS: u64 = 4_000;
/// … three of them and this are the lease. It is longer than a series of kills, so that what they left is taken up
/// by the life that follows the series, not by one that is about to be killed.
const LEASE_MARGIN_MS: u64 = 12_000;

/// The lease of every execution here.
pub(crate) const LEASE: Duration = Duration::from_millis(3 * ACTION_TIMEOUT_MS + LEASE_MARGIN_MS);

/// What a client needs to ask; it outlives the gateway.
#[derive(Clone)]
pub(crate) struct Client {
    http: reqwest::Client,
    url: String,
    agent: Agent,
}

impl Client {
    /// Asks once. An error means that the connection broke before an answer.
    pub(crate) async fn ask(
        &self,
        (kind, title): (Kind, &str),
        key: Option<&str>,
    ) -> anyhow::Result<(u16, Value)> {
        let url = format!("{}/v1/sessions/{}/actions/invoke", self.url, self.agent.session);
        let mut request = self.http.post(url).bearer_auth(&self.agent.token);
        if let Some(key) = key {
            request = request.header("Idempotency-Key", key);
        }
        let body = json!({ "action": kind.action(), "params": kind.params(title) });
        let answer = request.json(&body).send().await?;
        Ok((answer.status().as_u16(), answer.json().await?))
    }
}

/// The gateway, its targets, a client, and a look into its database.
pub(crate) struct Stand {
    pub(crate) deployment: Deployment,
    pub(crate) linear: FakeLinear,
    pub(crate) github: FakeGitHub,
    pub(crate) client: Client,
    pub(crate) sql: PgConnection,
}

impl Stand {
    /// Starts everything, with rules that allow all three kinds of action.
    pub(crate) async fn start(binary: &str) -> anyhow::Result<Self> {
        let (linear, github) = (FakeLinear::start(TOKEN).await, FakeGitHub::start(TOKEN).await);
        let env = [
            ("COUNTERSIGN_LINEAR_URL", linear.url()),
            ("COUNTERSIGN_GITHUB_URL", github.url()),
            ("COUNTERSIGN_ACTION_TIMEOUT_MS", ACTION_TIMEOUT_MS.to_string()),
            ("COUNTERSIGN_LEASE_MARGIN_MS", LEASE_MARGIN_MS.to_string()),
            ("COUNTERSIGN_RECOVERY_INTERVAL_MS", "200".to_owned()),
            ("COUNTERSIGN_INVOCATIONS_PER_MINUTE", "1000000".to_owned()),
        ];
        let deployment = Deployment::start(Options {
            binary: Some(std::env::current_exe()?.with_file_name(binary)),
            env: env.map(|(name, value)| (name.to_owned(), value)).into(),
            ..Options::default()
        })
        .await?;
        deployment.connect_source("linear", TOKEN).await?;
        deployment.connect_source("github", TOKEN).await?;
        for kind in Kind::ALL {
            deployment.rule(kind.action(), "allow").await?;
        }
        let agent = deployment.agent("chaos").await?;
        let client = Client { http: deployment.client.clone(), url: deployment.url.clone(), agent };
        let sql = deployment.sql().await?;
        Ok(Self { deployment, linear, github, client, sql })
    }

    /// How often the target did it.
    pub(crate) fn effects(&self, kind: Kind, title: &str) -> u64 {
        match kind {
            Kind::Once => self.github.count_effect(title),
            Kind::Checkable | Kind::Read => self.linear.count_effect(title),
        }
    }

    /// How many requests for it reached the target.
    pub(crate) fn sent(&self, kind: Kind, title: &str) -> usize {
        let like = |seen: &testkit::fakes::Seen| seen.body.to_string().contains(title);
        match kind {
            Kind::Once => self.github.count_requests(like),
            Kind::Checkable | Kind::Read => self.linear.count_requests(like),
        }
    }

    /// Whether everything that was made under this title is archived, and something was.
    pub(crate) fn archived(&self, title: &str) -> bool {
        let made = self.linear.issues_titled(title);
        !made.is_empty() && made.iter().all(|issue| !issue["archivedAt"].is_null())
    }

    /// What can be seen of an invocation now.
    pub(crate) async fn look(&mut self, kind: Kind, title: &str, key: &str) -> anyhow::Result<Trace> {
        let status = sqlx::query_scalar("SELECT status FROM invocations WHERE idempotency_key = $1")
            .bind(key)
            .fetch_optional(&mut self.sql)
            .await?;
        let (sent, effects) = (self.sent(kind, title), self.effects(kind, title));
        Ok(Trace { status, sent, effects, archived: self.archived(title) })
    }

    /// The published keys, as anybody gets them.
    pub(crate) async fn keys(&self) -> anyhow::Result<receipt::KeySet> {
        let url = format!("{}/.well-known/countersign-keys.json", self.deployment.url);
        let document = self.deployment.client.get(url).send().await?.bytes().await?;
        receipt::KeySet::from_json(&document).context("reading the published keys")
    }
}
