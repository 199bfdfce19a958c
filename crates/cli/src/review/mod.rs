//! The review of a connector's tools: shown as they are beside what was accepted, and answered one by one or by flags.
//!
//! INVARIANT: an answer names the hashes of what was printed, never of what was fetched later.

mod page;
mod sides;
#[cfg(test)]
mod tests;

use api::{ConnectorDetail, ToolReviewRequest, ToolState, ToolVerdict, ToolView};
use clap::Args;
use model::{EffectClass, Risk, SourceSlug};
use reqwest::Method;

use crate::{
    Context,
    client::{Answer, Client},
    error::Error,
    exit::Exit,
    input,
};
pub(crate) use page::{name, page, waits, word};

const LOOK_FIRST: &str =
    "hint:  look with `countersign connectors show SOURCE TOOL`; the same answer twice is one answer\n";

/// Say of a tool that it is as it should be, or that nobody may call it.
#[derive(Debug, Args)]
pub struct Review {
    source: SourceSlug,
    /// As the server calls it; without it, everything that waits
    tool: Option<String>,
    /// It is as it should be
    #[arg(long, conflicts_with = "deny")]
    accept: bool,
    /// Nobody may call it, whatever it becomes: a rule is written
    #[arg(long)]
    deny: bool,
    /// With --accept: how much can go wrong; what the server claims when not given
    #[arg(long, requires = "accept", value_parser = input::risk())]
    risk: Option<Risk>,
    /// With --accept: whether a repeat is harmless; `once` when not given
    #[arg(long, requires = "accept", value_parser = input::effect())]
    effect: Option<EffectClass>,
    /// For whoever looks next
    #[arg(long)]
    note: Option<String>,
    /// The same answer for everything that waits
    #[arg(long, conflicts_with = "tool")]
    all: bool,
}

/// What a person says of a tool.
#[derive(Debug, Clone)]
struct Word {
    verdict: ToolVerdict,
    risk: Option<Risk>,
    effect: Option<EffectClass>,
    note: String,
}

impl Review {
    fn word(&self) -> Option<Word> {
        let verdict = match (self.accept, self.deny) {
            (true, _) => ToolVerdict::Accept,
            (_, true) => ToolVerdict::Deny,
            _ => return None,
        };
        let note = self.note.clone().unwrap_or_default();
        Some(Word { verdict, risk: self.risk, effect: self.effect, note })
    }
}

pub(crate) async fn run(arguments: Review, cx: &mut Context<'_>) -> Result<Exit, Error> {
    let word = arguments.word();
    match (&word, &arguments) {
        (None, Review { all: true, .. } | Review { note: Some(_), .. }) => {
            return Err(Error::usage("--all and --note go with an answer: add --accept or --deny"));
        }
        (Some(_), Review { tool: None, all: false, .. }) => {
            return Err(Error::usage("say of which tool, or --all for everything that waits"));
        }
        _ => {}
    }
    let desk = Desk { client: cx.client()?, source: arguments.source };
    let answer = desk.fetch().await?;
    let detail: ConnectorDetail = answer.parse()?;
    let tools = match &arguments.tool {
        Some(name) => vec![desk.find(detail.tools, name)?],
        None => waiting(detail.tools),
    };
    match word {
        Some(word) => answer_all(cx, &desk, &tools, &word).await,
        None if !cx.json() && cx.console.input_is_terminal && cx.console.out_is_terminal => {
            walk(cx, &desk, tools).await
        }
        None => print(cx, &answer, &tools),
    }
}

/// What waits, the urgent first: what changed, then what is new, then what was only reworded.
fn waiting(tools: Vec<ToolView>) -> Vec<ToolView> {
    let mut tools: Vec<ToolView> = tools.into_iter().filter(waits).collect();
    tools.sort_by_key(|tool| match tool.state {
        ToolState::Changed => 0,
        ToolState::New => 1,
        _ => 2,
    });
    tools
}

fn print(cx: &mut Context<'_>, answer: &Answer, tools: &[ToolView]) -> Result<Exit, Error> {
    let open = tools.iter().any(waits);
    if cx.json() {
        cx.console.json_text(&answer.text)?;
    } else if tools.is_empty() {
        cx.console.note("nothing waits for a review")?;
    } else {
        let width = cx.console.width();
        let pages: Vec<String> = tools.iter().map(|tool| page(tool, width)).collect();
        cx.console.data(&pages.join("\n"))?;
    }
    if open {
        cx.console.note("nobody was asked: answer with --accept or --deny, of one tool or with --all")?;
    }
    Ok(if open { Exit::Pending } else { Exit::Done })
}

/// The same word for each of them, bound to what is printed now.
async fn answer_all(
    cx: &mut Context<'_>,
    desk: &Desk,
    tools: &[ToolView],
    word: &Word,
) -> Result<Exit, Error> {
    let mut answers = Vec::new();
    let mut changed = None;
    for tool in tools {
        // To stderr: what the command is for is the answer, and that alone goes to stdout.
        cx.console.note(&format!("{}\n", page(tool, cx.console.width())))?;
        match desk.send(tool, word).await {
            Ok(answer) => {
                let done: ToolView = answer.parse()?;
                if !cx.json() {
                    cx.console.data(&said(&done, word.verdict))?;
                }
                answers.push(answer.text);
            }
            Err(error) if is_changed(&error) => {
                cx.console.note(&changed_while(tool))?;
                changed = Some(error);
            }
            Err(error) => return Err(error),
        }
    }
    if tools.is_empty() {
        cx.console.note("nothing waits for a review")?;
    }
    if cx.json() {
        let text = match (tools, answers.as_slice(), &changed) {
            ([_], [only], _) => only.clone(),
            ([_], [], Some(error)) => error.answer().unwrap_or_default().to_owned(),
            _ => format!("{{\"items\":[{}]}}", answers.join(",")),
        };
        cx.console.json_text(&text)?;
    }
    Ok(if changed.is_some() { Exit::Conflict } else { Exit::Done })
}

/// One tool after the other, each shown and then asked about.
async fn walk(cx: &mut Context<'_>, desk: &Desk, tools: Vec<ToolView>) -> Result<Exit, Error> {
    if tools.is_empty() {
        cx.console.note("nothing waits for a review")?;
    }
    let (total, mut open) = (tools.len(), tools.len());
    for (index, mut tool) in tools.into_iter().enumerate() {
        loop {
            let width = cx.console.width();
            cx.console.data(&format!("── {} of {total} ──\n{}", index + 1, page(&tool, width)))?;
            let word = match ask(cx, &tool)? {
                Reply::Quit => return left_open(cx, open),
                Reply::Skip => break,
                Reply::Word(word) => word,
            };
            match desk.send(&tool, &word).await {
                Ok(answer) => {
                    cx.console.note(&said(&answer.parse()?, word.verdict))?;
                    open -= 1;
                    break;
                }
                Err(error) if is_changed(&error) => {
                    cx.console.note(&changed_while(&tool))?;
                    let detail: ConnectorDetail = desk.fetch().await?.parse()?;
                    tool = desk.find(detail.tools, &tool.tool)?;
                }
                Err(error) => return Err(error),
            }
        }
    }
    left_open(cx, open)
}

fn left_open(cx: &mut Context<'_>, open: usize) -> Result<Exit, Error> {
    if open == 0 {
        return Ok(Exit::Done);
    }
    cx.console.note(&format!("not answered: {open}"))?;
    Ok(Exit::Pending)
}

enum Reply {
    Word(Word),
    Skip,
    Quit,
}

fn ask(cx: &mut Context<'_>, tool: &ToolView) -> Result<Reply, Error> {
    let plain = |verdict| Word { verdict, risk: None, effect: None, note: String::new() };
    loop {
        let prompt = format!("{}: [a]ccept, [r]e-classify, [d]eny, [s]kip, [q]uit? ", name(tool));
        let Some(typed) = cx.console.ask(&prompt)? else { return Ok(Reply::Quit) };
        match typed.as_str() {
            "a" | "accept" => return Ok(Reply::Word(plain(ToolVerdict::Accept))),
            "s" | "skip" => return Ok(Reply::Skip),
            "q" | "quit" => return Ok(Reply::Quit),
            "d" | "deny" => {
                let Some(note) = cx.console.ask("why, for whoever looks next: ")? else { continue };
                return Ok(Reply::Word(Word { note, ..plain(ToolVerdict::Deny) }));
            }
            "r" | "re-classify" => {
                if let Some(word) = classify(cx)? {
                    return Ok(Reply::Word(word));
                }
            }
            _ => cx.console.note("one letter: a, r, d, s or q")?,
        }
    }
}

/// What a person says of the risk and of repeats; nothing when they typed something else.
fn classify(cx: &mut Context<'_>) -> Result<Option<Word>, Error> {
    let risk = cx.console.ask("risk, R0 to R4; empty takes what the server claims: ")?.unwrap_or_default();
    let effect =
        cx.console.ask("a repeat: read, keyed, checkable or once; empty is once: ")?.unwrap_or_default();
    let note = cx.console.ask("why, for whoever looks next: ")?.unwrap_or_default();
    let (parsed_risk, parsed_effect) = (Risk::parse(&risk.to_uppercase()), EffectClass::parse(&effect));
    if (!risk.is_empty() && parsed_risk.is_none()) || (!effect.is_empty() && parsed_effect.is_none()) {
        cx.console.note("that is no risk, or nothing a repeat can be; nothing was sent")?;
        return Ok(None);
    }
    let verdict = ToolVerdict::Accept;
    Ok(Some(Word { verdict, risk: parsed_risk, effect: parsed_effect, note }))
}

fn said(tool: &ToolView, verdict: ToolVerdict) -> String {
    match verdict {
        ToolVerdict::Accept => {
            format!("accepted {}: {}, {}", name(tool), tool.risk.as_str(), tool.effect.as_str())
        }
        ToolVerdict::Deny => format!("denied {}: nobody may call it", name(tool)),
    }
}

fn changed_while(tool: &ToolView) -> String {
    format!("{} changed while you looked; nothing was recorded, look at it again", name(tool))
}

fn is_changed(error: &Error) -> bool {
    matches!(error, Error::Problem { problem, .. } if problem.status == 409 && problem.code == "tool_changed")
}

/// Where tools are fetched and answers go.
struct Desk {
    client: Client,
    source: SourceSlug,
}

impl Desk {
    async fn fetch(&self) -> Result<Answer, Error> {
        self.client.get(&["v1", "connectors", self.source.as_str()])?.send().await
    }

    fn find(&self, tools: Vec<ToolView>, name: &str) -> Result<ToolView, Error> {
        find(tools, &self.source, name)
    }

    /// Sends a word about a tool as it was shown.
    async fn send(&self, shown: &ToolView, word: &Word) -> Result<Answer, Error> {
        let request = ToolReviewRequest {
            tool: shown.tool.clone(),
            shape_hash: shown.shape_hash.clone(),
            text_hash: shown.text_hash.clone(),
            verdict: word.verdict,
            risk: word.risk,
            effect: word.effect,
            note: word.note.clone(),
        };
        let path = ["v1", "connectors", self.source.as_str(), "review"];
        let sent = self.client.send_body(Method::POST, &path, &request)?.send().await;
        sent.map_err(|error| error.in_doubt(LOOK_FIRST))
    }
}

/// A tool by the server's name for it, or by its address.
pub(crate) fn find(tools: Vec<ToolView>, source: &SourceSlug, name: &str) -> Result<ToolView, Error> {
    let is = |tool: &ToolView| {
        tool.tool == name
            || tool.action.as_deref().is_some_and(|action| {
                action == name
                    || action.strip_prefix(source.as_str()).and_then(|rest| rest.strip_prefix('.'))
                        == Some(name)
            })
    };
    let mut found: Vec<ToolView> = tools.into_iter().filter(is).collect();
    match found.len() {
        1 => Ok(found.remove(0)),
        0 => Err(Error::Absent(format!("{source} has no tool {name}"))),
        _ => Err(Error::usage(format!("{source} has several tools {name}; use the server's own name"))),
    }
}
