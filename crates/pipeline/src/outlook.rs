//! The outlook: what would be decided about every action now, for a session that does not exist yet.

use std::sync::Arc;

use catalog::Action;
use model::{AutomationId, Decision, OrgId, RuleId, SessionId, SpaceId};
use tenancy::Space;
use uuid::Uuid;

use crate::{
    Error, Pipeline,
    standing::{self, Asking},
};

/// What would be decided in a space.
pub struct Outlook {
    pub space: Space,
    /// Sorted by address, those of the program first.
    pub actions: Vec<Foreseen>,
}

/// What would be decided about one action.
pub struct Foreseen {
    pub action: Arc<Action>,
    /// Without parameters, so without the gates that look at them.
    pub decision: Decision,
    /// The rule that spoke, if one did.
    pub rule: Option<RuleId>,
}

impl Pipeline {
    /// What would be decided in a space about a session that may do everything, of a run of an automation or of nobody.
    /// It is decided by what decides about real ones; the grants of single sessions are for those alone.
    pub async fn outlook(
        &self,
        org: OrgId,
        space: SpaceId,
        automation: Option<AutomationId>,
    ) -> Result<Outlook, Error> {
        let mut tx = self.parts.db.begin(org).await?;
        let version = self.parts.tenancy.policy_version(&mut tx, org).await?;
        let space = self.parts.tenancy.space(&mut tx, org, space).await?;
        let policy = standing::of_org(self, &mut tx, (org, version)).await?;
        let asking = Asking {
            org: &policy,
            session: SessionId::from_uuid(Uuid::nil()),
            automation,
            band: space.risk_band,
            capabilities: &["*".to_owned()],
        };
        let now = self.parts.world.clock.now();
        let all = self.parts.registry.actions().chain(policy.catalog.actions());
        let actions = all.map(|action| Foreseen {
            action: action.clone(),
            decision: asking.decide((&action.definition, action.drift), None, now),
            rule: policy.rules.speaking(automation, &action.definition.address).map(|(id, _)| id),
        });
        let actions = actions.collect();
        Ok(Outlook { space, actions })
    }
}
