//! How an invocation is printed.

use api::InvocationView;
use model::{Preview, Status};

use crate::{
    Console,
    error::Error,
    table,
    visible::{inline, visible_json},
};

pub(crate) fn row(view: InvocationView) -> Vec<String> {
    vec![
        view.id.to_string(),
        view.action,
        view.status.as_str().to_owned(),
        view.mode.as_str().to_owned(),
        table::moment(view.requested_at),
        view.receipt.map(|receipt| receipt.to_string()).unwrap_or_default(),
    ]
}

/// Prints the result to stdout, so that it can be piped, and everything else to stderr.
pub(crate) fn print(console: &mut Console, view: &InvocationView) -> Result<(), Error> {
    let replayed = if view.replayed { " (result of an earlier request with this key)" } else { "" };
    match (&view.result, view.status) {
        (Some(result), Status::Succeeded) => {
            console.json_value(result)?;
            console.note(&format!("{}{replayed}", sentence(view)))
        }
        _ => {
            console.data(&details(view, console.out_is_terminal))?;
            if let Some(hint) = hint(view) {
                console.note(&hint)?;
            }
            Ok(())
        }
    }
}

/// Prints an invocation for the person who approved it.
pub(crate) fn print_answered(console: &mut Console, view: &InvocationView) -> Result<(), Error> {
    console.data(&details(view, console.out_is_terminal))?;
    match view.status {
        Status::Pending => console.note("approval recorded; more approvals are required"),
        Status::Approved | Status::Executing => {
            console.note("approval recorded; the action is executing, and its receipt will show the result")
        }
        Status::Unknown => console
            .note("the action may have happened; check the target, then run `countersign inbox reconcile`"),
        _ => Ok(()),
    }
}

fn sentence(view: &InvocationView) -> String {
    let receipt = view.receipt.map(|receipt| format!(", receipt {receipt}")).unwrap_or_default();
    format!("{} {}: {}{receipt}", inline(&view.action), view.status.as_str(), view.id)
}

fn hint(view: &InvocationView) -> Option<String> {
    let id = view.id;
    match view.status {
        Status::Pending => {
            Some(format!("waiting for approval; follow it with `countersign actions status {id} --wait 600`"))
        }
        Status::Approved | Status::Executing => {
            Some(format!("in progress; follow it with `countersign actions status {id} --wait 60`"))
        }
        Status::Unknown => {
            Some("the action may have happened; check the target before you repeat it".to_owned())
        }
        _ => None,
    }
}

/// All fields, one per line.
pub(crate) fn details(view: &InvocationView, on_terminal: bool) -> String {
    let decision = &view.decision;
    let mut pairs = vec![
        ("invocation", Some(view.id.to_string())),
        ("action", Some(format!("{} ({})", view.action, view.risk.as_str()))),
        ("agent", Some(format!("{} in {}", view.agent, view.session))),
        ("status", Some(view.status.as_str().to_owned())),
        ("decision", Some(format!("{}: {}", view.mode.as_str(), decision.reason))),
    ];
    if !view.reason.is_empty() {
        pairs.insert(3, ("reason", Some(view.reason.clone())));
    }
    for change in &decision.guardrails {
        pairs.push(("guardrail", Some(format!("{}: {}", change.words(), change.reason))));
    }
    for gate in decision.gates.iter().filter(|gate| !gate.reason.is_empty()) {
        pairs.push(("gate", Some(format!("{}: {}", gate.gate, gate.reason))));
    }
    if let Some(error) = &view.error {
        let reached = if error.sent { "may have reached the target" } else { "did not reach the target" };
        pairs.push(("error", Some(format!("{}: {} ({reached})", error.class.as_str(), error.message))));
    }
    pairs.extend([
        ("attempts", Some(view.attempts.to_string())),
        ("key", view.idempotency_key.clone()),
        ("replayed", view.replayed.then(|| "result of an earlier request with this key".to_owned())),
        ("receipt", view.receipt.map(|receipt| receipt.to_string())),
        ("requested", Some(table::moment(view.requested_at))),
        ("finished", view.finished_at.map(table::moment)),
        ("expires", view.expires_at.map(table::moment)),
    ]);
    let mut text = table::pairs(pairs, on_terminal);
    if let Some(preview) = &view.preview {
        text.push_str(&preview_text(preview, on_terminal));
    }
    if let Some(result) = &view.result {
        let result = serde_json::to_string_pretty(result).unwrap_or_default();
        text.push_str(&format!("\n{}", visible_json(&result)));
    }
    text
}

fn preview_text(preview: &Preview, on_terminal: bool) -> String {
    let mut text = format!("\n\npreview: {}", inline(&preview.summary));
    if !preview.changes.is_empty() {
        let rows = preview
            .changes
            .iter()
            .map(|change| vec![change.field.clone(), change.before.to_string(), change.after.to_string()])
            .collect();
        text.push_str(&format!("\n{}", table::rows(&["FIELD", "BEFORE", "AFTER"], rows, on_terminal)));
    }
    if !preview.basis.is_empty() {
        let rows =
            preview.basis.iter().map(|basis| vec![basis.name.clone(), basis.value.to_string()]).collect();
        let table = table::rows(&["TARGET", "NOW"], rows, on_terminal);
        text.push_str(&format!(
            "\n\nan approval would count only while the target stays like this:\n{table}"
        ));
    }
    text
}
