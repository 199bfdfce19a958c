//! `connections` and `secrets`: credentials that the gateway stores. Values can be written, never read.

use api::{ConnectionRequest, ConnectionView, SecretRequest, SecretView};
use clap::Subcommand;
use model::SourceSlug;
use reqwest::Method;

use crate::{
    Context,
    error::Error,
    exit::Exit,
    input::ValueSource,
    list::{List, PageArgs},
    table,
};

/// Connect and disconnect sources
#[derive(Debug, Subcommand)]
pub enum Connections {
    /// List the connections
    #[command(after_help = "Examples:
  countersign connections list")]
    List {
        #[command(flatten)]
        page: PageArgs,
    },
    /// Connect a source; the credential is read from stdin, a file or an environment variable
    #[command(after_help = "Examples:
  pass show linear | countersign connections add linear --name acme
  countersign connections add linear --from-file ./linear.key
  countersign connections add slack --from-env SLACK_BOT_TOKEN

The credential is never an argument, because process lists and shell histories show arguments. One line feed at its end
is removed. A new credential replaces the old one.")]
    Add {
        /// Source, for example linear
        source: SourceSlug,
        /// Name, for example of the workspace
        #[arg(long, default_value = "", hide_default_value = true)]
        name: String,
        #[command(flatten)]
        value: ValueSource,
    },
    /// Disconnect a source and delete its credential
    #[command(after_help = "Examples:
  countersign connections remove linear")]
    Remove { source: SourceSlug },
}

/// List, set and delete secrets
#[derive(Debug, Subcommand)]
pub enum Secrets {
    /// List the secrets, without their values
    #[command(after_help = "Examples:
  countersign secrets list")]
    List {
        #[command(flatten)]
        page: PageArgs,
    },
    /// Set a secret; the value is read from stdin, a file or an environment variable
    #[command(after_help = "Examples:
  openssl rand -base64 32 | countersign secrets set webhook-key
  countersign secrets set db-password --from-file ./password

One line feed at the end of the value is removed.")]
    Set {
        /// Name of the secret
        name: String,
        #[command(flatten)]
        value: ValueSource,
    },
    /// Allow a connector to send a secret to its address
    #[command(after_help = "Examples:
  countersign secrets allow docs-token docs

Connectors that you added may use the secrets that you set to authenticate. For everything else, the person who set the
secret, or an owner, has to allow it. Agents may then pass the secret to the connector by reference, where a parameter has
the format `password`: {\"$secret\": \"NAME\"}.")]
    Allow {
        /// Name of the secret
        name: String,
        /// Connector that uses it
        connector: SourceSlug,
    },
    /// Forbid a connector to use a secret
    #[command(after_help = "Examples:
  countersign secrets forbid docs-token docs")]
    Forbid {
        /// Name of the secret
        name: String,
        /// Connector that uses it
        connector: SourceSlug,
    },
    /// Delete a secret
    #[command(after_help = "Examples:
  countersign secrets remove db-password")]
    Remove { name: String },
}

pub(crate) async fn run_connections(command: Connections, cx: &mut Context<'_>) -> Result<Exit, Error> {
    match command {
        Connections::List { page } => {
            let header = &["ID", "SOURCE", "NAME", "VERSION", "SET BY", "UPDATED"];
            let list = List { path: &["v1", "connections"], query: vec![], page: &page, header };
            list.print(cx, connection_row).await
        }
        Connections::Add { source, name, value } => {
            let request = ConnectionRequest { name, token: value.read(cx.console)? };
            let path = ["v1", "connections", source.as_str()];
            let answer = cx.client()?.send_body(Method::PUT, &path, &request)?.send().await?;
            cx.done(&answer, &format!("connected {source}"))
        }
        Connections::Remove { source } => {
            let answer = cx.client()?.delete(&["v1", "connections", source.as_str()])?.send().await?;
            cx.done(&answer, &format!("disconnected {source}"))
        }
    }
}

pub(crate) async fn run_secrets(command: Secrets, cx: &mut Context<'_>) -> Result<Exit, Error> {
    match command {
        Secrets::List { page } => {
            let header = &["ID", "NAME", "VERSION", "SET BY", "UPDATED", "MAY BE USED BY"];
            let list = List { path: &["v1", "secrets"], query: vec![], page: &page, header };
            list.print(cx, secret_row).await
        }
        Secrets::Set { name, value } => {
            let request = SecretRequest { value: value.read(cx.console)? };
            let path = ["v1", "secrets", name.as_str()];
            let answer = cx.client()?.send_body(Method::PUT, &path, &request)?.send().await?;
            cx.done(&answer, &format!("saved secret {name}"))
        }
        Secrets::Allow { name, connector } => {
            let path = ["v1", "secrets", &name, "audience", connector.as_str()];
            let answer = cx.client()?.send_body(Method::PUT, &path, &())?.send().await?;
            cx.done(&answer, &format!("{connector} may use secret {name}"))
        }
        Secrets::Forbid { name, connector } => {
            let path = ["v1", "secrets", &name, "audience", connector.as_str()];
            let answer = cx.client()?.delete(&path)?.send().await?;
            cx.done(&answer, &format!("{connector} may no longer use secret {name}"))
        }
        Secrets::Remove { name } => {
            let answer = cx.client()?.delete(&["v1", "secrets", &name])?.send().await?;
            cx.done(&answer, &format!("deleted secret {name}"))
        }
    }
}

fn connection_row(connection: ConnectionView) -> Vec<String> {
    vec![
        connection.id.to_string(),
        connection.provider,
        connection.name,
        connection.version.to_string(),
        connection.set_by.to_string(),
        table::moment(connection.updated_at),
    ]
}

fn secret_row(secret: SecretView) -> Vec<String> {
    let uses = secret.audience.iter().map(|allowed| format!("{} at {}", allowed.source, allowed.origin));
    let uses = uses.collect::<Vec<_>>().join(", ");
    vec![
        secret.id.to_string(),
        secret.name,
        secret.version.to_string(),
        secret.set_by.to_string(),
        table::moment(secret.updated_at),
        uses,
    ]
}
