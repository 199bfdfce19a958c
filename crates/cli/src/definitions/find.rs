//! Which automation is meant: by its id, or by the name people gave it.

use std::collections::BTreeSet;

use api::{AutomationView, Page};
use model::{AutomationId, AutomationStatus, near};

use crate::{client::Client, error::Error};

/// Names are looked for on so many pages of a hundred; who has more automations names them by id.
const MOST_PAGES: usize = 100;
/// So many ids are named where a name could mean several.
const MOST_NAMED: usize = 5;

/// All automations of the org.
pub(crate) async fn all(client: &Client) -> Result<Vec<AutomationView>, Error> {
    let mut found: Vec<AutomationView> = Vec::new();
    let mut cursor: Option<String> = None;
    let mut seen = BTreeSet::new();
    for _ in 0..MOST_PAGES {
        let mut call = client.get(&["v1", "automations"])?.query("limit", "100");
        if let Some(cursor) = &cursor {
            call = call.query("cursor", cursor);
        }
        let page: Page<AutomationView> = call.send().await?.parse()?;
        found.extend(page.items);
        match page.next_cursor {
            // A gateway that names the same page again would keep this going for long.
            Some(next) if seen.insert(next.clone()) => cursor = Some(next),
            _ => break,
        }
    }
    Ok(found)
}

/// The one that has this name now; the name of an archived one is free.
pub(crate) fn live<'a>(known: &'a [AutomationView], name: &str) -> Option<&'a AutomationView> {
    known.iter().find(|one| one.name == name && one.status != AutomationStatus::Archived)
}

/// The id of the one that is meant.
pub(crate) async fn id(client: &Client, named: &str) -> Result<String, Error> {
    if let Ok(id) = named.parse::<AutomationId>() {
        return Ok(id.to_string());
    }
    let known = all(client).await?;
    if let Some(one) = live(&known, named) {
        return Ok(one.id.to_string());
    }
    let archived: Vec<String> =
        known.iter().filter(|one| one.name == named).map(|one| one.id.to_string()).collect();
    match archived.as_slice() {
        [only] => Ok(only.clone()),
        [] => Err(absent(named, &known)),
        several => {
            let ids = several.iter().take(MOST_NAMED).cloned().collect::<Vec<_>>().join(", ");
            Err(Error::usage(format!("several archived automations are named `{named}`: name an id, {ids}")))
        }
    }
}

fn absent(named: &str, known: &[AutomationView]) -> Error {
    let live = known.iter().filter(|one| one.status != AutomationStatus::Archived);
    let hint = match near(named, live.map(|one| one.name.clone())).first() {
        Some(name) => format!("did you mean `{name}`?"),
        None => "`countersign automations list` names them".to_owned(),
    };
    Error::Absent(format!("no automation is named `{named}`; {hint}"))
}
