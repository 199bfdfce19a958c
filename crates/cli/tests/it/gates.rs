//! Gate settings that are shown and replaced, and consents.

use std::fs;

use cli::Exit;
use serde_json::{Value, json};

use crate::{
    automations::Folder,
    stub::{Stub, USER, problem, proposed},
};

const AT: &str = "2026-11-19T08:00:00Z";
const CONSENT: &str = "cns_0192f0c1d2e37a4b8c5d6e7f80910a60";

fn gates(version: i32) -> Value {
    json!({
        "version": version, "recipients": { "allow": ["acme.example", "C1"] },
        "detectors": [{ "name": "number", "pattern": "K-\\d+", "of": [], "why": "Stays inside\u{202e}" }],
        "purposes": [{ "action": "mail.send", "purpose": "newsletter", "subject": "input.to" }],
        "homes": [{ "source": "billing", "space": "finance" }],
        "crossings": [{ "from": "main", "to": "finance", "source": "billing" }],
        "set_by": USER, "set_by_name": "Ada", "updated_at": AT,
    })
}

fn file(name: &str, content: &Value) -> (Folder, String) {
    let folder = Folder::new(name);
    let path = folder.path("gates.json");
    fs::write(&path, content.to_string()).unwrap();
    (folder, path)
}

#[tokio::test]
async fn settings_are_shown_in_words_and_cannot_draw() {
    let empty = json!({ "version": 0, "recipients": null, "detectors": [], "purposes": [], "homes": [], "crossings": [] });
    let stub = Stub::answering([(200, gates(3).to_string()), (200, empty.to_string())]).await;
    let outcome = stub.run(&["gates", "show"]).await;
    for cell in [
        "acme.example, C1",
        "number: K-\\d+ in all actions: Stays inside\\u{202e}",
        "mail.send needs consent to newsletter of input.to",
        "billing belongs to finance",
        "main to finance with billing",
        "Ada",
        AT,
    ] {
        assert!(outcome.out.contains(cell), "{cell}: {}", outcome.out);
    }
    let outcome = stub.run(&["gates", "show"]).await;
    assert!(outcome.out.contains("everybody"), "{}", outcome.out);
}

#[tokio::test]
async fn a_file_is_applied_at_its_version_or_at_the_present_one() {
    let mut unversioned = gates(0);
    unversioned.as_object_mut().unwrap().remove("version");
    let (_folder, with) = file("gates-with", &gates(3));
    let (_other, without) = file("gates-without", &unversioned);
    let (_bad, misspelt) = file("gates-bad", &json!({ "version": 1, "recipient": null }));
    let saved = || (200, gates(4).to_string());
    let conflict = (409, problem(409, "version_changed").to_string());
    let stub = Stub::answering([saved(), (200, gates(7).to_string()), saved(), conflict, proposed()]).await;
    let outcome = stub.run(&["gates", "apply", &with, "--why", "a list"]).await;
    assert_eq!((outcome.exit, outcome.err.as_str()), (Exit::Done, "saved gate settings as version 4\n"));
    assert_eq!(stub.run(&["gates", "apply", &without]).await.exit, Exit::Done);
    assert_eq!(stub.run(&["gates", "apply", &with]).await.exit, Exit::Conflict);
    assert_eq!(stub.run(&["gates", "apply", &with]).await.exit, Exit::Pending);
    let outcome = stub.run(&["gates", "apply", &misspelt]).await;
    assert_eq!(outcome.exit, Exit::Usage);
    assert!(outcome.err.contains("unknown field `recipient`"), "{}", outcome.err);
    let asked = stub.asked();
    let lines: Vec<&str> = asked.iter().map(|asked| asked.line.as_str()).collect();
    assert_eq!(lines, ["PUT /v1/gates", "GET /v1/gates", "PUT /v1/gates", "PUT /v1/gates", "PUT /v1/gates"]);
    assert_eq!((&asked[0].body["version"], &asked[2].body["version"]), (&json!(3), &json!(7)));
    assert_eq!(asked[0].body.get("set_by"), None);
    assert_eq!(asked[0].body["crossings"], gates(3)["crossings"]);
}

#[tokio::test]
async fn consents_are_listed_stored_and_revoked() {
    let consent = json!({
        "id": CONSENT, "purpose": "newsletter", "state": "active", "note": "form", "given_by": USER,
        "given_by_name": "Ada", "created_at": AT,
    });
    let page = (200, json!({ "items": [consent] }).to_string());
    let one = |status| (status, consent.to_string());
    let stub = Stub::answering([page, one(201), one(200)]).await;
    let outcome = stub.run(&["consents", "list", "--subject", "ada@example.com"]).await;
    for cell in [CONSENT, "newsletter", "active", "Ada", "form"] {
        assert!(outcome.out.contains(cell), "{cell}: {}", outcome.out);
    }
    let give = ["consents", "give", "newsletter", "ada@example.com", "--until", "2027-01-01T00:00:00Z"];
    let outcome = stub.run(&give).await;
    assert_eq!((outcome.exit, outcome.err), (Exit::Done, format!("stored consent {CONSENT}\n")));
    let outcome = stub.run(&["consents", "revoke", CONSENT]).await;
    assert_eq!((outcome.exit, outcome.err), (Exit::Done, format!("revoked {CONSENT}\n")));
    let asked = stub.asked();
    let lines: Vec<&str> = asked.iter().map(|asked| asked.line.as_str()).collect();
    let revoked = format!("DELETE /v1/consents/{CONSENT}");
    assert_eq!(lines, ["GET /v1/consents?subject=ada%40example.com", "POST /v1/consents", &revoked]);
    let body = json!({
        "purpose": "newsletter", "subject": "ada@example.com", "expires_at": "2027-01-01T00:00:00Z", "note": ""
    });
    assert_eq!(asked[1].body, body);
}
