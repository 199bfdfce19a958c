//! Sources, as people see them: what they are, whether they can be used, and how they went lately.

use std::{collections::HashMap, time::Duration};

use catalog::connector::{self, Connector, Kind};
use jiff::Timestamp;
use model::{ConnectorId, OrgId, SourceSlug, Status};
use platform::period::least_uuid;

use crate::{
    Error, Pipeline,
    durations::Durations,
    standing::{self, OrgPolicy},
    store::{self, Ended},
};

/// How far back it is counted how sources went.
pub const USAGE_DAYS: u32 = 30;

/// How a source or an action went lately. Dry runs are left out.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Usage {
    pub calls: i64,
    pub succeeded: i64,
    /// Failed or reverted.
    pub failed: i64,
    pub unknown: i64,
    /// Refused, set aside, or not answered in time.
    pub denied: i64,
    /// How long half of what succeeded took at most, and how long all but a twentieth.
    pub p50_ms: Option<i64>,
    pub p95_ms: Option<i64>,
    pub last_at: Option<Timestamp>,
}

impl Usage {
    fn of(all: &[Ended]) -> Self {
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

/// What a source is.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum SourceKind {
    /// Part of the program; `true` where it speaks to a service with the org's credential.
    BuiltIn { needs_connection: bool },
    /// A connector that is in use, or was switched off.
    Connector { id: ConnectorId, kind: Kind, enabled: bool },
}

/// A source.
#[derive(Debug, Clone)]
pub struct Source {
    pub slug: SourceSlug,
    pub kind: SourceKind,
    /// Whether it needs no credential, or the org has given one.
    pub has_credential: bool,
    /// Why it could not be asked what it can do.
    pub error: Option<String>,
    /// How many actions can be asked for.
    pub actions: usize,
    /// How many of its tools wait for a review.
    pub to_review: i64,
    pub usage: Usage,
}

impl Pipeline {
    /// Every source of an org, those of the program first.
    pub async fn sources(&self, org: OrgId) -> Result<Vec<Source>, Error> {
        let mut tx = self.parts.db.begin(org).await?;
        let version = self.parts.tenancy.policy_version(&mut tx, org).await?;
        let policy = standing::of_org(self, &mut tx, (org, version)).await?;
        let connectors = connector::store::list(&mut tx, org).await?;
        let counts = connector::store::counts(&mut tx, org).await?;
        let usage = store::by_source(&mut tx, org, self.counted_since()).await?;
        let mut actions: HashMap<&SourceSlug, usize> = HashMap::new();
        for action in self.parts.registry.actions().chain(policy.catalog.actions()) {
            *actions.entry(&action.definition.address.source).or_default() += 1;
        }
        let mut sources: Vec<Source> =
            self.parts.registry.sources().map(|source| built_in(source.as_ref(), &policy)).collect();
        sources.extend(connectors.into_iter().map(|connector| {
            let to_review = counts.get(&connector.id).map_or(0, |(_, to_review)| *to_review);
            connected(connector, to_review, &policy)
        }));
        for source in &mut sources {
            source.actions = actions.get(&source.slug).copied().unwrap_or_default();
            source.usage = usage.get(source.slug.as_str()).map(|ended| Usage::of(ended)).unwrap_or_default();
        }
        Ok(sources)
    }

    /// How every action of a source went lately, by the second half of its address.
    pub async fn usage(&self, org: OrgId, source: &SourceSlug) -> Result<HashMap<String, Usage>, Error> {
        let mut tx = self.parts.db.begin(org).await?;
        let usage = store::by_action(&mut tx, (org, source.as_str()), self.counted_since()).await?;
        Ok(usage.into_iter().map(|(action, ended)| (action, Usage::of(&ended))).collect())
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
