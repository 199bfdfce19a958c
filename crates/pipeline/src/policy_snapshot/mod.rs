//! Policy snapshots: what decisions are made from, cached and never trusted. The statement that records a decision checks
//! that the version of the snapshot is still the current one.
//!
//! This file holds the types and the cache; `load` reads them from the database.

pub(crate) mod load;

use std::{collections::HashMap, sync::Arc, time::Duration};

use catalog::connector::OrgCatalog;
use jiff::Timestamp;
use model::{
    ActionDefinition, AutomationId, Decision, Drift, GrantId, OrgId, RiskBand, SessionId, SessionKind,
    SourceSlug, UserId,
};
use moka::sync::Cache;
use policy::{Asked, Asker, ConductSet, Facts, Grant, RuleSet, Statutes, cedar::Requester as Who};
use tenancy::{SealedCredential, SessionFacts};

use crate::credentials::references::References;

/// A session, its space, and the org's rules and connections, all of one version.
pub struct Snapshot {
    pub facts: SessionFacts,
    pub org: Arc<OrgPolicy>,
}

/// The session a decision is for, and the policy of its org: everything a decision is made from besides the action.
pub struct Requester<'a> {
    pub org: &'a OrgPolicy,
    pub who: Who<'a>,
    pub capabilities: &'a [String],
}

impl Requester<'_> {
    /// The decision about an action, and what is asked of it.
    pub fn decide(
        &self,
        definition: &ActionDefinition,
        drift: Drift,
        asked: Asked<'_>,
        now: Timestamp,
    ) -> Decision {
        policy::decide(&Facts {
            definition,
            is_builtin: self.org.is_builtin(&definition.address.source),
            requester: self.who,
            rules: &self.org.rules,
            policies: &self.org.statutes.policies,
            gates: &self.org.statutes.gates,
            zone: &self.org.statutes.zone,
            drift,
            capabilities: self.capabilities,
            asked,
            grants: &self.org.grants,
            now,
        })
    }
}

impl Snapshot {
    /// The decision about an action for this session, and what is asked of it.
    pub fn decide(
        &self,
        definition: &ActionDefinition,
        drift: Drift,
        asked: Asked<'_>,
        now: Timestamp,
    ) -> Decision {
        self.requester().decide(definition, drift, asked, now)
    }

    fn requester(&self) -> Requester<'_> {
        Requester {
            org: &self.org,
            who: Who {
                session: Some(self.facts.session.id),
                automation: self.automation(),
                space: &self.facts.space,
                band: self.facts.band,
                agent: &self.facts.session.agent,
                is_unattended: self.facts.session.kind == SessionKind::Unattended,
                opened_by: Some(self.facts.session.created_by),
            },
            capabilities: &self.facts.session.capabilities,
        }
    }

    /// The automation the session works for, if any.
    fn automation(&self) -> Option<AutomationId> {
        self.facts.session.run.as_ref().map(|run| run.automation)
    }

    /// Everything that [`Snapshot::decide`] reads when there are no parameters yet.
    pub fn catalog_key(&self, org: OrgId, now: Timestamp) -> CatalogKey {
        // Every field is named, so that a new one does not compile until the key holds it: a field that the key left out
        // would show one session the catalog of another.
        let Requester { org: policy, who, capabilities } = self.requester();
        let Who { session: _, automation, space, band, agent, is_unattended, opened_by } = who;
        let OrgPolicy { grants, rules: _, statutes, connected: _, references: _, catalog: _, conducts: _ } =
            policy;
        let asker = Asker { session: self.facts.session.id, automation };
        let usable = grants.iter().filter(|grant| grant.is_for(asker, now));
        // Policies may look at more, and a source may have a home; otherwise, sessions with the same authority share a
        // catalog.
        let has_policies = !statutes.policies.is_empty() || statutes.gates.has_homes();
        CatalogKey {
            org,
            // Of the rules, the connections and the catalog.
            policy_version: self.facts.policy_version,
            band,
            automation,
            capabilities: capabilities.to_vec(),
            grants: usable.map(|grant| grant.id).collect(),
            policies: has_policies.then(|| PolicyKey {
                space: space.to_owned(),
                agent: agent.to_owned(),
                is_unattended,
                opened_by,
                minute: statutes.policies.reads_time().then(|| now.as_second() / 60),
            }),
        }
    }

    /// The same snapshot with one more grant.
    pub(crate) fn with_grant(&self, grant: Grant) -> Self {
        let mut grants = self.org.grants.clone();
        grants.insert(0, grant);
        let OrgPolicy { rules, statutes, connected, references, catalog, conducts, .. } = &*self.org;
        let org = OrgPolicy {
            rules: rules.clone(),
            statutes: statutes.clone(),
            connected: connected.clone(),
            references: references.clone(),
            grants,
            catalog: catalog.clone(),
            conducts: conducts.clone(),
        };
        Self { facts: self.facts.clone(), org: Arc::new(org) }
    }
}

/// Everything the catalog of a session follows from: sessions with the same key see the same catalog.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct CatalogKey {
    org: OrgId,
    /// Of the rules, the connections and the connectors with their tools.
    policy_version: i64,
    band: RiskBand,
    /// A rule may be for one automation alone.
    automation: Option<AutomationId>,
    capabilities: Vec<String>,
    /// The grants the session may use now; they expire without a change of version.
    grants: Vec<GrantId>,
    policies: Option<PolicyKey>,
}

/// What policies may look at besides.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
struct PolicyKey {
    space: String,
    agent: String,
    is_unattended: bool,
    opened_by: Option<UserId>,
    /// The minute of the decision, if a policy reads the time.
    minute: Option<i64>,
}

impl OrgPolicy {
    /// Whether a source is a part of the program.
    fn is_builtin(&self, source: &SourceSlug) -> bool {
        self.catalog.connectors().all(|connector| connector.slug != *source)
    }
}

/// The policy that all sessions of an org share.
pub struct OrgPolicy {
    pub rules: RuleSet,
    /// Its policies as text, the facts that they read, and its time zone.
    pub statutes: Statutes,
    /// Connected sources with their credential, sealed.
    pub connected: HashMap<String, SealedCredential>,
    /// Secrets that agents may pass by reference, by source and name.
    pub(crate) references: References,
    /// Grants with calls left when they were read. The claim that uses one checks it again.
    pub grants: Vec<Grant>,
    /// The tools of its connectors.
    pub catalog: Arc<OrgCatalog>,
    /// What is stopped, or in a dry run.
    pub conducts: ConductSet,
}

/// The cache. Bounded by size; idle entries are dropped.
pub(crate) struct Snapshots {
    sessions: Cache<(OrgId, SessionId), Arc<Snapshot>>,
    orgs: Cache<(OrgId, i64), Arc<OrgPolicy>>,
    /// Compiled tools, by the version of the org's catalog.
    catalogs: Cache<(OrgId, i64), Arc<OrgCatalog>>,
}

impl Default for Snapshots {
    fn default() -> Self {
        let idle = Duration::from_secs(600);
        Self {
            sessions: Cache::builder().max_capacity(20_000).time_to_idle(idle).build(),
            orgs: Cache::builder().max_capacity(2_000).time_to_idle(idle).build(),
            catalogs: Cache::builder().max_capacity(1_000).time_to_idle(idle).build(),
        }
    }
}

impl Snapshots {
    /// Drops an org's policy that turned out to be outdated.
    pub(crate) fn forget(&self, org: OrgId, policy_version: i64) {
        self.orgs.invalidate(&(org, policy_version));
    }
}
