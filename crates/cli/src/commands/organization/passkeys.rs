//! `passkeys`: list, confirm and remove passkeys. They are registered in a browser, because only a browser can ask a device.

use api::PasskeyView;
use clap::Subcommand;
use model::{PasskeyId, UserId};

use crate::{
    Context,
    error::Error,
    exit::Exit,
    list::{List, PageArgs},
    table,
};

/// List, confirm and remove passkeys
#[derive(Debug, Subcommand)]
pub enum Passkeys {
    /// List the passkeys; a saved list shows later whose passkey signed an approval
    #[command(after_help = "Examples:
  countersign passkeys list
  countersign passkeys list --all --json > passkeys.json
  countersign receipts verify receipt.json --keys keys.json --passkeys passkeys.json")]
    List {
        /// Only passkeys of this member
        #[arg(long, value_name = "ID")]
        user: Option<UserId>,
        #[command(flatten)]
        page: PageArgs,
    },
    /// Confirm the first passkey of another member; ask them first whether they added it
    #[command(after_help = "Examples:
  countersign passkeys confirm psk_0199…")]
    Confirm { id: PasskeyId },
    /// Remove a passkey; owners only
    #[command(after_help = "Examples:
  countersign passkeys remove psk_0199…")]
    Remove { id: PasskeyId },
}

pub(crate) async fn run(command: Passkeys, cx: &mut Context<'_>) -> Result<Exit, Error> {
    match command {
        Passkeys::List { user, page } => {
            let header =
                &["ID", "NAME", "USER", "FINGERPRINT", "CREATED", "CONFIRMED", "LAST USED", "REMOVED"];
            let query = user.map(|user| ("user", user.to_string())).into_iter().collect();
            let list = List { path: &["v1", "passkeys"], query, page: &page, header };
            list.print(cx, row).await
        }
        Passkeys::Confirm { id } => {
            let answer = cx.client()?.post(&["v1", "passkeys", &id.to_string(), "confirm"])?.send().await?;
            cx.show(&answer, |passkey: PasskeyView, _| {
                format!("confirmed {} of {}", passkey.id, passkey.user)
            })
        }
        Passkeys::Remove { id } => {
            let answer = cx.client()?.delete(&["v1", "passkeys", &id.to_string()])?.send().await?;
            cx.done(&answer, &format!("removed {id}; earlier signatures stay valid"))
        }
    }
}

fn row(passkey: PasskeyView) -> Vec<String> {
    vec![
        passkey.id.to_string(),
        passkey.name,
        passkey.user.to_string(),
        passkey.fingerprint,
        table::moment(passkey.created_at),
        table::maybe(passkey.confirmed_at),
        table::maybe(passkey.last_used_at),
        table::maybe(passkey.removed_at),
    ]
}
