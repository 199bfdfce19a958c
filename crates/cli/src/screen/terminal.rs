//! The event loop: reads keys and the clock, sends requests, draws, and restores the terminal at the end.

use std::{
    io,
    sync::{
        Arc,
        atomic::{AtomicBool, Ordering},
    },
    thread::JoinHandle,
    time::Duration,
};

use api::{ApprovalItem, GrantRequestView, InboxItem, InvocationView, Page, RevealedValue, RevealedView};
use model::{InvocationId, Status};
use ratatui::{
    DefaultTerminal,
    crossterm::{
        event::{self, DisableBracketedPaste, EnableBracketedPaste, Event, KeyEventKind},
        execute,
    },
};
use tokio::{
    signal::unix::{SignalKind, signal},
    sync::mpsc,
    task::JoinSet,
};

use super::{
    model::{Effect, Measured, Message, Model},
    view::view,
};
use crate::{
    Context,
    client::{Answer, Client},
    error::Error,
    exit::Exit,
    feed::{AGAIN, Feed},
    inbox::{Key, now, reply::Reply, safe_text::SafeText},
    visible::inline,
    wait::LONG_POLL,
};

const TICK: Duration = Duration::from_millis(250);
/// How often the key reader checks whether it should stop.
const KEY_POLL: Duration = Duration::from_millis(100);

/// The result of a request: a message for the model, or a fatal error.
type News = Result<Message, Error>;

/// Shows the inbox until the person quits.
pub(crate) async fn run(cx: &mut Context<'_>) -> Result<Exit, Error> {
    let client = Arc::new(cx.client()?);
    let mut model = Model::new(client.address(), now());
    // Before the screen opens, so that an unreachable gateway or a refused token is an ordinary error.
    let found = fetch_inbox(&client).await?;
    model.update(Message::Inbox(Ok(found)));
    let mut sends = JoinSet::new();
    let ended = {
        let mut screen = Screen::open()?;
        show(&mut screen, &mut model, &client, &mut sends).await
    };
    // Answers in progress are completed, and their outcome is printed after the screen has closed.
    while let Some(news) = sends.join_next().await {
        if let Ok(Ok(Message::Answered(key, outcome))) = news {
            let outcome = outcome.unwrap_or_else(|why| why);
            cx.console.note(&format!("{key}: {outcome}"))?;
        }
    }
    ended.map(|()| Exit::Done)
}

async fn show(
    screen: &mut Screen,
    model: &mut Model,
    client: &Arc<Client>,
    sends: &mut JoinSet<News>,
) -> Result<(), Error> {
    let mut asks: JoinSet<News> = JoinSet::new();
    let mut changes = Changes::follow(client);
    let mut keys = Keys::listen();
    let mut clock = tokio::time::interval(TICK);
    let mut end = signal(SignalKind::terminate())?;
    let mut hang_up = signal(SignalKind::hangup())?;
    loop {
        screen.draw(model)?;
        let message = tokio::select! {
            event = keys.events.recv() => match event {
                Some(Event::Key(key)) if key.kind != KeyEventKind::Release => Message::Key(key),
                Some(Event::Paste(text)) => Message::Paste(text),
                Some(_) => Message::Tick(now()),
                None => return Ok(()),
            },
            _ = clock.tick() => Message::Tick(now()),
            Some(has_events) = changes.news.recv() => Message::News { has_events },
            Some(news) = asks.join_next() => news.map_err(io::Error::other)??,
            Some(news) = sends.join_next() => news.map_err(io::Error::other)??,
            _ = end.recv() => return Ok(()),
            _ = hang_up.recv() => return Ok(()),
        };
        for effect in model.update(message) {
            let client = Arc::clone(client);
            match effect {
                Effect::Quit => return Ok(()),
                Effect::FetchInbox => {
                    asks.spawn(async move {
                        match fetch_inbox(&client).await {
                            Err(error) if is_refused(&error) => Err(error),
                            found => Ok(Message::Inbox(found.map_err(|error| sentence(&error)))),
                        }
                    });
                }
                Effect::Open(id) => {
                    asks.spawn(async move {
                        let found = fetch_item(&client, id).await;
                        Ok(Message::Opened(id, found.map_err(|error| sentence(&error))))
                    });
                }
                Effect::Reveal(id) => {
                    asks.spawn(async move {
                        let found = reveal(&client, id).await;
                        Ok(Message::Revealed(id, found.map_err(|error| sentence(&error))))
                    });
                }
                Effect::Send(reply) => {
                    sends.spawn(async move {
                        let answer = reply.send(&client).await.and_then(|answer| outcome(&reply, &answer));
                        Ok(Message::Answered(reply.key(), answer.map_err(|error| sentence(&error))))
                    });
                }
            }
        }
    }
}

/// The events that change the inbox.
const TYPES: &str = "action.*,grant.*";

/// Follows the events of the gateway until this value is dropped.
struct Changes {
    /// `true` for each change; `false` if the gateway sends no events.
    news: mpsc::Receiver<bool>,
    _task: JoinSet<()>,
}

impl Changes {
    fn follow(client: &Arc<Client>) -> Self {
        let (sender, news) = mpsc::channel(1);
        let (client, mut task) = (Arc::clone(client), JoinSet::new());
        task.spawn(async move {
            let feed = Feed { types: TYPES.to_owned(), newest: 1 };
            let mut after: Option<String> = None;
            loop {
                let change = feed.fetch(&client, after.as_deref(), LONG_POLL).await;
                let has_events = change.is_ok();
                let is_news =
                    change.as_ref().map_or(true, |found| after.is_none() || !found.items.is_empty());
                after = change.ok().and_then(|found| found.last);
                if is_news && sender.send(has_events).await.is_err() {
                    return;
                }
                if after.is_none() {
                    tokio::time::sleep(AGAIN).await;
                }
            }
        });
        Self { news, _task: task }
    }
}

async fn fetch_inbox(client: &Client) -> Result<(Vec<InboxItem>, bool), Error> {
    let answer = client.get(&["v1", "inbox"])?.query("limit", "100").send().await?;
    let page: Page<InboxItem> = answer.parse()?;
    Ok((page.items, page.next_cursor.is_some()))
}

async fn fetch_item(client: &Client, id: InvocationId) -> Result<Box<ApprovalItem>, Error> {
    let answer = client.get(&["v1", "inbox", &id.to_string()])?.send().await?;
    match answer.parse()? {
        InboxItem::Approval(item) => Ok(item),
        _ => Err(Error::Absent(format!("{id} is not pending any more"))),
    }
}

async fn reveal(client: &Client, id: InvocationId) -> Result<Vec<RevealedValue>, Error> {
    let answer = client.post(&["v1", "invocations", &id.to_string(), "reveal"])?.send().await?;
    let revealed: RevealedView = answer.parse()?;
    Ok(revealed.values)
}

/// Whether the token is no longer accepted, so that the screen would be outdated.
fn is_refused(error: &Error) -> bool {
    matches!(error, Error::Problem { problem, .. } if matches!(problem.status, 401 | 403))
}

fn sentence(error: &Error) -> String {
    let text = error.explain();
    let lines = text.lines().map(|line| line.trim().trim_start_matches("error: "));
    lines.map(|line| line.trim_start_matches("hint: ").trim()).collect::<Vec<_>>().join(" · ")
}

/// The outcome of an answer, in one line.
fn outcome(reply: &Reply, answer: &Answer) -> Result<String, Error> {
    if let (Reply::Grant { .. }, Key::Request(_)) = (reply, reply.key()) {
        let view: GrantRequestView = answer.parse()?;
        return Ok(format!("{}: {}", SafeText::line(&view.action, 60).text(), inline(&view.status)));
    }
    let view: InvocationView = answer.parse()?;
    let action = SafeText::line(&view.action, 60).text();
    match reply {
        Reply::Release { .. } => return Ok(format!("{action}: released; {} waits for approval", view.id)),
        Reply::Discard { .. } => return Ok(format!("{action}: discarded")),
        _ => {}
    }
    let receipt = view.receipt.map(|receipt| format!(" · {receipt}")).unwrap_or_default();
    let text = match view.status {
        Status::Pending => format!("{action}: approval recorded; more approvals are required"),
        Status::Approved | Status::Executing => format!("{action}: approved; executing"),
        Status::Unknown => format!("{action}: outcome unknown; press r to record it"),
        Status::Failed => {
            let why = view.error.map(|error| format!(": {}", inline(&error.message))).unwrap_or_default();
            format!("{action} failed{why}{receipt}")
        }
        status => format!("{action} {}{receipt}", status.as_str()),
    };
    Ok(text)
}

/// The terminal in full-screen mode. It is restored on drop, and on a panic by the hook.
struct Screen(DefaultTerminal);

impl Screen {
    fn open() -> Result<Self, Error> {
        let terminal = ratatui::try_init().inspect_err(|_| ratatui::restore())?;
        // Pasted text must be distinguished from keys: `ay` in it would be an approval.
        let screen = Self(terminal);
        execute!(io::stdout(), EnableBracketedPaste)?;
        Ok(screen)
    }

    fn draw(&mut self, model: &mut Model) -> Result<(), Error> {
        // A second time if drawing showed that the text ends earlier.
        for _ in 0..2 {
            let scroll = model.scroll;
            let mut measured = Measured::default();
            self.0.draw(|frame| measured = view(frame, model))?;
            model.measure(measured);
            if model.scroll == scroll {
                break;
            }
        }
        Ok(())
    }
}

impl Drop for Screen {
    fn drop(&mut self) {
        let _ = execute!(io::stdout(), DisableBracketedPaste);
        ratatui::restore();
    }
}

/// The key reader, which blocks and therefore has its own thread.
struct Keys {
    events: mpsc::Receiver<Event>,
    over: Arc<AtomicBool>,
    thread: Option<JoinHandle<()>>,
}

impl Keys {
    fn listen() -> Self {
        let (sender, events) = mpsc::channel(64);
        let over = Arc::new(AtomicBool::new(false));
        let seen = Arc::clone(&over);
        let thread = std::thread::spawn(move || {
            while !seen.load(Ordering::Relaxed) {
                let event = match event::poll(KEY_POLL) {
                    Ok(false) => continue,
                    Ok(true) => event::read(),
                    Err(error) => Err(error),
                };
                // If the terminal is gone, the channel closes and the loop ends.
                let Ok(event) = event else { return };
                if sender.blocking_send(event).is_err() {
                    return;
                }
            }
        });
        Self { events, over, thread: Some(thread) }
    }
}

impl Drop for Keys {
    fn drop(&mut self) {
        self.over.store(true, Ordering::Relaxed);
        // Keys typed from now on belong to the shell.
        self.events.close();
        if let Some(thread) = self.thread.take() {
            let _ = thread.join();
        }
    }
}
