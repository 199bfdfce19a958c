//! The question before an answer is sent: what will happen, and what is still to be said.
//!
//! A dialog holds the item it was opened for. While it is open the list may move; what is sent does not.

use std::time::Duration;

use api::{
    ApprovalItem, ApproveRequest, Channel, DenyRequest, Extent, GrantAnswer, GrantBounds, GrantReach,
    InboxItem, ReconcileRequest, Reconciled,
};
use ratatui::crossterm::event::{KeyCode, KeyEvent, KeyModifiers};

use crate::{
    inbox::{reply::Reply, shown::Shown, span},
    input,
};

/// How long a yes waits for its result. The screen stays usable meanwhile.
const PATIENCE: Duration = Duration::from_secs(10);
const LONGEST_REASON: usize = 500;
const LONGEST_EVIDENCE: usize = 2_000;
const LONGEST_NAME: usize = 60;

/// How the warning begins that something was not read.
pub(crate) const NOT_SEEN: &str = "Never on your screen yet:";

/// What is asked.
#[derive(Debug, Clone)]
pub(crate) enum Question {
    /// Yes, once or always?
    Yes(Extent),
    /// Yes, and within which bounds from now on?
    Bounds(Bounds),
    /// No, and why?
    No(String),
    /// Did it happen?
    Outcome,
    /// How do you know?
    Evidence(Reconciled, String),
}

/// The bounds of a grant, as they are typed.
#[derive(Debug, Clone)]
pub(crate) struct Bounds {
    pub(crate) calls: String,
    pub(crate) time: String,
    pub(crate) whole_org: bool,
    /// Which field takes the keys.
    pub(crate) at: usize,
}

/// An open question about one item.
#[derive(Debug, Clone)]
pub(crate) struct Dialog {
    pub(crate) item: InboxItem,
    pub(crate) question: Question,
    /// How many lines that say what would be done were never on the screen.
    pub(crate) unseen: usize,
    /// What is wrong with what was typed.
    pub(crate) wrong: Option<String>,
}

/// What a key did.
#[derive(Debug)]
pub(crate) enum Step {
    Stay,
    Close,
    Send(Reply),
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
            (Question::Yes(_), KeyCode::Char('y')) => self.send(),
            (Question::Yes(_) | Question::Outcome, KeyCode::Char('n' | 'q')) => Step::Close,
            (Question::Outcome, KeyCode::Char(c @ ('s' | 'f'))) => {
                let outcome = if c == 's' { Reconciled::Succeeded } else { Reconciled::Failed };
                self.question = Question::Evidence(outcome, String::new());
                Step::Stay
            }
            (Question::Yes(_) | Question::Outcome, _) => Step::Stay,
            (_, KeyCode::Enter) => self.send(),
            (Question::Bounds(bounds), _) => {
                bounds.key(key, matches!(self.item, InboxItem::GrantRequest(_)));
                Step::Stay
            }
            (Question::No(text), _) => {
                edit(text, key, LONGEST_REASON);
                Step::Stay
            }
            (Question::Evidence(_, text), _) => {
                edit(text, key, LONGEST_EVIDENCE);
                Step::Stay
            }
        }
    }

    /// What was pasted is text and never a command.
    pub(crate) fn paste(&mut self, pasted: &str) {
        let (text, most) = match &mut self.question {
            Question::No(text) => (text, LONGEST_REASON),
            Question::Evidence(_, text) => (text, LONGEST_EVIDENCE),
            _ => return,
        };
        let room = most.saturating_sub(text.chars().count());
        text.extend(pasted.chars().map(|c| if c.is_control() { ' ' } else { c }).take(room));
    }

    fn send(&mut self) -> Step {
        match self.reply() {
            Ok(reply) => Step::Send(reply),
            Err(wrong) => {
                self.wrong = Some(wrong);
                Step::Stay
            }
        }
    }

    /// What is sent, or what is still missing.
    fn reply(&self) -> Result<Reply, String> {
        let (id, shown_digest) = match &self.item {
            InboxItem::GrantRequest(_) => return self.grant_reply(),
            InboxItem::Approval(item) => (item.invocation.id, item.invocation.shown_digest.clone()),
            InboxItem::Unknown(item) => (item.invocation.id, item.invocation.shown_digest.clone()),
        };
        let yes = |extent, grant| {
            let request = ApproveRequest {
                shown_digest: shown_digest.clone(),
                extent,
                grant,
                note: String::new(),
                channel: Channel::Cli,
                assertion: None,
            };
            Reply::Approve { id, request, wait: PATIENCE }
        };
        match &self.question {
            Question::Yes(extent) => Ok(yes(*extent, None)),
            Question::Bounds(bounds) => {
                let (max_calls, lifetime_s) = bounds.read()?;
                let scope = if bounds.whole_org { GrantReach::Org } else { GrantReach::Session };
                Ok(yes(Extent::Grant, Some(GrantBounds { scope, max_calls, lifetime_s })))
            }
            Question::No(reason) => {
                let reason = said(reason, "say why: the agent can read it and do better")?;
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
            Question::Evidence(outcome, evidence) => {
                let evidence = said(evidence, "say how you know: a link, a number, what you saw")?;
                Ok(Reply::Reconcile { id, request: ReconcileRequest { outcome: *outcome, evidence } })
            }
            Question::Outcome => Err("press s or f".to_owned()),
        }
    }

    fn grant_reply(&self) -> Result<Reply, String> {
        let InboxItem::GrantRequest(asked) = &self.item else {
            return Err("no request for a grant".to_owned());
        };
        let mut request = GrantAnswer { give: true, max_calls: None, lifetime_s: None, note: String::new() };
        match &self.question {
            Question::No(reason) => {
                request.give = false;
                request.note = said(reason, "say why: the agent can read it")?;
            }
            Question::Bounds(bounds) => {
                let (calls, lifetime_s) = bounds.read()?;
                if calls > asked.max_calls || lifetime_s > asked.lifetime_s {
                    return Err("that is more than it asked for".to_owned());
                }
                request.max_calls = Some(calls);
                request.lifetime_s = Some(lifetime_s);
            }
            _ => {}
        }
        Ok(Reply::Grant { id: asked.id, request })
    }

    /// What stands in the frame.
    pub(crate) fn title(&self) -> &'static str {
        let request = matches!(self.item, InboxItem::GrantRequest(_));
        match &self.question {
            Question::Yes(_) if request => "Give the grant?",
            Question::Yes(Extent::Always) => "Approve, and always from now on?",
            Question::Yes(_) => "Approve once?",
            Question::Bounds(_) if request => "Give less than it asks for",
            Question::Bounds(_) => "Approve, and the like of it within bounds",
            Question::No(_) if request => "Refuse the grant",
            Question::No(_) => "Deny",
            Question::Outcome => "What happened?",
            Question::Evidence(Reconciled::Succeeded, _) => "It happened",
            Question::Evidence(Reconciled::Failed, _) => "It did not happen",
        }
    }

    /// What it is about, and what will happen.
    pub(crate) fn says(&self) -> Vec<String> {
        let mut lines = vec![self.about(), String::new()];
        match (&self.item, &self.question) {
            (InboxItem::GrantRequest(asked), Question::Yes(_)) => {
                let time = span(i64::try_from(asked.lifetime_s).unwrap_or(i64::MAX));
                lines.push(format!(
                    "It may do this {} times within {time} without asking anybody.",
                    asked.max_calls
                ));
            }
            (InboxItem::Approval(item), Question::Yes(extent)) => lines.extend(yes(item, *extent)),
            (InboxItem::Approval(item), Question::Bounds(_)) => {
                lines.extend(yes(item, Extent::Once));
                lines.push("After that the same action needs no person, within these bounds:".to_owned());
            }
            (_, Question::Bounds(_)) => {
                lines.push("It may do this without asking anybody, within:".to_owned())
            }
            (_, Question::No(_)) => lines.push("Nothing is done. The agent can read why:".to_owned()),
            (_, Question::Outcome) => {
                lines.push(
                    "Look at the target first. What you say is signed into a second receipt.".to_owned(),
                );
            }
            (_, Question::Evidence(..)) => {
                lines.push("How do you know? It is signed into the receipt:".to_owned())
            }
            _ => {}
        }
        if self.unseen > 0 && matches!(self.question, Question::Yes(_) | Question::Bounds(_)) {
            let count = if self.unseen == 1 { "1 line".to_owned() } else { format!("{} lines", self.unseen) };
            lines.push(format!("{NOT_SEEN} {count} of what it would do. Esc, then PgDn shows it."));
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
        };
        let [action, agent] = [action, agent].map(|text| Shown::line(text, LONGEST_NAME).text());
        format!("{action}{risk}, asked for by {agent}")
    }

    /// Which keys answer it.
    pub(crate) fn keys(&self) -> &'static str {
        match self.question {
            Question::Yes(_) => "y yes, do it   n no",
            Question::Bounds(_) => "Enter do it   Tab next field   Esc no",
            Question::No(_) => "Enter send   Esc back",
            Question::Outcome => "s it happened   f it did not   Esc back",
            Question::Evidence(..) => "Enter send   Esc back",
        }
    }
}

fn yes(item: &ApprovalItem, extent: Extent) -> Vec<String> {
    let have = item.votes.iter().filter(|vote| vote.verdict == "approved").count();
    let missing = usize::try_from(item.votes_needed).unwrap_or(usize::MAX).saturating_sub(have + 1);
    let mut lines = vec![match missing {
        0 => "It is done now, once, exactly as shown.".to_owned(),
        1 => "Your yes is recorded. It is done when 1 more person says yes.".to_owned(),
        more => format!("Your yes is recorded. It is done when {more} more people say yes."),
    }];
    if extent == Extent::Always {
        lines.push("A rule then allows this action for every agent of the org, without asking.".to_owned());
    }
    lines
}

fn said(text: &str, missing: &str) -> Result<String, String> {
    let text = text.trim();
    if text.is_empty() { Err(missing.to_owned()) } else { Ok(text.to_owned()) }
}

/// `86400s` as a person types it: `24h`.
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
        let calls = calls.ok_or("calls: a number from 1 to 10000")?;
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
