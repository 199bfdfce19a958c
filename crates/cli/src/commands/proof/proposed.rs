//! Changes that wait for a second owner: list, agree, deny, withdraw.

use api::{AgreeRequest, ProposedChangeView, RefuseRequest};
use model::ProposedChangeId;
use reqwest::Method;
use serde_json::Value;

use crate::{
    Context,
    client::Answer,
    error::Error,
    exit::Exit,
    list::{List, PageArgs},
    table,
    visible::inline,
};

const PATH: &str = "proposed-changes";

pub(super) async fn list(cx: &mut Context<'_>, waiting: bool) -> Result<Exit, Error> {
    let query = waiting.then(|| ("status", "waiting".to_owned())).into_iter().collect();
    let header = &["ID", "STATUS", "CHANGE", "NAME", "LOOSENS", "BY", "AT", "ANSWERED BY"];
    let page = PageArgs::default();
    List { path: &["v1", PATH], query, page: &page, header }.print(cx, row).await
}

/// Shows what would be changed, and agrees to exactly that.
pub(super) async fn approve(
    cx: &mut Context<'_>,
    id: ProposedChangeId,
    reason: Option<String>,
) -> Result<Exit, Error> {
    let client = cx.client()?;
    let shown = client.get(&["v1", PATH, &id.to_string()])?.send().await?;
    let found: ProposedChangeView = shown.parse()?;
    let digest = found.digest;
    if !cx.json() {
        cx.console.note(&details(found, true))?;
    }
    let request = AgreeRequest { digest, reason };
    let answer = client.send_body(Method::POST, &["v1", PATH, &id.to_string(), "approve"], &request)?;
    finish(cx, answer.send().await?)
}

pub(super) async fn deny(
    cx: &mut Context<'_>,
    id: ProposedChangeId,
    reason: Option<String>,
) -> Result<Exit, Error> {
    let path = ["v1", PATH, &id.to_string(), "deny"];
    let answer = cx.client()?.send_body(Method::POST, &path, &RefuseRequest { reason })?.send().await?;
    finish(cx, answer)
}

pub(super) async fn withdraw(cx: &mut Context<'_>, id: ProposedChangeId) -> Result<Exit, Error> {
    let answer = cx.client()?.post(&["v1", PATH, &id.to_string(), "withdraw"])?.send().await?;
    finish(cx, answer)
}

fn finish(cx: &mut Context<'_>, answer: Answer) -> Result<Exit, Error> {
    let failed = answer.parse::<ProposedChangeView>()?.status == "failed";
    let exit = cx.show(&answer, details)?;
    Ok(if failed { Exit::Failed } else { exit })
}

fn row(found: ProposedChangeView) -> Vec<String> {
    let part = found.changes.into_iter().next();
    let (change, name, loosens) = part.map(|part| (part.change, part.name, part.loosens)).unwrap_or_default();
    vec![
        found.id.to_string(),
        found.status,
        change,
        name,
        loosens,
        found.proposed_by_name.unwrap_or_default(),
        table::moment(found.proposed_at),
        found.answered_by_name.unwrap_or_default(),
    ]
}

fn details(found: ProposedChangeView, wide: bool) -> String {
    let state = |state: &Option<Value>| state.as_ref().map(|state| inline(&state.to_string()));
    let mut pairs = vec![("proposed change", Some(found.id.to_string())), ("status", Some(found.status))];
    for part in &found.changes {
        pairs.extend([
            ("change", Some(inline(&part.change))),
            ("name", Some(inline(&part.name))),
            ("loosens", Some(inline(&part.loosens))),
            ("before", state(&part.before)),
            ("after", state(&part.after)),
        ]);
    }
    let text = |text: Option<String>| text.map(|text| inline(&text));
    pairs.extend([
        ("proposed by", text(found.proposed_by_name)),
        ("reason", text(found.reason)),
        ("expires", Some(table::moment(found.expires_at))),
        ("answered by", text(found.answered_by_name)),
        ("note", text(found.note)),
    ]);
    table::pairs(pairs, wide)
}
