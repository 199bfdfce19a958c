//! The flows that a definition has, before anything runs: what would go where, and whether somebody would be asked.

use std::collections::BTreeSet;

use catalog::Action;
use model::{AutomationId, Flow, InOrg, Mode, OrgId};
use pipeline::{FlowRules, Provenance, source_of};
use serde_json::{Map, Value};

use super::{Actions, Traced, trace};
use crate::{AgentTask, Automations, Definition, Error, Step, StepKind, plan::AFTER_FAILURE, store};

/// A flow of a definition.
#[derive(Debug, Clone)]
pub struct FoundFlow {
    pub step_id: String,
    /// The place of the step in the definition, as a JSON pointer.
    pub pointer: String,
    pub action: String,
    /// Where it goes, as the definition says it: may be templates. Empty if nobody says.
    pub to: Vec<String>,
    pub flow: Flow,
    /// Whether an admin can consent to it in advance.
    pub can_consent: bool,
}

impl Automations {
    /// The flows of the newest version of an automation.
    pub async fn flows_of(&self, org: OrgId, id: AutomationId) -> Result<(bool, Vec<FoundFlow>), Error> {
        let mut tx = self.parts.db.begin(org).await?;
        let found = store::automations::find(&mut tx, org, &[id]).await?.pop();
        let version = found.ok_or(Error::NotFound("automation"))?.version;
        let definition = self.definition(&mut tx, InOrg { org, id }, version).await?;
        drop(tx);
        self.flows(org, &definition, Some(id)).await
    }

    /// The flows of a definition that matter, and whether they are held.
    pub async fn flows(
        &self,
        org: OrgId,
        definition: &Definition,
        automation: Option<AutomationId>,
    ) -> Result<(bool, Vec<FoundFlow>), Error> {
        let actions = self.actions(org).await?;
        let rules = self.parts.pipeline.reader().flow_rules(org).await?;
        let mut finder = Finder { actions: &actions, rules: &rules, automation, found: vec![] };
        let traced = trace(definition, None, &actions);
        let late = (AFTER_FAILURE..).zip(&definition.execution.on_failure);
        for (ordinal, step) in (0..).zip(&definition.plan).chain(late) {
            let Some(traced) = traced.get(&ordinal) else { continue };
            let at = match ordinal {
                AFTER_FAILURE.. => format!("/execution/on_failure/{}", ordinal - AFTER_FAILURE),
                _ => format!("/plan/{ordinal}"),
            };
            match AgentTask::of(step).filter(|_| step.kind == StepKind::AgentTask) {
                Some(task) => finder.agent((step, &at), &task, traced),
                None => finder.action((step, &at), step.kind.as_str(), &step.config, &traced.provenance()),
            }
        }
        Ok((rules.holds(), finder.found))
    }
}

struct Finder<'a> {
    actions: &'a Actions,
    rules: &'a FlowRules,
    automation: Option<AutomationId>,
    found: Vec<FoundFlow>,
}

impl Finder<'_> {
    fn action(&mut self, of: (&Step, &str), address: &str, config: &Map<String, Value>, from: &Provenance) {
        if let (super::BATCH, Some(Value::Array(parts))) = (address, config.get("parts")) {
            for part in parts {
                if let (Some(address), Some(params)) = (part["action"].as_str(), part["params"].as_object())
                    && address != super::BATCH
                {
                    self.action(of, address, params, from);
                }
            }
        }
        let Some(action) = self.actions.get(address) else { return };
        self.add(of, action, &Value::Object(config.clone()), from);
    }

    /// What a model may send, after it read everything that it may read; and what its provider sees.
    fn agent(&mut self, of: (&Step, &str), task: &AgentTask, traced: &Traced) {
        let mut tools: Vec<_> = self.actions.iter().filter(|(address, _)| task.has_tool(address)).collect();
        tools.sort_by_key(|(address, _)| *address);
        let given = tools.iter().map(|(address, action)| (address.as_str(), action.definition.labels));
        let from = traced.of_model(given);
        for (_, action) in tools {
            self.add(of, action, &Value::Null, &from);
        }
        if let Some(provider) = self.actions.get(&task.action()) {
            self.add(of, provider, &Value::Null, &from);
        }
    }

    fn add(&mut self, (step, at): (&Step, &str), action: &Action, config: &Value, from: &Provenance) {
        let Some(seen) = self.rules.foresee(&action.definition, config, self.automation, from) else {
            return;
        };
        self.found.push(FoundFlow {
            step_id: step.step_id.clone(),
            pointer: at.to_owned(),
            action: action.definition.address.to_string(),
            to: seen.to,
            flow: seen.flow,
            can_consent: seen.can_consent,
        });
    }
}

impl FoundFlow {
    /// The sources that the data is from.
    pub fn sources(&self) -> BTreeSet<&str> {
        self.flow.private.iter().map(|origin| source_of(origin)).collect()
    }

    /// What happens, in a sentence.
    pub(crate) fn words(&self, holds: bool) -> Option<String> {
        let then = match (self.flow.mode, self.can_consent) {
            (Mode::Allow, _) => return None,
            (Mode::Deny, _) => "it is denied",
            (Mode::RequireApproval, true) => "a person is asked each time, unless an admin consents",
            (Mode::RequireApproval, false) => "a person is asked each time",
        };
        let when = if holds { "" } else { "once flows are held, " };
        Some(format!("`{}`: {}; {when}{then}", self.action, self.flow.why))
    }
}
