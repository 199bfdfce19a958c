//! `reports`: what observing policies would have done.

use api::{Page, PolicyReport};

use crate::{Context, error::Error, exit::Exit, table};

pub(super) async fn reports(cx: &mut Context<'_>, days: u32) -> Result<Exit, Error> {
    let path = ["v1", "policies", "reports"];
    let answer = cx.client()?.get(&path)?.query("days", &days.to_string()).send().await?;
    let is_empty = answer.parse::<Page<PolicyReport>>()?.items.is_empty();
    if is_empty && !cx.json() {
        cx.console.note("no policy is observing")?;
        return Ok(Exit::Done);
    }
    cx.show(&answer, details)
}

fn details(page: Page<PolicyReport>, wide: bool) -> String {
    let (mut policies, mut actions) = (Vec::new(), Vec::new());
    for report in page.items {
        let counts = [report.held, report.would_ask, report.would_deny, report.already_stricter];
        let mut row = vec![report.name.clone(), table::moment(report.since)];
        row.extend(counts.map(|count| count.to_string()));
        policies.push(row);
        actions.extend(report.by_action.into_iter().map(|one| {
            let counts = [one.would_ask, one.would_deny].map(|count| count.to_string());
            let [asked, denied] = counts;
            vec![report.name.clone(), one.action, asked, denied, one.examples.join(", ")]
        }));
    }
    let header = &["POLICY", "SINCE", "HELD", "WOULD ASK", "WOULD DENY", "ALREADY AS STRICT"];
    let mut text = table::rows(header, policies, wide);
    if !actions.is_empty() {
        let header = &["POLICY", "ACTION", "WOULD ASK", "WOULD DENY", "EXAMPLES"];
        text.push_str(&format!("\n\n{}", table::rows(header, actions, wide)));
    }
    text
}
