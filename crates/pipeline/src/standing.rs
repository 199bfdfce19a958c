//! What decisions are made from, kept in memory and never trusted: the statement that records a decision checks that
//! the version it was made from is still the current one.

use std::{collections::HashMap, sync::Arc, time::Duration};

use jiff::Timestamp;
use model::{ActionDefinition, Decision, OrgId, SessionId};
use moka::sync::Cache;
use policy::{Drift, Facts, Grant, RuleSet};
use tenancy::{SealedCredential, SessionFacts};

use crate::{
    Error, Pipeline,
    state::{Admitted, Resolved},
};

/// A session, its space, and the org's rules and connections, all of one version.
pub(crate) struct Standing {
    pub(crate) facts: SessionFacts,
    pub(crate) org: Arc<OrgPolicy>,
}

impl Standing {
    /// What policy says about an action for this session, given what the detectors found in its parameters.
    pub(crate) fn decide(
        &self,
        definition: &ActionDefinition,
        finding: Option<&str>,
        now: Timestamp,
    ) -> Decision {
        policy::decide(&Facts {
            definition,
            automation: None,
            rules: &self.org.rules,
            band: self.facts.band,
            // Built-in definitions are part of this program and reviewed with it.
            drift: Drift::None,
            capabilities: &self.facts.session.capabilities,
            finding,
            session: self.facts.session.id,
            grants: &self.org.grants,
            now,
        })
    }

    /// The same, with one grant more.
    pub(crate) fn with_grant(&self, grant: Grant) -> Self {
        let mut grants = self.org.grants.clone();
        grants.insert(0, grant);
        let OrgPolicy { rules, connected, .. } = &*self.org;
        let org = OrgPolicy { rules: rules.clone(), connected: connected.clone(), grants };
        Self { facts: self.facts.clone(), org: Arc::new(org) }
    }
}

/// What all sessions of an org share.
pub(crate) struct OrgPolicy {
    pub(crate) rules: RuleSet,
    /// Connected sources with their credential, sealed.
    pub(crate) connected: HashMap<String, SealedCredential>,
    /// Grants with calls left when they were read. The claim that uses one looks again.
    pub(crate) grants: Vec<Grant>,
}

/// The memory. Bounded by size; idle entries go.
pub(crate) struct Standings {
    sessions: Cache<(OrgId, SessionId), Arc<Standing>>,
    orgs: Cache<(OrgId, i64), Arc<OrgPolicy>>,
}

impl Default for Standings {
    fn default() -> Self {
        let idle = Duration::from_secs(600);
        Self {
            sessions: Cache::builder().max_capacity(20_000).time_to_idle(idle).build(),
            orgs: Cache::builder().max_capacity(2_000).time_to_idle(idle).build(),
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
    let parts = &pipeline.parts;
    let mut tx = parts.db.begin(org).await?;
    let facts = parts.tenancy.session_facts(&mut tx, org, session).await?.ok_or(Error::SessionOver)?;
    let key = (org, facts.policy_version);
    let policy = match pipeline.standings.orgs.get(&key) {
        Some(policy) => policy,
        None => {
            let rules = parts.rules.all(&mut tx, org).await?;
            let connected = parts.tenancy.connected(&mut tx, org).await?.into_iter().collect();
            let grants = parts.grants.usable(&mut tx, org).await?;
            let policy = Arc::new(OrgPolicy { rules, connected, grants });
            pipeline.standings.orgs.insert(key, policy.clone());
            policy
        }
    };
    let standing = Arc::new(Standing { facts, org: policy });
    pipeline.standings.sessions.insert((org, session), standing.clone());
    Ok(standing)
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
    Ok(Admitted(Resolved { standing, ..resolved }))
}
