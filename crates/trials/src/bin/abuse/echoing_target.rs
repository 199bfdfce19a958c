//! A target that discloses its callers' credentials: every response contains the credential of the request.

use serde_json::{Value, json};
use testkit::fakes::{Answer, Seen, Service};

use crate::canary::{dresses, spoken};

/// The kind of response.
#[derive(Debug, Clone)]
pub(crate) enum Manner {
    /// The requested result, with the credential in every field and every encoding.
    Result,
    /// An error with this status, whose message is the encoding with this index after `before` other characters.
    Words { status: u16, dress: usize, before: usize },
    /// A redirect to an address that contains the credential.
    Away,
    /// A response that is not JSON.
    Noise,
}

pub(crate) struct Hostile {
    pub(crate) manner: Manner,
    /// Returned instead of the credential; for the control, in which it is not a secret.
    pub(crate) instead: Option<String>,
}

impl Hostile {
    pub(crate) const fn new() -> Self {
        Self { manner: Manner::Result, instead: None }
    }

    fn told(&self, seen: &Seen) -> String {
        let header = seen.header("authorization");
        let credential = header.strip_prefix("Bearer ").unwrap_or(header);
        self.instead.clone().unwrap_or_else(|| credential.to_owned())
    }
}

/// An object of any service: an issue, a channel, a pull request.
fn thing(told: &str) -> Value {
    let mut fields = json!({
        "id": "11111111-1111-4111-8111-111111111111", "identifier": "ENG-1", "shortId": "WEB-1", "number": 1,
        "title": format!("{}{told}", "t".repeat(100)), "url": format!("https://linear.app/?auth={told}"),
        "description": format!("Authorization: Bearer {told}"),
        "headers": {"Authorization": format!("Bearer {told}"), "X-Echo": told},
        "bytes": told.as_bytes(),
        format!("a field named {told}"): true,
        "team": {"id": "team-1"}, "state": {"name": told}, "labels": {"nodes": []}, "comments": {"nodes": []},
    });
    for (number, (name, dress)) in dresses(told).into_iter().enumerate() {
        fields[format!("{name} {number}")] = json!({"alone": dress, "inside": [[dress], "x"]});
    }
    let all: Vec<String> = spoken(told).into_iter().map(|(_, text)| format!("see <{text}> there")).collect();
    fields["prose"] = json!(all.join("\n"));
    fields
}

impl Service for Hostile {
    fn answer(&mut self, seen: &Seen) -> Answer {
        let told = self.told(seen);
        match &self.manner {
            Manner::Result => {
                let thing = thing(&told);
                if seen.path.starts_with("/api/0/") {
                    return Answer::new(200, json!([thing]));
                }
                Answer::new(
                    200,
                    json!({
                        "ok": true, "channels": [thing], "messages": [thing],
                        "data": {
                            "issues": {"nodes": [thing], "pageInfo": {"hasNextPage": true, "endCursor": told}},
                            "issue": thing, "issueCreate": {"success": true, "issue": thing},
                            "issueUpdate": {"success": true, "issue": thing}, "issueArchive": {"success": true},
                        },
                    }),
                )
            }
            Manner::Words { status, dress, before } => {
                let words = spoken(&told);
                let (_, text) = &words[dress % words.len()];
                let words = format!("{} {text}", "w".repeat(*before));
                let shown = json!({"userPresentableMessage": words, "code": "INPUT_ERROR"});
                let body = json!({
                    "ok": false, "error": words, "message": words, "detail": words,
                    "errors": [{"message": words, "extensions": shown}], "data": null,
                });
                Answer::new(*status, body).header("x-echo", told)
            }
            Manner::Away => {
                Answer::new(302, json!({})).header("location", format!("http://127.0.0.1:1/?a={told}"))
            }
            Manner::Noise => Answer::new(200, json!(told)),
        }
    }
}
