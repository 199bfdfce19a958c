//! `tokens`: API tokens of people.

use api::{NewTokenView, TokenRequest, TokenView};
use clap::Subcommand;
use model::{ApiTokenId, UserId};
use reqwest::Method;

use crate::{
    Context,
    error::Error,
    exit::Exit,
    input,
    list::{List, PageArgs},
    table,
    visible::inline,
};

/// List, create and revoke API tokens
#[derive(Debug, Subcommand)]
pub enum Tokens {
    /// List the tokens, without their values
    #[command(after_help = "Examples:
  countersign tokens list
  countersign tokens list --everyone   # owners only
  countersign tokens list --user usr_0199…")]
    List {
        /// The tokens and signed-in browsers of everyone
        #[arg(long, conflicts_with = "user")]
        everyone: bool,
        /// Those of this member
        #[arg(long, value_name = "ID")]
        user: Option<UserId>,
        #[command(flatten)]
        page: PageArgs,
    },
    /// Create a token and print it; it is shown only once
    #[command(after_help = "Examples:
  countersign tokens create laptop --lifetime 30d > laptop.token
  countersign tokens create ci --user usr_0199…   # for a service account; owners only

Needs a sign-in of the last ten minutes: a token that was stolen makes no other.")]
    Create {
        /// Name of the token, for example ci
        name: String,
        /// Lifetime, for example 30d [default: 90d]
        #[arg(long, value_name = "DURATION", value_parser = input::lifetime)]
        lifetime: Option<u64>,
        /// Service account that gets the token [default: you]
        #[arg(long, value_name = "ID")]
        user: Option<UserId>,
    },
    /// Revoke a token; it and the sessions that were opened with it stop working immediately
    #[command(after_help = "Examples:
  countersign tokens revoke tok_0199…")]
    Revoke { id: ApiTokenId },
}

pub(crate) async fn run(command: Tokens, cx: &mut Context<'_>) -> Result<Exit, Error> {
    match command {
        Tokens::List { everyone, user, page } => {
            let user = user.map(|user| user.to_string());
            let path = match &user {
                Some(user) => vec!["v1", "members", user, "tokens"],
                None if everyone => vec!["v1", "all-tokens"],
                None => vec!["v1", "tokens"],
            };
            let header = &["ID", "NAME", "USER", "CREATED", "LAST USED", "EXPIRES", "REVOKED"];
            let list = List { path: &path, query: vec![], page: &page, header };
            list.print(cx, row).await
        }
        Tokens::Create { name, lifetime, user } => {
            create(cx, TokenRequest { name, lifetime_s: lifetime }, user).await
        }
        Tokens::Revoke { id } => {
            let answer = cx.client()?.delete(&["v1", "tokens", &id.to_string()])?.send().await?;
            cx.done(&answer, &format!("revoked {id}"))
        }
    }
}

async fn create(cx: &mut Context<'_>, request: TokenRequest, user: Option<UserId>) -> Result<Exit, Error> {
    let user = user.map(|user| user.to_string());
    let path = match &user {
        Some(user) => vec!["v1", "members", user, "tokens"],
        None => vec!["v1", "tokens"],
    };
    let answer = cx.client()?.send_body(Method::POST, &path, &request)?.send().await?;
    if !cx.json() {
        let new: NewTokenView = answer.parse()?;
        cx.console.note(&format!("created {}; token, shown only once:", new.id))?;
    }
    cx.show(&answer, |new: NewTokenView, _| inline(&new.token.0))
}

fn row(token: TokenView) -> Vec<String> {
    vec![
        token.id.to_string(),
        token.name,
        token.user.to_string(),
        table::moment(token.created_at),
        table::maybe(token.last_used_at),
        table::maybe(token.expires_at),
        table::maybe(token.revoked_at),
    ]
}
