//! `rules`: which actions are allowed, need approval or are denied.

use api::{RuleRequest, RuleView};
use clap::Subcommand;
use model::{AutomationId, Mode, RuleId};
use reqwest::Method;

use crate::{
    Context,
    error::Error,
    exit::Exit,
    input,
    list::{List, PageArgs},
    table,
};

/// List, set and remove rules
#[derive(Debug, Subcommand)]
pub enum Rules {
    /// List the rules
    #[command(after_help = "Examples:
  countersign rules list")]
    List {
        #[command(flatten)]
        page: PageArgs,
    },
    /// Set the rule for an action, replacing an existing one
    #[command(after_help = "Examples:
  countersign rules set linear.create_issue require_approval --reason 'four eyes'
  countersign rules set 'linear.*' allow
  countersign rules set slack.send_message allow --where channel=C0123
  countersign rules set '*' deny          # quote the star, because shells expand it

A rule with a condition comes before one without; of several that hold, the strictest counts.
Guardrails can make a decision stricter than its rule, never more permissive.")]
    Set {
        /// Action as source.action, source.* or *
        action: String,
        /// Decision for matching actions
        #[arg(value_parser = input::mode())]
        mode: Mode,
        /// Reason, shown with each decision
        #[arg(long, default_value = "", hide_default_value = true)]
        reason: String,
        /// Only runs of this automation
        #[arg(long, value_name = "ID")]
        automation: Option<AutomationId>,
        #[command(flatten)]
        only: input::Where,
    },
    /// Remove a rule
    #[command(after_help = "Examples:
  countersign rules remove rul_0199…")]
    Remove { id: RuleId },
}

pub(crate) async fn run(command: Rules, cx: &mut Context<'_>) -> Result<Exit, Error> {
    match command {
        Rules::List { page } => {
            let header = &["ID", "ACTION", "WHERE", "MODE", "REASON", "AUTOMATION", "UPDATED"];
            let list = List { path: &["v1", "rules"], query: vec![], page: &page, header };
            list.print(cx, row).await
        }
        Rules::Set { action, mode, reason, automation, only } => {
            let condition = only.filter()?;
            let request = RuleRequest { action, mode, reason, automation, condition };
            let answer = cx.client()?.send_body(Method::PUT, &["v1", "rules"], &request)?.send().await?;
            cx.done(&answer, &format!("saved rule: {} is {}", request.action, mode.as_str()))
        }
        Rules::Remove { id } => {
            let answer = cx.client()?.delete(&["v1", "rules", &id.to_string()])?.send().await?;
            cx.done(&answer, &format!("removed {id}"))
        }
    }
}

fn row(rule: RuleView) -> Vec<String> {
    vec![
        rule.id.to_string(),
        rule.action,
        rule.where_words.unwrap_or_default(),
        rule.mode.as_str().to_owned(),
        rule.reason,
        rule.automation.map(|id| id.to_string()).unwrap_or_default(),
        table::moment(rule.updated_at),
    ]
}
