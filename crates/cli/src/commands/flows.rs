//! Flows of data: those of an automation, consents to them, the report, and trust in what a session had read.

use api::{
    EndorseRequest, EndorsementView, FlowConsent, FlowReport, FlowReportItem, FlowView, FlowsView,
    GatesRequest, GatesView, InboxItem,
};
use model::InvocationId;
use reqwest::Method;

use crate::{
    Context, client::Client, definitions::find, error::Error, exit::Exit, inbox::details::shown_digest, table,
};

/// Shows the flows of an automation.
pub(super) async fn list(cx: &mut Context<'_>, automation: &str) -> Result<Exit, Error> {
    let client = cx.client()?;
    let id = find::id(&client, automation).await?;
    let answer = client.get(&["v1", "automations", &id, "flows"])?.send().await?;
    cx.show(&answer, |flows: FlowsView, wide| {
        let rows: Vec<Vec<String>> = flows.flows.iter().map(row).collect();
        if rows.is_empty() {
            return "no step sends private or untrusted data".to_owned();
        }
        let header = &["STEP", "ACTION", "TO", "AUDIENCE", "CHOSEN BY", "SOURCES", "OUTCOME"];
        let note =
            if flows.holds { "" } else { "\nflows are only observed: nothing is held because of them" };
        format!("{}{note}", table::rows(header, rows, wide))
    })
}

fn row(flow: &FlowView) -> Vec<String> {
    let to = if flow.to.is_empty() { "not known".to_owned() } else { flow.to.join(", ") };
    let mut from: Vec<&str> = flow.private.iter().chain(&flow.untrusted).map(String::as_str).collect();
    from.sort_unstable();
    from.dedup();
    vec![
        flow.step_id.clone(),
        flow.action.clone(),
        to,
        flow.audience.clone(),
        flow.chosen_by.clone(),
        from.join(", "),
        outcome(flow).to_owned(),
    ]
}

fn outcome(flow: &FlowView) -> &'static str {
    match flow.mode.as_str() {
        _ if flow.consented => "an admin consented",
        "allow" => "nothing is asked",
        "deny" => "it is denied",
        _ if flow.consents.is_empty() => "a person is asked each time",
        _ => "a person is asked each time, unless an admin consents",
    }
}

/// Consents to every flow of an automation for which that is possible.
pub(super) async fn consent(cx: &mut Context<'_>, automation: &str) -> Result<Exit, Error> {
    let client = cx.client()?;
    let id = find::id(&client, automation).await?;
    let flows: FlowsView = client.get(&["v1", "automations", &id, "flows"])?.send().await?.parse()?;
    let wanted: Vec<FlowConsent> = flows.flows.into_iter().flat_map(|flow| flow.consents).collect();
    let answer = client.get(&["v1", "gates"])?.send().await?;
    let present: GatesView = answer.parse()?;
    let mut request = as_request(present);
    let present = &mut request.flow.get_or_insert_default().consents;
    let mut words = Vec::new();
    for consent in wanted {
        if !present.contains(&consent) {
            let from = consent.from.join(", ");
            words.push(format!("data of {from} to {} with {}", consent.destination, consent.action));
            present.push(consent);
        }
    }
    if words.is_empty() {
        return cx.done(&answer, "no flow needs a consent");
    }
    let answer = client.send_body(Method::PUT, &["v1", "gates"], &request)?.send().await?;
    cx.done(&answer, &format!("consented: {}", words.join("; ")))
}

/// The same settings, to be saved again.
fn as_request(view: GatesView) -> GatesRequest {
    let GatesView { version, recipients, detectors, purposes, homes, crossings, flow, .. } = view;
    GatesRequest { version, recipients, detectors, purposes, homes, crossings, flow: Some(flow) }
}

/// Shows what was held because of the flow of data, or would have been.
pub(super) async fn report(cx: &mut Context<'_>, days: u32) -> Result<Exit, Error> {
    let days = days.to_string();
    let answer = cx.client()?.get(&["v1", "flow", "report"])?.query("days", &days).send().await?;
    cx.show(&answer, |report: FlowReport, wide| {
        let each = match u32::try_from(report.runs) {
            Ok(runs @ 1..) => {
                let asked = f64::from(u32::try_from(report.questions_of_runs).unwrap_or(u32::MAX));
                format!(", {:.2} a run", asked / f64::from(runs))
            }
            _ => String::new(),
        };
        let head = format!(
            "flows alone ask {} questions since {}: {} in {} runs{each}; people denied {}",
            report.questions,
            table::moment(report.since),
            report.questions_of_runs,
            report.runs,
            report.denied
        );
        if report.items.is_empty() {
            return head;
        }
        let header = &["ACTION", "AUDIENCE", "CHOSEN BY", "REQUIRED MODE", "COUNT", "ONLY REASON", "EXAMPLE"];
        format!("{head}\n{}", table::rows(header, report.items.iter().map(item).collect(), wide))
    })
}

fn item(item: &FlowReportItem) -> Vec<String> {
    let wanted = if item.observing { format!("{} (observed)", item.mode) } else { item.mode.clone() };
    vec![
        item.action.clone(),
        item.audience.clone(),
        item.chosen_by.clone(),
        wanted,
        item.count.to_string(),
        item.alone.to_string(),
        item.examples.first().map(ToString::to_string).unwrap_or_default(),
    ]
}

/// Trusts what a session had read when it asked.
pub(super) async fn endorse(cx: &mut Context<'_>, id: InvocationId, note: String) -> Result<Exit, Error> {
    let client: Client = cx.client()?;
    let item: InboxItem = client.get(&["v1", "inbox", &id.to_string()])?.send().await?.parse()?;
    let InboxItem::Approval(item) = item else {
        return Err(Error::usage("this invocation does not wait for an approval"));
    };
    let shown_digest = shown_digest(&item).map_err(Error::usage)?;
    let request = EndorseRequest { shown_digest, note };
    let path = ["v1", "invocations", &id.to_string(), "endorse"];
    let answer = client.send_body(Method::POST, &path, &request)?.send().await?;
    let endorsed: EndorsementView = answer.parse()?;
    cx.done(&answer, &format!("trusted for the rest of the session: {}", endorsed.origins.join(", ")))
}
