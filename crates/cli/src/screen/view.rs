//! Draws the model. All untrusted text has passed `safe_text`.

use api::{InboxItem, InvocationView};
use jiff::Timestamp;
use model::Risk;
use ratatui::{
    Frame,
    layout::{Constraint, Layout, Rect},
    style::{Color, Modifier, Style},
    text::{Line, Span, Text},
    widgets::{Block, Borders, Clear, Padding, Paragraph},
};

use super::{
    dialog::{Bounds, Dialog, NOT_SEEN, Question},
    layout::{display_width, fit, lines, style, wrap},
    model::{Measured, Model, Opened},
};
use crate::inbox::{
    details::{Details, ON_SCREEN, Row, Tone},
    key_of, left,
    safe_text::SafeText,
    span,
};

/// From this width on, list and item are side by side.
const WIDE: u16 = 110;
const DIALOG_WIDTH: u16 = 74;
const TYPED_LINES: usize = 6;
const NOTICE_LINES: usize = 3;
const LONGEST_CELL: usize = 60;

const HELP: &str = "\
j k ↓ ↑  select an item            Home End   first, last item
PgDn     next page, also Space     PgUp       previous page
J K      scroll one line           R          refresh

a  approve once; for a grant request: give the grant
g  approve and give a grant, for a number of calls within a time
A  approve and create a rule that always allows the action
d  deny, with a reason that the agent can read
r  record the outcome of an item whose outcome is unknown
v  reveal hidden values; it is recorded that you saw them
t  release as text what was quarantined; d discards it

Every answer is confirmed before it is sent, and applies only to the
version that was shown. \\u{202e} is an invisible character, ⏎ a line end,
⟨…⟩ a long repetition.

q quits. Press any key to go back.";

/// Draws everything and measures the item.
pub(crate) fn view(frame: &mut Frame<'_>, model: &Model) -> Measured {
    let said = notice(model, usize::from(frame.area().width).saturating_sub(1));
    let [head, body, notice, keys] = Layout::vertical([
        Constraint::Length(1),
        Constraint::Fill(1),
        Constraint::Length(u16::try_from(said.len().max(1)).unwrap_or(1)),
        Constraint::Length(1),
    ])
    .areas(frame.area());
    frame.render_widget(header(model, usize::from(head.width)), head);
    frame.render_widget(Paragraph::new(said), notice);
    frame.render_widget(key_line(model), keys);
    let measured = draw_body(frame, model, body);
    if model.help {
        draw_box(frame, "Keys", HELP.lines().map(Line::from).collect(), Place::Middle);
    } else if let Some(dialog) = &model.dialog {
        draw_dialog(frame, model, dialog);
    }
    measured
}

fn header(model: &Model, width: usize) -> Line<'static> {
    let count = match (model.items.len(), model.more) {
        (count, true) => format!("newest {count} pending items"),
        (0, false) => "no pending items".to_owned(),
        (1, false) => "1 pending item".to_owned(),
        (count, false) => format!("{count} pending items"),
    };
    let text = format!(" countersign inbox · {count}");
    let right = format!("{} ", SafeText::line(&model.gateway, LONGEST_CELL).text());
    let text = format!("{}{right}", fit(&text, width.saturating_sub(display_width(&right))));
    Line::styled(text, Style::new().add_modifier(Modifier::REVERSED))
}

/// The last notice, in a few lines.
fn notice(model: &Model, width: usize) -> Vec<Line<'static>> {
    let (text, look) = if let Some((since, why)) = &model.trouble {
        let ago = span(model.now.as_second().saturating_sub(since.as_second()));
        (format!("outdated by {ago}: {why}"), Style::new().fg(Color::Black).bg(Color::Red))
    } else if let Some(notice) = &model.notice {
        (notice.text.clone(), Style::new().fg(if notice.bad { Color::Red } else { Color::Green }))
    } else {
        return Vec::new();
    };
    let lines = wrap(&SafeText::line(&text, 600), width.max(1), look).into_iter().take(NOTICE_LINES);
    lines.map(|spans| Line::from([vec![Span::styled(" ", look)], spans].concat())).collect()
}

fn key_line(model: &Model) -> Line<'static> {
    let keys = match model.current() {
        None => "R refresh  ? help  q quit",
        Some(InboxItem::Approval(item)) if item.only_once.is_some() => {
            "a approve  d deny  │  j/k move  PgDn next page  R refresh  ? help  q quit"
        }
        Some(InboxItem::Approval(_)) => {
            "a approve  g grant  A always  d deny  │  j/k move  PgDn next page  ? help  q quit"
        }
        Some(InboxItem::GrantRequest(_)) => {
            "a give  g give less  d refuse  │  j/k move  PgDn next page  ? help  q quit"
        }
        Some(InboxItem::Quarantined(_)) => {
            "t release as text  d discard  │  j/k move  PgDn next page  R refresh  ? help  q quit"
        }
        Some(InboxItem::Unknown(_)) => {
            "r record outcome  │  j/k move  PgDn next page  R refresh  ? help  q quit"
        }
    };
    Line::styled(format!(" {keys}"), Style::new().fg(Color::DarkGray))
}

fn draw_body(frame: &mut Frame<'_>, model: &Model, area: Rect) -> Measured {
    if model.items.is_empty() {
        let text = Text::from(vec![
            Line::default(),
            Line::from("No pending items.").centered(),
            Line::styled("New requests of agents appear here automatically.", style(Tone::Faint)).centered(),
        ]);
        frame.render_widget(Paragraph::new(text), area);
        return Measured::default();
    }
    if area.width >= WIDE {
        let list_width = (area.width * 2 / 5).clamp(52, 72);
        let [list, rule, item] =
            Layout::horizontal([Constraint::Length(list_width), Constraint::Length(2), Constraint::Fill(1)])
                .areas(area);
        draw_list(frame, model, list);
        frame.render_widget(Block::new().borders(Borders::LEFT).border_style(style(Tone::Faint)), rule);
        let [rule, item] = Layout::vertical([Constraint::Length(1), Constraint::Fill(1)]).areas(item);
        return draw_item(frame, model, rule, item);
    }
    let most = (area.height / 4).max(3);
    let rows = u16::try_from(model.items.len()).unwrap_or(u16::MAX).min(most);
    let [list, rule, item] =
        Layout::vertical([Constraint::Length(rows), Constraint::Length(1), Constraint::Fill(1)]).areas(area);
    draw_list(frame, model, list);
    draw_item(frame, model, rule, item)
}

fn draw_list(frame: &mut Frame<'_>, model: &Model, area: Rect) {
    let height = usize::from(area.height);
    let first = (model.selected + 1).saturating_sub(height);
    let rows = model.items.iter().enumerate().skip(first).take(height);
    let rows = rows.map(|(place, item)| {
        let sending = model.sending.contains(&key_of(item));
        let line = list_line(item, model.now, usize::from(area.width), sending);
        let chosen = place == model.selected;
        let mark = if chosen { "▸ " } else { "  " };
        let look = if chosen { kind_style(item).add_modifier(Modifier::REVERSED) } else { kind_style(item) };
        Line::styled(format!("{mark}{line}"), look)
    });
    frame.render_widget(Paragraph::new(rows.collect::<Vec<_>>()), area);
}

/// High risk and unknown outcomes stand out.
fn kind_style(item: &InboxItem) -> Style {
    match item {
        InboxItem::Approval(item) if item.invocation.risk >= Risk::R3 => style(Tone::Warning),
        InboxItem::Unknown(_) | InboxItem::Quarantined(_) => Style::new().fg(Color::Red),
        _ => Style::new(),
    }
}

fn list_line(item: &InboxItem, now: Timestamp, width: usize, sending: bool) -> String {
    let of = |view: &InvocationView| (view.action.clone(), view.agent.clone());
    let (kind, (action, agent), votes, time) = match item {
        InboxItem::Approval(item) => {
            let yes = item.votes.iter().filter(|vote| vote.verdict == "approved").count();
            let votes =
                if item.votes_needed > 1 { format!("{yes}/{}", item.votes_needed) } else { String::new() };
            let time = item.invocation.expires_at.map(|until| left(until, now)).unwrap_or_default();
            (item.invocation.risk.as_str(), of(&item.invocation), votes, time)
        }
        InboxItem::Unknown(item) => ("unknown", of(&item.invocation), String::new(), String::new()),
        InboxItem::Quarantined(item) => ("held", of(&item.invocation), String::new(), String::new()),
        InboxItem::GrantRequest(item) => {
            ("grant", (item.action.clone(), item.agent.clone()), String::new(), left(item.expires_at, now))
        }
    };
    let time = if sending { "sending".to_owned() } else { time };
    // Two columns for the mark, and one between cells.
    let flexible = width.saturating_sub(2 + 7 + 1 + 1 + 3 + 1 + 7 + 1);
    let agent_width = (flexible * 2 / 5).min(24);
    let cell = |text: &str, width: usize| fit(&SafeText::line(text, LONGEST_CELL).text(), width);
    format!(
        "{} {} {} {} {}",
        fit(kind, 7),
        cell(&action, flexible - agent_width),
        cell(&agent, agent_width),
        fit(&votes, 3),
        fit(&time, 7)
    )
}

/// The details of the selected item, as it was opened.
fn details(model: &Model, item: &InboxItem) -> Details {
    let mut details = Details::of(item, model.now, ON_SCREEN);
    let InboxItem::Approval(approval) = item else { return details };
    details = details.with_revealed(model.revealed.get(&approval.invocation.id).map(Vec::as_slice));
    let text = match model.opened.get(&approval.invocation.id) {
        Some(Opened::Shown(_)) => return details,
        Some(Opened::Loading) | None => "loading the request …".to_owned(),
        Some(Opened::Failed(why)) => format!("loading the request failed: {why}"),
    };
    let row = Row { name: SafeText::default(), value: SafeText::line(&text, 300), tone: Tone::Warning };
    if let Some(head) = details.sections.first_mut() {
        head.rows.push(row);
    }
    details
}

fn draw_item(frame: &mut Frame<'_>, model: &Model, rule: Rect, area: Rect) -> Measured {
    let Some(item) = model.current_as_shown() else { return Measured::default() };
    let (lines, essential) = lines(&details(model, &item), usize::from(area.width).saturating_sub(2));
    let measured = Measured { lines: lines.len(), essential, height: usize::from(area.height) };
    let below = measured.lines.saturating_sub(model.scroll + measured.height);
    let place = match (model.scroll, below) {
        (0, 0) => String::new(),
        (_, 0) => " end ".to_owned(),
        (_, 1) => " 1 more line: PgDn ".to_owned(),
        (_, below) => format!(" {below} more lines: PgDn "),
    };
    let width = usize::from(rule.width).saturating_sub(display_width(&place) + 2);
    let look = if below > 0 { style(Tone::Warning) } else { style(Tone::Faint) };
    let text = vec![
        Span::styled("─".repeat(width), style(Tone::Faint)),
        Span::styled(place, look),
        Span::styled("──", style(Tone::Faint)),
    ];
    frame.render_widget(Line::from(text), rule);
    let shown: Vec<Line<'_>> = lines.into_iter().skip(model.scroll).take(measured.height).collect();
    let area = Rect { x: area.x + 1, width: area.width.saturating_sub(1), ..area };
    frame.render_widget(Paragraph::new(shown), area);
    measured
}

fn draw_dialog(frame: &mut Frame<'_>, model: &Model, dialog: &Dialog) {
    let width = usize::from(DIALOG_WIDTH.min(frame.area().width)).saturating_sub(4);
    let wrapped = |text: &str, look: Style| {
        wrap(&SafeText::own(text), width, look).into_iter().map(Line::from).collect::<Vec<_>>()
    };
    let mut lines: Vec<Line<'_>> = Vec::new();
    for (index, text) in dialog.lines().iter().enumerate() {
        let careful = text.starts_with(NOT_SEEN);
        let look = if careful {
            style(Tone::Warning)
        } else if index == 0 {
            style(Tone::Title)
        } else {
            Style::new()
        };
        lines.extend(wrapped(text, look));
    }
    match &dialog.question {
        Question::Deny(text)
        | Question::Release(text)
        | Question::Discard(text)
        | Question::Evidence(_, text) => {
            let typed = SafeText::line(&format!("> {text}▏"), 2_200);
            let typed: Vec<_> = wrap(&typed, width, Style::new()).into_iter().map(Line::from).collect();
            // The end of the input is where the cursor is.
            let skipped = typed.len().saturating_sub(TYPED_LINES);
            lines.extend(typed.into_iter().skip(skipped));
        }
        Question::Bounds(bounds) => {
            lines.extend(bounds_lines(bounds, matches!(dialog.item, InboxItem::GrantRequest(_))));
        }
        Question::Approve(_) | Question::Outcome => {}
    }
    let late = "No longer pending: answered by another person, or expired.".to_owned();
    let wrong = dialog.wrong.clone().or_else(|| model.dialog_is_late().then_some(late));
    if let Some(wrong) = wrong {
        lines.push(Line::default());
        lines.extend(wrapped(&wrong, Style::new().fg(Color::Red)));
    }
    lines.push(Line::default());
    lines.push(Line::styled(dialog.keys(), style(Tone::Title)));
    draw_box(frame, dialog.title(), lines, Place::Bottom);
}

fn bounds_lines(bounds: &Bounds, only_two: bool) -> Vec<Line<'static>> {
    let reach = if bounds.whole_org { "every session of the organization" } else { "this session" };
    let fields = [
        ("calls", bounds.calls.as_str(), ""),
        ("for", bounds.time.as_str(), ""),
        ("scope", reach, "  (Space toggles)"),
    ];
    let fields = fields.into_iter().take(if only_two { 2 } else { 3 }).enumerate();
    let lines = fields.map(|(index, (name, value, hint))| {
        let here = index == bounds.at;
        let (mark, end) = if here { ("▸", if index < 2 { "▏" } else { "" }) } else { (" ", "") };
        let look = if here { style(Tone::Title) } else { Style::new() };
        let hint = if here { hint } else { "" };
        Line::styled(format!("{mark} {name:<6}{value}{end}{hint}"), look)
    });
    lines.collect()
}

/// Position of a frame. At the bottom, the item stays visible.
enum Place {
    Middle,
    Bottom,
}

fn draw_box(frame: &mut Frame<'_>, title: &str, lines: Vec<Line<'_>>, place: Place) {
    let area = frame.area();
    let width = DIALOG_WIDTH.min(area.width);
    let height = u16::try_from(lines.len()).unwrap_or(u16::MAX).saturating_add(2).min(area.height);
    let above = match place {
        Place::Middle => (area.height - height) / 2,
        Place::Bottom => area.height - height,
    };
    let place = Rect { x: area.x + (area.width - width) / 2, y: area.y + above, width, height };
    frame.render_widget(Clear, place);
    let block = Block::bordered().title(format!(" {title} ")).padding(Padding::horizontal(1));
    frame.render_widget(Paragraph::new(lines).block(block), place);
}
