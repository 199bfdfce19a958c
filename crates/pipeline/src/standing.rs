//! What decisions are made from, kept in memory and never trusted: the statement that records a decision checks that
//! the version it was made from is still the current one.

use std::{collections::HashMap, sync::Arc, time::Duration};

use bytes::Bytes;
use catalog::connector::OrgCatalog;
use jiff::Timestamp;
use model::{
    ActionDefinition, AutomationId, ConnectorId, Decision, Drift, GrantId, OrgId, RiskBand, SessionId,
};
use moka::sync::Cache;
use platform::db::Tx;
use policy::{Facts, Grant, RuleSet};
use tenancy::{SealedCredential, SessionFacts};

use crate::{
    Error, Pipeline, batch,
    state::{Admitted, Resolved},
    validate,
};

/// How many bytes of written catalogs are kept.
const MOST_WRITTEN_BYTES: u64 = 64 << 20;

/// A session, its space, and the org's rules and connections, all of one version.
pub(crate) struct Standing {
    pub(crate) facts: SessionFacts,
    pub(crate) org: Arc<OrgPolicy>,
}

/// Who asks, and what the org set: all that a decision is made from besides the action.
pub(crate) struct Asking<'a> {
    pub(crate) org: &'a OrgPolicy,
    pub(crate) session: SessionId,
    pub(crate) automation: Option<AutomationId>,
    pub(crate) band: RiskBand,
    pub(crate) capabilities: &'a [String],
}

impl Asking<'_> {
    /// What policy says about an action, given what the detectors found in its parameters.
    pub(crate) fn decide(
        &self,
        (definition, drift): (&ActionDefinition, Drift),
        finding: Option<&str>,
        now: Timestamp,
    ) -> Decision {
        policy::decide(&Facts {
            definition,
            automation: self.automation,
            rules: &self.org.rules,
            band: self.band,
            drift,
            capabilities: self.capabilities,
            finding,
            session: self.session,
            grants: &self.org.grants,
            now,
        })
    }
}

impl Standing {
    /// What policy says about an action for this session, given what the detectors found in its parameters.
    pub(crate) fn decide(
        &self,
        action: (&ActionDefinition, Drift),
        finding: Option<&str>,
        now: Timestamp,
    ) -> Decision {
        let asking = Asking {
            org: &self.org,
            session: self.facts.session.id,
            automation: self.automation(),
            band: self.facts.band,
            capabilities: &self.facts.session.capabilities,
        };
        asking.decide(action, finding, now)
    }

    /// The automation the session works for, if any.
    fn automation(&self) -> Option<AutomationId> {
        self.facts.session.run.as_ref().map(|run| run.automation)
    }

    /// Everything that [`Standing::decide`] looks at when there are no parameters yet. Whatever is added there is added here.
    pub(crate) fn catalog_key(&self, org: OrgId, now: Timestamp) -> CatalogKey {
        let SessionFacts { session, band, policy_version, .. } = &self.facts;
        let usable =
            self.org.grants.iter().filter(|grant| grant.is_for((session.id, self.automation()), now));
        CatalogKey {
            org,
            policy_version: *policy_version,
            band: *band,
            automation: self.automation(),
            capabilities: session.capabilities.clone(),
            grants: usable.map(|grant| grant.id).collect(),
        }
    }

    /// The same, with one grant more.
    pub(crate) fn with_grant(&self, grant: Grant) -> Self {
        let mut grants = self.org.grants.clone();
        grants.insert(0, grant);
        let OrgPolicy { rules, connected, catalog, .. } = &*self.org;
        let (rules, connected, catalog) = (rules.clone(), connected.clone(), catalog.clone());
        let org = OrgPolicy { rules, connected, grants, catalog };
        Self { facts: self.facts.clone(), org: Arc::new(org) }
    }
}

/// What the catalog of a session follows from, whole: sessions with the same key are shown the same catalog.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub(crate) struct CatalogKey {
    org: OrgId,
    /// Of the rules, the connections and the connectors with their tools.
    policy_version: i64,
    band: RiskBand,
    /// Rules may be for one alone.
    automation: Option<AutomationId>,
    capabilities: Vec<String>,
    /// Those the session may use now; time takes them away without a change of version.
    grants: Vec<GrantId>,
}

/// What all sessions of an org share.
pub(crate) struct OrgPolicy {
    pub(crate) rules: RuleSet,
    /// Connected sources with their credential, sealed.
    pub(crate) connected: HashMap<String, SealedCredential>,
    /// Grants with calls left when they were read. The claim that uses one looks again.
    pub(crate) grants: Vec<Grant>,
    /// The tools of its connectors.
    pub(crate) catalog: Arc<OrgCatalog>,
}

/// The memory. Bounded by size; idle entries go.
pub(crate) struct Standings {
    sessions: Cache<(OrgId, SessionId), Arc<Standing>>,
    orgs: Cache<(OrgId, i64), Arc<OrgPolicy>>,
    /// Compiled tools, by the version of the org's catalog.
    pub(crate) catalogs: Cache<(OrgId, i64), Arc<OrgCatalog>>,
    /// Catalogs as they were last written down, by all they follow from. Bounded by their bytes: one can be megabytes.
    pub(crate) written: Cache<CatalogKey, Bytes>,
    /// Connectors this process had asked lately.
    pub(crate) refreshed: Cache<ConnectorId, ()>,
}

impl Default for Standings {
    fn default() -> Self {
        let idle = Duration::from_secs(600);
        Self {
            sessions: Cache::builder().max_capacity(20_000).time_to_idle(idle).build(),
            orgs: Cache::builder().max_capacity(2_000).time_to_idle(idle).build(),
            catalogs: Cache::builder().max_capacity(1_000).time_to_idle(idle).build(),
            written: Cache::builder()
                .weigher(|_, written: &Bytes| u32::try_from(written.len()).unwrap_or(u32::MAX))
                .max_capacity(MOST_WRITTEN_BYTES)
                .time_to_idle(idle)
                .build(),
            refreshed: Cache::builder().max_capacity(20_000).time_to_live(idle / 2).build(),
        }
    }
}

/// The standing of a session, from memory or from the database.
pub(crate) async fn of(pipeline: &Pipeline, org: OrgId, session: SessionId) -> Result<Arc<Standing>, Error> {
    match pipeline.standings.sessions.get(&(org, session)) {
        Some(standing) => Ok(standing),
        None => load(pipeline, org, session).await,
    }
}

/// Reads the standing anew. The version is read before what it is the version of: a change in between makes the
/// decision too new for its version, and it is decided again, never too old.
pub(crate) async fn load(
    pipeline: &Pipeline,
    org: OrgId,
    session: SessionId,
) -> Result<Arc<Standing>, Error> {
    let mut tx = pipeline.parts.db.begin(org).await?;
    load_in(pipeline, &mut tx, org, session).await
}

/// The same, in the caller's transaction: who holds a connection and waits for another one can wait for himself.
pub(crate) async fn load_in(
    pipeline: &Pipeline,
    tx: &mut Tx,
    org: OrgId,
    session: SessionId,
) -> Result<Arc<Standing>, Error> {
    let parts = &pipeline.parts;
    let facts = parts.tenancy.session_facts(tx, org, session).await?.ok_or(Error::SessionOver)?;
    let policy = of_org(pipeline, tx, (org, facts.policy_version)).await?;
    let standing = Arc::new(Standing { facts, org: policy });
    pipeline.standings.sessions.insert((org, session), standing.clone());
    Ok(standing)
}

/// What all sessions of an org share, by a version that was read before.
pub(crate) async fn of_org(
    pipeline: &Pipeline,
    tx: &mut Tx,
    key: (OrgId, i64),
) -> Result<Arc<OrgPolicy>, Error> {
    if let Some(policy) = pipeline.standings.orgs.get(&key) {
        return Ok(policy);
    }
    let (parts, org) = (&pipeline.parts, key.0);
    let rules = parts.rules.all(tx, org).await?;
    let catalog = pipeline.catalog(tx, org).await?;
    let connected = connected(pipeline, tx, org, &catalog).await?;
    let grants = parts.grants.usable(tx, org).await?;
    let policy = Arc::new(OrgPolicy { rules, connected, grants, catalog });
    pipeline.standings.orgs.insert(key, policy.clone());
    Ok(policy)
}

/// The credentials of an org, sealed, by the source each opens.
async fn connected(
    pipeline: &Pipeline,
    tx: &mut Tx,
    org: OrgId,
    catalog: &OrgCatalog,
) -> Result<HashMap<String, SealedCredential>, Error> {
    let tenancy = &pipeline.parts.tenancy;
    let mut connected: HashMap<_, _> = tenancy.connected(tx, org).await?.into_iter().collect();
    let wanted: Vec<(String, String)> =
        catalog.secrets().map(|(slug, secret)| (slug.to_string(), secret.to_owned())).collect();
    let names: Vec<String> = wanted.iter().map(|(_, name)| name.clone()).collect();
    let secrets = tenancy.sealed_secrets(tx, org, &names).await?;
    for (slug, name) in wanted {
        if let Some(secret) = secrets.get(&name) {
            connected.insert(slug, secret.clone());
        }
    }
    Ok(connected)
}

/// Takes a request whose decision came too late back to where it is decided.
pub(crate) async fn renew(pipeline: &Pipeline, admitted: Admitted) -> Result<Admitted, Error> {
    let Admitted(resolved) = admitted;
    let (org, session) = (resolved.request.org, resolved.request.session);
    pipeline.standings.orgs.invalidate(&(org, resolved.standing.facts.policy_version));
    let standing = load(pipeline, org, session).await?;
    if standing.facts.session.is_over(pipeline.parts.world.clock.now()) {
        return Err(Error::SessionOver);
    }
    let Resolved { request, action, .. } = resolved;
    // What it would do may have changed as well.
    let address = &action.definition.address;
    let action = pipeline
        .find_action(&standing.org.catalog, address)
        .ok_or_else(|| Error::UnknownAction { address: address.to_string(), near: vec![] })?;
    let action = batch::expand(pipeline, &standing.org.catalog, action, &request.params)?;
    validate::validate(Resolved { request, standing, action }).map(|validated| Admitted(validated.0))
}
