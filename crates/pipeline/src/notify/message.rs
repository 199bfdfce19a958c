//! What people are told, in words: pure, from facts to a Slack message or a mail.
//!
//! INVARIANT: what a stranger wrote takes no effect. In Slack it stands in `text` elements of a `rich_text` block, which know
//! no markup, and what cannot be seen is written as an escape.
//! INVARIANT: where not everything can be shown there are no buttons: nobody approves what they did not see.

use jiff::Timestamp;
use model::{
    Digest, InvocationId, Status,
    visible::{inline, visible_json},
};
use policy::GrantRequest;
use serde_json::{Map, Value, json};
use url::Url;

use crate::Invocation;

/// What the buttons are called in what Slack sends.
pub(crate) const APPROVE: &str = "countersign_approve";
pub(crate) const DENY: &str = "countersign_deny";

/// More parameters than this are read in the inbox. Slack takes three thousand characters in one text.
const MOST_PARAMS: usize = 2_800;
/// The longest text of one line.
const MOST_LINE: usize = 300;
/// So many of the same in a row push out of sight what follows them.
const LONGEST_RUN: usize = 40;
/// No script stacks more marks on one letter.
const MOST_MARKS: usize = 2;
/// The state of what still waits.
pub(crate) const ASKED: &str = "asked";

/// What is to be told of one thing that waits, or waited.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Sheet {
    /// In our words.
    title: &'static str,
    /// An address of an action, which is made of letters, digits and few signs.
    action: String,
    /// Named in our words; said by anybody.
    lines: Vec<(&'static str, String)>,
    params: Option<String>,
    /// Whether everything is there.
    whole: bool,
    /// `asked`, or how it ended.
    pub(crate) state: &'static str,
    expires_at: Option<Timestamp>,
    /// What a button answers: an invocation, as it is shown here.
    answers: Option<(InvocationId, Digest)>,
}

impl Sheet {
    /// Of an invocation that needs so many votes.
    pub(crate) fn of_invocation(invocation: &Invocation, votes_needed: u32, now: Timestamp) -> Self {
        let over = invocation.expires_at.is_some_and(|at| at <= now);
        let mut sheet = Self {
            title: "An agent asks for a yes",
            action: invocation.address.to_string(),
            lines: Vec::new(),
            params: None,
            whole: true,
            state: state(invocation.status, over),
            expires_at: invocation.expires_at,
            answers: Some((invocation.id, invocation.shown_digest)),
        };
        sheet.line("Agent", &invocation.agent);
        sheet.line("Action", &invocation.address.to_string());
        sheet.line("Risk", invocation.risk.as_str());
        let raised = invocation.decision.guardrails.last().map(|change| change.reason.as_str());
        sheet.line("Why", raised.unwrap_or(&invocation.decision.reason));
        if votes_needed > 1 {
            sheet.line("Needs", &format!("{votes_needed} people"));
        }
        if invocation.dry_run {
            sheet.line("Dry run", "nothing is to happen");
        }
        sheet.line("Id", &invocation.id.to_string());
        sheet.params(&invocation.params);
        sheet
    }

    /// Of an agent's request for a grant. It is answered in the inbox, where its bounds can be chosen.
    pub(crate) fn of_grant(request: &GrantRequest, agent: &str, now: Timestamp) -> Self {
        let mut sheet = Self {
            title: "An agent asks for a grant",
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
        sheet.line("Agent", agent);
        sheet.line("Action", &request.key());
        sheet.line("Calls", &request.max_calls.to_string());
        sheet.line("Lifetime", &format!("{} s", request.lifetime.as_secs()));
        sheet.line("Reason", &request.reason);
        sheet.line("Id", &request.id.to_string());
        sheet
    }

    /// To see whether a notifier works.
    pub(crate) fn test() -> Self {
        Self {
            title: "This is a test: news of what waits for you will come here",
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
        let said = self.cut(&inline(said), MOST_LINE);
        self.lines.push((name, said));
    }

    fn params(&mut self, params: &Value) {
        let text = serde_json::to_string_pretty(params).unwrap_or_default();
        let text = self.cut(&visible_json(&text), MOST_PARAMS);
        self.params = Some(text);
    }

    /// The beginning of a text, with a sign where it was cut. Padding counts as not shown, too.
    fn cut(&mut self, text: &str, most: usize) -> String {
        let length = text.chars().count();
        self.whole &= length <= most && !is_padded(text);
        if length <= most {
            return text.to_owned();
        }
        let head: String = text.chars().take(most).collect();
        format!("{head} ⟨{} characters are left out here⟩", length - most)
    }

    /// Whether it can be answered where it is told.
    fn has_buttons(&self) -> bool {
        self.state == ASKED && self.whole && self.answers.is_some()
    }

    fn pointer(&self, inbox: Option<&Url>) -> String {
        let place = inbox.map(|url| format!(" or {url}")).unwrap_or_default();
        let why = if self.whole { "" } else { "This is not all of it, so it cannot be answered here. " };
        format!("{why}Answer with `countersign inbox`{place}")
    }

    fn standing(&self) -> String {
        match (self.state, self.expires_at) {
            (ASKED, Some(at)) => format!("Waits until {}", seconds(at)),
            (ASKED, None) => "Waits".to_owned(),
            (state, _) => format!("No longer waits: {state}"),
        }
    }

    /// The content of a Slack message; `channel` and `ts` come from whoever sends it.
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
        let mut after = if self.state == "test" { String::new() } else { self.standing() };
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
        // What a phone shows; Slack reads markup in it.
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

    /// The subject and the text of a mail.
    pub(crate) fn to_mail(&self, inbox: Option<&Url>) -> (String, String) {
        let mut body = format!("{}\n\n", self.title);
        for (name, value) in &self.lines {
            body.push_str(&format!("{name}: {value}\n"));
        }
        if let Some(params) = &self.params {
            body.push_str(&format!("\nParameters:\n{params}\n"));
        }
        if self.state != "test" {
            body.push_str(&format!("\n{}\n{}\n", self.standing(), self.pointer(inbox)));
        }
        (format!("{}: {}", self.title, inline(&self.action)), body)
    }
}

/// What a button carries.
pub(crate) fn value_of(invocation: InvocationId, shown: Digest) -> String {
    format!("{invocation} {shown}")
}

/// What a button carried.
pub(crate) fn parse_value(value: &str) -> Option<(InvocationId, Digest)> {
    let (invocation, shown) = value.split_once(' ')?;
    Some((invocation.parse().ok()?, Digest::parse(shown)?))
}

/// A text in which Slack finds no markup of its own.
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

/// Whether a text has a run so long, or marks piled so high, that what is beside it is not seen.
fn is_padded(text: &str) -> bool {
    let (mut run, mut marks, mut previous) = (0, 0, None);
    for c in text.chars() {
        let like = previous.is_some_and(|p: char| p == c || (p.is_whitespace() && c.is_whitespace()));
        run = if like { run + 1 } else { 1 };
        marks = if is_mark(c) { marks + 1 } else { 0 };
        if run > LONGEST_RUN || marks > MOST_MARKS {
            return true;
        }
        previous = Some(c);
    }
    false
}

/// Whether it is drawn over the character before it.
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

    fn sheet(agent: &str, params: &Value) -> Sheet {
        let mut sheet = Sheet { state: ASKED, action: "linear.create_issue".to_owned(), ..Sheet::test() };
        let shown = Digest::parse(&format!("sha256:{}", "a".repeat(64))).unwrap();
        let invocation = format!("inv_{}", "0".repeat(32)).parse().unwrap();
        sheet.answers = Some((invocation, shown));
        sheet.line("Agent", agent);
        sheet.params(params);
        sheet
    }

    impl Sheet {
        fn message(&self, inbox: Option<&Url>) -> Value {
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
            let message = sheet(evil, &json!({"title": evil, evil: 1})).message(None);
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
        let has_buttons = |sheet: &Sheet| sheet.message(None).to_string().contains(APPROVE);
        assert!(has_buttons(&sheet("a", &json!({"title": "fits"}))));
        for (agent, title) in [
            ("a", "x y".repeat(1_000)),
            ("a", format!("harmless{}rm -rf", " ".repeat(41))),
            ("a", format!("z{}", "\u{301}".repeat(3))),
            (&*"ab".repeat(200), String::new()),
        ] {
            let sheet = sheet(agent, &json!({"title": title}));
            let message = sheet.message(Some(&"https://gateway.test/".parse().unwrap())).to_string();
            assert!(!message.contains(APPROVE) && message.contains("countersign inbox"), "{message}");
            assert!(message.contains("https://gateway.test/"));
        }
        let long = sheet("a", &json!({"title": "x y".repeat(1_000)})).message(None).to_string();
        assert!(long.contains("characters are left out here"), "{long}");
    }

    #[test]
    fn what_is_over_has_no_buttons() {
        let over = Sheet { state: "denied", ..sheet("a", &json!({})) };
        assert!(!over.message(None).to_string().contains(APPROVE));
    }

    #[test]
    fn a_mail_has_one_line_for_its_subject_and_no_way_to_answer_by_a_link() {
        let mut sheet = sheet("a\r\nBcc: everybody@example.test", &json!({"title": "x\r\n.\r\nQUIT"}));
        sheet.action = "a.b\r\nBcc: x@example.test".to_owned();
        let (subject, body) = sheet.to_mail(None);
        assert!(!subject.contains(['\r', '\n']), "{subject:?}");
        assert!(!body.contains('\r') && !body.contains("\nBcc") && !body.contains("http"), "{body:?}");
    }

    #[test]
    fn a_button_carries_what_it_answers_and_nothing_else_is_read_from_it() {
        let (id, shown) = sheet("a", &json!({})).answers.unwrap();
        assert_eq!(parse_value(&value_of(id, shown)), Some((id, shown)));
        for wrong in
            ["", "inv_ sha256:", &format!("{id}"), &format!("{id}  {shown}"), &format!("{id} {shown} ")]
        {
            assert_eq!(parse_value(wrong), None, "{wrong}");
        }
    }
}
