//! Messages: pure functions from facts to a Slack message or a mail.
//!
//! INVARIANT: text of a stranger has no effect. In Slack it is in `text` elements of a `rich_text` block, which have no
//! markup, and invisible characters are escaped.
//! INVARIANT: where not everything can be shown there are no buttons: nobody approves what they did not see.

use jiff::Timestamp;
use model::{
    Change, Digest, InvocationId, Preview, ShownAnswers, ShownDocument, ShownEdit, ShownFlow, ShownRead,
    Status,
    visible::{inline, visible_json},
};
use pipeline::Invocation;
use policy::GrantRequest;
use serde_json::{Map, Value, json};
use url::Url;

/// The ids of the buttons.
pub(crate) const APPROVE: &str = "countersign_approve";
pub(crate) const DENY: &str = "countersign_deny";

/// The most characters of parameters; the inbox shows the rest. Slack takes three thousand characters in one text.
const MAX_PARAMS_CHARS: usize = 2_800;
/// The most characters of one line.
const MAX_LINE_CHARS: usize = 300;
/// More repetitions of one character could push what follows out of sight.
const MAX_RUN: usize = 40;
/// No script puts more combining marks on one letter.
const MAX_MARKS: usize = 2;
/// The state of something that still waits.
pub(crate) const ASKED: &str = "asked";

/// A mail.
pub(crate) struct MailText {
    pub(crate) subject: String,
    pub(crate) body: String,
}

/// The content of a message about something that waits, or waited.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Message {
    /// Our own text.
    title: &'static str,
    /// The address of an action.
    action: String,
    /// Labels are our own text; values may be written by anyone.
    lines: Vec<(&'static str, String)>,
    params: Option<String>,
    /// Whether everything is shown.
    whole: bool,
    /// `asked`, or how it ended.
    pub(crate) state: &'static str,
    expires_at: Option<Timestamp>,
    /// What a button answers: an invocation and the digest of what is shown.
    answers: Option<(InvocationId, Digest)>,
}

impl Message {
    /// The message about an invocation that waits for so many votes: the whole of what is shown.
    pub(crate) fn of_document(
        invocation: &Invocation,
        shown: &ShownDocument,
        votes_needed: u32,
        now: Timestamp,
    ) -> Self {
        let mut message = Self::about(invocation, now);
        message.answers = shown.digest().ok().map(|digest| (shown.invocation, digest));
        message.line("Agent", &shown.proposer.agent);
        message.line("Opened by", &shown.proposer.opened_by);
        message.maybe("Started by", shown.proposer.started_by.as_deref());
        message.maybe("Automation", shown.proposer.automation.as_deref());
        message.line("Action", &shown.action);
        message.maybe("About", Some(shown.description.trim()));
        message.line("Risk", shown.risk.as_str());
        message.maybe("Reason", Some(&shown.reason));
        for to in &shown.destinations {
            message.line("Goes to", &to.words());
        }
        message.line("Why", &shown.why.join("; "));
        message.maybe("Only once", shown.only_once.as_deref());
        if !shown.changed.is_empty() {
            message.line("Asked again", &format!("changed: {}", shown.changed.join(", ")));
        }
        for edit in &shown.edits {
            message.edit(edit);
        }
        message.maybe("Changed definition", shown.diff.as_deref());
        if votes_needed > 1 {
            message.line("Needs", &format!("{votes_needed} people"));
        }
        message.preview(shown.preview.as_ref());
        message.line("Undo", shown.undo.as_deref().unwrap_or("not possible from here"));
        message.flow(shown.flow.as_ref());
        message.reads(&shown.read_before);
        message.earlier(&shown.earlier);
        message.line("Id", &shown.invocation.to_string());
        message.params(&shown.params);
        for place in &shown.hidden {
            message.line("Hidden", &format!("{}: {}", place.pointer, place.words()));
        }
        message.whole &= shown.hidden.is_empty();
        message
    }

    /// The message about an invocation that does not wait any more.
    pub(crate) fn of_invocation(invocation: &Invocation, now: Timestamp) -> Self {
        let mut message = Self::about(invocation, now);
        message.line("Agent", &invocation.agent);
        message.line("Action", &invocation.address.to_string());
        message.line("Risk", invocation.risk.as_str());
        message.line("Id", &invocation.id.to_string());
        message.params(&invocation.params);
        message
    }

    fn about(invocation: &Invocation, now: Timestamp) -> Self {
        let over = invocation.expires_at.is_some_and(|at| at <= now);
        Self {
            title: "An agent requests an approval",
            action: invocation.address.to_string(),
            lines: Vec::new(),
            params: None,
            whole: true,
            state: state(invocation.status, over),
            expires_at: invocation.expires_at,
            answers: None,
        }
    }

    /// A line, unless there is nothing to say.
    fn maybe(&mut self, name: &'static str, said: Option<&str>) {
        if let Some(said) = said.filter(|said| !said.is_empty()) {
            self.line(name, said);
        }
    }

    fn preview(&mut self, preview: Option<&Preview>) {
        let Some(preview) = preview else { return };
        self.line("Preview", &preview.summary);
        for change in &preview.changes {
            self.change(change);
        }
        for basis in &preview.basis {
            self.line("Counts only while", &format!("{} is {}", basis.name, basis.value));
        }
    }

    fn edit(&mut self, edit: &ShownEdit) {
        let note = if edit.note.is_empty() { String::new() } else { format!(": {}", edit.note) };
        self.line("Edited by", &format!("{} at {}{note}", edit.by, edit.at));
        for change in &edit.changes {
            self.change(change);
        }
    }

    fn change(&mut self, change: &Change) {
        self.line("Change", &format!("{}: {} → {}", change.field, change.before, change.after));
    }

    fn reads(&mut self, reads: &[ShownRead]) {
        if reads.is_empty() {
            return;
        }
        self.line("Read before", &reads.iter().map(ShownRead::words).collect::<Vec<_>>().join("; "));
    }

    fn flow(&mut self, flow: Option<&ShownFlow>) {
        let Some(flow) = flow else { return };
        let from = if flow.private.is_empty() {
            String::new()
        } else {
            {
                let first: Vec<&str> = flow.private.iter().take(5).map(String::as_str).collect();
                let more = if flow.private.len() > first.len() { " and others" } else { "" };
                format!("; it holds private data from {}{more}", first.join(", "))
            }
        };
        self.line("Destination", &format!("{}{from}", flow.words()));
        for passage in &flow.passages {
            self.line("Read before", &passage.words());
        }
    }

    fn earlier(&mut self, earlier: &ShownAnswers) {
        let Some(last) = &earlier.last else { return };
        let note = if last.note.is_empty() { String::new() } else { format!(": {}", last.note) };
        let (approved, denied) = (earlier.approved, earlier.denied);
        let last = format!("last {} by {} at {}{note}", last.verdict, last.name, last.at);
        self.line("Earlier answers", &format!("{approved} approved, {denied} denied; {last}"));
    }

    /// What it shows: the state, and for a question its digest, because a question can be asked again.
    pub(crate) fn version(&self) -> String {
        match self.answers.filter(|_| self.state == ASKED) {
            Some((_, digest)) => format!("{ASKED} {digest}"),
            None => self.state.to_owned(),
        }
    }

    /// The message about an agent's request for a grant. It is answered in the inbox, where its limits can be chosen.
    pub(crate) fn of_grant(request: &GrantRequest, agent: &str, now: Timestamp) -> Self {
        let mut message = Self {
            title: "An agent requests a grant",
            action: request.key(),
            lines: Vec::new(),
            params: None,
            whole: true,
            state: match request.state(now) {
                "pending" => ASKED,
                "granted" => "granted",
                "denied" => "denied",
                _ => "expired",
            },
            expires_at: Some(request.expires_at),
            answers: None,
        };
        message.line("Agent", agent);
        message.line("Action", &request.key());
        message.line("Calls", &request.max_calls.to_string());
        message.line("Lifetime", &format!("{} s", request.lifetime.as_secs()));
        message.line("Reason", &request.reason);
        message.line("Id", &request.id.to_string());
        message
    }

    /// A test message.
    pub(crate) fn test() -> Self {
        Self {
            title: "Test: notifications about pending items will be sent here",
            action: "notifier".to_owned(),
            lines: Vec::new(),
            params: None,
            whole: true,
            state: "test",
            expires_at: None,
            answers: None,
        }
    }

    fn line(&mut self, name: &'static str, said: &str) {
        let said = self.cut(&inline(said), MAX_LINE_CHARS);
        self.lines.push((name, said));
    }

    fn params(&mut self, params: &Value) {
        let text = serde_json::to_string_pretty(params).unwrap_or_default();
        let text = self.cut(&visible_json(&text), MAX_PARAMS_CHARS);
        self.params = Some(text);
    }

    /// The beginning of a text, with a note where it was cut. Padding counts as not shown.
    fn cut(&mut self, text: &str, most: usize) -> String {
        let length = text.chars().count();
        self.whole &= length <= most && !is_padded(text);
        if length <= most {
            return text.to_owned();
        }
        let head: String = text.chars().take(most).collect();
        format!("{head} ⟨{} characters are not shown here⟩", length - most)
    }

    /// Whether the message can be answered with buttons.
    fn has_buttons(&self) -> bool {
        self.state == ASKED && self.whole && self.answers.is_some()
    }

    fn pointer(&self, inbox: Option<&Url>) -> String {
        let place = inbox.map(|url| format!(" or {url}")).unwrap_or_default();
        let why =
            if self.whole { "" } else { "Part of the request is not shown, so it cannot be answered here. " };
        format!("{why}Answer with `countersign inbox`{place}")
    }

    fn state_line(&self) -> String {
        match (self.state, self.expires_at) {
            (ASKED, Some(at)) => format!("Pending until {}", seconds(at)),
            (ASKED, None) => "Pending".to_owned(),
            (state, _) => format!("No longer pending: {state}"),
        }
    }

    /// The content of a Slack message, without `channel` and `ts`.
    pub(crate) fn to_slack(&self, inbox: Option<&Url>) -> Map<String, Value> {
        let mut said = vec![bold(self.title)];
        for (name, value) in &self.lines {
            said.push(bold(&format!("\n{name}: ")));
            said.push(text(value));
        }
        let mut rich = vec![json!({"type": "rich_text_section", "elements": said})];
        if let Some(params) = &self.params {
            rich.push(json!({"type": "rich_text_preformatted", "elements": [text(params)]}));
        }
        let mut after = if self.state == "test" { String::new() } else { self.state_line() };
        if self.state == ASKED && !self.has_buttons() {
            after = format!("{after}\n{}", self.pointer(inbox));
        }
        if !after.is_empty() {
            rich.push(json!({"type": "rich_text_section", "elements": [text(&after)]}));
        }
        let mut blocks = vec![json!({"type": "rich_text", "elements": rich})];
        if let Some(value) =
            self.answers.filter(|_| self.has_buttons()).map(|(id, shown)| value_of(id, shown))
        {
            let buttons =
                [button("Approve", APPROVE, "primary", &value), button("Deny", DENY, "danger", &value)];
            blocks.push(json!({"type": "actions", "elements": buttons}));
        }
        // The text of a phone notification, in which Slack interprets markup.
        let summary = format!("{}: {} ({})", self.title, escaped(&self.action), self.state);
        let fields = [
            ("text", json!(summary)),
            ("blocks", json!(blocks)),
            ("parse", json!("none")),
            ("unfurl_links", json!(false)),
            ("unfurl_media", json!(false)),
        ];
        fields.into_iter().map(|(name, value)| (name.to_owned(), value)).collect()
    }

    /// The content of a mail.
    pub(crate) fn to_mail(&self, inbox: Option<&Url>) -> MailText {
        let mut body = format!("{}\n\n", self.title);
        for (name, value) in &self.lines {
            body.push_str(&format!("{name}: {value}\n"));
        }
        if let Some(params) = &self.params {
            body.push_str(&format!("\nParameters:\n{params}\n"));
        }
        if self.state != "test" {
            body.push_str(&format!("\n{}\n{}\n", self.state_line(), self.pointer(inbox)));
        }
        MailText { subject: format!("{}: {}", self.title, inline(&self.action)), body }
    }
}

/// The value of a button.
pub(crate) fn value_of(invocation: InvocationId, shown: Digest) -> String {
    format!("{invocation} {shown}")
}

/// The parsed value of a button.
pub(crate) fn parse_value(value: &str) -> Option<(InvocationId, Digest)> {
    let (invocation, shown) = value.split_once(' ')?;
    Some((invocation.parse().ok()?, Digest::parse(shown)?))
}

/// A text without markup for Slack.
pub(crate) fn escaped(text: &str) -> String {
    inline(text).replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;")
}

const fn state(status: Status, over: bool) -> &'static str {
    match status {
        Status::Pending if over => "expired",
        Status::Pending => ASKED,
        other => other.as_str(),
    }
}

/// Whether a text has so many repetitions or combining marks that what is beside it could be hidden.
fn is_padded(text: &str) -> bool {
    let (mut run, mut marks, mut previous) = (0, 0, None);
    for c in text.chars() {
        let like = previous.is_some_and(|p: char| p == c || (p.is_whitespace() && c.is_whitespace()));
        run = if like { run + 1 } else { 1 };
        marks = if is_mark(c) { marks + 1 } else { 0 };
        if run > MAX_RUN || marks > MAX_MARKS {
            return true;
        }
        previous = Some(c);
    }
    false
}

/// Whether this is a combining mark.
const fn is_mark(c: char) -> bool {
    matches!(c, '\u{300}'..='\u{36f}' | '\u{483}'..='\u{489}' | '\u{1ab0}'..='\u{1aff}' | '\u{1dc0}'..='\u{1dff}'
        | '\u{20d0}'..='\u{20ff}' | '\u{fe20}'..='\u{fe2f}')
}

fn seconds(at: Timestamp) -> String {
    at.strftime("%Y-%m-%d %H:%M:%S UTC").to_string()
}

fn text(said: &str) -> Value {
    json!({"type": "text", "text": said})
}

fn bold(said: &str) -> Value {
    json!({"type": "text", "text": said, "style": {"bold": true}})
}

fn button(label: &str, action: &str, style: &str, value: &str) -> Value {
    json!({
        "type": "button", "action_id": action, "style": style, "value": value,
        "text": {"type": "plain_text", "text": label, "emoji": false},
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn message(agent: &str, params: &Value) -> Message {
        let mut message =
            Message { state: ASKED, action: "linear.create_issue".to_owned(), ..Message::test() };
        let shown = Digest::parse(&format!("sha256:{}", "a".repeat(64))).unwrap();
        let invocation = format!("inv_{}", "0".repeat(32)).parse().unwrap();
        message.answers = Some((invocation, shown));
        message.line("Agent", agent);
        message.params(params);
        message
    }

    impl Message {
        fn slack(&self, inbox: Option<&Url>) -> Value {
            Value::Object(self.to_slack(inbox))
        }
    }

    /// Every text of a message with the type of the object it stands in.
    fn texts(value: &Value, found: &mut Vec<(String, String)>) {
        match value {
            Value::Object(fields) => {
                if let Some(text) = fields.get("text").and_then(Value::as_str) {
                    let kind = fields.get("type").and_then(Value::as_str).unwrap_or("message");
                    found.push((kind.to_owned(), text.to_owned()));
                }
                fields.values().for_each(|field| texts(field, found));
            }
            Value::Array(items) => items.iter().for_each(|item| texts(item, found)),
            _ => {}
        }
    }

    #[test]
    fn nothing_a_stranger_wrote_takes_effect_in_slack() {
        for evil in [
            "<!channel> look",
            "<@U0OWNER> <#C0GENERAL>",
            "<https://evil.example|the inbox>",
            "*bold* ```fence``` :white_check_mark:",
            "ok\u{202e}yned \u{200b}\u{e0041}",
            "one\nRisk: R0",
        ] {
            let message = message(evil, &json!({"title": evil, evil: 1})).slack(None);
            let mut found = Vec::new();
            texts(&message, &mut found);
            for (kind, text) in &found {
                assert!(
                    matches!(kind.as_str(), "text" | "plain_text" | "message"),
                    "{kind}: markup is read there"
                );
                assert!(!text.chars().any(|c| c != '\n' && model::visible::is_hidden(c)), "{text:?}");
                if kind != "text" {
                    assert!(!text.contains(['<', '>', '*', '`']), "{text}");
                }
            }
            assert_eq!(
                found.iter().filter(|(_, text)| text.contains("\nRisk")).count(),
                0,
                "a line was forged"
            );
        }
    }

    #[test]
    fn what_does_not_fit_or_is_padded_has_no_buttons_but_a_pointer() {
        let has_buttons = |message: &Message| message.slack(None).to_string().contains(APPROVE);
        assert!(has_buttons(&message("a", &json!({"title": "fits"}))));
        for (agent, title) in [
            ("a", "x y".repeat(1_000)),
            ("a", format!("harmless{}rm -rf", " ".repeat(41))),
            ("a", format!("z{}", "\u{301}".repeat(3))),
            (&*"ab".repeat(200), String::new()),
        ] {
            let message = message(agent, &json!({"title": title}));
            let message = message.slack(Some(&"https://gateway.test/".parse().unwrap())).to_string();
            assert!(!message.contains(APPROVE) && message.contains("countersign inbox"), "{message}");
            assert!(message.contains("https://gateway.test/"));
        }
        let long = message("a", &json!({"title": "x y".repeat(1_000)})).slack(None).to_string();
        assert!(long.contains("characters are not shown here"), "{long}");
    }

    #[test]
    fn what_is_over_has_no_buttons() {
        let over = Message { state: "denied", ..message("a", &json!({})) };
        assert!(!over.slack(None).to_string().contains(APPROVE));
    }

    #[test]
    fn a_mail_has_one_line_for_its_subject_and_no_way_to_answer_by_a_link() {
        let mut message = message("a\r\nBcc: everybody@example.test", &json!({"title": "x\r\n.\r\nQUIT"}));
        message.action = "a.b\r\nBcc: x@example.test".to_owned();
        let MailText { subject, body } = message.to_mail(None);
        assert!(!subject.contains(['\r', '\n']), "{subject:?}");
        assert!(!body.contains('\r') && !body.contains("\nBcc") && !body.contains("http"), "{body:?}");
    }

    #[test]
    fn a_button_carries_what_it_answers_and_nothing_else_is_read_from_it() {
        let (id, shown) = message("a", &json!({})).answers.unwrap();
        assert_eq!(parse_value(&value_of(id, shown)), Some((id, shown)));
        for wrong in
            ["", "inv_ sha256:", &format!("{id}"), &format!("{id}  {shown}"), &format!("{id} {shown} ")]
        {
            assert_eq!(parse_value(wrong), None, "{wrong}");
        }
    }
}
