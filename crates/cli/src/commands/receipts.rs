//! `receipts`: find the signed accounts of what happened, save them, and verify them without the gateway.

use std::path::PathBuf;

use api::ReceiptView;
use clap::Subcommand;
use model::{ReceiptId, SessionId};
use serde::Deserialize;
use serde_json::value::RawValue;

use super::verify;
use crate::{
    Context,
    client::Answer,
    error::Error,
    exit::Exit,
    input,
    list::{List, PageArgs},
    table,
};

/// Signed accounts of what happened.
#[derive(Debug, Subcommand)]
pub enum Receipts {
    /// List the receipts
    #[command(after_help = "Examples:
  countersign receipts list --session ses_0199…
  countersign receipts list --all --json")]
    List {
        /// Of one session only
        #[arg(long, value_name = "ID")]
        session: Option<SessionId>,
        #[command(flatten)]
        page: PageArgs,
    },
    /// Show a receipt, or save its signed envelope
    #[command(after_help = "Examples:
  countersign receipts show rcp_0199…
  countersign receipts show rcp_0199… --out receipt.json
  countersign receipts show rcp_0199… > receipt.json

A terminal shows what the receipt says; a file or a pipe gets exactly the signed DSSE envelope.")]
    Show {
        id: ReceiptId,
        /// Write the envelope to this file (- for stdout)
        #[arg(long, value_name = "FILE")]
        out: Option<PathBuf>,
    },
    /// Fetch the public keys that vouch for receipts
    #[command(after_help = "Examples:
  countersign receipts keys --out keys.json

Keys fetched from the gateway prove that this gateway signed. Keep a copy, or compare it with one obtained another
way, to notice if the gateway's keys are ever exchanged.")]
    Keys {
        /// Write them to this file (- for stdout)
        #[arg(long, value_name = "FILE")]
        out: Option<PathBuf>,
    },
    /// Verify a receipt offline: nothing is asked of any server
    #[command(after_help = "Examples:
  countersign receipts verify receipt.json --keys keys.json
  countersign receipts show rcp_0199… --json | countersign receipts verify - --keys keys.json
  countersign receipts verify receipt.json --key iojj3XQJ8ZX9UtstPLpdcspnCb8dlBIb83SIAbQPb1w=

Takes the DSSE envelope, or what `receipts show --json` printed; then what stands around the envelope must also be
what was signed. Exit code 0: genuine. Exit code 1: not, and stderr says what is wrong.")]
    Verify(verify::Verify),
}

pub(crate) async fn run(command: Receipts, cx: &mut Context<'_>) -> Result<Exit, Error> {
    match command {
        Receipts::List { session, page } => {
            let query = session.map(|session| ("session", session.to_string())).into_iter().collect();
            let header = &["ID", "ACTION", "STATUS", "FINISHED", "SESSION", "INVOCATION"];
            let list = List { path: &["v1", "receipts"], query, page: &page, header };
            list.print(cx, row).await
        }
        Receipts::Show { id, out } => show(cx, id, out).await,
        Receipts::Keys { out } => {
            // Public on purpose, so no token is needed and none is sent.
            let answer = cx.anonymous()?.get(&[".well-known", "countersign-keys.json"])?.send().await?;
            let count = verify::check_keys(answer.text.as_bytes())
                .map_err(|detail| Error::Strange { status: answer.status, detail })?;
            match out {
                Some(path) => {
                    input::write_path(&path, answer.text.as_bytes(), cx.console)?;
                    cx.console.note(&format!("wrote {count} keys to {}", path.display()))?;
                }
                None => cx.console.json_text(&answer.text)?,
            }
            Ok(Exit::Done)
        }
        Receipts::Verify(arguments) => verify::run(&arguments, cx),
    }
}

async fn show(cx: &mut Context<'_>, id: ReceiptId, out: Option<PathBuf>) -> Result<Exit, Error> {
    let answer = cx.client()?.get(&["v1", "receipts", &id.to_string()])?.send().await?;
    let envelope = envelope(&answer)?;
    match out {
        Some(path) => {
            input::write_path(&path, envelope.as_bytes(), cx.console)?;
            cx.console.note(&format!("wrote the envelope of {id} to {}", path.display()))?;
        }
        None if cx.json() => cx.console.json_text(&answer.text)?,
        None if cx.console.out_is_terminal => {
            let text = verify::unverified(envelope.as_bytes())
                .map_err(|detail| Error::Strange { status: answer.status, detail })?;
            cx.console.data(&text)?;
            cx.console
                .note("this is what it says; save it with --out and check it with `receipts verify`")?;
        }
        None => cx.console.json_text(&envelope)?,
    }
    Ok(Exit::Done)
}

/// The envelope as it came, byte for byte.
fn envelope(answer: &Answer) -> Result<String, Error> {
    #[derive(Deserialize)]
    struct Around {
        envelope: Box<RawValue>,
    }
    Ok(answer.parse::<Around>()?.envelope.get().to_owned())
}

fn row(receipt: ReceiptView) -> Vec<String> {
    vec![
        receipt.id.to_string(),
        receipt.action,
        receipt.status.as_str().to_owned(),
        table::moment(receipt.finished_at),
        receipt.session.to_string(),
        receipt.invocation.to_string(),
    ]
}
