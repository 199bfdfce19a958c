//! The decisions that the policy would make today about the steps of a definition, also while it is still being
//! written.

use std::collections::HashMap;

use model::{ActionAddress, AutomationId, Decision, Digest, OrgId, SpaceId};
use serde_json::Value;

use crate::{Automations, Error, definition::Step, limits::definition::MOST_STEPS};

/// The decision that would be made about one step.
#[derive(Debug, Clone)]
pub struct StepOutlook {
    pub step_id: String,
    pub action: String,
    /// Without parameters, which are known only at the run. The decision about a batch is the strictest of its parts.
    pub decision: Decision,
}

impl Automations {
    /// The decisions about every step that can be parsed and names a known action, in the order of the plan and then of
    /// the steps that follow a failure.
    ///
    /// In the automation's own space unless another space is given.
    pub async fn outlook(
        &self,
        org: OrgId,
        source: &Value,
        space: Option<SpaceId>,
        automation: Option<AutomationId>,
    ) -> Result<Vec<StepOutlook>, Error> {
        let own = self.own_space(org, automation).await?;
        let space = match space.or(own) {
            Some(space) => space,
            None => {
                let mut tx = self.parts.db.begin(org).await?;
                self.parts.tenancy.first_space(&mut tx, org).await?
            }
        };
        let lists = [source.get("plan"), source.pointer("/execution/on_failure")];
        let steps = lists.into_iter().flatten().filter_map(Value::as_array).flatten().take(MOST_STEPS);
        let steps: Vec<(&Value, Option<Digest>)> = steps.map(|step| (step, hash(step))).collect();
        let hashed = |(step, hash): &(&Value, Option<Digest>)| {
            Some((step["action"].as_str()?.parse().ok()?, (*hash)?))
        };
        let hashed: Vec<(ActionAddress, Digest)> = steps.iter().filter_map(hashed).collect();
        let outlook = self.parts.oversight.outlook(org, space, automation, &hashed).await?;
        let foreseen = outlook.actions.into_iter();
        let decisions: HashMap<String, Decision> =
            foreseen.map(|seen| (seen.action.definition.address.to_string(), seen.decision)).collect();
        let seen = steps.into_iter().filter_map(|(step, hash)| {
            let own = hash.and_then(|hash| outlook.steps.get(&hash));
            of_step(step, own, &decisions)
        });
        Ok(seen.collect())
    }
}

/// What a rule for one step is limited to; `None` while the step cannot be parsed.
fn hash(step: &Value) -> Option<Digest> {
    serde_json::from_value::<Step>(step.clone()).ok().map(|step| step.hash())
}

/// `own` is the decision about this very step.
fn of_step(
    step: &Value,
    own: Option<&Decision>,
    decisions: &HashMap<String, Decision>,
) -> Option<StepOutlook> {
    let (step_id, action) = (step["step_id"].as_str()?, step["action"].as_str()?);
    let itself = own.or_else(|| decisions.get(action))?;
    let parts = step["config"]["parts"].as_array().into_iter().flatten();
    let parts = parts.filter_map(|part| decisions.get(part["action"].as_str()?));
    let strictest = parts.max_by_key(|decision| decision.mode).unwrap_or(itself);
    Some(StepOutlook { step_id: step_id.to_owned(), action: action.to_owned(), decision: strictest.clone() })
}
