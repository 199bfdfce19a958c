//! `spaces`: list and change spaces, their risk bands and their members.

use api::{SpaceMemberRequest, SpaceMemberView, SpacePatch, SpaceRequest, SpaceView};
use clap::{Args, Subcommand};
use model::{OpenTo, RiskBand, SpaceId, UserId};
use reqwest::Method;

use crate::{
    Context,
    error::Error,
    exit::Exit,
    input,
    list::{List, PageArgs},
    table,
};

/// List, create and change spaces
#[derive(Debug, Subcommand)]
pub enum Spaces {
    /// List the spaces
    #[command(after_help = "Examples:
  countersign spaces list")]
    List {
        #[command(flatten)]
        page: PageArgs,
    },
    /// Create a space
    #[command(after_help = "Examples:
  countersign spaces create production --name Production --band amber
  countersign spaces create playground --band green --open-to everyone

Risk bands: green follows the rules, amber requires approval for every write, red also denies R3 and R4, black allows
only reads.")]
    Create {
        /// Slug, for example production
        slug: String,
        /// Name [default: the slug]
        #[arg(long)]
        name: Option<String>,
        /// Risk band
        #[arg(long, value_parser = input::band())]
        band: RiskBand,
        /// Who works in it besides admins and owners
        #[arg(long, default_value = "members", value_parser = input::open_to())]
        open_to: OpenTo,
    },
    /// Change a space
    #[command(after_help = "Examples:
  countersign spaces set spc_0199… --band red
  countersign spaces set spc_0199… --name 'Production EU' --outbound-redaction true")]
    Set {
        /// Id of the space
        id: SpaceId,
        #[command(flatten)]
        change: Change,
    },
    /// List, add and remove the members of a space
    #[command(
        subcommand,
        after_help = "Example:
  countersign spaces members list spc_0199…"
    )]
    Members(Members),
}

/// List, add and remove the members of a space
#[derive(Debug, Subcommand)]
pub enum Members {
    /// List the members of a space and what they may use there
    #[command(after_help = "Examples:
  countersign spaces members list spc_0199…")]
    List {
        /// Id of the space
        space: SpaceId,
        #[command(flatten)]
        page: PageArgs,
    },
    /// Add a member to a space, or change what they may use there
    #[command(after_help = "Examples:
  countersign spaces members set spc_0199… usr_0199… --capability linear:read --capability 'slack:*'

Admins and owners may use everything in every space. A member who is not listed may use every source in a space that is
open to everyone, and nothing in other spaces.")]
    Set {
        /// Id of the space
        space: SpaceId,
        /// Id of the member
        user: UserId,
        /// What their sessions may use at most; can be repeated [default: everything]
        #[arg(long = "capability", value_name = "CAPABILITY")]
        capabilities: Vec<String>,
    },
    /// Remove a member from a space
    #[command(after_help = "Examples:
  countersign spaces members remove spc_0199… usr_0199…")]
    Remove {
        /// Id of the space
        space: SpaceId,
        /// Id of the member
        user: UserId,
    },
}

#[derive(Debug, Args)]
#[group(required = true, multiple = true)]
pub struct Change {
    /// Name
    #[arg(long)]
    name: Option<String>,
    /// Risk band
    #[arg(long, value_parser = input::band())]
    band: Option<RiskBand>,
    /// Remove secrets and personal data from outgoing parameters
    #[arg(long, value_name = "BOOL")]
    outbound_redaction: Option<bool>,
    /// Who works in it besides admins and owners
    #[arg(long, value_parser = input::open_to())]
    open_to: Option<OpenTo>,
}

pub(crate) async fn run(command: Spaces, cx: &mut Context<'_>) -> Result<Exit, Error> {
    match command {
        Spaces::List { page } => {
            let header = &["ID", "SLUG", "NAME", "BAND", "OPEN TO", "OUTBOUND REDACTION"];
            let list = List { path: &["v1", "spaces"], query: vec![], page: &page, header };
            list.print(cx, row).await
        }
        Spaces::Create { slug, name, band, open_to } => {
            let name = name.unwrap_or_else(|| slug.clone());
            let request = SpaceRequest { slug, name, risk_band: band, open_to: Some(open_to) };
            let answer = cx.client()?.send_body(Method::POST, &["v1", "spaces"], &request)?.send().await?;
            cx.show(&answer, details)
        }
        Spaces::Set { id, change } => {
            let Change { name, band, outbound_redaction, open_to } = change;
            let request = SpacePatch { name, risk_band: band, outbound_redaction, open_to };
            let path = ["v1", "spaces", &id.to_string()];
            let answer = cx.client()?.send_body(Method::PATCH, &path, &request)?.send().await?;
            cx.done(&answer, &format!("saved {id}"))
        }
        Spaces::Members(command) => members(command, cx).await,
    }
}

async fn members(command: Members, cx: &mut Context<'_>) -> Result<Exit, Error> {
    match command {
        Members::List { space, page } => {
            let header = &["MEMBER", "NAME", "ROLE", "KIND", "MAY USE"];
            let path = ["v1", "spaces", &space.to_string(), "members"];
            List { path: &path, query: vec![], page: &page, header }.print(cx, member_row).await
        }
        Members::Set { space, user, capabilities } => {
            let capabilities = Some(capabilities).filter(|capabilities| !capabilities.is_empty());
            let path = ["v1", "spaces", &space.to_string(), "members", &user.to_string()];
            let request = SpaceMemberRequest { capabilities };
            let answer = cx.client()?.send_body(Method::PUT, &path, &request)?.send().await?;
            cx.done(&answer, &format!("saved {user} in {space}"))
        }
        Members::Remove { space, user } => {
            let path = ["v1", "spaces", &space.to_string(), "members", &user.to_string()];
            let answer = cx.client()?.delete(&path)?.send().await?;
            cx.done(&answer, &format!("removed {user} from {space}"))
        }
    }
}

fn member_row(member: SpaceMemberView) -> Vec<String> {
    vec![
        member.user.to_string(),
        member.name,
        member.role.as_str().to_owned(),
        member.kind.as_str().to_owned(),
        member.capabilities.join(" "),
    ]
}

fn row(space: SpaceView) -> Vec<String> {
    let redaction = if space.outbound_redaction { "on" } else { "off" };
    vec![
        space.id.to_string(),
        space.slug,
        space.name,
        space.risk_band.as_str().to_owned(),
        space.open_to.as_str().to_owned(),
        redaction.to_owned(),
    ]
}

fn details(space: SpaceView, wide: bool) -> String {
    let pairs = vec![
        ("space", Some(space.id.to_string())),
        ("slug", Some(space.slug)),
        ("name", Some(space.name)),
        ("band", Some(space.risk_band.as_str().to_owned())),
        ("open to", Some(space.open_to.as_str().to_owned())),
    ];
    table::pairs(pairs, wide)
}
