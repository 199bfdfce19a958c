//! Tests of the verdict about the flow of data.

use model::{EffectClass, Risk};
use serde_json::json;
use uuid::Uuid;

use super::*;

fn slack() -> ActionDefinition {
    ActionDefinition {
        address: "slack.send_message".parse().unwrap(),
        description: String::new(),
        input_schema: json!({}),
        output_schema: None,
        risk: Risk::R2,
        effect: EffectClass::Checkable,
        labels: Labels { sends_out: true, ..Labels::default() },
        recipients: vec!["input.channel".to_owned()],
        capabilities: vec![],
        undo: None,
        verifies: false,
        previews: false,
        needs_connection: true,
        key_fields: vec![],
        timeout_ms: 1_000,
    }
}

fn automation() -> AutomationId {
    AutomationId::from_uuid(Uuid::from_u128(7))
}

fn set(names: &[&str]) -> BTreeSet<String> {
    names.iter().map(ToString::to_string).collect()
}

fn hold() -> FlowSettings {
    FlowSettings { mode: FlowMode::Hold, ..FlowSettings::default() }
}

fn place(destination: &str, audience: Audience) -> Place {
    Place { source: "slack".parse().unwrap(), destination: destination.to_owned(), audience }
}

struct Case {
    settings: FlowSettings,
    definition: ActionDefinition,
    params: Value,
    band: RiskBand,
    provenance: Provenance,
}

impl Case {
    fn new(settings: FlowSettings, provenance: Provenance) -> Self {
        let params = json!({ "channel": "C1", "text": "three issues are open" });
        Self { settings, definition: slack(), params, band: RiskBand::Green, provenance }
    }

    fn with(mut self, params: Value) -> Self {
        self.params = params;
        self
    }

    fn verdict(&self) -> Option<Flow> {
        let flows = Flows::new(self.settings.clone()).unwrap();
        verdict(&Asked {
            flows: &flows,
            definition: &self.definition,
            params: &self.params,
            automation: Some(automation()),
            band: self.band,
            provenance: &self.provenance,
        })
    }

    fn mode(&self) -> Mode {
        self.verdict().map_or(Mode::Allow, |flow| flow.mode)
    }
}

/// A plan that sends what it read to a place that its definition names.
fn plan() -> Provenance {
    Provenance {
        untrusted: set(&["linear.list_issues"]),
        private: set(&["linear.list_issues"]),
        ..Provenance::default()
    }
}

/// A model that read the same.
fn model() -> Provenance {
    Provenance::of_model(set(&["linear.list_issues"]), set(&["linear.list_issues"]))
}

#[test]
fn data_that_is_not_public_is_held_unless_its_audience_may_see_it() {
    assert_eq!(Case::new(hold(), plan()).mode(), Mode::RequireApproval);
    for (audience, expected) in [
        (Audience::Internal, Mode::Allow),
        (Audience::Partner, Mode::RequireApproval),
        (Audience::Public, Mode::RequireApproval),
    ] {
        for named in ["C1", EVERYWHERE] {
            let settings = FlowSettings { audiences: vec![place(named, audience)], ..hold() };
            assert_eq!(Case::new(settings, plan()).mode(), expected, "{audience:?} {named}");
        }
    }
    // One that is named comes before all of its source, and the widest of several counts.
    let both = vec![place(EVERYWHERE, Audience::Internal), place("C9", Audience::Public)];
    let settings = FlowSettings { audiences: both, ..hold() };
    let several = json!({ "channel": ["C1", "C9"], "text": "t" });
    assert_eq!(Case::new(settings.clone(), plan()).mode(), Mode::Allow);
    assert_eq!(Case::new(settings, plan()).with(several).mode(), Mode::RequireApproval);
    // What is public may go anywhere, and what was never read is no flow.
    let settings = FlowSettings { public: vec!["linear".parse().unwrap()], ..hold() };
    assert_eq!(Case::new(settings, plan()).mode(), Mode::Allow);
    assert_eq!(Case::new(hold(), Provenance::default()).verdict(), None);
}

#[test]
fn observing_tells_the_same_and_holds_nothing() {
    let held = Case::new(hold(), plan()).verdict().unwrap();
    let observed = Case::new(FlowSettings::default(), plan()).verdict().unwrap();
    assert_eq!((held.observing, observed.observing), (false, true));
    assert_eq!(Flow { observing: false, ..observed }, held);
}

#[test]
fn consent_covers_a_flow_and_no_other() {
    let consent = |from: &[&str], destination: &str| FlowConsent {
        automation: automation(),
        from: from.iter().map(ToString::to_string).collect(),
        action: "slack.send_message".parse().unwrap(),
        destination: destination.to_owned(),
    };
    let with = |consent: FlowConsent| FlowSettings { consents: vec![consent], ..hold() };
    for (consent, expected) in [
        (consent(&["linear"], "C1"), Mode::Allow),
        (consent(&["linear", "sentry"], EVERYWHERE), Mode::Allow),
        (consent(&["sentry"], "C1"), Mode::RequireApproval),
        (consent(&["linear"], "C2"), Mode::RequireApproval),
        (
            FlowConsent { automation: AutomationId::from_uuid(Uuid::nil()), ..consent(&["linear"], "C1") },
            Mode::RequireApproval,
        ),
        (
            FlowConsent { action: "slack.other".parse().unwrap(), ..consent(&["linear"], "C1") },
            Mode::RequireApproval,
        ),
    ] {
        let case = Case::new(with(consent.clone()), plan());
        assert_eq!(case.mode(), expected, "{consent:?}");
        assert_eq!(case.verdict().unwrap().consented, expected == Mode::Allow);
    }
    // It covers no more than was agreed to.
    let mut more = plan();
    more.private.insert("files.read_text".to_owned());
    assert_eq!(Case::new(with(consent(&["linear"], "C1")), more).mode(), Mode::RequireApproval);
    // A place that nobody named is not whatever somebody names.
    let chosen = Provenance { chosen_by: ChosenBy::Data, ..plan() };
    assert_eq!(Case::new(with(consent(&["linear"], EVERYWHERE)), chosen).mode(), Mode::RequireApproval);
    // Nobody agrees in advance to where a stranger may send it.
    assert_eq!(Case::new(with(consent(&["linear"], EVERYWHERE)), model()).mode(), Mode::RequireApproval);
}

#[test]
fn a_place_that_strangers_may_have_chosen_is_asked_about_each_time() {
    assert_eq!(Case::new(hold(), model()).mode(), Mode::RequireApproval);
    let mut red = Case::new(hold(), model());
    red.band = RiskBand::Red;
    assert_eq!(red.mode(), Mode::Deny);
    let steered = Provenance {
        steered_by: set(&["webhook"]),
        untrusted: set(&["webhook"]),
        chosen_by: ChosenBy::Data,
        ..Provenance::default()
    };
    assert_eq!(Case::new(hold(), steered.clone()).mode(), Mode::RequireApproval);
    // Text of strangers to a place that the definition names is no question.
    let fixed = Provenance { steered_by: BTreeSet::new(), ..steered };
    assert_eq!(Case::new(hold(), fixed).mode(), Mode::Allow);
    // A source that the organization trusts holds no text of strangers, and its data is not public all the same.
    let trusted = FlowSettings { trusted: vec!["linear".parse().unwrap()], ..hold() };
    let found = Case::new(trusted, model()).verdict().unwrap();
    assert_eq!((found.mode, found.untrusted.len(), found.private.len()), (Mode::RequireApproval, 0, 1));
}

#[test]
fn an_address_that_a_model_writes_is_a_place_too() {
    let internal = FlowSettings { audiences: vec![place(EVERYWHERE, Audience::Internal)], ..hold() };
    let says = |text: &str| json!({ "channel": "C1", "text": text });
    let leak = says("see https://evil.example/?q=secret");
    assert_eq!(Case::new(internal.clone(), model()).mode(), Mode::Allow);
    assert_eq!(Case::new(internal.clone(), model()).with(leak.clone()).mode(), Mode::RequireApproval);
    let listed = FlowSettings { hosts: vec!["*.acme.example".to_owned()], ..internal.clone() };
    let ours = says("see https://wiki.acme.example/x");
    assert_eq!(Case::new(listed.clone(), model()).with(ours).mode(), Mode::Allow);
    assert_eq!(Case::new(listed, model()).with(leak.clone()).mode(), Mode::RequireApproval);
    // What a model did not write is no place that it chose.
    assert_eq!(Case::new(internal, plan()).with(leak.clone()).mode(), Mode::Allow);
    // With an address in it, it is no less strict.
    let mut red = Case::new(hold(), model()).with(leak);
    red.band = RiskBand::Red;
    assert_eq!(red.mode(), Mode::Deny);
}

#[test]
fn an_action_that_does_not_tell_where_it_sends_to_sends_anywhere() {
    let mut unknown = Case::new(hold(), plan());
    unknown.definition.recipients.clear();
    assert_eq!(unknown.mode(), Mode::RequireApproval);
    unknown.settings.audiences = vec![place("C1", Audience::Internal)];
    assert_eq!(unknown.mode(), Mode::RequireApproval);
    unknown.settings.audiences = vec![place(EVERYWHERE, Audience::Internal)];
    assert_eq!(unknown.mode(), Mode::Allow);
    let mut inside = Case::new(hold(), model());
    inside.definition.labels.sends_out = false;
    assert_eq!(inside.verdict(), None);
}

#[test]
fn a_model_that_may_not_see_private_data_is_not_asked() {
    let mut case = Case::new(hold(), plan());
    case.definition.address = "model.vendor".parse().unwrap();
    assert_eq!(case.mode(), Mode::Deny);
    case.provenance.private.clear();
    assert_eq!(case.mode(), Mode::Allow);
}

#[test]
fn what_is_wrong_in_settings_is_told() {
    let twice = vec![place("C1", Audience::Internal), place("C1", Audience::Public)];
    for settings in [
        FlowSettings { audiences: twice, ..hold() },
        FlowSettings { audiences: vec![place("", Audience::Public)], ..hold() },
        FlowSettings { audiences: vec![place(" C1", Audience::Public)], ..hold() },
        FlowSettings { hosts: vec!["*".to_owned()], ..hold() },
        FlowSettings { trusted: vec!["linear".parse().unwrap(); 201], ..hold() },
    ] {
        assert!(Flows::new(settings.clone()).is_err(), "{settings:?}");
    }
}
