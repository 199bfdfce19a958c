//! The organization that examples are run in: what their placeholders stand for, the files they read, and its state before
//! each of them.

use std::{
    fs,
    os::unix::fs::PermissionsExt as _,
    path::{Path, PathBuf},
    process::{Command, Stdio},
    time::{Duration, Instant},
};

use anyhow::{Context as _, ensure};
use platform::Clock;
use reqwest::Method;
use serde_json::{Value, json};
use testkit::{
    Agent, Deployment, MANY_PENDING, Options, Worker,
    fakes::{FakeLinear, FakeMcp, FakeModel, FakeOpenApi, FakeReceiver, FakeSlack, Says, tool},
};

use super::{BINARY, ROOT};

/// Examples that depend on nothing an earlier example may have changed.
const READS: &[&str] = &[
    " list",
    "verify",
    " audit",
    " history",
    "whoami",
    " tail",
    "completions",
    " keys",
    " fetch",
    " checkpoint",
    " help ",
    "master-key",
];
/// What the fakes accept.
const TOKEN: &str = "lin_api_examples";
const MODEL_KEY: &str = "key-of-models";
/// How long an example may take. Those that follow something are stopped after `FOLLOW`.
const PATIENCE: &str = "60";
const FOLLOW: &str = "1";

pub(super) struct Prepared {
    deployment: Deployment,
    agent: Agent,
    dir: PathBuf,
    linear: FakeLinear,
    _slack: FakeSlack,
    mcp: FakeMcp,
    model: FakeModel,
    openapi: FakeOpenApi,
    receiver: FakeReceiver,
    _worker: Worker,
}

impl Prepared {
    pub(super) async fn start() -> anyhow::Result<Self> {
        let linear = FakeLinear::start(TOKEN).await;
        let slack = FakeSlack::start(TOKEN).await;
        let mcp = FakeMcp::start(docs_tools(), Some("docs-token-value")).await?;
        let model = FakeModel::start(MODEL_KEY).await;
        model.otherwise(|asked| {
            let word = json!({ "word": "ready" });
            if asked.tools.iter().any(|tool| tool == "propose") {
                let proposed = json!({ "definition": digest("Proposed").to_string(), "notes": "", "questions": [], "gaps": [] });
                return Says::calls([("propose", proposed)]);
            }
            if asked.tools.is_empty() { Says::text(word.to_string()) } else { Says::calls([("note", word)]) }
        });
        let document = json!({ "openapi": "3.0.3", "info": { "title": "Billing", "version": "1" },
            "servers": [{ "url": "/v1" }],
            "paths": { "/invoices": { "get": { "operationId": "listInvoices" } } } });
        let openapi = FakeOpenApi::start(document, None).await;
        let dir = std::env::temp_dir().join(format!("countersign-examples-{}", std::process::id()));
        let _ = fs::remove_dir_all(&dir);
        fs::create_dir_all(dir.join("bin"))?;
        let stdio = dir.join("stdio.json");
        fs::write(
            &stdio,
            json!({
                "search": { "command": ["/bin/false"], "organizations": "all" },
                "example": { "command": ["/bin/false"], "organizations": "all" },
            })
            .to_string(),
        )?;
        let setting = |name: &str, value: String| (name.to_owned(), value);
        let mut env = vec![
            setting("COUNTERSIGN_LINEAR_URL", linear.url()),
            setting("COUNTERSIGN_SLACK_URL", slack.url()),
            setting("COUNTERSIGN_STDIO_SERVERS", stdio.display().to_string()),
        ];
        // Examples leave much unanswered.
        env.extend(MANY_PENDING.map(|(name, value)| setting(name, value.to_owned())));
        let options =
            Options { binary: Some(BINARY.into()), engine: Some(vec![]), env, ..Options::default() };
        let deployment = Deployment::start(options).await?;
        let mut worker = deployment.worker()?;
        worker.launch(&[]).await?;
        let agent = deployment.agent("examples").await?;
        // Examples stop and resume it.
        deployment.agent("support-triage").await?;
        let receiver = FakeReceiver::start(Clock::system()).await?;
        receiver.stop_checking();
        let prepared = Self {
            deployment,
            agent,
            dir,
            linear,
            _slack: slack,
            mcp,
            model,
            openapi,
            receiver,
            _worker: worker,
        };
        prepared.linear.put_issue("11111111-1111-4111-8111-111111111111", "An existing issue");
        prepared.put_secrets().await?;
        prepared.restore().await?;
        prepared.write_files().await?;
        Ok(prepared)
    }

    /// Runs an example with a shell; gives back its exit code and what it printed.
    pub(super) async fn run(&self, example: &str) -> anyhow::Result<(i32, String)> {
        if !READS.iter().any(|word| example.contains(word)) {
            self.restore().await?;
        }
        let command = self.substitute(example).await?;
        let follows = command.contains("events tail") && !command.contains("--no-follow");
        let mut shell = Command::new("timeout");
        shell.args(["--signal=INT", if follows { FOLLOW } else { PATIENCE }, "sh", "-c", &command]);
        let is_agent = command.contains("countersign actions ") && !command.contains("--session");
        let token = if is_agent { &self.agent.token } else { &self.deployment.owner_token };
        shell
            .current_dir(&self.dir)
            .env_clear()
            .env("PATH", format!("{}:/usr/local/bin:/usr/bin:/bin", self.dir.join("bin").display()))
            .env("HOME", &self.dir)
            .env("COUNTERSIGN_URL", &self.deployment.url)
            .env("COUNTERSIGN_TOKEN", token)
            .env("LINEAR_API_KEY", TOKEN)
            .env("SLACK_BOT_TOKEN", TOKEN)
            .env("SLACK_SIGNING_SECRET", "x")
            .env("PETS_TOKEN", "x")
            .env("TOKEN", &self.deployment.owner_token)
            .stdin(Stdio::null());
        // The server commands read the same settings as the gateway.
        for name in ["DATABASE_URL", "REDIS_URL", "RESTATE_INGRESS_URL", "LISTEN", "MASTER_KEY"] {
            let name = format!("COUNTERSIGN_{name}");
            let value = self.deployment.setting(&name).with_context(|| format!("{name} is not set"))?;
            shell.env(&name, value);
        }
        let approves = command.contains("actions run linear.create_issue")
            || command.contains("actions run slack.send_message") && command.contains("--wait");
        let running = tokio::task::spawn_blocking(move || shell.output());
        while approves && !running.is_finished() {
            self.approve_pending().await?;
            tokio::time::sleep(Duration::from_millis(100)).await;
        }
        let output = running.await??;
        let text = [output.stdout, output.stderr].concat();
        let text: String = String::from_utf8_lossy(&text).chars().take(2_000).collect();
        Ok((output.status.code().unwrap_or(-1), text))
    }

    /// Whatever an example changed is as before.
    async fn restore(&self) -> anyhow::Result<()> {
        let settings =
            json!({ "approval_quorum": 1, "approval_four_eyes": false, "approval_passkey": false });
        self.owner(Method::PATCH, "/v1/org", settings).await?;
        for rule in self.list("/v1/rules").await? {
            self.owner(Method::DELETE, &format!("/v1/rules/{}", text(&rule["id"])?), Value::Null).await?;
        }
        for grant in self.list("/v1/grants").await?.iter().filter(|grant| grant["state"] == "active") {
            self.owner(Method::DELETE, &format!("/v1/grants/{}", text(&grant["id"])?), Value::Null).await?;
        }
        for source in ["linear", "slack"] {
            self.deployment.connect_source(source, TOKEN).await?;
        }
        for connector in self.list("/v1/connectors").await? {
            let path = format!("/v1/connectors/{}", text(&connector["source"])?);
            self.owner(Method::DELETE, &path, Value::Null).await?;
        }
        for group in self.list("/v1/event-groups").await? {
            let path = format!("/v1/event-groups/{}", text(&group["name"])?);
            self.owner(Method::DELETE, &path, Value::Null).await?;
        }
        for member in self.list("/v1/members").await?.iter().filter(|one| one["email"] == "ada@example.com") {
            self.owner(Method::DELETE, &format!("/v1/members/{}", text(&member["user"])?), Value::Null)
                .await?;
        }
        for notifier in self.list("/v1/notifiers").await? {
            self.owner(Method::DELETE, &format!("/v1/notifiers/{}", text(&notifier["id"])?), Value::Null)
                .await?;
        }
        Ok(())
    }

    /// The example with ids and addresses of this organization.
    async fn substitute(&self, example: &str) -> anyhow::Result<String> {
        let mut command = example.to_owned();
        let has = |part: &str| example.contains(part);
        if has("secrets allow")
            || has("secrets forbid")
            || has("connectors ") && !has("connectors add") && !has("connectors list")
        {
            // An example that only reads leaves the connector of the one before it in place.
            if !self.list("/v1/connectors").await?.iter().any(|one| one["source"] == "docs") {
                self.owner(Method::POST, "/v1/connectors", self.connector()).await?;
            }
        }
        if has("connectors review pets") {
            let pets = json!({ "source": "pets", "kind": "openapi", "place": self.openapi.document_url() });
            self.owner(Method::POST, "/v1/connectors", pets).await?;
        }
        if has(" indexer") && !has("events group indexer") {
            self.owner(Method::PUT, "/v1/event-groups/indexer", json!({})).await?;
        }
        if has("automations ") || has("runs ") || has("run_0199…") || has("trg_0199…") {
            self.automation().await?;
        }
        if has("spaces create production") {
            let slug = format!("production-{}", self.list("/v1/spaces").await?.len());
            command = command.replace("production --name", &format!("{slug} --name"));
        }
        if has("models ") {
            command = self.models(command).await?;
        }
        if has("automations propose") || has("eval authoring") {
            // The only provider there is.
            for provider in self.list("/v1/models").await? {
                let path = format!("/v1/models/{}", text(&provider["provider"])?);
                self.owner(Method::DELETE, &path, Value::Null).await?;
            }
            self.models("models test anthropic".to_owned()).await?;
        }
        if has("policies ") || has("facts ") {
            self.policies(example).await?;
        }
        if has("gates apply") {
            self.gates().await?;
        }
        if has("slack unlink") {
            let user = text(&self.list("/v1/members").await?[0]["user"])?;
            self.owner(Method::PUT, "/v1/slack/people/U024BE7LH", json!({ "user": user })).await?;
        }
        // A rotated signing key is not in an older file.
        if has("--keys keys.json") {
            let keys = self.owner(Method::GET, "/.well-known/countersign-keys.json", Value::Null).await?;
            fs::write(self.dir.join("keys.json"), keys.to_string())?;
        }
        // Other examples write the file without its proof.
        if has("--post-quantum") {
            let save =
                format!("countersign receipts show {} --proof --out receipt.json", self.finished().await?.1);
            let (code, output) = Box::pin(self.run(&save)).await?;
            ensure!(code == 0, "{save}: {code}: {output}");
        }
        if has("secrets remove") {
            self.put_secrets().await?;
        }
        for placeholder in PLACEHOLDERS {
            if command.contains(placeholder) {
                let value = self.value(placeholder, example).await?;
                command = command.replace(placeholder, &value);
            }
        }
        Ok(command)
    }

    /// A command about model providers, which are all the fake.
    async fn models(&self, command: String) -> anyhow::Result<String> {
        let url = format!("{}/v1", self.model.url());
        if command.contains(" anthropic") && !command.contains("models add") {
            let auth = json!({ "kind": "header", "header": "x-api-key", "secret": "anthropic-key" });
            let provider = json!({
                "preset": "anthropic", "base_url": url, "auth": auth, "models": [{ "name": "claude-sonnet-5-5" }],
            });
            self.owner(Method::PUT, "/v1/models/anthropic", provider).await?;
        }
        Ok(command
            .replace("models add anthropic", &format!("models add anthropic --base-url {url}"))
            .replace(
                "models add local",
                &format!("models add local --base-url {url} --secret anthropic-key"),
            ))
    }

    /// The gate settings of the examples in a file, and what they name.
    async fn gates(&self) -> anyhow::Result<()> {
        if !self.list("/v1/spaces").await?.iter().any(|one| one["slug"] == "finance") {
            let space = json!({ "slug": "finance", "name": "Finance", "risk_band": "green" });
            self.owner(Method::POST, "/v1/spaces", space).await?;
        }
        let billing = json!({ "source": "billing", "kind": "openapi", "place": self.openapi.document_url() });
        self.owner(Method::POST, "/v1/connectors", billing).await?;
        let file =
            json!({ "recipients": null, "detectors": [], "purposes": [], "homes": [], "crossings": [] });
        fs::write(self.dir.join("gates.json"), file.to_string())?;
        Ok(())
    }

    /// The policy of the examples, saved and in a folder. What an example wrote beside it is gone.
    async fn policies(&self, example: &str) -> anyhow::Result<()> {
        let folder = self.dir.join("my-policies");
        if example.contains("--into") {
            for written in ["message-rate", "spending-cap", "channels"] {
                let _ = fs::remove_dir_all(self.dir.join(written));
            }
        }
        let _ = fs::remove_dir_all(&folder);
        fs::create_dir_all(&folder)?;
        let policy = r#"@id("message-cap") @mode("deny") @why("At most 20 messages within ten minutes")
forbid (principal, action == Action::"slack.send_message", resource)
when { context.history.messages_sent >= 20 };"#;
        let mut fact =
            json!({ "kind": "count", "of": ["slack.send_message"], "within": "10m", "per": "session" });
        for saved in self.list("/v1/policies").await? {
            let path = format!("/v1/policies/{}", text(&saved["name"])?);
            self.owner(Method::DELETE, &path, Value::Null).await?;
        }
        self.owner(Method::PUT, "/v1/facts/messages_sent", fact.clone()).await?;
        fact["name"] = json!("messages_sent");
        for facts in [folder.join("facts.json"), self.dir.join("facts.json")] {
            fs::write(facts, json!([fact]).to_string())?;
        }
        fs::write(self.dir.join("fact.json"), fact.to_string())?;
        fs::write(folder.join("message-cap.cedar"), policy)?;
        // A fact that a policy reads cannot be deleted.
        if !example.contains("facts delete") {
            self.owner(Method::PUT, "/v1/policies/message-cap", json!({ "text": policy })).await?;
        }
        Ok(())
    }

    /// The newest change record.
    async fn change(&self) -> anyhow::Result<String> {
        let owner = &self.deployment.owner_token;
        let (_, found) = self.deployment.call(Method::GET, "/v1/changes?limit=1", owner, None).await?;
        text(&found["items"][0]["id"])
    }

    /// A change that waits for a second owner: proposed by the owner who runs the examples, or by another one. Afterwards
    /// one person may loosen again, so that the other examples need nobody else.
    async fn proposed(&self, is_own: bool) -> anyhow::Result<String> {
        let email = format!("second-{}@example.test", self.list("/v1/members").await?.len());
        let second = self.deployment.member("owner").await?;
        self.owner(Method::PATCH, "/v1/org", json!({ "loosening": "two_people" })).await?;
        let first = self.deployment.owner();
        let proposer = if is_own { &first } else { &second };
        let rule = json!({ "action": "linear.archive_issue", "mode": "allow", "where": { "issue": { "equals": email } } });
        let (status, proposed) = proposer.call(Method::PUT, "/v1/rules", Some(&rule)).await?;
        anyhow::ensure!(status == 202, "{status}: {proposed}");
        let one = self.owner(Method::PATCH, "/v1/org", json!({ "loosening": "one" })).await?;
        let path = format!("/v1/proposed-changes/{}/approve", text(&one["id"])?);
        let (status, agreed) =
            second.call(Method::POST, &path, Some(&json!({ "digest": one["digest"] }))).await?;
        anyhow::ensure!(status == 200 && agreed["status"] == "approved", "{status}: {agreed}");
        text(&proposed["id"])
    }

    async fn service_account(&self) -> anyhow::Result<String> {
        let account = json!({ "name": "examples", "role": "member" });
        text(&self.owner(Method::POST, "/v1/service-accounts", account).await?["user"])
    }

    async fn invite(&self) -> anyhow::Result<Value> {
        let email = format!("invited-{}@example.test", self.list("/v1/invitations").await?.len());
        let invite = json!({ "email": email, "name": "Invited", "role": "member" });
        self.owner(Method::POST, "/v1/invitations", invite).await
    }

    /// The value of a placeholder for a person, a program or what they hold.
    async fn value_of_people(&self, placeholder: &str, example: &str) -> anyhow::Result<Option<String>> {
        Ok(Some(match placeholder {
            "usr_0199…" if example.contains("spaces members remove") => {
                let account = self.service_account().await?;
                let space = text(&self.list("/v1/spaces").await?[0]["id"])?;
                let listed = format!("/v1/spaces/{space}/members/{account}");
                self.owner(Method::PUT, &listed, json!({})).await?;
                account
            }
            "usr_0199…" if example.contains("members remove") => self.service_account().await?,
            "ivt_0199…" => text(&self.invite().await?["invitation"]["id"])?,
            "link.txt" => {
                let link = text(&self.invite().await?["token"])?;
                fs::write(self.dir.join("link.txt"), format!("https://gateway.example/join#{link}\n"))?;
                "link.txt".to_owned()
            }
            "usr_0199…" => text(&self.list("/v1/members").await?[0]["user"])?,
            "tok_0199…" => {
                text(&self.owner(Method::POST, "/v1/tokens", json!({ "name": "temporary" })).await?["id"])?
            }
            "cns_0199…" => {
                let consent = json!({ "purpose": "newsletter", "subject": "bob@example.com" });
                text(&self.owner(Method::POST, "/v1/consents", consent).await?["id"])?
            }
            "psk_0199…" => format!("psk_{}", self.agent.session.trim_start_matches("ses_")),
            _ => return Ok(None),
        }))
    }

    async fn value(&self, placeholder: &str, example: &str) -> anyhow::Result<String> {
        if let Some(value) = self.value_of_people(placeholder, example).await? {
            return Ok(value);
        }
        Ok(match placeholder {
            "https://mcp.example.com/mcp" => self.mcp.url(),
            "https://billing.example/openapi.json" | "https://pets.example/openapi.json" => {
                self.openapi.document_url()
            }
            "https://api.pets.example/v2" => self.openapi.url(),
            "https://gateway.example" => self.deployment.url.clone(),
            // A refusal is a failure of the example.
            "curl " => "curl -fsS ".to_owned(),
            "https://acme.openai.azure.com/openai/v1" => format!("{}/v1", self.model.url()),
            "https://hooks.example.com/countersign" | "https://hooks.example.com/failures" => {
                self.receiver.url()
            }
            "C024BE91L" => "C0GENERAL".to_owned(),
            "ses_0199…" if example.contains("sessions end") => {
                self.deployment.agent("temporary").await?.session
            }
            "ses_0199…" => self.agent.session.clone(),
            "inv_0199… --digest sha256:1f0c…" => {
                let (id, digest) = self.pending().await?;
                format!("{id} --digest {digest}")
            }
            "inv_0199…" => self.invocation(example).await?,
            "rcp_0199…" => self.finished().await?.1,
            "chg_0199…" => self.change().await?,
            "pch_0199…" => self.proposed(example.contains("withdraw")).await?,
            "grq_0199…" => {
                let ask = json!({ "action": "linear.add_comment", "max_calls": 20, "lifetime_s": 7200, "reason": "x" });
                let path = format!("/v1/sessions/{}/grants/request", self.agent.session);
                let (_, made) =
                    self.deployment.call(Method::POST, &path, &self.agent.token, Some(ask)).await?;
                text(&made["id"])?
            }
            "grt_0199…" => {
                let grant = json!({ "action": "linear.add_comment", "session": self.agent.session,
                    "max_calls": 5, "lifetime_s": 600 });
                text(&self.owner(Method::POST, "/v1/grants", grant).await?["id"])?
            }
            "rul_0199…" => {
                let rule = json!({ "action": "linear.add_comment", "mode": "allow" });
                text(&self.owner(Method::PUT, "/v1/rules", rule).await?["id"])?
            }
            "spc_0199…" if example.contains("spaces set") => {
                let slug = format!("space-{}", self.list("/v1/spaces").await?.len());
                let space = json!({ "slug": slug, "name": "A space", "risk_band": "green" });
                text(&self.owner(Method::POST, "/v1/spaces", space).await?["id"])?
            }
            "spc_0199…" => text(&self.list("/v1/spaces").await?[0]["id"])?,
            "ntf_0199…" => {
                let notifier = json!({ "kind": "slack", "target": "C0GENERAL" });
                text(&self.owner(Method::POST, "/v1/notifiers", notifier).await?["id"])?
            }
            "whk_0199… dlv_0199…" => {
                let webhook = self.webhook().await?;
                let path = format!("/v1/webhooks/{webhook}/test");
                let sent = self.owner(Method::POST, &path, json!({})).await?;
                format!("{webhook} {}", text(&sent["id"])?)
            }
            "whk_0199…" => self.webhook().await?,
            "evt_0199…" => {
                self.finished().await?;
                text(&self.list("/v1/events").await?[0]["eventid"])?
            }
            other => self.value_of_run_or_proof(other, example).await?,
        })
    }

    async fn value_of_run_or_proof(&self, placeholder: &str, example: &str) -> anyhow::Result<String> {
        Ok(match placeholder {
            "aut_0199…" => self.automation().await?.0,
            "trg_0199…" => self.automation().await?.1,
            "run_0199…" => self.a_run(example).await?,
            "sha256:9f86d0…" => format!("sha256:{}", "9f".repeat(32)),
            "iojj3XQJ8ZX9UtstPLpdcspnCb8dlBIb83SIAbQPb1w=" => {
                let keys: Value = serde_json::from_slice(&fs::read(self.dir.join("keys.json"))?)?;
                let receipt = fs::read_to_string(self.dir.join("receipt.json"))?;
                let keys = keys["keys"].as_array().context("no keys")?;
                let signed =
                    |key: &&Value| key["keyid"].as_str().is_some_and(|keyid| receipt.contains(keyid));
                text(&keys.iter().find(signed).context("no key of the receipt")?["public_key"])?
            }
            other => anyhow::bail!("no value for {other}"),
        })
    }

    /// An invocation that waits for approval, with the digest of what is shown.
    async fn pending(&self) -> anyhow::Result<(String, String)> {
        self.deployment.rule("slack.send_message", "require_approval").await?;
        let params = json!({ "channel": "C0GENERAL", "text": "hi" });
        let (_, made) = self.deployment.invoke(&self.agent, "slack.send_message", &params, None).await?;
        let id = text(&made["id"])?;
        let item = self.owner(Method::GET, &format!("/v1/inbox/{id}"), Value::Null).await?;
        Ok((id, testkit::shown_digest(&item)?))
    }

    /// An invocation in the state that an example needs.
    async fn invocation(&self, example: &str) -> anyhow::Result<String> {
        let is_one_of = |words: &[&str]| words.iter().any(|word| example.contains(word));
        match () {
            () if is_one_of(&["reconcile", "--wait 60"]) => Ok(self.finished().await?.0),
            () if is_one_of(&["inbox release", "inbox discard"]) => self.quarantined().await,
            () if is_one_of(&["inbox endorse"]) => {
                self.deployment.invoke(&self.agent, "linear.list_issues", &json!({}), None).await?;
                Ok(self.pending().await?.0)
            }
            () => Ok(self.pending().await?.0),
        }
    }

    /// An invocation that was quarantined.
    async fn quarantined(&self) -> anyhow::Result<String> {
        let params = json!({ "channel": "C0GENERAL", "text": "ghp_0123456789abcdefghijABCDEFGHIJ012345" });
        let (_, refused) = self.deployment.invoke(&self.agent, "slack.send_message", &params, None).await?;
        text(&refused["invocation"])
    }

    /// An invocation that succeeded, and its receipt.
    async fn finished(&self) -> anyhow::Result<(String, String)> {
        let params = json!({ "template": "an example" });
        let (_, made) = self.deployment.invoke(&self.agent, "data.transform", &params, None).await?;
        Ok((text(&made["id"])?, text(&made["receipt"])?))
    }

    /// Approves what an example waits for, as soon as it is pending.
    async fn approve_pending(&self) -> anyhow::Result<()> {
        let inbox = self.list("/v1/inbox").await?;
        let Some(item) = inbox.iter().find(|item| item["kind"] == "approval") else { return Ok(()) };
        let id = text(&item["invocation"]["id"])?;
        let item = self.owner(Method::GET, &format!("/v1/inbox/{id}"), Value::Null).await?;
        let path = format!("/v1/invocations/{id}/approve");
        let shown = json!({ "shown_digest": testkit::shown_digest(&item)? });
        match self.owner(Method::POST, &path, shown).await {
            // An earlier example replaced the credential: the item is asked again, and answered at the next look. Or what
            // an earlier one released is still the newest item: its hidden value is nobody's business here.
            Err(error)
                if ["subject_changed", "hidden_values"]
                    .iter()
                    .any(|code| error.to_string().contains(code)) =>
            {
                Ok(())
            }
            answered => answered.map(drop),
        }
    }

    /// The automation `Morning digest` and its webhook trigger. No run of it is in progress.
    async fn automation(&self) -> anyhow::Result<(String, String)> {
        let known = self.list("/v1/automations").await?;
        let known = known.iter().find(|one| one["name"] == "Morning digest" && one["status"] != "archived");
        let found = match known {
            Some(one) => {
                let path = format!("/v1/automations/{}", text(&one["id"])?);
                self.owner(Method::PATCH, &path, json!({ "status": "active" })).await?
            }
            None => {
                let order = json!({ "definition": digest("Morning digest") });
                self.owner(Method::POST, "/v1/automations", order).await?
            }
        };
        let triggers = found["triggers"].as_array().into_iter().flatten();
        let webhook =
            triggers.into_iter().find(|one| one["type"] == "webhook" || one["trigger_type"] == "webhook");
        let id = text(&found["id"])?;
        self.end_runs(&id).await?;
        Ok((id, text(&webhook.context("no webhook trigger")?["id"])?))
    }

    /// A run in the state that the example needs.
    async fn a_run(&self, example: &str) -> anyhow::Result<String> {
        if example.contains("transcript") {
            return self.a_run_of_a_model().await;
        }
        let waits = example.contains("cancel") || example.contains("rerun");
        if waits {
            self.deployment.rule("linear.list_issues", "require_approval").await?;
        }
        let automation = self.automation().await?.0;
        let path = format!("/v1/automations/{automation}/runs");
        let run = text(&self.owner(Method::POST, &path, json!({ "inputs": {} })).await?["id"])?;
        let until = if waits { "waiting" } else { "succeeded" };
        self.reaches(&run, until).await?;
        if example.contains("rerun") {
            self.owner(Method::POST, &format!("/v1/runs/{run}/cancel"), json!({})).await?;
            self.reaches(&run, "cancelled").await?;
            for rule in self.list("/v1/rules").await? {
                self.owner(Method::DELETE, &format!("/v1/rules/{}", text(&rule["id"])?), Value::Null).await?;
            }
        }
        Ok(run)
    }

    /// A run with a step `sort` that a model performed.
    async fn a_run_of_a_model(&self) -> anyhow::Result<String> {
        self.models("models test anthropic".to_owned()).await?;
        let sort = json!({
            "step_id": "sort", "action": "agent_task",
            "config": {
                "goal": "Sort it.", "context": "It crashes.", "budget_usd": null,
                "provider": "anthropic", "model": "claude-sonnet-5-5",
            },
        });
        let known = self.list("/v1/automations").await?;
        let automation = match known.into_iter().find(|one| one["name"] == "Sorts") {
            Some(one) => one,
            None => {
                let definition = json!({ "schema_version": "1.0", "name": "Sorts", "plan": [sort] });
                self.owner(Method::POST, "/v1/automations", json!({ "definition": definition })).await?
            }
        };
        let path = format!("/v1/automations/{}/runs", text(&automation["id"])?);
        let run = text(&self.owner(Method::POST, &path, json!({ "inputs": {} })).await?["id"])?;
        self.reaches(&run, "succeeded").await?;
        Ok(run)
    }

    /// Ends the runs that earlier examples started: the automation runs one at a time.
    async fn end_runs(&self, automation: &str) -> anyhow::Result<()> {
        let begun = Instant::now();
        loop {
            let runs = self.list(&format!("/v1/runs?automation={automation}")).await?;
            let open = ["pending", "running", "waiting"];
            let left: Vec<_> = runs
                .iter()
                .filter(|run| open.contains(&run["status"].as_str().unwrap_or_default()))
                .collect();
            if left.is_empty() {
                return Ok(());
            }
            ensure!(begun.elapsed() < Duration::from_secs(60), "runs do not end: {left:?}");
            for run in left.iter().filter(|run| run["status"] == "waiting") {
                self.owner(Method::POST, &format!("/v1/runs/{}/cancel", text(&run["id"])?), json!({}))
                    .await?;
            }
            tokio::time::sleep(Duration::from_millis(50)).await;
        }
    }

    async fn reaches(&self, run: &str, status: &str) -> anyhow::Result<()> {
        let begun = Instant::now();
        loop {
            let found = self.owner(Method::GET, &format!("/v1/runs/{run}"), Value::Null).await?;
            if found["status"] == status {
                return Ok(());
            }
            ensure!(begun.elapsed() < Duration::from_secs(60), "the run is not {status}: {found}");
            tokio::time::sleep(Duration::from_millis(50)).await;
        }
    }

    async fn webhook(&self) -> anyhow::Result<String> {
        let webhook = json!({ "url": self.receiver.url() });
        text(&self.owner(Method::POST, "/v1/webhooks", webhook).await?["webhook"]["id"])
    }

    fn connector(&self) -> Value {
        let auth = json!({ "kind": "bearer", "secret": "docs-token" });
        json!({ "source": "docs", "kind": "mcp", "place": self.mcp.url(), "auth": auth })
    }

    async fn put_secrets(&self) -> anyhow::Result<()> {
        for (name, value) in [
            ("docs-token", "docs-token-value"),
            ("billing-key", "x"),
            ("db-password", "x"),
            ("anthropic-key", MODEL_KEY),
            ("azure-key", MODEL_KEY),
        ] {
            self.owner(Method::PUT, &format!("/v1/secrets/{name}"), json!({ "value": value })).await?;
        }
        Ok(())
    }

    /// The files that examples read, and the programs they call.
    async fn write_files(&self) -> anyhow::Result<()> {
        let at = |name: &str| self.dir.join(name);
        std::os::unix::fs::symlink(BINARY, at("bin/countersign"))?;
        std::os::unix::fs::symlink(Path::new(ROOT).join("examples"), at("examples"))?;
        program(&at("bin/pass"), &format!("#!/bin/sh\necho {TOKEN}\n"))?;
        for dir in [
            "automations",
            "mirror",
            ".local/share/bash-completion/completions",
            ".zfunc",
            ".config/fish/completions",
            ".local/share/countersign/dev",
        ] {
            fs::create_dir_all(at(dir))?;
        }
        let event = json!({ "specversion": "1.0", "id": "1", "source": "/drive", "type": "drive.file_added", "data": {} });
        for (name, content) in [
            ("issue.json", json!({ "team_id": "team-1", "title": "From a file" })),
            ("inputs.json", json!({ "state": "Todo" })),
            ("digest.json", digest("Morning digest")),
            ("automations/weekly.json", digest("Weekly digest")),
            ("event.json", event),
            ("failed.json", json!({ "data.status": { "equals": "failed" } })),
        ] {
            fs::write(at(name), content.to_string())?;
        }
        for (name, value) in [
            ("password", "x"),
            ("linear.key", TOKEN),
            ("docs-token", "docs-token-value"),
            ("token", "docs-token-value"),
        ] {
            fs::write(at(name), value)?;
        }
        let receipt = self.finished().await?.1;
        for command in [
            "countersign receipts keys --out keys.json".to_owned(),
            format!("countersign receipts show {receipt} --proof --out receipt.json"),
            "countersign receipts export --out november.ndjson".to_owned(),
            "countersign passkeys list --all --json > passkeys.json".to_owned(),
            "countersign ledger checkpoint --out monday.checkpoint".to_owned(),
            "cp monday.checkpoint friday.checkpoint; cp monday.checkpoint mirror/checkpoint".to_owned(),
            "countersign ledger fetch log".to_owned(),
        ] {
            let (code, output) = self.run(&command).await?;
            ensure!(code == 0, "{command}: {code}: {output}");
        }
        Ok(())
    }

    async fn owner(&self, method: Method, path: &str, body: Value) -> anyhow::Result<Value> {
        self.deployment.as_owner(method, path, body).await
    }

    async fn list(&self, path: &str) -> anyhow::Result<Vec<Value>> {
        let found = self.owner(Method::GET, path, Value::Null).await?;
        Ok(found["items"].as_array().cloned().unwrap_or_default())
    }
}

impl Drop for Prepared {
    fn drop(&mut self) {
        let _ = fs::remove_dir_all(&self.dir);
    }
}

/// Longer ones first, where one begins with another.
const PLACEHOLDERS: &[&str] = &[
    "https://mcp.example.com/mcp",
    "https://billing.example/openapi.json",
    "https://pets.example/openapi.json",
    "https://api.pets.example/v2",
    "https://acme.openai.azure.com/openai/v1",
    "https://gateway.example",
    "curl ",
    "https://hooks.example.com/countersign",
    "https://hooks.example.com/failures",
    "C024BE91L",
    "inv_0199… --digest sha256:1f0c…",
    "inv_0199…",
    "whk_0199… dlv_0199…",
    "whk_0199…",
    "ses_0199…",
    "rcp_0199…",
    "chg_0199…",
    "pch_0199…",
    "grq_0199…",
    "grt_0199…",
    "rul_0199…",
    "usr_0199…",
    "tok_0199…",
    "spc_0199…",
    "ntf_0199…",
    "evt_0199…",
    "aut_0199…",
    "trg_0199…",
    "run_0199…",
    "psk_0199…",
    "ivt_0199…",
    "cns_0199…",
    "link.txt",
    "sha256:9f86d0…",
    "iojj3XQJ8ZX9UtstPLpdcspnCb8dlBIb83SIAbQPb1w=",
];

fn docs_tools() -> Vec<Value> {
    ["search", "wipe"].map(|name| tool(name, json!({ "text": { "type": "string" } }))).into()
}

fn digest(name: &str) -> Value {
    json!({
        "schema_version": "1.0", "name": name, "goal": "List open issues",
        "triggers": [{ "type": "webhook", "config": {} }],
        "inputs": { "schema": { "type": "object", "properties": {
            "state": { "type": "string", "default": "Todo" }, "limit": { "type": "integer", "default": 20 } } } },
        "plan": [{ "step_id": "list", "action": "linear.list_issues", "config": { "state": "{{ inputs.state }}" } }],
    })
}

fn program(path: &Path, script: &str) -> anyhow::Result<()> {
    fs::write(path, script)?;
    Ok(fs::set_permissions(path, fs::Permissions::from_mode(0o755))?)
}

fn text(value: &Value) -> anyhow::Result<String> {
    value.as_str().map(str::to_owned).with_context(|| format!("expected a text, found {value}"))
}
