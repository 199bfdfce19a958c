//! `receipts`: find the signed accounts of what happened, save them, and verify them without the gateway.

use std::{fs::File, io::Write as _, path::PathBuf, time::Duration};

use api::{BundlesView, ReceiptView};
use clap::Subcommand;
use model::{ReceiptId, SessionId};
use serde::Deserialize;
use serde_json::value::RawValue;

use super::verify;
use crate::{
    Context,
    client::{Answer, Client},
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
  countersign receipts show rcp_0199… --proof --out receipt.json
  countersign receipts show rcp_0199… > receipt.json

A terminal shows what the receipt says; a file or a pipe gets exactly the signed DSSE envelope, or, with --proof, a
bundle: the envelope with all that proves its place in the ledger.")]
    Show {
        id: ReceiptId,
        /// With all that proves its place in the ledger
        #[arg(long)]
        proof: bool,
        /// Write the envelope to this file (- for stdout)
        #[arg(long, value_name = "FILE")]
        out: Option<PathBuf>,
    },
    /// Save receipts with their proofs, one bundle a line
    #[command(after_help = "Examples:
  countersign receipts export --out november.ndjson --from 2026-11-01T00:00:00Z --to 2026-12-01T00:00:00Z
  countersign receipts export --session ses_0199… | countersign receipts verify - --keys keys.json

Each line can be verified offline with the keys alone; see docs/verify.md.")]
    Export {
        /// Of one session only
        #[arg(long, value_name = "ID")]
        session: Option<SessionId>,
        /// That ended at this moment or later (RFC 3339)
        #[arg(long, value_name = "TIME")]
        from: Option<jiff::Timestamp>,
        /// That ended before this moment (RFC 3339)
        #[arg(long, value_name = "TIME")]
        to: Option<jiff::Timestamp>,
        /// Write them to this file (- for stdout)
        #[arg(long, value_name = "FILE", default_value = "-")]
        out: PathBuf,
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
    /// Verify receipts offline: nothing is asked of any server
    #[command(after_help = "Examples:
  countersign receipts verify november.ndjson --keys keys.json
  countersign receipts verify receipt.json --keys keys.json
  countersign receipts show rcp_0199… --json | countersign receipts verify - --keys keys.json
  countersign receipts verify receipt.json --key iojj3XQJ8ZX9UtstPLpdcspnCb8dlBIb83SIAbQPb1w=

Takes a bundle, a DSSE envelope, or what `receipts show --json` printed, or one of them a line. A bundle also proves the
receipt's place in the ledger. What `receipts show --json` puts around an envelope must be what was signed. Exit code 0:
genuine. Exit code 1: not, and it is said what is wrong.")]
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
        Receipts::Show { id, proof: false, out } => show(cx, id, out).await,
        Receipts::Show { id, proof: true, out } => {
            let answer = proven(&cx.client()?, id).await?;
            match out {
                Some(path) => {
                    input::write_path(&path, answer.text.as_bytes(), cx.console)?;
                    cx.console.note(&format!("wrote {id} with its proof to {}", path.display()))?;
                }
                None => cx.console.json_text(&answer.text)?,
            }
            Ok(Exit::Done)
        }
        Receipts::Export { session, from, to, out } => {
            let mut query: Vec<(&str, String)> = Vec::new();
            query.extend(session.map(|session| ("session", session.to_string())));
            query.extend(from.map(|from| ("from", from.to_string())));
            query.extend(to.map(|to| ("to", to.to_string())));
            export(cx, query, out).await
        }
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

/// A receipt with its proof. One that was just written is waited for: the ledger is about a second behind.
async fn proven(client: &Client, id: ReceiptId) -> Result<Answer, Error> {
    let mut left = 40;
    loop {
        match client.get(&["v1", "receipts", &id.to_string(), "bundle"])?.send().await {
            Err(Error::Problem { problem, .. }) if problem.code == "not_logged_yet" && left > 0 => {
                left -= 1;
                tokio::time::sleep(Duration::from_millis(500)).await;
            }
            answered => return answered,
        }
    }
}

/// Writes page after page as it comes, so that there may be more than fits in memory.
async fn export(cx: &mut Context<'_>, query: Vec<(&str, String)>, out: PathBuf) -> Result<Exit, Error> {
    let client = cx.client()?;
    let refused = |source| Error::File { verb: "write", path: out.clone(), source };
    let mut file = if out.as_os_str() == "-" { None } else { Some(File::create(&out).map_err(refused)?) };
    let (mut count, mut not_logged, mut cursor) = (0, 0, None);
    loop {
        let mut call = client.get(&["v1", "ledger", "bundles"])?.query("limit", "100");
        for (name, value) in
            query.iter().map(|(name, value)| (*name, value)).chain(cursor.iter().map(|at| ("cursor", at)))
        {
            call = call.query(name, value);
        }
        let page: BundlesView = call.send().await?.parse()?;
        count += page.items.len();
        not_logged += page.not_logged;
        let lines: String = page.items.iter().map(|bundle| format!("{bundle}\n")).collect();
        match &mut file {
            Some(file) => file.write_all(lines.as_bytes()).map_err(refused)?,
            None => cx.console.bytes(lines.as_bytes())?,
        }
        cx.console.progress(&format!("{count} receipts"))?;
        cursor = page.next_cursor;
        if cursor.is_none() {
            break;
        }
    }
    cx.console.progress("")?;
    let left = match not_logged {
        0 => String::new(),
        left => format!("; {left} are not in the ledger, or not yet, and were left out"),
    };
    cx.console.note(&format!("wrote {count} receipts with their proofs{left}"))?;
    Ok(Exit::Done)
}

/// The envelope as it came, byte for byte.
fn envelope(answer: &Answer) -> Result<String, Error> {
    #[derive(Deserialize)]
    struct Around {
        envelope: Option<Box<RawValue>>,
    }
    let envelope = answer.parse::<Around>()?.envelope;
    let erased = "the body of this receipt was erased; what is left of it is shown by --proof";
    Ok(envelope.ok_or_else(|| Error::Absent(erased.to_owned()))?.get().to_owned())
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
