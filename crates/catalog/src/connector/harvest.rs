//! Stores what a server says about its tools, next to what people accepted.

use std::collections::{HashMap, HashSet};

use changes::{Author, Draft, Kind, Recorder};
use jiff::Timestamp;
use model::{ActionName, ConnectorId, Digest, Drift, InOrg, OrgId, Risk};
use platform::db;
use serde_json::{Value, json};
use sqlx::PgConnection;

use super::{Connector, Error, Offer, Tool, lint, store};

/// The response of a server that was asked for its tools.
#[derive(Debug, Clone, PartialEq)]
pub struct Harvest {
    /// The name that the server reports.
    pub server: Option<String>,
    pub offers: Vec<Offer>,
    /// The names of further tools that no call can express, each with the reason.
    pub unusable: Vec<(String, String)>,
}

/// A change of one tool that a harvest found.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Seen {
    pub tool: String,
    /// `new`, `changed`, `reworded`, `gone` or `back`.
    pub news: &'static str,
}

impl Harvest {
    /// Stores the harvest and returns the changes. Everything happens in the caller's transaction.
    pub async fn keep(
        self,
        conn: &mut PgConnection,
        InOrg { org, id: connector }: InOrg<ConnectorId>,
        now: Timestamp,
    ) -> Result<Vec<Seen>, Error> {
        if !store::lock(conn, org, connector).await? {
            return Err(Error::NotFound("connector"));
        }
        let before = store::tools(conn, org, connector).await?;
        let accepted: HashMap<String, ActionName> = before
            .iter()
            .filter(|tool| tool.reviewed.is_some())
            .filter_map(|tool| Some((tool.name.clone(), tool.action.clone().ok()?)))
            .collect();
        let mut before: HashMap<String, Tool> =
            before.into_iter().map(|tool| (tool.name.clone(), tool)).collect();
        let mut news = Vec::new();
        let mut judged = lint::judge(self.offers, &accepted);
        let usable: HashSet<String> = judged.iter().map(|one| one.offer.name.clone()).collect();
        let unusable = self.unusable.into_iter().filter(|(name, _)| !usable.contains(name));
        judged.extend(unusable.map(|(name, why)| lint::unusable(name, why)));
        // Tools that lost their address release it before another tool takes it.
        for refused in judged.iter().filter(|one| one.action.is_err()) {
            if before.get(&refused.offer.name).is_some_and(|tool| tool.action.is_ok()) {
                store::release(conn, InOrg { org, id: connector }, &refused.offer.name).await?;
            }
        }
        for one in judged {
            let old = before.remove(&one.offer.name);
            let tool = seen(one, old.as_ref(), now);
            let what = match &old {
                None => Some("new"),
                Some(old) if old.gone_at.is_some() => Some("back"),
                Some(old) if old.shape_hash != tool.shape_hash => Some("changed"),
                Some(old) if old.text_hash != tool.text_hash => Some("reworded"),
                Some(_) => None,
            };
            if old.as_ref() != Some(&tool) {
                store::upsert(conn, InOrg { org, id: connector }, &tool).await?;
            }
            news.extend(what.map(|news| Seen { tool: tool.name.clone(), news }));
        }
        let gone: Vec<String> =
            before.into_values().filter(|tool| tool.gone_at.is_none()).map(|tool| tool.name).collect();
        if !gone.is_empty() {
            store::mark_gone(conn, InOrg { org, id: connector }, &gone, now).await?;
        }
        news.extend(gone.into_iter().map(|tool| Seen { tool, news: "gone" }));
        store::harvested(conn, InOrg { org, id: connector }, Ok(self.server.as_deref()), now).await?;
        Ok(news)
    }
}

/// The row of a tool after it was seen. What people decided about it is kept.
fn seen(one: lint::Judged, old: Option<&Tool>, now: Timestamp) -> Tool {
    // An offer without a canonical form cannot be called or compared, so all of them have the same hash, `none`.
    let hash = |digest: Result<model::Digest, model::CanonicalError>| {
        digest.map_or_else(|_| "none".to_owned(), |digest| digest.to_string())
    };
    let (shape_hash, text_hash) = (hash(one.offer.shape()), hash(one.offer.text()));
    // A refused offer may be a bomb. Its content is not stored, because it is not needed to refuse the offer.
    let offer = match &one.action {
        Ok(_) => one.offer,
        Err(_) => Offer {
            title: None,
            description: String::new(),
            input_schema: serde_json::json!({}),
            output_schema: None,
            request: None,
            name: one.offer.name.chars().take(200).collect(),
            hints: one.offer.hints,
        },
    };
    Tool {
        name: offer.name.clone(),
        action: one.action,
        shape_hash,
        text_hash,
        first_seen_at: old.map_or(now, |old| old.first_seen_at),
        gone_at: None,
        reviewed: old.and_then(|old| old.reviewed.clone()),
        risk: old.and_then(|old| old.risk),
        effect: old.and_then(|old| old.effect),
        note: old.map(|old| old.note.clone()).unwrap_or_default(),
        // Read with the row, never written.
        destination: old.map(|old| old.destination.clone()).unwrap_or_default(),
        offer,
    }
}

impl Seen {
    /// Whether a person should look: the tool is not, or no longer, what was reviewed.
    pub fn is_drift(&self) -> bool {
        self.news != "reworded"
    }
}

/// Which review is stored, by whom and when.
pub struct Reviewing<'r> {
    pub recorder: &'r Recorder,
    pub by: &'r Author,
    pub connector: &'r Connector,
    pub review: &'r super::Review,
    pub now: Timestamp,
}

/// Stores a person's review of a tool, if the tool is still what the person saw.
pub async fn review(
    conn: &mut PgConnection,
    name: &str,
    Reviewing { recorder, by, connector: Connector { id: connector, slug, .. }, review, now }: Reviewing<'_>,
) -> Result<Tool, Error> {
    let (org, connector) = (by.org, *connector);
    // The address cannot change between the comparison and the review.
    if !store::lock(conn, org, connector).await? {
        return Err(Error::NotFound("connector"));
    }
    let tool = store::tool(conn, org, connector, name).await?.ok_or(Error::NotFound("tool"))?;
    if tool.action.is_err() {
        return Err(Error::Invalid("this tool is unusable, so it cannot be reviewed".to_owned()));
    }
    let is_seen = (tool.seen_hash(), &tool.text_hash) == (review.seen_hash.clone(), &review.text_hash);
    if !is_seen {
        return Err(Error::Changed);
    }
    let after = Tool {
        risk: review.risk.or(tool.risk),
        // An effect class was set for a shape, and does not outlive it.
        effect: review.effect.or_else(|| tool.effect.filter(|_| is_same_shape(&tool))),
        note: review.note.clone(),
        ..tool.clone()
    };
    let called = format!("{slug}.{name}");
    let before = match &tool.reviewed {
        Some(old) => {
            let reviewed = Tool { offer: old.offer.clone(), ..tool.clone() };
            Some(accepted(&reviewed, (&old.shape_hash, &old.text_hash), old.destination.as_deref()))
        }
        None => first_compared(conn, (recorder, org), &called, &after).await?,
    };
    let draft = Draft {
        kind: Kind::ToolReviewed,
        subject: connector.to_string(),
        name: called,
        before,
        after: Some(accepted(&after, (&tool.shape_hash, &tool.text_hash), Some(&tool.destination))),
    };
    let mut recorded = recorder.record(conn, &by.because(Some(&review.note)), draft).await?;
    if !store::review(&mut recorded, InOrg { org, id: connector }, &tool, review, now).await? {
        return Err(Error::Changed);
    }
    let tool = store::tool(conn, org, connector, name).await?.ok_or(Error::NotFound("tool"))?;
    debug_assert_eq!(tool.drift(), Drift::None);
    Ok(tool)
}

/// What the first review of a tool is compared with: the last review of a connector that had the same name, or what the
/// tool says of itself if the review puts it lower.
async fn first_compared(
    conn: &mut PgConnection,
    (recorder, org): (&Recorder, OrgId),
    called: &str,
    after: &Tool,
) -> Result<Option<Value>, Error> {
    let claimed = super::tool::claimed_risk(&after.offer);
    let Some(mut earlier) = recorder.last_review(conn, org, called).await? else {
        return Ok((effective_risk(after) < claimed).then(|| json!({ "risk": claimed })));
    };
    // The earlier review may have been of another server, which claimed less.
    let reviewed = earlier.get("risk").and_then(|risk| serde_json::from_value(risk.clone()).ok());
    earlier["risk"] = json!(reviewed.map_or(claimed, |reviewed: Risk| reviewed.max(claimed)));
    Ok(Some(earlier))
}

/// The risk that decides: what a person said, otherwise what the tool claims.
fn effective_risk(tool: &Tool) -> Risk {
    tool.risk.unwrap_or_else(|| super::tool::claimed_risk(&tool.offer))
}

fn is_same_shape(tool: &Tool) -> bool {
    tool.reviewed.as_ref().is_some_and(|reviewed| reviewed.shape_hash == tool.shape_hash)
}

/// What a review accepts of a tool. The destination is named by its digest: it may hold what looks like a credential.
fn accepted(tool: &Tool, (shape_hash, text_hash): (&str, &str), destination: Option<&str>) -> Value {
    json!({
        "risk": effective_risk(tool),
        "effect": tool.effect,
        "note": tool.note,
        "shape": shape_hash,
        "text": text_hash,
        "destination": destination.map(|destination| Digest::of_bytes(destination.as_bytes())),
    })
}

/// Records that a server could not be asked. Its tools stay as they were last seen.
pub async fn failed(
    conn: &mut PgConnection,
    InOrg { org, id: connector }: InOrg<ConnectorId>,
    why: &str,
    now: Timestamp,
) -> Result<(), db::Error> {
    store::harvested(conn, InOrg { org, id: connector }, Err(why), now).await
}
