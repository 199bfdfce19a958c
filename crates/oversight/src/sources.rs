//! Sources: their kind, whether they can be used, and their recent use.

use std::{collections::HashMap, time::Duration};

use catalog::connector::{self, Connector, Kind};
use jiff::Timestamp;
use model::{ConnectorId, OrgId, SourceSlug, Status};
use pipeline::read::{self, Durations, Ended, OrgPolicy};
use platform::{db::Tx, period::least_uuid};

use crate::{error::Error, parts::Oversight};

/// How many days of use are counted.
pub const USAGE_DAYS: u32 = 30;

/// The recent use of a source or an action. Dry runs are left out.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Usage {
    pub calls: i64,
    pub succeeded: i64,
    /// Failed or reverted.
    pub failed: i64,
    pub unknown: i64,
    /// Denied, quarantined or expired.
    pub denied: i64,
    /// The median and the 95th percentile of the duration of those that succeeded.
    pub p50_ms: Option<i64>,
    pub p95_ms: Option<i64>,
    pub last_at: Option<Timestamp>,
}

impl Usage {
    fn of<'a>(all: impl IntoIterator<Item = &'a Ended>) -> Self {
        let mut usage = Self::default();
        let mut durations = Durations::default();
        for ended in all {
            usage.calls += ended.calls;
            usage.last_at = usage.last_at.max(Some(ended.last_at));
            match ended.status {
                Status::Succeeded => usage.succeeded += ended.calls,
                Status::Failed | Status::Reverted => usage.failed += ended.calls,
                Status::Unknown => usage.unknown += ended.calls,
                Status::Denied | Status::Quarantined | Status::Expired => usage.denied += ended.calls,
                Status::Pending | Status::Approved | Status::Executing | Status::Skipped => {}
            }
            if let Some(class) = ended.took {
                durations.add(class, ended.calls);
            }
        }
        Self { p50_ms: durations.whole_ms(50), p95_ms: durations.whole_ms(95), ..usage }
    }
}

/// The kind of a source.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum SourceKind {
    /// Part of the program; `needs_connection` where it uses the org's credential for a service.
    BuiltIn { needs_connection: bool },
    /// A connector, enabled or not.
    Connector { id: ConnectorId, kind: Kind, enabled: bool },
}

/// A source.
#[derive(Debug, Clone)]
pub struct Source {
    pub slug: SourceSlug,
    pub kind: SourceKind,
    /// Whether it needs no credential, or the org has one.
    pub has_credential: bool,
    /// Why its last harvest failed.
    pub error: Option<String>,
    /// How many actions it has.
    pub actions: usize,
    /// How many of its tools wait for a review.
    pub to_review: i64,
    pub usage: Usage,
}

impl Oversight {
    /// Every source of an org, built-in ones first.
    pub async fn sources(&self, org: OrgId) -> Result<Vec<Source>, Error> {
        let mut tx = self.parts.db.begin(org).await?;
        let mut sources = self.without_usage(&mut tx, org).await?;
        let ended = read::by_source(&mut tx, org, self.counted_since()).await?;
        for source in &mut sources {
            source.usage = Usage::of(ended.get(source.slug.as_str()).into_iter().flatten());
        }
        Ok(sources)
    }

    /// One source, and the recent use of each of its actions, by action name.
    pub async fn source(
        &self,
        org: OrgId,
        slug: &SourceSlug,
    ) -> Result<(Source, HashMap<String, Usage>), Error> {
        let mut tx = self.parts.db.begin(org).await?;
        let found = self.without_usage(&mut tx, org).await?.into_iter().find(|source| source.slug == *slug);
        let mut source = found.ok_or(Error::NotFound("source"))?;
        let ended = read::by_action(&mut tx, org, slug.as_str(), self.counted_since()).await?;
        source.usage = Usage::of(ended.values().flatten());
        Ok((source, ended.into_iter().map(|(action, ended)| (action, Usage::of(&ended))).collect()))
    }

    /// The sources of an org, without their use.
    async fn without_usage(&self, tx: &mut Tx, org: OrgId) -> Result<Vec<Source>, Error> {
        let version = self.parts.tenancy.policy_version(tx, org).await?;
        let policy = self.parts.reader.org_policy(tx, org, version).await?;
        let connectors = connector::store::list(tx, org).await?;
        let counts = connector::store::counts(tx, org).await?;
        let mut actions: HashMap<&SourceSlug, usize> = HashMap::new();
        for action in self.parts.reader.registry().actions().chain(policy.catalog.actions()) {
            *actions.entry(&action.definition.address.source).or_default() += 1;
        }
        let mut sources: Vec<Source> =
            self.parts.reader.registry().sources().map(|source| built_in(source.as_ref(), &policy)).collect();
        sources.extend(connectors.into_iter().map(|connector| {
            let to_review = counts.get(&connector.id).map_or(0, |(_, to_review)| *to_review);
            connected(connector, to_review, &policy)
        }));
        for source in &mut sources {
            source.actions = actions.get(&source.slug).copied().unwrap_or_default();
        }
        Ok(sources)
    }

    fn counted_since(&self) -> uuid::Uuid {
        let days = Duration::from_secs(u64::from(USAGE_DAYS) * 24 * 60 * 60);
        least_uuid(self.parts.world.clock.now() - days)
    }
}

fn built_in(source: &dyn catalog::ActionSource, policy: &OrgPolicy) -> Source {
    let slug = source.slug();
    let needs_connection = source.definitions().iter().any(|definition| definition.needs_connection);
    Source {
        slug: slug.clone(),
        kind: SourceKind::BuiltIn { needs_connection },
        has_credential: !needs_connection || policy.connected.contains_key(slug.as_str()),
        error: None,
        actions: 0,
        to_review: 0,
        usage: Usage::default(),
    }
}

fn connected(connector: Connector, to_review: i64, policy: &OrgPolicy) -> Source {
    let Connector { id, slug, kind, auth, enabled, last_error, .. } = connector;
    Source {
        has_credential: auth.secret().is_none() || policy.connected.contains_key(slug.as_str()),
        kind: SourceKind::Connector { id, kind, enabled },
        slug,
        error: last_error,
        actions: 0,
        to_review,
        usage: Usage::default(),
    }
}
