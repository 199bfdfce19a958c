//! Each gate and each detector by itself, and what is wrong with settings.

use std::collections::BTreeSet;

use model::{ActionDefinition, EffectClass, Labels, Risk};
use platform::redact::Redactor;
use serde_json::{Value, json};

use super::*;
use crate::keyed_hash;

fn action(address: &str, risk: Risk, effect: EffectClass) -> ActionDefinition {
    ActionDefinition {
        address: address.parse().unwrap(),
        description: String::new(),
        input_schema: json!({}),
        output_schema: None,
        risk,
        effect,
        labels: Labels { sends_out: risk >= Risk::R2, ..Labels::default() },
        recipients: vec![],
        capabilities: vec![],
        undo: None,
        verifies: false,
        previews: false,
        needs_connection: false,
        key_fields: vec![],
        timeout_ms: 1,
    }
}

fn send() -> ActionDefinition {
    ActionDefinition {
        recipients: vec!["input.to".to_owned(), "input.cc".to_owned()],
        ..action("mail.send", Risk::R2, EffectClass::Once)
    }
}

fn gates(settings: Value) -> Gates {
    Gates::new(serde_json::from_value(settings).unwrap()).unwrap()
}

fn found(settings: &Value, definition: &ActionDefinition, params: &Value) -> Option<String> {
    gates(settings.clone()).inspect(Inspected { definition, params }, &Redactor::new())
}

#[test]
fn a_recipient_that_is_not_on_the_list_is_found_and_not_repeated() {
    let list = json!({ "recipients": { "allow": ["acme.example"] } });
    let (named, unnamed) = (send(), action("crm.note", Risk::R2, EffectClass::Once));
    let read = action("crm.find", Risk::R1, EffectClass::Read);
    for (definition, params, place) in [
        (&named, json!({ "to": "ada@acme.example", "text": "see https://evil.example" }), None),
        (&named, json!({ "to": "eve@evil.example" }), Some("input.to")),
        (&named, json!({ "to": ["ada@acme.example", "eve@evil.example"] }), Some("input.to")),
        (&named, json!({ "to": "ada@acme.example", "cc": { "deep": "ada@acme.example" } }), Some("input.cc")),
        (&unnamed, json!({ "text": "ask ada@acme.example" }), None),
        (&unnamed, json!({ "parts": [{ "text": "see //evil.example/x" }] }), Some("/parts/0/text")),
        (&unnamed, json!({ "text": "nobody" }), None),
        (&read, json!({ "text": "see https://evil.example" }), None),
    ] {
        let finding = found(&list, definition, &params);
        assert_eq!(finding.is_some(), place.is_some(), "{params}: {finding:?}");
        let (finding, place) = (finding.unwrap_or_default(), place.unwrap_or_default());
        assert!(finding.contains(place) && !finding.contains("evil"), "{finding}");
        // Without a list, everybody is allowed; with an empty one, nobody.
        assert_eq!(found(&json!({}), definition, &params), None);
    }
    let nobody = json!({ "recipients": { "allow": [] } });
    assert!(found(&nobody, &named, &json!({ "to": "ada@acme.example" })).is_some());
}

#[test]
fn own_detectors_look_at_their_actions_and_say_why() {
    let detector = |of: Value| {
        json!({ "detectors": [{ "name": "customer-number", "pattern": "\\bK-\\d{5}\\b", "of": of,
            "why": "Customer numbers stay inside" }] })
    };
    let mail = send();
    let check = |of: Value, params: Value| found(&detector(of), &mail, &params);
    let said = "detector `customer-number`: found at `/text`: Customer numbers stay inside";
    assert_eq!(check(json!([]), json!({ "text": "about K-12345" })).as_deref(), Some(said));
    assert_eq!(check(json!(["does:sends_out"]), json!({ "text": "K-12345" })).as_deref(), Some(said));
    assert_eq!(check(json!(["mail.*"]), json!({ "text": "K-12345" })).as_deref(), Some(said));
    assert_eq!(check(json!(["crm.*"]), json!({ "text": "K-12345" })), None);
    assert_eq!(check(json!([]), json!({ "text": "K-123456" })), None);
    assert!(check(json!([]), json!({ "K-12345": 1 })).is_some(), "names of fields count");
    let card = json!({ "detectors": [{ "name": "card", "pattern": "^4\\d{15}$", "why": "A card" }] });
    assert!(found(&card, &mail, &json!({ "number": 4_111_111_111_111_111_u64 })).is_some());
}

#[test]
fn what_the_program_looks_for_comes_first_and_needs_no_settings() {
    let mail = send();
    let hidden = found(&json!({}), &mail, &json!({ "text": "a\u{202E}b" })).unwrap();
    assert_eq!(
        hidden,
        "detector `hidden-unicode`: an invisible or direction-changing character (U+202E) at `/text`"
    );
    let key = format!("ghp_{}", "a1B2".repeat(9));
    let credential = found(&json!({}), &mail, &json!({ "text": key })).unwrap();
    assert!(credential.starts_with("detector `credentials`: something that looks like a credential"));
    assert!(!credential.contains(&key));
}

#[test]
fn effects_stay_in_the_home_of_their_source_unless_they_may_cross() {
    let write = action("billing.charge", Risk::R2, EffectClass::Once);
    let read = action("billing.look", Risk::R1, EffectClass::Read);
    // A server says that it only reads; nobody has reviewed what repeating it does.
    let claimed = action("billing.peek", Risk::R1, EffectClass::Once);
    let home = json!([{ "source": "billing", "space": "finance" }]);
    let with = |crossings: Value| json!({ "homes": home, "crossings": crossings });
    for (settings, definition, from, passes) in [
        (json!({}), &write, "main", true),
        (with(json!([])), &write, "finance", true),
        (with(json!([])), &write, "main", false),
        (with(json!([])), &claimed, "main", false),
        (with(json!([])), &read, "main", true),
        (with(json!([{ "from": "main", "to": "finance" }])), &write, "main", true),
        (with(json!([{ "from": "main", "to": "finance" }])), &write, "other", false),
        (with(json!([{ "from": "finance", "to": "main" }])), &write, "main", false),
        (with(json!([{ "from": "main", "to": "finance", "source": "billing" }])), &write, "main", true),
        (with(json!([{ "from": "main", "to": "finance", "source": "crm" }])), &write, "main", false),
    ] {
        let verdict = space(&gates(settings.clone()), definition, from);
        assert_eq!(verdict.verdict == Verdict::Pass, passes, "{settings} {from}: {verdict:?}");
        assert_eq!(verdict.reason.is_empty(), passes);
    }
    let crm = action("crm.note", Risk::R2, EffectClass::Once);
    assert_eq!(space(&gates(with(json!([]))), &crm, "main").verdict, Verdict::Pass);
}

fn hash(value: &[u8]) -> [u8; 32] {
    keyed_hash(b"key", value)
}

/// What the consent gate says if these people agreed to `marketing`.
fn asked(settings: &Value, params: &Value, given: &[&str]) -> GateVerdict {
    let (gates, mail) = (gates(settings.clone()), send());
    let given: BTreeSet<ConsentLookup> = given
        .iter()
        .map(|subject| ConsentLookup {
            purpose: "marketing".to_owned(),
            subject: subject_hash(&hash, subject),
        })
        .collect();
    let wanted = gates.consents_wanted(&mail, params, &hash);
    let consented = wanted.map(|wanted| wanted.answered(&given));
    consent(&gates, &mail, &Asked { params: Some(params), consent: consented.as_ref(), ..Asked::default() })
}

#[test]
fn everybody_whom_it_is_about_must_have_agreed() {
    let settings =
        json!({ "purposes": [{ "action": "mail.send", "purpose": "marketing", "subject": "input.to" }] });
    let one = json!({ "to": "ada@acme.example" });
    let two = json!({ "to": ["ada@acme.example", "bob@acme.example"] });
    for (params, given, reason) in [
        (&one, &["ada@acme.example"][..], ""),
        (&one, &[" Ada@acme.example"], ""),
        (&one, &[], "no consent to `marketing` covers the subject in `input.to`"),
        (&one, &["bob@acme.example"], "no consent to `marketing` covers the subject in `input.to`"),
        (&two, &["ada@acme.example", "bob@acme.example"], ""),
        (&two, &["bob@acme.example"], "no consent to `marketing` covers 1 of the 2 subjects in `input.to`"),
        (&json!({}), &[], "`input.to` names nobody, so nobody's consent to `marketing` covers it"),
        (&json!({ "to": [] }), &[], "`input.to` names nobody, so nobody's consent to `marketing` covers it"),
        (
            &json!({ "to": null }),
            &[],
            "`input.to` names nobody, so nobody's consent to `marketing` covers it",
        ),
        (
            &json!({ "to": ["ada@acme.example", " "] }),
            &["ada@acme.example"],
            "`input.to` holds something that names nobody, so nobody's consent to `marketing` covers it",
        ),
        (&json!({ "to": 4711 }), &["4711"], ""),
    ] {
        let verdict = asked(&settings, params, given);
        assert_eq!(verdict.reason, reason, "{params} {given:?}");
        assert_eq!(verdict.verdict == Verdict::Pass, reason.is_empty());
    }
    let elsewhere =
        json!({ "purposes": [{ "action": "crm.note", "purpose": "marketing", "subject": "input.to" }] });
    assert_eq!(asked(&elsewhere, &json!({}), &[]).verdict, Verdict::Pass);
    // In a list of actions there are no parameters; with parameters, somebody must have looked.
    let (gates, mail) = (gates(settings), send());
    assert_eq!(consent(&gates, &mail, &Asked::default()).verdict, Verdict::Pass);
    let unlooked = Asked { params: Some(&one), ..Asked::default() };
    assert_eq!(consent(&gates, &mail, &unlooked).verdict, Verdict::Deny);
}

#[test]
fn subjects_are_told_apart_by_keyed_hashes() {
    let other = |value: &[u8]| keyed_hash(b"another organization", value);
    assert_eq!(subject_hash(&hash, "Ada@acme.example"), subject_hash(&hash, "ada@acme.example "));
    assert_ne!(subject_hash(&hash, "ada@acme.example"), subject_hash(&other, "ada@acme.example"));
    assert_ne!(subject_hash(&hash, "U1"), subject_hash(&hash, "u1"), "only addresses have no case");
}

#[test]
fn what_is_wrong_with_settings_is_told() {
    let detector = |field: &str, value: Value| {
        let mut detector = json!({ "name": "a", "pattern": "x", "of": [], "why": "because" });
        detector[field] = value;
        json!({ "detectors": [detector] })
    };
    let purpose = |field: &str, value: Value| {
        let mut purpose = json!({ "action": "mail.send", "purpose": "marketing", "subject": "input.to" });
        purpose[field] = value;
        json!({ "purposes": [purpose] })
    };
    let home = json!({ "source": "billing", "space": "finance" });
    for (settings, expected) in [
        (json!({ "recipients": { "allow": ["*"] } }), "is no recipient"),
        (detector("name", json!("A")), "the name of a detector"),
        (detector("pattern", json!("(a")), "the pattern is no regular expression: unclosed group"),
        (detector("pattern", json!("(?=a)")), "look-around"),
        (detector("pattern", json!("a*")), "matches every text"),
        (detector("pattern", json!("\\w{100}{100}{100}")), "the pattern is no regular expression"),
        (detector("pattern", json!("x".repeat(1_001))), "at most 1000 characters"),
        (detector("of", json!(["mail"])), "is no action"),
        (detector("why", json!("")), "`why` must have"),
        (detector("why", json!("a\nb")), "`why` must have"),
        (
            json!({ "detectors": vec![json!({ "name": "a", "pattern": "x", "why": "w" }); 2] }),
            "two detectors",
        ),
        (json!({ "detectors": vec![json!({ "name": "a", "pattern": "x", "why": "w" }); 21] }), "at most 20"),
        (purpose("purpose", json!("Marketing")), "the purpose of `mail.send` must have"),
        (purpose("subject", json!("to")), "is no parameter"),
        (purpose("subject", json!("input.")), "is no parameter"),
        (json!({ "homes": [home, home] }), "the source `billing` has two homes"),
        (json!({ "crossings": [{ "from": "a", "to": "a" }] }), "to itself"),
    ] {
        let problem = Gates::new(serde_json::from_value(settings.clone()).unwrap()).unwrap_err().to_string();
        assert!(problem.contains(expected), "{settings}: {problem}");
        assert!(!problem.contains('\n'), "{problem}");
    }
    let unknown = json!({ "recipient": null });
    assert!(serde_json::from_value::<GateSettings>(unknown).is_err(), "a misspelt field is no setting");
}
