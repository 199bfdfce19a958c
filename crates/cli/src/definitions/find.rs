//! Finds an automation by id or by name.

use std::collections::BTreeSet;

use api::{AutomationView, Page};
use model::{AutomationId, AutomationStatus, suggest};

use crate::{client::Client, error::Error};

/// Pages of a hundred that are searched for a name.
const MOST_PAGES: usize = 100;
/// Ids listed if a name is ambiguous.
const MOST_NAMED: usize = 5;

/// All automations of the organization.
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
            // A gateway that repeats a cursor would cause an endless loop.
            Some(next) if seen.insert(next.clone()) => cursor = Some(next),
            _ => break,
        }
    }
    Ok(found)
}

/// The automation with this name. Archived ones do not count, because their names can be reused.
pub(crate) fn live<'a>(known: &'a [AutomationView], name: &str) -> Option<&'a AutomationView> {
    known.iter().find(|one| one.name == name && one.status != AutomationStatus::Archived)
}

/// The id of an automation given by name or id.
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
            Err(Error::usage(format!(
                "several archived automations are named `{named}`. Use one of the ids: {ids}"
            )))
        }
    }
}

fn absent(named: &str, known: &[AutomationView]) -> Error {
    let live = known.iter().filter(|one| one.status != AutomationStatus::Archived);
    let hint = match suggest(named, live.map(|one| one.name.clone())).first() {
        Some(name) => format!("did you mean `{name}`?"),
        None => "list them with `countersign automations list`".to_owned(),
    };
    Error::Absent(format!("automation `{named}` not found; {hint}"))
}
