//! The state of the screen, and how keys, the clock and responses of the gateway change it. No I/O: requests are returned
//! as [`Effect`]s.

use std::collections::{BTreeMap, BTreeSet, btree_map::Entry};

use api::{ApprovalItem, Extent, InboxItem, RevealedValue};
use jiff::Timestamp;
use model::InvocationId;
use ratatui::crossterm::event::{KeyCode, KeyEvent, KeyModifiers};

use super::dialog::{Dialog, Question, Step};
use crate::inbox::{Key, key_of, reply::Reply, safe_text::SafeText};

/// Interval of fetching the list.
const REFRESH_MS: i64 = 1_500;
/// The same while the gateway sends events.
const REFRESH_WITH_EVENTS_MS: i64 = 15_000;
/// How long a notice is shown.
const NOTICE_MS: i64 = 20_000;
/// Keys are ignored for this time after the list moved by itself, because they were meant for another item.
const MOVED_MS: i64 = 1_000;
const LONGEST_NAME: usize = 60;

#[derive(Debug)]
pub(crate) enum Message {
    Key(KeyEvent),
    Paste(String),
    /// The clock, several times a second.
    Tick(Timestamp),
    /// The list, and whether there is more.
    Inbox(Result<(Vec<InboxItem>, bool), String>),
    /// One item with the document that an answer is about.
    Opened(InvocationId, Result<Box<ApprovalItem>, String>),
    /// Something changed at the gateway; or it sends no events, and is polled.
    News {
        has_events: bool,
    },
    /// The hidden values of an item.
    Revealed(InvocationId, Result<Vec<RevealedValue>, String>),
    /// The outcome of an answer.
    Answered(Key, Result<String, String>),
}

#[derive(Debug)]
pub(crate) enum Effect {
    FetchInbox,
    Open(InvocationId),
    Reveal(InvocationId),
    Send(Box<Reply>),
    Quit,
}

/// An approval that was selected for a moment, and is fetched with the document that an answer is about.
#[derive(Debug, Clone)]
pub(crate) enum Opened {
    Loading,
    Shown(Box<ApprovalItem>),
    Failed(String),
}

#[derive(Debug, Clone)]
pub(crate) struct Notice {
    pub(crate) text: String,
    pub(crate) bad: bool,
    until_ms: i64,
}

/// Measured while drawing: the length of the item, and how much of it fits.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(crate) struct Measured {
    pub(crate) lines: usize,
    /// Lines that say what would be executed; they come first.
    pub(crate) essential: usize,
    pub(crate) height: usize,
}

#[derive(Debug)]
pub(crate) struct Model {
    pub(crate) gateway: String,
    pub(crate) now: Timestamp,
    pub(crate) items: Vec<InboxItem>,
    pub(crate) more: bool,
    pub(crate) selected: usize,
    pub(crate) scroll: usize,
    pub(crate) dialog: Option<Dialog>,
    pub(crate) help: bool,
    pub(crate) notice: Option<Notice>,
    /// Since when fetching the list has failed, and why.
    pub(crate) trouble: Option<(Timestamp, String)>,
    /// Answers without a response yet.
    pub(crate) sending: BTreeSet<Key>,
    /// Items answered here, which need no notice when they disappear.
    mine: BTreeSet<Key>,
    pub(crate) opened: BTreeMap<InvocationId, Opened>,
    /// Hidden values that the person asked to see.
    pub(crate) revealed: BTreeMap<InvocationId, Vec<RevealedValue>>,
    measured: Measured,
    /// How far each item was scrolled.
    seen: BTreeMap<Key, usize>,
    fetching: bool,
    /// Whether something changed while the list was fetched.
    stale: bool,
    /// Whether the gateway sends events.
    has_events: bool,
    fetched_ms: i64,
    settled: Option<Key>,
    moved_ms: Option<i64>,
}

impl Model {
    pub(crate) fn new(gateway: String, now: Timestamp) -> Self {
        Self {
            gateway,
            now,
            items: Vec::new(),
            more: false,
            selected: 0,
            scroll: 0,
            dialog: None,
            help: false,
            notice: None,
            trouble: None,
            sending: BTreeSet::new(),
            mine: BTreeSet::new(),
            opened: BTreeMap::new(),
            revealed: BTreeMap::new(),
            measured: Measured::default(),
            seen: BTreeMap::new(),
            fetching: false,
            stale: false,
            has_events: false,
            fetched_ms: i64::MIN,
            settled: None,
            moved_ms: None,
        }
    }

    pub(crate) fn current(&self) -> Option<&InboxItem> {
        self.items.get(self.selected)
    }

    /// The selected item, with its document if it was opened.
    pub(crate) fn current_as_shown(&self) -> Option<InboxItem> {
        let mut item = self.current()?.clone();
        if let InboxItem::Approval(listed) = &mut item
            && let Some(Opened::Shown(opened)) = self.opened.get(&listed.invocation.id)
        {
            listed.shown.clone_from(&opened.shown);
        }
        Some(item)
    }

    /// Whether the item of the open dialog is no longer pending.
    pub(crate) fn dialog_is_late(&self) -> bool {
        let key = self.dialog.as_ref().map(|dialog| key_of(&dialog.item));
        key.is_some_and(|key| !self.items.iter().any(|item| key_of(item) == key))
    }

    /// Limits scrolling to the end of the text.
    pub(crate) fn measure(&mut self, measured: Measured) {
        self.measured = measured;
        self.scroll = self.scroll.min(measured.lines.saturating_sub(measured.height));
        // Text behind a dialog does not count as seen.
        if self.dialog.is_none()
            && !self.help
            && let Some(key) = self.current().map(key_of)
        {
            let bottom = (self.scroll + measured.height).min(measured.lines);
            let seen = self.seen.entry(key).or_default();
            *seen = bottom.max(*seen);
        }
    }

    pub(crate) fn update(&mut self, message: Message) -> Vec<Effect> {
        match message {
            Message::Key(key) => self.key(key),
            Message::Paste(text) => {
                if let Some(dialog) = &mut self.dialog {
                    dialog.paste(&text);
                }
                Vec::new()
            }
            Message::Tick(now) => self.tick(now),
            Message::Inbox(found) => {
                self.fetching = false;
                match found {
                    Ok((items, more)) => self.replace(items, more),
                    Err(why) => {
                        let since = self.trouble.take().map_or(self.now, |(since, _)| since);
                        self.trouble = Some((since, why));
                    }
                }
                if std::mem::take(&mut self.stale) { self.refetch() } else { Vec::new() }
            }
            Message::News { has_events } => {
                self.has_events = has_events;
                self.stale = self.fetching;
                self.refetch()
            }
            Message::Opened(id, found) => {
                self.opened.insert(id, found.map_or_else(Opened::Failed, Opened::Shown));
                Vec::new()
            }
            Message::Revealed(id, found) => {
                match found {
                    Ok(values) => drop(self.revealed.insert(id, values)),
                    Err(why) => self.say(why, true),
                }
                Vec::new()
            }
            Message::Answered(key, outcome) => {
                self.sending.remove(&key);
                let bad = outcome.is_err();
                self.say(outcome.unwrap_or_else(|why| why), bad);
                self.refetch()
            }
        }
    }

    fn tick(&mut self, now: Timestamp) -> Vec<Effect> {
        self.now = now;
        let now_ms = now.as_millisecond();
        if self.notice.as_ref().is_some_and(|notice| notice.until_ms <= now_ms) {
            self.notice = None;
        }
        let mut effects = Vec::new();
        let refresh_ms = if self.has_events { REFRESH_WITH_EVENTS_MS } else { REFRESH_MS };
        if now_ms.saturating_sub(self.fetched_ms) >= refresh_ms {
            effects.extend(self.refetch());
        }
        // Only an item that stays selected is fetched, not every item scrolled past.
        let here = self.current().map(key_of);
        if let (Some(InboxItem::Approval(item)), true) = (self.current(), here == self.settled) {
            let id = item.invocation.id;
            if let Entry::Vacant(place) = self.opened.entry(id) {
                place.insert(Opened::Loading);
                effects.push(Effect::Open(id));
            }
        }
        self.settled = here;
        effects
    }

    fn refetch(&mut self) -> Vec<Effect> {
        if self.fetching {
            return Vec::new();
        }
        self.fetching = true;
        self.fetched_ms = self.now.as_millisecond();
        vec![Effect::FetchInbox]
    }

    /// Replaces the list. The same item stays selected.
    fn replace(&mut self, items: Vec<InboxItem>, more: bool) {
        self.trouble = None;
        let before = self.current().cloned();
        let old = self.selected;
        self.items = items;
        self.more = more;
        self.forget();
        let Some(before) = before else { return };
        let key = key_of(&before);
        if let Some(place) = self.items.iter().position(|item| key_of(item) == key) {
            self.selected = place;
            return;
        }
        self.selected = old.min(self.items.len().saturating_sub(1));
        self.scroll = 0;
        self.moved_ms = Some(self.now.as_millisecond());
        if !self.mine.contains(&key) && !self.notice.as_ref().is_some_and(|notice| notice.bad) {
            self.say(gone(&before, self.now), false);
        }
    }

    /// Drops the state of items that are gone.
    fn forget(&mut self) {
        let keys: BTreeSet<Key> = self.items.iter().map(key_of).collect();
        let subjects: BTreeMap<InvocationId, &str> = self.items.iter().filter_map(subject_of).collect();
        // What was asked again must be read again.
        self.opened.retain(|id, opened| match (subjects.get(id), opened) {
            (Some(subject), Opened::Shown(item)) => item.invocation.subject_digest == *subject,
            (found, _) => found.is_some(),
        });
        self.revealed.retain(|id, _| self.opened.contains_key(id));
        self.seen.retain(|key, _| keys.contains(key));
    }

    fn say(&mut self, text: impl Into<String>, bad: bool) {
        let until_ms = self.now.as_millisecond().saturating_add(NOTICE_MS);
        self.notice = Some(Notice { text: text.into(), bad, until_ms });
    }

    fn key(&mut self, key: KeyEvent) -> Vec<Effect> {
        let control = key.modifiers.contains(KeyModifiers::CONTROL);
        if control && key.code == KeyCode::Char('c') {
            return vec![Effect::Quit];
        }
        if self.help {
            self.help = false;
            return Vec::new();
        }
        if let Some(dialog) = &mut self.dialog {
            let step = dialog.key(key);
            return self.step(step);
        }
        match (key.code, control) {
            (KeyCode::Char('q'), false) => return vec![Effect::Quit],
            (KeyCode::Char('R'), _) => {
                if let Some(InboxItem::Approval(item)) = self.current() {
                    let id = item.invocation.id;
                    self.opened.remove(&id);
                }
                self.say("refreshed", false);
                return self.refetch();
            }
            (KeyCode::Char('v'), false) => return self.reveal(),
            (KeyCode::Char('?'), _) => self.help = true,
            (KeyCode::Char('j') | KeyCode::Down, false) => self.select(self.selected.saturating_add(1)),
            (KeyCode::Char('k') | KeyCode::Up, false) => self.select(self.selected.saturating_sub(1)),
            (KeyCode::Home, _) => self.select(0),
            (KeyCode::End, _) => self.select(usize::MAX),
            (KeyCode::PageDown | KeyCode::Char(' '), _) | (KeyCode::Char('d'), true) => self.page(1),
            (KeyCode::PageUp, _) | (KeyCode::Char('u'), true) => self.page(-1),
            (KeyCode::Char('J'), _) => self.scroll = self.scroll.saturating_add(1),
            (KeyCode::Char('K'), _) => self.scroll = self.scroll.saturating_sub(1),
            (KeyCode::Char(c @ ('a' | 'g' | 'A' | 'd' | 'r' | 't')), false) => self.open(c),
            _ => {}
        }
        Vec::new()
    }

    /// Asks for the hidden values of the selected item.
    fn reveal(&mut self) -> Vec<Effect> {
        let Some(InboxItem::Approval(item)) = self.current_as_shown() else {
            self.say("v applies only to approvals", true);
            return Vec::new();
        };
        match &item.shown {
            None => self.say("the request is still loading; R loads it again", true),
            Some(shown) if shown.hidden.is_empty() => self.say("nothing is hidden", false),
            Some(_) => return vec![Effect::Reveal(item.invocation.id)],
        }
        Vec::new()
    }

    fn select(&mut self, place: usize) {
        let place = place.min(self.items.len().saturating_sub(1));
        if place != self.selected {
            self.selected = place;
            self.scroll = 0;
        }
    }

    /// Scrolls by one page less one line.
    fn page(&mut self, direction: isize) {
        let step = self.measured.height.saturating_sub(1).max(1);
        self.scroll =
            if direction > 0 { self.scroll.saturating_add(step) } else { self.scroll.saturating_sub(step) };
    }

    /// Opens the dialog of a key, or says why it does not apply.
    fn open(&mut self, key: char) {
        let Some(item) = self.current_as_shown() else { return self.say("no pending items", false) };
        let moved = self.moved_ms.is_some_and(|ms| self.now.as_millisecond().saturating_sub(ms) < MOVED_MS);
        if moved {
            return self
                .say("the list has just changed: check the selected item, then press the key again", true);
        }
        if self.sending.contains(&key_of(&item)) {
            return self.say("your answer is being sent", false);
        }
        if matches!(&item, InboxItem::Approval(item) if item.shown.is_none()) {
            return self.say("the request is still loading; R loads it again", true);
        }
        let seen = self.seen.get(&key_of(&item)).copied().unwrap_or_default();
        let unseen = self.measured.essential.saturating_sub(seen);
        match question(&item, key) {
            Ok(Some(question)) => self.dialog = Some(Dialog::new(item, question, unseen)),
            Ok(None) => self.dialog = Some(Dialog::bounds(item, unseen)),
            Err(why) => self.say(why, true),
        }
    }

    fn step(&mut self, step: Step) -> Vec<Effect> {
        match step {
            Step::Stay => Vec::new(),
            Step::Close => {
                self.dialog = None;
                Vec::new()
            }
            Step::Send(reply) => {
                self.dialog = None;
                self.sending.insert(reply.key());
                self.mine.insert(reply.key());
                self.say("sent; waiting for the gateway …", false);
                vec![Effect::Send(reply)]
            }
        }
    }
}

fn subject_of(item: &InboxItem) -> Option<(InvocationId, &str)> {
    match item {
        InboxItem::Approval(item) => Some((item.invocation.id, item.invocation.subject_digest.as_str())),
        _ => None,
    }
}

/// The question of a key; `None` asks for bounds.
fn question(item: &InboxItem, key: char) -> Result<Option<Question>, String> {
    match (item, key) {
        (InboxItem::Unknown(_), 'r') => Ok(Some(Question::Outcome)),
        (InboxItem::Unknown(_), _) => {
            Err("the outcome is unknown: press r to record what happened".to_owned())
        }
        (InboxItem::Quarantined(_), 'd') => Ok(Some(Question::Discard(String::new()))),
        (InboxItem::Quarantined(item), 't') => match &item.only_discard {
            Some(why) => Err(format!("it can only be discarded: {}", SafeText::line(why, 300).text())),
            None => Ok(Some(Question::Release(String::new()))),
        },
        (InboxItem::Quarantined(_), _) => {
            Err("it was quarantined: press t to release it as text, or d to discard it".to_owned())
        }
        (_, 't') => Err("t applies only to what was quarantined".to_owned()),
        (_, 'r') => Err("r applies only to items with an unknown outcome".to_owned()),
        (_, 'a') => Ok(Some(Question::Approve(Extent::Once))),
        (_, 'd') => Ok(Some(Question::Deny(String::new()))),
        (InboxItem::GrantRequest(_), 'g') => Ok(None),
        (InboxItem::GrantRequest(_), _) => {
            Err("give a grant request with a or g, or refuse it with d".to_owned())
        }
        (InboxItem::Approval(item), key) => match &item.only_once {
            Some(why) => {
                Err(format!("only a single approval is possible: {}", SafeText::line(why, 300).text()))
            }
            None if key == 'g' => Ok(None),
            None => Ok(Some(Question::Approve(Extent::Always))),
        },
    }
}

/// Why an item disappeared, as far as it is known here.
fn gone(item: &InboxItem, now: Timestamp) -> String {
    let (action, until) = match item {
        InboxItem::Approval(item) => (&item.invocation.action, item.invocation.expires_at),
        InboxItem::Unknown(item) => (&item.invocation.action, None),
        InboxItem::Quarantined(item) => (&item.invocation.action, None),
        InboxItem::GrantRequest(item) => (&item.action, Some(item.expires_at)),
    };
    let action = SafeText::line(action, LONGEST_NAME).text();
    if until.is_some_and(|until| until <= now) {
        format!("{action} expired")
    } else {
        format!("{action} was answered by another person")
    }
}
