//! The details of one inbox item in rows, for the screen, a terminal and a pipe.
//!
//! What matters for the decision comes first: action, agent and parameters. Ids come last.

use api::{
    ApprovalItem, GrantRequestView, InboxItem, InvocationView, QuarantinedItem, RevealedValue, UnknownItem,
    VoteView,
};
use jiff::Timestamp;
use model::{
    Change, Decision, Preview, Risk, ShownAnswers, ShownDocument, ShownEdit, ShownFlow, ShownHidden,
    ShownProposer, ShownRead,
};
use serde_json::Value;

use super::{left, safe_text::SafeText, span};
use crate::table;

/// The longest text of an item: on the screen, and in plain output, which can be searched.
pub(crate) const ON_SCREEN: usize = 4_000;
pub(crate) const IN_FULL: usize = 200_000;

/// Parameters that are shown; the number of further ones is stated.
const MOST_ROWS: usize = 400;
/// Longer names are cut.
const LONGEST_NAME: usize = 80;
/// Fewer repeated characters are a ruled line or an indentation.
const WORTH_A_WARNING: usize = 400;

/// The emphasis of a row.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Tone {
    Plain,
    Title,
    Warning,
    /// The value before the change.
    Minus,
    /// The value after the change.
    Plus,
    Faint,
}

#[derive(Debug, Clone)]
pub(crate) struct Row {
    pub(crate) name: SafeText,
    pub(crate) value: SafeText,
    pub(crate) tone: Tone,
}

#[derive(Debug, Clone)]
pub(crate) struct Section {
    pub(crate) title: &'static str,
    pub(crate) rows: Vec<Row>,
}

impl Section {
    /// Whether it says what would be executed. The other sections are background.
    pub(crate) fn is_essential(&self) -> bool {
        matches!(self.title, "" | HIDDEN | PRESS | REVEALED | PARAMETERS | EDITED | PREVIEW)
    }
}

pub(crate) const HIDDEN: &str =
    "HIDDEN VALUES: SEE THEM WITH `countersign inbox reveal ID` BEFORE YOU APPROVE";
/// The same on the screen, before and after they were revealed.
pub(crate) const PRESS: &str = "HIDDEN VALUES: PRESS v TO SEE THEM BEFORE YOU APPROVE";
pub(crate) const REVEALED: &str = "HIDDEN VALUES, REVEALED TO YOU";
pub(crate) const PARAMETERS: &str = "PARAMETERS";
pub(crate) const EDITED: &str = "EDITED";
pub(crate) const PREVIEW: &str = "PREVIEW";

#[derive(Debug, Clone)]
pub(crate) struct Details {
    pub(crate) sections: Vec<Section>,
}

impl Details {
    /// The details of an item, with texts up to `cap` characters.
    pub(crate) fn of(item: &InboxItem, now: Timestamp, cap: usize) -> Self {
        let builder = Builder { now, cap };
        let mut sections = match item {
            InboxItem::Approval(item) => builder.approval(item),
            InboxItem::Unknown(item) => builder.unknown(item),
            InboxItem::GrantRequest(item) => builder.grant_request(item),
            InboxItem::Quarantined(item) => builder.quarantined(item),
        };
        sections.retain(|section| !section.rows.is_empty());
        let shown = || {
            let rows = sections.iter().flat_map(|section| &section.rows);
            rows.flat_map(|row| [&row.name, &row.value])
        };
        let hidden: usize = shown().map(|shown| shown.hidden).sum();
        let padding: usize = shown().map(|shown| shown.padding).sum();
        let left_out: usize = shown().map(|shown| shown.left_out).sum();
        let warnings = warnings(hidden, padding, left_out);
        if let Some(head) = sections.first_mut() {
            head.rows.extend(warnings);
        }
        Self { sections }
    }

    /// The same for the screen: hidden values are revealed with a key, and shown once they were.
    pub(crate) fn with_revealed(mut self, revealed: Option<&[RevealedValue]>) -> Self {
        let Some(section) = self.sections.iter_mut().find(|section| section.title == HIDDEN) else {
            return self;
        };
        section.title = PRESS;
        if let Some(values) = revealed {
            section.title = REVEALED;
            section.rows = values
                .iter()
                .map(|found| Row {
                    name: SafeText::line(&found.pointer, LONGEST_NAME),
                    value: SafeText::block(&literal(&found.value), IN_FULL),
                    tone: Tone::Warning,
                })
                .collect();
        }
        self
    }

    /// A heading and a table per section.
    pub(crate) fn text(&self, on_terminal: bool) -> String {
        let sections = self.sections.iter().map(|section| {
            let names: Vec<String> = section.rows.iter().map(|row| row.name.text()).collect();
            let values = section.rows.iter().map(|row| Some(row.value.text()));
            let pairs = names.iter().map(String::as_str).zip(values).collect();
            let table = table::pairs(pairs, on_terminal);
            if section.title.is_empty() { table } else { format!("{}\n{table}", section.title) }
        });
        sections.collect::<Vec<_>>().join("\n\n")
    }
}

fn warnings(hidden: usize, padding: usize, left_out: usize) -> Vec<Row> {
    let mut rows = Vec::new();
    if hidden > 0 {
        rows.push(format!("{hidden} invisible characters are shown as \\u{{…}}"));
    }
    if padding >= WORTH_A_WARNING {
        rows.push(format!("{padding} repeated characters are shown as a count, as ⟨… blanks⟩"));
    }
    if left_out > 0 {
        rows.push(format!("{left_out} characters are not shown; use `countersign inbox show ID --json`"));
    }
    rows.into_iter().map(|text| row("warning", text).tone(Tone::Warning)).collect()
}

fn row(name: &str, value: impl Into<String>) -> Row {
    Row { name: SafeText::own(name), value: SafeText::own(value), tone: Tone::Plain }
}

impl Row {
    fn tone(self, tone: Tone) -> Self {
        Self { tone, ..self }
    }
}

const fn risk(risk: Risk) -> &'static str {
    match risk {
        Risk::R0 => "no access to other systems",
        Risk::R1 => "reads",
        Risk::R2 => "writes; verifiable and reversible, or small",
        Risk::R3 => "hard to undo",
        Risk::R4 => "destructive",
    }
}

/// Builds the details of one item.
struct Builder {
    now: Timestamp,
    cap: usize,
}

impl Builder {
    /// A row with an untrusted value.
    fn untrusted(&self, name: &str, value: &str) -> Row {
        Row { name: SafeText::own(name), value: SafeText::block(value, self.cap), tone: Tone::Plain }
    }

    fn until(&self, until: Timestamp) -> String {
        match left(until, self.now) {
            left if left == "expired" => format!("expired at {}", table::moment(until)),
            left => format!("{left} left, until {}", table::moment(until)),
        }
    }

    /// An approval as it is listed: what an answer is about is shown when the item is opened.
    fn approval(&self, item: &ApprovalItem) -> Vec<Section> {
        let Some(shown) = &item.shown else {
            let view = &item.invocation;
            let head = self.head(&view.action, view.risk, &view.agent);
            return vec![Section { title: "", rows: head }, self.ids(view)];
        };
        let mut head = self.head(&shown.action, shown.risk, &shown.proposer.agent);
        head.extend(self.proposer(&shown.proposer));
        if !shown.reason.is_empty() {
            head.push(self.untrusted("reason", &shown.reason));
        }
        head.extend(shown.destinations.iter().map(|to| self.untrusted("goes to", &to.words())));
        head.push(self.undo(shown.undo.as_deref()));
        if let Some(until) = item.invocation.expires_at {
            head.push(row("expires", self.until(until)));
        }
        head.extend(self.votes(item));
        let mut ids = self.ids(&item.invocation);
        let digest = shown_digest(item).unwrap_or_default();
        ids.rows.push(row("document", digest).tone(Tone::Faint));
        vec![
            Section { title: "", rows: head },
            Section { title: HIDDEN, rows: self.hidden(&shown.hidden) },
            Section { title: PARAMETERS, rows: self.params(&shown.params) },
            Section { title: EDITED, rows: self.edits(&shown.edits) },
            Section { title: PREVIEW, rows: self.preview(shown.preview.as_ref()) },
            Section { title: "WHY APPROVAL IS REQUIRED", rows: self.why(shown, item.passkey_needed) },
            Section { title: "WHERE THE DATA GOES", rows: self.flow(shown.flow.as_ref()) },
            Section { title: "READ BEFORE BY THIS SESSION", rows: self.read_before(&shown.read_before) },
            Section { title: "EARLIER ANSWERS", rows: self.history(&shown.earlier) },
            Section { title: "ABOUT THE ACTION", rows: vec![self.untrusted("", shown.description.trim())] },
            Section { title: "DECISION", rows: self.decision(&item.invocation.decision) },
            ids,
        ]
    }

    fn hidden(&self, places: &[ShownHidden]) -> Vec<Row> {
        let row = |place: &ShownHidden| {
            let name = SafeText::line(&place.pointer, LONGEST_NAME);
            Row { name, value: SafeText::line(&place.words(), LONGEST_NAME), tone: Tone::Warning }
        };
        places.iter().map(row).collect()
    }

    fn proposer(&self, proposer: &ShownProposer) -> Vec<Row> {
        let mut rows = vec![self.untrusted("opened by", &proposer.opened_by)];
        rows.extend(proposer.started_by.iter().map(|name| self.untrusted("started by", name)));
        rows.extend(proposer.automation.iter().map(|automation| self.untrusted("automation", automation)));
        rows
    }

    fn why(&self, shown: &ShownDocument, passkey_needed: bool) -> Vec<Row> {
        let changed = shown.changed.iter().map(|part| format!("asked again, because this changed: {part}"));
        let mut why: Vec<String> = changed.chain(shown.why.iter().cloned()).collect();
        why.extend(shown.diff.iter().map(|path| format!("see what changed in the definition at {path}")));
        why.extend(shown.only_once.iter().map(|why| format!("only a single approval is possible: {why}")));
        if passkey_needed {
            why.push("the approval must be signed with your passkey: approve it in the web app".to_owned());
        }
        why.iter().map(|why| self.untrusted("·", why)).collect()
    }

    fn flow(&self, flow: Option<&ShownFlow>) -> Vec<Row> {
        let Some(flow) = flow else { return vec![] };
        let mut rows = vec![self.untrusted("·", &flow.words())];
        let mut list = |name: &'static str, from: &[String]| {
            if !from.is_empty() {
                rows.push(self.untrusted(name, &from.join(", ")));
            }
        };
        list("not public", &flow.private);
        list("by strangers", &flow.untrusted);
        let words = flow.passages.iter().map(|passage| self.untrusted("from", &passage.words()));
        rows.extend(words);
        if flow.observing {
            rows.push(row("·", "it is only recorded and not held because of this"));
        }
        rows
    }

    fn read_before(&self, reads: &[ShownRead]) -> Vec<Row> {
        reads.iter().map(|read| self.untrusted("·", &read.words())).collect()
    }

    fn unknown(&self, item: &UnknownItem) -> Vec<Section> {
        let view = &item.invocation;
        let mut head = self.head(&view.action, view.risk, &view.agent);
        let text = "unknown: the action may have happened; check the target, then record the outcome";
        head.push(row("outcome", text).tone(Tone::Warning));
        if let Some(error) = &view.error {
            let reached = if error.sent { "may have reached the target" } else { "did not reach the target" };
            let text = format!("{}: {} ({reached})", error.class.as_str(), error.message);
            head.push(self.untrusted("last error", &text));
        }
        head.push(row("attempts", view.attempts.to_string()));
        head.push(self.undo(item.undo.as_deref()));
        vec![
            Section { title: "", rows: head },
            Section { title: PARAMETERS, rows: self.params(&view.params) },
            Section { title: "DECISION", rows: self.decision(&view.decision) },
            self.ids(view),
        ]
    }

    fn quarantined(&self, item: &QuarantinedItem) -> Vec<Section> {
        let view = &item.invocation;
        let mut head = self.head(&view.action, view.risk, &view.agent);
        let text = "quarantined: nothing was sent; discard it, or release it as text";
        head.push(row("status", text).tone(Tone::Warning));
        head.extend(
            item.only_discard.iter().map(|why| self.untrusted("release", &format!("not possible: {why}"))),
        );
        head.push(row("held", self.until(item.held_until)));
        if !view.reason.is_empty() {
            head.push(self.untrusted("reason", &view.reason));
        }
        vec![
            Section { title: "", rows: head },
            Section { title: "WHY", rows: item.why.iter().map(|why| self.untrusted("·", why)).collect() },
            Section { title: PARAMETERS, rows: self.params(&view.params) },
            Section { title: "DECISION", rows: self.decision(&view.decision) },
            self.ids(view),
        ]
    }

    fn grant_request(&self, item: &GrantRequestView) -> Vec<Section> {
        let lifetime = span(i64::try_from(item.lifetime_s).unwrap_or(i64::MAX));
        let head = vec![
            self.untrusted("grant", &item.action).tone(Tone::Title),
            row(
                "bounds",
                format!("{} calls within {lifetime}, in this session, without approval", item.max_calls),
            ),
            self.untrusted("agent", &item.agent),
            self.untrusted("reason", &item.reason),
            row("expires", self.until(item.expires_at)),
            row("status", item.status.clone()),
        ];
        let ids = vec![
            row("request", item.id.to_string()).tone(Tone::Faint),
            row("session", item.session.to_string()).tone(Tone::Faint),
            row("requested", table::moment(item.requested_at)).tone(Tone::Faint),
        ];
        vec![Section { title: "", rows: head }, Section { title: "IDS", rows: ids }]
    }

    fn head(&self, action: &str, tier: Risk, agent: &str) -> Vec<Row> {
        vec![
            self.untrusted("action", action).tone(Tone::Title),
            row("risk", format!("{}, {}", tier.as_str(), risk(tier))).tone(match tier {
                Risk::R3 | Risk::R4 => Tone::Warning,
                _ => Tone::Plain,
            }),
            self.untrusted("agent", agent),
        ]
    }

    fn undo(&self, undo: Option<&str>) -> Row {
        match undo {
            Some(undo) => self.untrusted("undo", undo),
            None => row("undo", "not available").tone(Tone::Warning),
        }
    }

    fn votes(&self, item: &ApprovalItem) -> Vec<Row> {
        let yes = item.votes.iter().filter(|vote| vote.verdict == "approved").count();
        let mut rows = Vec::new();
        if item.votes_needed > 1 || !item.votes.is_empty() {
            rows.push(row("votes", format!("{yes} of {} required", item.votes_needed)).tone(Tone::Warning));
        }
        rows.extend(item.votes.iter().map(|vote| self.untrusted("", &self.vote(vote))));
        rows
    }

    fn vote(&self, vote: &VoteView) -> String {
        let ago = span(self.now.as_second().saturating_sub(vote.at.as_second()));
        let note = if vote.note.is_empty() { String::new() } else { format!(": {}", vote.note) };
        format!("{} {} ({}, via {}) {ago} ago{note}", vote.name, vote.verdict, vote.extent, vote.channel)
    }

    fn history(&self, earlier: &ShownAnswers) -> Vec<Row> {
        let Some(last) = &earlier.last else {
            return vec![row("", "none for this action")];
        };
        let count = format!("{} approved, {} denied", earlier.approved, earlier.denied);
        let note = if last.note.is_empty() { String::new() } else { format!(": {}", last.note) };
        let at = last.at.parse().map_or_else(|_| last.at.clone(), table::moment);
        vec![
            row("count", count),
            self.untrusted("last", &format!("{} {} {at}{note}", last.name, last.verdict)),
        ]
    }

    fn edits(&self, edits: &[ShownEdit]) -> Vec<Row> {
        let mut rows = Vec::new();
        for edit in edits {
            let note = if edit.note.is_empty() { String::new() } else { format!(": {}", edit.note) };
            let at = edit.at.parse().map_or_else(|_| edit.at.clone(), table::moment);
            rows.push(self.untrusted("by", &format!("{} {at}{note}", edit.by)));
            rows.extend(edit.changes.iter().flat_map(|change| self.change(change)));
        }
        limit(rows)
    }

    /// A field before and after a change.
    fn change(&self, change: &Change) -> Vec<Row> {
        let name = SafeText::line(&change.field, LONGEST_NAME);
        let both = [(&change.before, "- ", Tone::Minus), (&change.after, "+ ", Tone::Plus)];
        let both = both.into_iter().filter(|(value, ..)| !value.is_null());
        let row = |(index, (value, sign, tone)): (usize, (&Value, &str, Tone))| Row {
            name: if index == 0 { name.clone() } else { SafeText::default() },
            value: SafeText::block(&format!("{sign}{}", literal(value)), self.cap),
            tone,
        };
        both.enumerate().map(row).collect()
    }

    fn preview(&self, preview: Option<&Preview>) -> Vec<Row> {
        let Some(preview) = preview else { return Vec::new() };
        let mut rows = vec![self.untrusted("", &preview.summary)];
        rows.extend(preview.changes.iter().flat_map(|change| self.change(change)));
        if !preview.basis.is_empty() {
            rows.push(row("", "an approval counts only while the target stays like this:").tone(Tone::Faint));
        }
        for basis in &preview.basis {
            let name = SafeText::line(&basis.name, LONGEST_NAME);
            rows.push(Row {
                name,
                value: SafeText::block(&literal(&basis.value), self.cap),
                tone: Tone::Plain,
            });
        }
        limit(rows)
    }

    fn params(&self, params: &Value) -> Vec<Row> {
        let mut rows = Vec::new();
        self.value(String::new(), params, &mut rows);
        if matches!(params, Value::Object(params) if params.is_empty()) {
            return vec![row("", "none")];
        }
        limit(rows)
    }

    /// One row per value, however deep: `labels[0]`, `target.team`.
    fn value(&self, path: String, value: &Value, rows: &mut Vec<Row>) {
        match value {
            Value::Object(fields) if !fields.is_empty() => {
                for (name, value) in fields {
                    let name = field(name);
                    let path = if path.is_empty() { name } else { format!("{path}.{name}") };
                    self.value(path, value, rows);
                }
            }
            Value::Array(items) if !items.is_empty() => {
                for (index, value) in items.iter().enumerate() {
                    self.value(format!("{path}[{index}]"), value, rows);
                }
            }
            _ => rows.push(Row {
                name: SafeText::line(&path, LONGEST_NAME),
                value: SafeText::block(&literal(value), self.cap),
                tone: Tone::Plain,
            }),
        }
    }

    fn decision(&self, decision: &Decision) -> Vec<Row> {
        let mut rows = vec![self.untrusted(decision.mode_source.as_str(), &decision.reason)];
        for change in &decision.guardrails {
            let text = format!("{}: {}", change.words(), change.reason);
            rows.push(self.untrusted(change.guardrail.as_str(), &text));
        }
        for gate in &decision.gates {
            let said = if gate.reason.is_empty() { String::new() } else { format!(", {}", gate.reason) };
            rows.push(self.untrusted("gate", &format!("{}: {}{said}", gate.gate, gate.verdict.as_str())));
        }
        rows.push(row("result", decision.mode.as_str()));
        rows.into_iter().map(|row| row.tone(Tone::Faint)).collect()
    }

    fn ids(&self, view: &InvocationView) -> Section {
        let mut rows = vec![
            row("invocation", view.id.to_string()),
            row("session", view.session.to_string()),
            row("requested", table::moment(view.requested_at)),
            self.untrusted("subject", &view.subject_digest),
        ];
        rows.extend(view.idempotency_key.iter().map(|key| self.untrusted("key", key)));
        rows.extend(view.receipt.map(|receipt| row("receipt", receipt.to_string())));
        Section { title: "IDS", rows: rows.into_iter().map(|row| row.tone(Tone::Faint)).collect() }
    }
}

/// The digest of the document that is displayed. It is computed here, so that an answer is about what was displayed and
/// not about what the gateway says was displayed.
pub(crate) fn shown_digest(item: &ApprovalItem) -> Result<String, String> {
    let digest = item.shown.as_ref().and_then(|shown| shown.digest().ok());
    let digest = digest.ok_or("the gateway did not send what is asked; load the item again")?;
    Ok(digest.to_string())
}

/// Quotes a name that could be read as a path.
fn field(name: &str) -> String {
    let plain = !name.is_empty() && name.chars().all(|c| c.is_alphanumeric() || matches!(c, '_' | '-'));
    if plain { name.to_owned() } else { format!("\"{name}\"") }
}

/// A text is quoted, so that `"5"` and 5 differ; its line ends stay.
fn literal(value: &Value) -> String {
    match value {
        Value::String(text) => format!("\"{text}\""),
        other => other.to_string(),
    }
}

fn limit(mut rows: Vec<Row>) -> Vec<Row> {
    let more = rows.len().saturating_sub(MOST_ROWS);
    if more > 0 {
        rows.truncate(MOST_ROWS);
        let value = SafeText { left_out: more, ..SafeText::own(format!("{more} more values not shown")) };
        rows.push(Row { name: SafeText::own("…"), value, tone: Tone::Warning });
    }
    rows
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn params(value: &Value) -> Vec<(String, String)> {
        let builder = Builder { now: Timestamp::UNIX_EPOCH, cap: ON_SCREEN };
        builder.params(value).iter().map(|row| (row.name.text(), row.value.text())).collect()
    }

    #[test]
    fn parameters_are_one_row_per_value_and_no_two_look_alike() {
        let value = json!({
            "a": "5", "b": 5, "c": { "d": [true, {}], "e.f": null }, "text": "one\ntwo", "n\u{200b}": [],
        });
        let rows = params(&value);
        let rows: Vec<_> = rows.iter().map(|(name, value)| (name.as_str(), value.as_str())).collect();
        let expected = [
            ("a", "\"5\""),
            ("b", "5"),
            ("c.d[0]", "true"),
            ("c.d[1]", "{}"),
            ("c.\"e.f\"", "null"),
            ("text", "\"one⏎\ntwo\""),
            ("\"n\\u{200b}\"", "[]"),
        ];
        assert_eq!(rows, expected);
        assert_eq!(params(&json!({})), [(String::new(), "none".to_owned())]);
    }

    #[test]
    fn very_many_parameters_say_how_many_are_not_shown() {
        let rows = params(&json!((0..1_000).collect::<Vec<_>>()));
        assert_eq!(rows.len(), MOST_ROWS + 1);
        assert_eq!(rows[MOST_ROWS].1, "600 more values not shown");
    }
}
