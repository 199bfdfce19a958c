//! The outlook: the decision about every action now, for a session that does not exist yet.

use std::{collections::HashMap, sync::Arc};

use catalog::Action;
use model::{ActionAddress, AutomationId, Decision, Digest, OrgId, RuleId, SpaceId};
use pipeline::read::Requester;
use policy::Asked;
use tenancy::Space;

use crate::{error::Error, parts::Oversight};

/// The decisions in a space.
pub struct Outlook {
    pub space: Space,
    /// Sorted by address, those of the program first.
    pub actions: Vec<PredictedDecision>,
    /// About the steps that were asked for, by their hash.
    pub steps: HashMap<Digest, Decision>,
}

/// The decision about one action.
pub struct PredictedDecision {
    pub action: Arc<Action>,
    /// Without parameters, so without the gates that look at them.
    pub decision: Decision,
    /// The rule that decided, if one did.
    pub rule: Option<RuleId>,
}

impl Oversight {
    /// The decisions in a space for a session with every capability, of a run of an automation or of none. They are made
    /// in the same way as for a real session, but without the grants of single sessions. `steps` are steps of the automation:
    /// their action and their hash, which a rule may be limited to.
    pub async fn outlook(
        &self,
        org: OrgId,
        space: SpaceId,
        automation: Option<AutomationId>,
        steps: &[(ActionAddress, Digest)],
    ) -> Result<Outlook, Error> {
        let reader = &self.parts.reader;
        let mut tx = self.parts.db.begin(org).await?;
        let version = self.parts.tenancy.policy_version(&mut tx, org).await?;
        let space = self.parts.tenancy.space(&mut tx, org, space).await?;
        let rules = reader.org_policy(&mut tx, org, version).await?;
        let requester = Requester {
            org: &rules,
            who: policy::cedar::Requester {
                session: None,
                automation,
                space: &space.slug,
                band: space.risk_band,
                agent: "",
                is_unattended: automation.is_some(),
                opened_by: None,
            },
            capabilities: &["*".to_owned()],
        };
        let now = self.parts.world.clock.now();
        let decide = |(address, step): &(ActionAddress, Digest)| {
            let action = reader.find_action(&rules.catalog, address)?;
            let asked = Asked { step: Some(*step), ..Asked::default() };
            Some((*step, requester.decide(&action.definition, action.drift, asked, now)))
        };
        let steps = steps.iter().filter_map(decide).collect();
        let all = reader.registry().actions().chain(rules.catalog.actions());
        let actions = all.map(|action| PredictedDecision {
            action: action.clone(),
            decision: requester.decide(&action.definition, action.drift, Asked::default(), now),
            rule: rules
                .rules
                .speaking(automation, &action.definition.address, &Asked::default())
                .map(|(id, _)| id),
        });
        let actions = actions.collect();
        Ok(Outlook { space, actions, steps })
    }
}
