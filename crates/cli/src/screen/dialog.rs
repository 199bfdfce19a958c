//! The dialog before an answer is sent: what will happen, and what is still missing.
//!
//! A dialog holds the item it was opened for; the list may change while it is open.

use std::time::Duration;

use api::{
    ApprovalItem, ApproveRequest, Channel, DenyRequest, Extent, GrantAnswer, GrantBounds, GrantReach,
    InboxItem, ReconcileRequest, Reconciled, RulingRequest,
};
use ratatui::crossterm::event::{KeyCode, KeyEvent, KeyModifiers};

use crate::{
    inbox::{details::shown_digest, reply::Reply, safe_text::SafeText, span},
    input,
};

/// How long an approval waits for its result. The screen stays usable meanwhile.
const PATIENCE: Duration = Duration::from_secs(10);
const LONGEST_REASON: usize = 500;
const LONGEST_EVIDENCE: usize = 2_000;
const LONGEST_NAME: usize = 60;

/// The start of the warning about unread lines.
pub(crate) const NOT_SEEN: &str = "Not shown yet:";

#[derive(Debug, Clone)]
pub(crate) enum Question {
    /// Approve once, or always?
    Approve(Extent),
    /// Approve with a grant: within which bounds?
    Bounds(Bounds),
    /// Deny: why?
    Deny(String),
    /// Release as text: why?
    Release(String),
    /// Discard: why?
    Discard(String),
    Outcome,
    Evidence(Reconciled, String),
}

/// The bounds of a grant, as typed.
#[derive(Debug, Clone)]
pub(crate) struct Bounds {
    pub(crate) calls: String,
    pub(crate) time: String,
    pub(crate) whole_org: bool,
    /// The focused field.
    pub(crate) at: usize,
}

#[derive(Debug, Clone)]
pub(crate) struct Dialog {
    pub(crate) item: InboxItem,
    pub(crate) question: Question,
    /// Essential lines that were never on the screen.
    pub(crate) unseen: usize,
    /// The validation error of the input.
    pub(crate) wrong: Option<String>,
}

#[derive(Debug)]
pub(crate) enum Step {
    Stay,
    Close,
    Send(Box<Reply>),
}

impl Dialog {
    pub(crate) fn new(item: InboxItem, question: Question, unseen: usize) -> Self {
        Self { item, question, unseen, wrong: None }
    }

    pub(crate) fn bounds(item: InboxItem, unseen: usize) -> Self {
        let (calls, time) = match &item {
            InboxItem::GrantRequest(asked) => (asked.max_calls, format!("{}s", asked.lifetime_s)),
            _ => (GrantBounds::default().max_calls, "24h".to_owned()),
        };
        let bounds = Bounds { calls: calls.to_string(), time: whole(&time), whole_org: false, at: 0 };
        Self::new(item, Question::Bounds(bounds), unseen)
    }

    pub(crate) fn key(&mut self, key: KeyEvent) -> Step {
        self.wrong = None;
        if key.code == KeyCode::Esc {
            return Step::Close;
        }
        match (&mut self.question, key.code) {
            (Question::Approve(_), KeyCode::Char('y')) => self.send(),
            (Question::Approve(_) | Question::Outcome, KeyCode::Char('n' | 'q')) => Step::Close,
            (Question::Outcome, KeyCode::Char(c @ ('s' | 'f'))) => {
                let outcome = if c == 's' { Reconciled::Succeeded } else { Reconciled::Failed };
                self.question = Question::Evidence(outcome, String::new());
                Step::Stay
            }
            (Question::Approve(_) | Question::Outcome, _) => Step::Stay,
            (_, KeyCode::Enter) => self.send(),
            (Question::Bounds(bounds), _) => {
                bounds.key(key, matches!(self.item, InboxItem::GrantRequest(_)));
                Step::Stay
            }
            (Question::Deny(text) | Question::Release(text) | Question::Discard(text), _) => {
                edit(text, key, LONGEST_REASON);
                Step::Stay
            }
            (Question::Evidence(_, text), _) => {
                edit(text, key, LONGEST_EVIDENCE);
                Step::Stay
            }
        }
    }

    /// Pasted text is input, never a key command.
    pub(crate) fn paste(&mut self, pasted: &str) {
        let (text, most) = match &mut self.question {
            Question::Deny(text) | Question::Release(text) | Question::Discard(text) => {
                (text, LONGEST_REASON)
            }
            Question::Evidence(_, text) => (text, LONGEST_EVIDENCE),
            _ => return,
        };
        let room = most.saturating_sub(text.chars().count());
        text.extend(pasted.chars().map(|c| if c.is_control() { ' ' } else { c }).take(room));
    }

    fn send(&mut self) -> Step {
        match self.reply() {
            Ok(reply) => Step::Send(Box::new(reply)),
            Err(wrong) => {
                self.wrong = Some(wrong);
                Step::Stay
            }
        }
    }

    /// The reply, or what is missing.
    fn reply(&self) -> Result<Reply, String> {
        let (id, shown_digest) = match &self.item {
            InboxItem::GrantRequest(_) => return self.grant_reply(),
            InboxItem::Approval(item) => (item.invocation.id, shown_digest(item)?),
            InboxItem::Unknown(item) => (item.invocation.id, String::new()),
            InboxItem::Quarantined(item) => (item.invocation.id, String::new()),
        };
        let approve = |extent, grant| {
            let request = ApproveRequest {
                shown_digest: shown_digest.clone(),
                extent,
                grant,
                condition: None,
                note: String::new(),
                channel: Channel::Cli,
                assertion: None,
            };
            Reply::Approve { id, request, wait: PATIENCE }
        };
        match &self.question {
            Question::Approve(extent) => Ok(approve(*extent, None)),
            Question::Bounds(bounds) => {
                let (max_calls, lifetime_s) = bounds.read()?;
                let scope = if bounds.whole_org { GrantReach::Org } else { GrantReach::Session };
                Ok(approve(Extent::Grant, Some(GrantBounds { scope, max_calls, lifetime_s })))
            }
            Question::Deny(reason) => {
                let reason = required(reason, "reason required; the agent can read it")?;
                Ok(Reply::Deny {
                    id,
                    request: DenyRequest {
                        shown_digest: shown_digest.clone(),
                        reason,
                        channel: Channel::Cli,
                        assertion: None,
                    },
                })
            }
            Question::Release(reason) => {
                let reason = required(reason, "reason required; those who approve it are shown it")?;
                Ok(Reply::Release { id, request: RulingRequest { reason } })
            }
            Question::Discard(reason) => {
                Ok(Reply::Discard { id, request: RulingRequest { reason: reason.trim().to_owned() } })
            }
            Question::Evidence(outcome, evidence) => {
                let evidence = required(evidence, "evidence required, such as a link or an id")?;
                Ok(Reply::Reconcile { id, request: ReconcileRequest { outcome: *outcome, evidence } })
            }
            Question::Outcome => Err("press s or f".to_owned()),
        }
    }

    fn grant_reply(&self) -> Result<Reply, String> {
        let InboxItem::GrantRequest(asked) = &self.item else {
            return Err("not a grant request".to_owned());
        };
        let mut request = GrantAnswer { give: true, max_calls: None, lifetime_s: None, note: String::new() };
        match &self.question {
            Question::Deny(reason) => {
                request.give = false;
                request.note = required(reason, "reason required; the agent can read it")?;
            }
            Question::Bounds(bounds) => {
                let (calls, lifetime_s) = bounds.read()?;
                if calls > asked.max_calls || lifetime_s > asked.lifetime_s {
                    return Err("more than requested".to_owned());
                }
                request.max_calls = Some(calls);
                request.lifetime_s = Some(lifetime_s);
            }
            _ => {}
        }
        Ok(Reply::Grant { id: asked.id, request })
    }

    pub(crate) fn title(&self) -> &'static str {
        let request = matches!(self.item, InboxItem::GrantRequest(_));
        match &self.question {
            Question::Approve(_) if request => "Give the grant?",
            Question::Approve(Extent::Always) => "Approve, and always allow the action?",
            Question::Approve(_) => "Approve once?",
            Question::Bounds(_) if request => "Give less than requested",
            Question::Bounds(_) => "Approve, and give a grant",
            Question::Deny(_) if request => "Refuse the grant?",
            Question::Deny(_) => "Deny?",
            Question::Release(_) => "Release as text?",
            Question::Discard(_) => "Discard?",
            Question::Outcome => "What happened?",
            Question::Evidence(Reconciled::Succeeded, _) => "Record: succeeded",
            Question::Evidence(Reconciled::Failed, _) => "Record: failed",
        }
    }

    /// The item, and what will happen.
    pub(crate) fn lines(&self) -> Vec<String> {
        let mut lines = vec![self.about(), String::new()];
        match (&self.item, &self.question) {
            (InboxItem::GrantRequest(asked), Question::Approve(_)) => {
                let time = span(i64::try_from(asked.lifetime_s).unwrap_or(i64::MAX));
                lines.push(format!(
                    "The agent can run this {} times within {time} without approval.",
                    asked.max_calls
                ));
            }
            (InboxItem::Approval(item), Question::Approve(extent)) => {
                lines.extend(consequence(item, *extent))
            }
            (InboxItem::Approval(item), Question::Bounds(_)) => {
                lines.extend(consequence(item, Extent::Once));
                lines.push("The same action then needs no approval within these bounds:".to_owned());
            }
            (_, Question::Bounds(_)) => {
                lines.push("The agent can run this without approval within these bounds:".to_owned())
            }
            (_, Question::Deny(_)) => {
                lines.push("Nothing is executed. The agent can read the reason:".to_owned())
            }
            (_, Question::Release(_)) => lines.push(
                "The agent's request is proposed again and needs approval. Why is this only text?".to_owned(),
            ),
            (_, Question::Discard(_)) => {
                lines.push("Nothing is executed, and the parameters are deleted. Reason, if any:".to_owned())
            }
            (_, Question::Outcome) => {
                lines.push(
                    "Check the target first. The outcome becomes part of a second, signed receipt."
                        .to_owned(),
                );
            }
            (_, Question::Evidence(..)) => {
                lines.push("Evidence, which becomes part of the receipt:".to_owned())
            }
            _ => {}
        }
        if self.unseen > 0 && matches!(self.question, Question::Approve(_) | Question::Bounds(_)) {
            let count = if self.unseen == 1 { "1 line".to_owned() } else { format!("{} lines", self.unseen) };
            lines.push(format!("{NOT_SEEN} {count} of the request. Press Esc, then PgDn."));
        }
        lines
    }

    fn about(&self) -> String {
        let (action, agent, risk) = match &self.item {
            InboxItem::GrantRequest(asked) => (&asked.action, &asked.agent, String::new()),
            InboxItem::Approval(item) => (
                &item.invocation.action,
                &item.invocation.agent,
                format!(" ({})", item.invocation.risk.as_str()),
            ),
            InboxItem::Unknown(item) => (
                &item.invocation.action,
                &item.invocation.agent,
                format!(" ({})", item.invocation.risk.as_str()),
            ),
            InboxItem::Quarantined(item) => (
                &item.invocation.action,
                &item.invocation.agent,
                format!(" ({})", item.invocation.risk.as_str()),
            ),
        };
        let [action, agent] = [action, agent].map(|text| SafeText::line(text, LONGEST_NAME).text());
        format!("{action}{risk}, requested by {agent}")
    }

    pub(crate) fn keys(&self) -> &'static str {
        match self.question {
            Question::Approve(_) => "y confirm   n cancel",
            Question::Bounds(_) => "Enter confirm   Tab next field   Esc cancel",
            Question::Deny(_) | Question::Release(_) | Question::Discard(_) => "Enter send   Esc cancel",
            Question::Outcome => "s succeeded   f failed   Esc cancel",
            Question::Evidence(..) => "Enter send   Esc cancel",
        }
    }
}

fn consequence(item: &ApprovalItem, extent: Extent) -> Vec<String> {
    let have = item.votes.iter().filter(|vote| vote.verdict == "approved").count();
    let missing = usize::try_from(item.votes_needed).unwrap_or(usize::MAX).saturating_sub(have + 1);
    let mut lines = vec![match missing {
        0 => "The action is executed now, once, exactly as shown.".to_owned(),
        1 => "Your approval is recorded. 1 more approval is required.".to_owned(),
        more => format!("Your approval is recorded. {more} more approvals are required."),
    }];
    if extent == Extent::Always {
        lines.push(
            "A rule then allows this action for every agent of the organization, without approval."
                .to_owned(),
        );
    }
    lines
}

fn required(text: &str, missing: &str) -> Result<String, String> {
    let text = text.trim();
    if text.is_empty() { Err(missing.to_owned()) } else { Ok(text.to_owned()) }
}

/// `86400s` as `24h`.
fn whole(time: &str) -> String {
    let Ok(seconds) = input::lifetime(time) else { return time.to_owned() };
    match seconds {
        _ if seconds % 3_600 == 0 => format!("{}h", seconds / 3_600),
        _ if seconds % 60 == 0 => format!("{}m", seconds / 60),
        _ => format!("{seconds}s"),
    }
}

impl Bounds {
    fn read(&self) -> Result<(u32, u64), String> {
        let calls = self.calls.parse().ok().filter(|calls| (1..=10_000).contains(calls));
        let calls = calls.ok_or("calls: enter a number from 1 to 10000")?;
        let time = input::lifetime(&self.time).map_err(|wrong| format!("for: {wrong}"))?;
        if time > 30 * 24 * 60 * 60 {
            return Err("for: at most 30d".to_owned());
        }
        Ok((calls, time))
    }

    fn key(&mut self, key: KeyEvent, only_two: bool) {
        let fields = if only_two { 2 } else { 3 };
        match key.code {
            KeyCode::Tab | KeyCode::Down => self.at = (self.at + 1) % fields,
            KeyCode::BackTab | KeyCode::Up => self.at = (self.at + fields - 1) % fields,
            _ => match self.at {
                0 => edit(&mut self.calls, key, 5),
                1 => edit(&mut self.time, key, 10),
                _ => {
                    if matches!(key.code, KeyCode::Char(' ') | KeyCode::Left | KeyCode::Right) {
                        self.whole_org = !self.whole_org;
                    }
                }
            },
        }
    }
}

fn edit(text: &mut String, key: KeyEvent, most: usize) {
    match key.code {
        KeyCode::Backspace => {
            text.pop();
        }
        KeyCode::Char('u') if key.modifiers.contains(KeyModifiers::CONTROL) => text.clear(),
        KeyCode::Char('w') if key.modifiers.contains(KeyModifiers::CONTROL) => {
            let end = text.trim_end().rfind(' ').map_or(0, |space| space + 1);
            text.truncate(end);
        }
        KeyCode::Char(c) if !key.modifiers.contains(KeyModifiers::CONTROL) && text.chars().count() < most => {
            text.push(c);
        }
        _ => {}
    }
}
