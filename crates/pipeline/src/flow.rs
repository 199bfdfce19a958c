//! What sessions were given, and what their requests are therefore made of. Runs of automations tell it with each request.

use std::sync::Arc;

use catalog::Action;
use model::{
    ActionAddress, ActionDefinition, AutomationId, ChosenBy, Flow, Labels, Mode, OrgId, SessionId, Status,
};
use platform::db;
use policy::{FlowMode, Gates, Provenance, given_labels};
use serde_json::Value;

use crate::{
    error::Error,
    invocation::Invocation,
    parts::{Pipeline, Reader},
    policy_snapshot::Snapshot,
    stages::state::{Record, Request, Resolved},
    store,
};

/// Something that an action gave back to a session.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Given {
    pub(crate) address: ActionAddress,
    /// Whether it is more than the labels of the action tell: an error of the target, or a preview.
    pub(crate) anything: bool,
    /// Whether a person trusted it.
    pub(crate) trusted: bool,
}

/// What an action may show if its target answers with an error, or is asked for a preview.
const ANYTHING: Labels = Labels { reads_untrusted: true, reads_private: true, sends_out: false };

/// Whether what an action gives back may come from outside at all.
fn is_open(action: &Action) -> bool {
    let definition = &action.definition;
    let Labels { reads_untrusted, reads_private, sends_out } = definition.labels;
    definition.needs_connection || reads_untrusted || reads_private || sends_out
}

/// What the session of an execution is given by its end.
pub(crate) fn given(record: &Record, action: &Action, status: Status) -> Vec<Given> {
    if record.invocation.run.is_some() {
        return vec![];
    }
    let all =
        if action.parts.is_empty() { vec![action] } else { action.parts.iter().map(AsRef::as_ref).collect() };
    let failed = status != Status::Succeeded;
    let all = all.into_iter().filter_map(|action| {
        let labels = given_labels(&action.definition);
        let anything = failed && is_open(action);
        let address = action.definition.address.clone();
        (anything || labels.reads_untrusted || labels.reads_private).then_some(Given {
            address,
            anything,
            trusted: false,
        })
    });
    all.collect()
}

/// Records that a session was shown what a preview says.
pub(crate) async fn shown_preview(
    pipeline: &Pipeline,
    (org, invocation): (OrgId, &Invocation),
    action: &Action,
) -> Result<(), Error> {
    if invocation.run.is_some() || !is_open(action) {
        return Ok(());
    }
    let given = Given { address: action.definition.address.clone(), anything: true, trusted: false };
    let mut tx = pipeline.parts.db.begin(org).await?;
    store::add_read(&mut tx, org, (invocation.session, &given), pipeline.parts.world.clock.now()).await?;
    Ok(db::commit(tx).await?)
}

/// What an organization set about the flow of data.
pub struct FlowRules(Arc<Gates>);

/// A flow that a definition has.
pub struct Foreseen {
    pub flow: Flow,
    /// Where it goes, as the definition says it: may be templates.
    pub to: Vec<String>,
    /// Whether an admin can consent to it in advance.
    pub can_consent: bool,
}

impl FlowRules {
    /// The verdict about a request of an automation as it stands in its definition; `None` if nothing matters.
    pub fn foresee(
        &self,
        definition: &ActionDefinition,
        config: &Value,
        automation: Option<AutomationId>,
        provenance: &Provenance,
    ) -> Option<Foreseen> {
        let (flow, to) = policy::foresee_flow(&self.0, definition, config, automation, provenance)?;
        let is_open = flow.mode == Mode::RequireApproval || flow.consented;
        // A consent for whatever a template makes covers places that the definition or a person names.
        let named = flow.chosen_by <= ChosenBy::Person;
        let can_consent = is_open && named && flow.steered_by.is_empty() && !flow.private.is_empty();
        Some(Foreseen { flow, to, can_consent })
    }

    /// Whether flows are held, not only observed.
    pub fn holds(&self) -> bool {
        self.0.settings().flow.mode == FlowMode::Hold
    }
}

impl Reader {
    /// What an organization set about the flow of data.
    pub async fn flow_rules(&self, org: OrgId) -> Result<FlowRules, Error> {
        let mut tx = self.parts.db.begin(org).await?;
        Ok(FlowRules(self.parts.policies.statutes(&mut tx, org).await?.gates))
    }

    /// Adds what a session's request is made of: everything that the session was given. Only what sends data out needs it.
    pub(crate) async fn trace(&self, resolved: &mut Resolved) -> Result<(), Error> {
        let Resolved { request, snapshot, action, .. } = resolved;
        let sends = |action: &Action| action.definition.labels.sends_out;
        let is_known = request.provenance.is_some();
        if is_known || !(sends(action) || action.parts.iter().any(|part| sends(part))) {
            return Ok(());
        }
        let Request { org, session, .. } = request;
        let mut tx = self.parts.db.begin(*org).await?;
        let given = store::reads(&mut tx, *org, *session).await?;
        drop(tx);
        request.provenance = Some(Box::new(self.provenance_of(snapshot, &given)));
        Ok(())
    }

    /// Until when what a session was given is endorsed.
    pub async fn endorsed_until(
        &self,
        org: OrgId,
        session: SessionId,
    ) -> Result<Option<jiff::Timestamp>, Error> {
        let mut tx = self.parts.db.begin(org).await?;
        Ok(store::endorsed_until(&mut tx, org, session).await?)
    }

    fn provenance_of(&self, snapshot: &Snapshot, given: &[Given]) -> Provenance {
        let mut found = Provenance::default();
        for Given { address, anything, trusted } in given {
            let action = self.find_action(&snapshot.org.catalog, address);
            // What is gone may have given anything.
            let labels = action.filter(|_| !anything);
            let mut labels = labels.map_or(ANYTHING, |action| given_labels(&action.definition));
            labels.reads_untrusted &= !trusted;
            found.add(&address.to_string(), labels);
        }
        Provenance::of_model(found.untrusted, found.private)
    }
}
