//! Tests of the origins of values.

use catalog::{Registry, SourceUrls};
use serde_json::json;

use super::*;

fn actions() -> Actions {
    let registry = Registry::builtin(&SourceUrls::default()).unwrap();
    let actions = registry.actions();
    actions.map(|action| (action.definition.address.to_string(), Arc::clone(action))).collect()
}

fn definition(triggers: Value, plan: Value) -> Definition {
    serde_json::from_value(json!({
        "schema_version": "1.0", "name": "n", "triggers": triggers, "plan": plan,
        "inputs": { "schema": { "type": "object", "properties": { "channel": {}, "text": {} } } },
    }))
    .unwrap()
}

fn last(definition: &Definition, started: Option<TriggerType>) -> Provenance {
    let found = trace(definition, started.map(Started::By), &actions());
    found.into_values().next_back().unwrap().provenance()
}

fn names(set: &BTreeSet<String>) -> Vec<&str> {
    set.iter().map(String::as_str).collect()
}

fn send(channel: &str, text: &str) -> Value {
    json!({ "step_id": "send", "action": "slack.send_message", "config": { "channel": channel, "text": text } })
}

fn list() -> Value {
    json!({ "step_id": "list", "action": "linear.list_issues", "output_as": "open", "config": {} })
}

#[test]
fn a_parameter_is_made_of_what_its_template_reads() {
    let plan = json!([list(), send("C1", "{% for issue in open.issues %}{{ issue.title }}{% endfor %}")]);
    let found = last(&definition(json!([]), plan), Some(TriggerType::Person));
    assert_eq!(names(&found.private), ["linear.list_issues"]);
    assert_eq!(names(&found.untrusted), ["linear.list_issues"]);
    // The place stands in the definition.
    assert_eq!((found.chosen_by, found.steered_by.len()), (ChosenBy::Definition, 0));

    let unread = json!([list(), send("C1", "good morning")]);
    assert_eq!(last(&definition(json!([]), unread), None), Provenance::default());

    let chosen = json!([list(), send("{{ open.issues[0].title }}", "t")]);
    let found = last(&definition(json!([]), chosen), None);
    assert_eq!((found.chosen_by, names(&found.steered_by)), (ChosenBy::Data, vec!["linear.list_issues"]));
}

#[test]
fn inputs_are_what_started_the_run() {
    let hook = json!([{ "type": "webhook", "config": { "input_mapping": { "channel": "$.channel" } } }]);
    let plan = json!([send("{{ inputs.channel }}", "{{ inputs.text }}")]);
    let definition = definition(hook, plan);
    for started in [TriggerType::Person, TriggerType::Schedule, TriggerType::Event] {
        let found = last(&definition, Some(started));
        assert_eq!((found.chosen_by, found.untrusted.len()), (ChosenBy::Person, 0), "{started:?}");
    }
    for started in [Some(TriggerType::Webhook), None] {
        let found = last(&definition, started);
        assert_eq!((found.chosen_by, names(&found.steered_by)), (ChosenBy::Data, vec!["webhook data"]));
    }
}

#[test]
fn results_carry_what_their_steps_were_given() {
    let plan = json!([
        list(),
        { "step_id": "pick", "action": "data.transform", "output_as": "first",
          "config": { "template": "{{ '{{ data }}' }}", "data": "{{ open }}" } },
        send("C1", "{{ first.result }}"),
    ]);
    let found = last(&definition(json!([]), plan), None);
    assert_eq!(names(&found.private), ["linear.list_issues"]);
    // An error may be anything.
    let mut failing = definition(json!([]), json!([list()]));
    failing.execution.on_failure =
        serde_json::from_value(json!([send("C1", "{{ run.error.message }}")])).unwrap();
    let found = last(&failing, None);
    assert_eq!((names(&found.untrusted), names(&found.private)), (vec!["error text"], vec!["error text"]));
    failing.execution.on_failure =
        serde_json::from_value(json!([send("C1", "{{ run.failed_step_id }}")])).unwrap();
    assert_eq!(last(&failing, None), Provenance::default());
}

#[test]
fn an_answer_of_a_model_is_made_of_all_that_it_could_read_but_for_what_its_form_rules_out() {
    let plan = |channel: &str, text: &str| {
        json!([
            list(),
            { "step_id": "ask", "action": "agent_task", "output_as": "said",
              "config": { "goal": "g", "context": { "open": "{{ open }}" }, "tools": ["files.*"], "provider": "p", "model": "m" },
              "output_schema": { "type": "object", "properties": {
                  "team": { "enum": ["C1", "C2"] }, "urgent": { "type": "boolean" },
                  "number": { "type": "integer" }, "why": { "type": "string" } } } },
            send(channel, text),
        ])
    };
    let found = |channel: &str, text: &str| last(&definition(json!([]), plan(channel, text)), None);
    let free = found("{{ said.why }}", "{{ said.why }}");
    assert_eq!(free.chosen_by, ChosenBy::Model);
    assert!(free.steered_by.contains("linear.list_issues"), "{free:?}");
    assert!(free.private.contains("files.read_text"), "{free:?}");
    // Still private, but chosen from a list that stands in the definition.
    let listed = found("{{ said.team }}", "{{ said.urgent }} {{ said.number }}");
    assert_eq!((listed.chosen_by, listed.steered_by.len(), listed.untrusted.len()), (ChosenBy::Model, 0, 0));
    assert!(!listed.private.is_empty());
    // A number tells nobody what to do, and may be a place all the same.
    assert!(!found("{{ said.number }}", "t").steered_by.is_empty());
    // All of it is not what its parts are.
    assert!(!found("C1", "{{ said }}").untrusted.is_empty());
}

#[test]
fn parts_of_a_batch_have_their_own_places() {
    let plan = |channel: &str| {
        json!([
            list(),
            { "step_id": "both", "action": "batch.run", "config": { "parts": [
                { "action": "slack.send_message", "params": { "channel": channel, "text": "{{ open.issues[0].title }}" } },
            ] } },
        ])
    };
    assert!(last(&definition(json!([]), plan("C1")), None).steered_by.is_empty());
    assert!(!last(&definition(json!([]), plan("{{ open.issues[0].id }}")), None).steered_by.is_empty());
}

#[test]
fn what_a_model_was_given_steers_all_that_it_asks_for() {
    let plan = json!([{ "step_id": "ask", "action": "agent_task",
        "config": { "goal": "g", "tools": ["linear.*", "slack.*"], "provider": "p", "model": "m" } }]);
    let traced = trace(&definition(json!([]), plan), None, &actions()).into_values().next().unwrap();
    assert_eq!(traced.of_model([].into_iter()), Provenance::of_model([].into(), [].into()));
    let labels = given(&actions(), "linear.get_issue", false);
    let after = traced.of_model([("linear.get_issue", labels)].into_iter());
    assert_eq!((names(&after.steered_by), after.by_model), (vec!["linear.get_issue"], true));
    // What a target says why it failed may be anything, and so may what is gone.
    assert!(given(&actions(), "slack.send_message", true).reads_untrusted);
    assert!(given(&actions(), "gone.action", false).reads_private);
}

#[test]
fn a_batch_gives_back_what_its_parts_do_and_a_hidden_name_may_be_anything() {
    let plan = |parts: Value| {
        json!([
            { "step_id": "read", "action": "batch.run", "output_as": "both", "config": { "parts": parts } },
            send("C1", "{{ both.parts[0].output.title }}"),
        ])
    };
    let known = plan(json!([{ "action": "linear.get_issue", "params": { "issue": "i" } }]));
    assert_eq!(names(&last(&definition(json!([]), known), None).private), ["linear.get_issue"]);
    let unknown = plan(json!("{{ inputs.parts }}"));
    assert_eq!(names(&last(&definition(json!([]), unknown), None).private), ["batch.run"]);
    // Parts that a template makes go anywhere.
    let made = json!([list(), { "step_id": "do", "action": "batch.run", "config": { "parts": "{{ open.parts }}" } }]);
    assert!(!last(&definition(json!([]), made), None).steered_by.is_empty());
    let mut hidden = list();
    hidden["output_as"] = json!("self");
    let found = last(&definition(json!([]), json!([hidden, send("{{ self.title }}", "t")])), None);
    assert_eq!(names(&found.steered_by), ["hidden name"]);
}

#[test]
fn inputs_of_a_program_are_from_anywhere() {
    let whole = definition(json!([]), json!([send("{{ inputs.channel }}", "t")]));
    let by =
        |started| trace(&whole, Some(started), &actions()).into_values().next_back().unwrap().provenance();
    assert_eq!(by(Started::By(TriggerType::Person)).chosen_by, ChosenBy::Person);
    assert_eq!(names(&by(Started::ByProgram).steered_by), ["inputs of a program"]);
}
