//! Connectors: added, changed, deleted and reviewed by people.

use std::collections::HashMap;

use catalog::connector::{
    self, Auth, Connector, Error as ConnectorError, Kind, Review, Reviewing, Tool, store,
};
use changes::{Author, Draft, Kind as Change};
use model::{ConnectorId, Digest, Mode, OrgId, Role, SourceSlug};
use pipeline::read;
use platform::db::{self, Tx};
use policy::{Rule, RuleScope};
use secrecy::SecretString;
use serde_json::{Value, json};
use tenancy::{SLACK_SIGNING_SECRET, SecretInfo, SecretUse};

use crate::{error::Error, harvest::DAILY, parts::Oversight};

/// Names that stand for this program itself.
const OURSELVES: [&str; 2] = ["countersign", catalog::models::SOURCE];

/// A connector to be added.
#[derive(Debug, Clone)]
pub struct NewConnector {
    pub slug: SourceSlug,
    pub kind: Kind,
    pub auth: Auth,
}

/// A change of a connector; a field that is `None` stays.
#[derive(Debug, Clone, Default)]
pub struct ConnectorChange {
    pub place: Option<String>,
    pub base_url: Option<String>,
    pub auth: Option<Auth>,
    pub enabled: Option<bool>,
}

/// How many tools a connector has.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct ToolCounts {
    pub tools: i64,
    pub to_review: i64,
}

/// A person's review of a tool.
#[derive(Debug, Clone)]
pub struct ToolReview<'a> {
    pub slug: &'a SourceSlug,
    pub tool: &'a str,
    pub review: Review,
    /// Whether a rule denies the tool from now on.
    pub deny: bool,
}

/// A person who makes a change, and their role.
#[derive(Debug, Clone, Copy)]
pub struct By<'a> {
    pub author: &'a Author,
    pub role: Role,
}

/// A connector as its change is recorded. The rest of an address may hold a secret, so it is named by its digest.
fn recorded(connector: &Connector) -> Value {
    let digest = |text: &str| Digest::of_bytes(text.as_bytes());
    let command = match &connector.kind {
        Kind::Stdio { command } => Some(command),
        _ => None,
    };
    json!({
        "kind": connector.kind.as_str(),
        "command": command,
        "origin": connector.origin(),
        "place": digest(connector.kind.place()),
        "base_url": connector.kind.base().map(digest),
        "auth": connector.auth.as_str(),
        "auth_header": connector.auth.header(),
        "secret_name": connector.auth.secret(),
        "enabled": connector.enabled,
    })
}

fn draft(kind: Change, connector: &Connector) -> Draft {
    let (subject, name) = (connector.id.to_string(), connector.slug.to_string());
    Draft { kind, subject, name, before: None, after: None }
}

/// A command is connected once: each connector would start processes of its own.
fn check_once(known: &[Connector], kind: &Kind) -> Result<(), Error> {
    let Kind::Stdio { command: wanted } = kind else { return Ok(()) };
    let is_same = |one: &&Connector| matches!(&one.kind, Kind::Stdio { command } if command == wanted);
    match known.iter().find(is_same) {
        None => Ok(()),
        Some(other) => {
            let text = format!("the command `{wanted}` is connected already, as `{}`", other.slug);
            Err(ConnectorError::Invalid(text).into())
        }
    }
}

impl Oversight {
    /// Adds a connector and harvests it. If the server does not answer, the connector is added with that error.
    pub async fn add_connector(&self, by: By<'_>, new: NewConnector) -> Result<Connector, Error> {
        let org = by.author.org;
        let created_by = by.author.user.ok_or(tenancy::Error::Unauthenticated)?;
        self.check_kind(org, &new.kind, &new.auth)?;
        let connector = Connector {
            id: ConnectorId::from_uuid(self.parts.world.uuid()),
            slug: new.slug,
            kind: new.kind,
            auth: new.auth,
            enabled: true,
            server: None,
            last_harvested_at: None,
            last_error: None,
            created_by,
            created_at: self.parts.world.clock.now(),
        };
        let mut tx = self.parts.db.begin(org).await?;
        let known = store::list(&mut tx, org).await?;
        self.check_slug(&known, &connector.slug)?;
        check_once(&known, &connector.kind)?;
        let draft = Draft { after: Some(recorded(&connector)), ..draft(Change::ConnectorAdded, &connector) };
        let mut change = self.parts.recorder.record(&mut tx, by.author, draft).await?;
        store::insert(&mut change, org, &connector).await?;
        self.allow_its_secret(&mut tx, by, &connector).await?;
        db::commit(tx).await?;
        self.harvest_later(org, connector.id, DAILY).await;
        let (connector, _) = self.harvest(org, &connector.slug).await?;
        Ok(connector)
    }

    fn check_kind(&self, org: OrgId, kind: &Kind, auth: &Auth) -> Result<(), Error> {
        let invalid = |rule: String| Err(ConnectorError::Invalid(rule).into());
        // A server that is sent this secret, or sets it as its token, could click in Slack as anyone.
        if auth.secret() == Some(SLACK_SIGNING_SECRET) {
            return invalid(format!("`{SLACK_SIGNING_SECRET}` is reserved for clicks in Slack"));
        }
        match kind {
            Kind::Stdio { command } if !self.parts.sources.mcp.has_command(command, org) => invalid(format!(
                "the operator has not declared a command `{command}` for this organization ({org})"
            )),
            Kind::Stdio { .. } if *auth != Auth::None => invalid(
                "a command gets its credentials from the operator, so `auth` must be `none`".to_owned(),
            ),
            Kind::OpenApi { .. } if matches!(auth, Auth::OAuth { .. }) => {
                invalid("`oauth` is supported only for `mcp`".to_owned())
            }
            _ => Ok(()),
        }
    }

    /// Checks that a slug is free and not confusable with another one.
    fn check_slug(&self, connectors: &[Connector], slug: &SourceSlug) -> Result<(), Error> {
        if slug.as_str().contains("__") {
            let rule =
                "a slug must not contain two underscores in a row: they separate source and action in MCP";
            return Err(ConnectorError::Invalid(rule.to_owned()).into());
        }
        let built_in = self.parts.reader.registry().sources().map(|source| source.slug().as_str());
        let others = connectors.iter().map(|connector| connector.slug.as_str());
        let skeleton = connector::skeleton(slug.as_str());
        let alike =
            built_in.chain(OURSELVES).chain(others).find(|other| connector::skeleton(other) == skeleton);
        match alike {
            None => Ok(()),
            Some(other) => {
                let message = format!("`{slug}` equals or resembles the source `{other}`");
                Err(ConnectorError::Exists(message).into())
            }
        }
    }

    /// The org's connectors.
    pub async fn connectors(&self, org: OrgId) -> Result<Vec<Connector>, Error> {
        Ok(store::list(&mut *self.parts.db.begin(org).await?, org).await?)
    }

    /// The number of tools of each connector.
    pub async fn tool_counts(&self, org: OrgId) -> Result<HashMap<ConnectorId, ToolCounts>, Error> {
        let counts = store::counts(&mut *self.parts.db.begin(org).await?, org).await?;
        Ok(counts.into_iter().map(|(id, (tools, to_review))| (id, ToolCounts { tools, to_review })).collect())
    }

    /// A connector with its tools.
    pub async fn connector(&self, org: OrgId, slug: &SourceSlug) -> Result<(Connector, Vec<Tool>), Error> {
        let mut tx = self.parts.db.begin(org).await?;
        let connector = found(&mut tx, org, slug).await?;
        let tools = store::tools(&mut tx, org, connector.id).await?;
        Ok((connector, tools))
    }

    /// Changes a connector and, if it is enabled, harvests it at once.
    pub async fn change_connector(
        &self,
        by: By<'_>,
        slug: &SourceSlug,
        change: ConnectorChange,
    ) -> Result<Connector, Error> {
        let org = by.author.org;
        let mut tx = self.parts.db.begin(org).await?;
        let mut connector = locked(&mut tx, org, slug).await?;
        let before = recorded(&connector);
        let place = change.place.as_deref().unwrap_or_else(|| connector.kind.place());
        let base = change.base_url.as_deref().or_else(|| connector.kind.base());
        connector.kind = Kind::parse(connector.kind.as_str(), place, base)?;
        connector.auth = change.auth.unwrap_or(connector.auth);
        connector.enabled = change.enabled.unwrap_or(connector.enabled);
        self.check_kind(org, &connector.kind, &connector.auth)?;
        let after = recorded(&connector);
        if after != before {
            let draft = draft(Change::ConnectorChanged, &connector);
            let draft = Draft { before: Some(before), after: Some(after), ..draft };
            let mut change = self.parts.recorder.record(&mut tx, by.author, draft).await?;
            store::update(&mut change, org, &connector).await?;
        }
        self.allow_its_secret(&mut tx, by, &connector).await?;
        db::commit(tx).await?;
        Ok(if connector.enabled { self.harvest(org, slug).await?.0 } else { connector })
    }

    /// Allows a connector to use its secret, or refuses the connector if this person may not allow that.
    async fn allow_its_secret(&self, tx: &mut Tx, by: By<'_>, connector: &Connector) -> Result<(), Error> {
        let Some(wanted) = read::secret_use(connector) else { return Ok(()) };
        Ok(self.parts.tenancy.allow_secret(tx, by.author, by.role, &wanted).await?)
    }

    /// Sets a secret. Connectors and model providers that the same person added may use it; those of others have to be
    /// allowed.
    pub async fn put_secret(
        &self,
        by: By<'_>,
        name: &str,
        value: &SecretString,
    ) -> Result<SecretInfo, Error> {
        let org = by.author.org;
        let mut info = self.parts.tenancy.put_secret(by.author, name, value).await?;
        let mut tx = self.parts.db.begin(org).await?;
        let is_own = |found: &Connector| Some(found.created_by) == by.author.user;
        let own = store::list(&mut tx, org).await?.into_iter().filter(is_own);
        for connector in own.filter(|found| found.auth.secret() == Some(name)) {
            self.allow_its_secret(&mut tx, by, &connector).await?;
        }
        for provider in catalog::models::store::list(&mut tx, org).await? {
            let wanted = read::model_secret_use(&provider).filter(|wanted| wanted.secret == name);
            if let Some(wanted) = wanted.filter(|_| Some(provider.created_by) == by.author.user) {
                self.parts.tenancy.allow_secret(&mut tx, by.author, by.role, &wanted).await?;
            }
        }
        info.audience = tenancy::audience_of(&mut tx, org, info.id).await?;
        db::commit(tx).await?;
        Ok(info)
    }

    /// Allows a connector to send a secret: the one it authenticates with, or one that agents pass by reference.
    pub async fn allow_secret(&self, by: By<'_>, name: &str, slug: &SourceSlug) -> Result<(), Error> {
        let org = by.author.org;
        let mut tx = self.parts.db.begin(org).await?;
        let connector = found(&mut tx, org, slug).await?;
        let Some(origin) = connector.origin() else {
            let rule = format!("the connector `{slug}` is a program on this machine and is sent no secrets");
            return Err(ConnectorError::Invalid(rule).into());
        };
        if self.parts.tenancy.lock_secret(&mut tx, org, name).await?.is_none() {
            return Err(Error::NotFound("secret"));
        }
        let wanted = SecretUse { secret: name.to_owned(), source: slug.to_string(), origin };
        self.parts.tenancy.allow_secret(&mut tx, by.author, by.role, &wanted).await?;
        Ok(db::commit(tx).await?)
    }

    /// Deletes a connector with its tools. Rules for it stay, and apply if it is added again.
    pub async fn remove_connector(&self, by: &Author, slug: &SourceSlug) -> Result<(), Error> {
        let mut tx = self.parts.db.begin(by.org).await?;
        let connector = locked(&mut tx, by.org, slug).await?;
        let draft =
            Draft { before: Some(recorded(&connector)), ..draft(Change::ConnectorRemoved, &connector) };
        let mut change = self.parts.recorder.record(&mut tx, by, draft).await?;
        if !store::delete(&mut change, by.org, slug).await? {
            return Err(ConnectorError::NotFound("connector").into());
        }
        Ok(db::commit(tx).await?)
    }

    /// Records a person's review of a tool: accepted as they saw it, or denied for good, whatever it becomes.
    pub async fn review_tool(
        &self,
        by: &Author,
        ToolReview { slug, tool, review, deny }: ToolReview<'_>,
    ) -> Result<Tool, Error> {
        let mut tx = self.parts.db.begin(by.org).await?;
        let connector = found(&mut tx, by.org, slug).await?;
        let (recorder, now) = (&self.parts.recorder, self.parts.world.clock.now());
        let reviewing = Reviewing { recorder, by, connector: &connector, review: &review, now };
        let tool = connector::review(&mut tx, tool, reviewing).await?;
        if deny && let Ok(action) = &tool.action {
            let mut rule = Rule::new(RuleScope::Org, slug.as_str(), action.as_str(), Mode::Deny)?;
            rule.reason = review.note;
            self.parts.rules.put_in(&mut tx, by, rule).await?;
        }
        db::commit(tx).await?;
        Ok(tool)
    }
}

/// A connector of an org, locked until the transaction ends.
async fn locked(tx: &mut Tx, org: OrgId, slug: &SourceSlug) -> Result<Connector, Error> {
    let id = found(tx, org, slug).await?.id;
    let is_there = store::lock(tx, org, id).await?;
    let connector = found(tx, org, slug).await?;
    // It was removed in between, and perhaps another one has its name.
    if is_there && connector.id == id {
        Ok(connector)
    } else {
        Err(ConnectorError::NotFound("connector").into())
    }
}

/// A connector of an org, or an error.
pub(crate) async fn found(tx: &mut Tx, org: OrgId, slug: &SourceSlug) -> Result<Connector, Error> {
    let found = store::find(tx, org, slug).await?;
    Ok(found.ok_or(ConnectorError::NotFound("connector"))?)
}
