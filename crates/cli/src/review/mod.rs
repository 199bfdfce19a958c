//! The review of a connector's tools: current version next to the accepted one, decided one by one or with arguments.
//!
//! INVARIANT: a decision names the hashes of the version that was printed, never of one that was fetched later.

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
pub(crate) use page::{name, page, state_name, waits};

const CHECK_FIRST: &str =
    "hint:  check `countersign connectors show SOURCE TOOL`; repeating the same review is safe\n";

#[derive(Debug, Args)]
pub struct Review {
    /// Source name of the connector
    source: SourceSlug,
    /// Tool, as the server names it [default: all tools to review]
    tool: Option<String>,
    /// Accept the tool as shown
    #[arg(long, conflicts_with = "deny")]
    accept: bool,
    /// Deny the tool: creates a rule that applies to later versions too
    #[arg(long)]
    deny: bool,
    /// With --accept: risk level [default: what the server claims]
    #[arg(long, requires = "accept", value_parser = input::risk())]
    risk: Option<Risk>,
    /// With --accept: effect class, which says whether a repeat is safe [default: once]
    #[arg(long, requires = "accept", value_parser = input::effect())]
    effect: Option<EffectClass>,
    /// Note for later reviewers
    #[arg(long)]
    note: Option<String>,
    /// Apply the decision to all tools to review
    #[arg(long, conflicts_with = "tool")]
    all: bool,
}

/// The decision about a tool.
#[derive(Debug, Clone)]
struct Decision {
    verdict: ToolVerdict,
    risk: Option<Risk>,
    effect: Option<EffectClass>,
    note: String,
}

impl Review {
    fn decision(&self) -> Option<Decision> {
        let verdict = match (self.accept, self.deny) {
            (true, _) => ToolVerdict::Accept,
            (_, true) => ToolVerdict::Deny,
            _ => return None,
        };
        let note = self.note.clone().unwrap_or_default();
        Some(Decision { verdict, risk: self.risk, effect: self.effect, note })
    }
}

pub(crate) async fn run(arguments: Review, cx: &mut Context<'_>) -> Result<Exit, Error> {
    let decision = arguments.decision();
    match (&decision, &arguments) {
        (None, Review { all: true, .. } | Review { note: Some(_), .. }) => {
            return Err(Error::usage("--all and --note require --accept or --deny"));
        }
        (Some(_), Review { tool: None, all: false, .. }) => {
            return Err(Error::usage("no tool given. Name a tool, or use --all"));
        }
        _ => {}
    }
    let connector = Connector { client: cx.client()?, source: arguments.source };
    let answer = connector.fetch().await?;
    let detail: ConnectorDetail = answer.parse()?;
    let tools = match &arguments.tool {
        Some(name) => vec![connector.find(detail.tools, name)?],
        None => waiting(detail.tools),
    };
    match decision {
        Some(decision) => answer_all(cx, &connector, &tools, &decision).await,
        None if !cx.json() && cx.console.input_is_terminal && cx.console.out_is_terminal => {
            walk(cx, &connector, tools).await
        }
        None => print(cx, &answer, &tools),
    }
}

/// The tools to review, most urgent first: changed, then new, then only reworded.
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
        cx.console.note("no tools to review")?;
    } else {
        let width = cx.console.width();
        let pages: Vec<String> = tools.iter().map(|tool| page(tool, width)).collect();
        cx.console.data(&pages.join("\n"))?;
    }
    if open {
        cx.console.note("not reviewed: use --accept or --deny, with a tool or --all")?;
    }
    Ok(if open { Exit::Pending } else { Exit::Done })
}

/// The same decision for each tool, in the version that is printed now.
async fn answer_all(
    cx: &mut Context<'_>,
    connector: &Connector,
    tools: &[ToolView],
    decision: &Decision,
) -> Result<Exit, Error> {
    let mut answers = Vec::new();
    let mut changed = None;
    for tool in tools {
        // To stderr, because stdout is for the result alone.
        cx.console.note(&format!("{}\n", page(tool, cx.console.width())))?;
        match connector.send(tool, decision).await {
            Ok(answer) => {
                let done: ToolView = answer.parse()?;
                if !cx.json() {
                    cx.console.data(&result(&done, decision.verdict))?;
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
        cx.console.note("no tools to review")?;
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

/// Shows one tool after the other and asks for a decision.
async fn walk(cx: &mut Context<'_>, connector: &Connector, tools: Vec<ToolView>) -> Result<Exit, Error> {
    if tools.is_empty() {
        cx.console.note("no tools to review")?;
    }
    let (total, mut open) = (tools.len(), tools.len());
    for (index, mut tool) in tools.into_iter().enumerate() {
        loop {
            let width = cx.console.width();
            cx.console.data(&format!("── {} of {total} ──\n{}", index + 1, page(&tool, width)))?;
            let decision = match ask(cx, &tool)? {
                Choice::Quit => return left_open(cx, open),
                Choice::Skip => break,
                Choice::Decide(decision) => decision,
            };
            match connector.send(&tool, &decision).await {
                Ok(answer) => {
                    cx.console.note(&result(&answer.parse()?, decision.verdict))?;
                    open -= 1;
                    break;
                }
                Err(error) if is_changed(&error) => {
                    cx.console.note(&changed_while(&tool))?;
                    let detail: ConnectorDetail = connector.fetch().await?.parse()?;
                    tool = connector.find(detail.tools, &tool.tool)?;
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
    cx.console.note(&format!("not reviewed: {open}"))?;
    Ok(Exit::Pending)
}

enum Choice {
    Decide(Decision),
    Skip,
    Quit,
}

fn ask(cx: &mut Context<'_>, tool: &ToolView) -> Result<Choice, Error> {
    let plain = |verdict| Decision { verdict, risk: None, effect: None, note: String::new() };
    loop {
        let prompt = format!("{}: [a]ccept, [r]e-classify, [d]eny, [s]kip, [q]uit? ", name(tool));
        let Some(typed) = cx.console.ask(&prompt)? else { return Ok(Choice::Quit) };
        match typed.as_str() {
            "a" | "accept" => return Ok(Choice::Decide(plain(ToolVerdict::Accept))),
            "s" | "skip" => return Ok(Choice::Skip),
            "q" | "quit" => return Ok(Choice::Quit),
            "d" | "deny" => {
                let Some(note) = cx.console.ask("reason, for later reviewers: ")? else { continue };
                return Ok(Choice::Decide(Decision { note, ..plain(ToolVerdict::Deny) }));
            }
            "r" | "re-classify" => {
                if let Some(decision) = classify(cx)? {
                    return Ok(Choice::Decide(decision));
                }
            }
            _ => cx.console.note("type one letter: a, r, d, s or q")?,
        }
    }
}

/// Asks for risk and effect class; `None` if the input is invalid.
fn classify(cx: &mut Context<'_>) -> Result<Option<Decision>, Error> {
    let risk = cx.console.ask("risk, R0 to R4 [what the server claims]: ")?.unwrap_or_default();
    let effect = cx.console.ask("effect class: read, keyed, checkable or once [once]: ")?.unwrap_or_default();
    let note = cx.console.ask("reason, for later reviewers: ")?.unwrap_or_default();
    let (parsed_risk, parsed_effect) = (Risk::parse(&risk.to_uppercase()), EffectClass::parse(&effect));
    if (!risk.is_empty() && parsed_risk.is_none()) || (!effect.is_empty() && parsed_effect.is_none()) {
        cx.console.note("invalid risk or effect class; nothing was sent")?;
        return Ok(None);
    }
    let verdict = ToolVerdict::Accept;
    Ok(Some(Decision { verdict, risk: parsed_risk, effect: parsed_effect, note }))
}

fn result(tool: &ToolView, verdict: ToolVerdict) -> String {
    match verdict {
        ToolVerdict::Accept => {
            format!("accepted {}: {}, {}", name(tool), tool.risk.as_str(), tool.effect.as_str())
        }
        ToolVerdict::Deny => format!("denied {}", name(tool)),
    }
}

fn changed_while(tool: &ToolView) -> String {
    format!("{} changed in the meantime; nothing was recorded. Review it again", name(tool))
}

fn is_changed(error: &Error) -> bool {
    matches!(error, Error::Problem { problem, .. } if problem.status == 409 && problem.code == "tool_changed")
}

/// The connector under review.
struct Connector {
    client: Client,
    source: SourceSlug,
}

impl Connector {
    async fn fetch(&self) -> Result<Answer, Error> {
        self.client.get(&["v1", "connectors", self.source.as_str()])?.send().await
    }

    fn find(&self, tools: Vec<ToolView>, name: &str) -> Result<ToolView, Error> {
        find(tools, &self.source, name)
    }

    /// Sends the decision about the version that was shown.
    async fn send(&self, shown: &ToolView, decision: &Decision) -> Result<Answer, Error> {
        let request = ToolReviewRequest {
            tool: shown.tool.clone(),
            shape_hash: shown.shape_hash.clone(),
            text_hash: shown.text_hash.clone(),
            verdict: decision.verdict,
            risk: decision.risk,
            effect: decision.effect,
            note: decision.note.clone(),
        };
        let path = ["v1", "connectors", self.source.as_str(), "review"];
        let sent = self.client.send_body(Method::POST, &path, &request)?.send().await;
        sent.map_err(|error| error.in_doubt(CHECK_FIRST))
    }
}

/// A tool by the server's name for it, or by its action.
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
        0 => Err(Error::Absent(format!(
            "tool {name} not found in {source}. List its tools with `countersign connectors show {source}`"
        ))),
        _ => Err(Error::usage(format!("{name} is ambiguous in {source}. Use the server's name of the tool"))),
    }
}
