//! `receipts`: list, save and verify receipts.

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

/// List, save and verify receipts
#[derive(Debug, Subcommand)]
pub enum Receipts {
    /// List the receipts
    #[command(after_help = "Examples:
  countersign receipts list --session ses_0199…
  countersign receipts list --all --json")]
    List {
        /// Only this session
        #[arg(long, value_name = "ID")]
        session: Option<SessionId>,
        #[command(flatten)]
        page: PageArgs,
    },
    /// Show a receipt, or save it as a file
    #[command(after_help = "Examples:
  countersign receipts show rcp_0199…
  countersign receipts show rcp_0199… --out receipt.json
  countersign receipts show rcp_0199… --proof --out receipt.json
  countersign receipts show rcp_0199… > receipt.json
  countersign receipts show rcp_0199… --shown

On a terminal, the content of the receipt is shown. A file or a pipe gets the signed DSSE envelope; with --proof, it gets
a bundle: the envelope with the proof of its place in the ledger.")]
    Show {
        /// Id of the receipt
        id: ReceiptId,
        /// Include the proof of its place in the ledger
        #[arg(long)]
        proof: bool,
        /// Print the documents that voters were shown, as JSON
        #[arg(long, conflicts_with_all = ["proof", "out"])]
        shown: bool,
        /// Output file; - for stdout
        #[arg(long, value_name = "FILE")]
        out: Option<PathBuf>,
    },
    /// Save receipts with their proofs, one bundle per line
    #[command(after_help = "Examples:
  countersign receipts export --out november.ndjson --from 2026-11-01T00:00:00Z --to 2026-12-01T00:00:00Z
  countersign receipts export --session ses_0199… | countersign receipts verify - --keys keys.json

Each line can be verified offline with the public keys; see docs/verify.md.")]
    Export {
        /// Only this session
        #[arg(long, value_name = "ID")]
        session: Option<SessionId>,
        /// Only receipts of invocations that ended at or after this time (RFC 3339)
        #[arg(long, value_name = "TIME")]
        from: Option<jiff::Timestamp>,
        /// Only receipts of invocations that ended before this time (RFC 3339)
        #[arg(long, value_name = "TIME")]
        to: Option<jiff::Timestamp>,
        /// Output file; - for stdout
        #[arg(long, value_name = "FILE", default_value = "-")]
        out: PathBuf,
    },
    /// Save the public keys that verify receipts
    #[command(after_help = "Examples:
  countersign receipts keys --out keys.json

Keys from a gateway prove that this gateway signed a receipt. Keep a copy, or compare it with a copy from another source,
to detect whether the keys of the gateway were replaced.")]
    Keys {
        /// Output file; - for stdout
        #[arg(long, value_name = "FILE")]
        out: Option<PathBuf>,
    },
    /// Verify receipts offline
    #[command(after_help = "Examples:
  countersign receipts verify november.ndjson --keys keys.json
  countersign receipts verify receipt.json --keys keys.json
  countersign receipts show rcp_0199… --json | countersign receipts verify - --keys keys.json
  countersign receipts verify receipt.json --key iojj3XQJ8ZX9UtstPLpdcspnCb8dlBIb83SIAbQPb1w=

The file holds a bundle, a DSSE envelope, or the output of `receipts show --json`; or one of them per line. A bundle also
proves the place of the receipt in the ledger. In the output of `receipts show --json`, the fields around the envelope
must match the signed content. Exit codes: 0 genuine, 1 not genuine, with the reason.")]
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
        Receipts::Show { id, shown: true, .. } => show_documents(cx, id).await,
        Receipts::Show { id, proof: false, out, .. } => show(cx, id, out).await,
        Receipts::Show { id, proof: true, out, .. } => {
            let answer = proven(&cx.client()?, &["v1", "receipts", &id.to_string()]).await?;
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
            let path = &["v1", "ledger", "bundles"];
            export(cx, Export { path, query, what: "receipts" }, out).await
        }
        Receipts::Keys { out } => {
            // Public, so no token is sent.
            let answer = cx.anonymous()?.get(&[".well-known", "countersign-keys.json"])?.send().await?;
            let count = verify::check_keys(answer.text.as_bytes())
                .map_err(|detail| Error::InvalidResponse { status: answer.status, detail })?;
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
                .map_err(|detail| Error::InvalidResponse { status: answer.status, detail })?;
            cx.console.data(&text)?;
            cx.console.note(
                "not verified; save the receipt with --out and verify it with `countersign receipts verify`",
            )?;
        }
        None => cx.console.json_text(&envelope)?,
    }
    Ok(Exit::Done)
}

/// Prints what voters were shown, as the receipt keeps it.
async fn show_documents(cx: &mut Context<'_>, id: ReceiptId) -> Result<Exit, Error> {
    let answer = cx.client()?.get(&["v1", "receipts", &id.to_string()])?.send().await?;
    let shown = verify::shown(envelope(&answer)?.as_bytes())
        .map_err(|detail| Error::InvalidResponse { status: answer.status, detail })?;
    cx.console.json_text(&shown.to_string())?;
    Ok(Exit::Done)
}

/// A record with its proof. Retries for a new one, because it enters the ledger about a second later.
pub(super) async fn proven(client: &Client, path: &[&str]) -> Result<Answer, Error> {
    let path = [path, &["bundle"]].concat();
    let mut left = 40;
    loop {
        match client.get(&path)?.send().await {
            Err(Error::Problem { problem, .. }) if problem.code == "not_logged_yet" && left > 0 => {
                left -= 1;
                tokio::time::sleep(Duration::from_millis(500)).await;
            }
            answered => return answered,
        }
    }
}

/// The records to export.
pub(super) struct Export<'a> {
    pub(super) path: &'a [&'a str],
    pub(super) query: Vec<(&'a str, String)>,
    /// What they are called.
    pub(super) what: &'a str,
}

/// Writes each page as it arrives, so that the export can be larger than memory.
pub(super) async fn export(
    cx: &mut Context<'_>,
    Export { path, query, what }: Export<'_>,
    out: PathBuf,
) -> Result<Exit, Error> {
    let client = cx.client()?;
    let refused = |source| Error::File { verb: "write", path: out.clone(), source };
    let mut file = if out.as_os_str() == "-" { None } else { Some(File::create(&out).map_err(refused)?) };
    let (mut count, mut not_logged, mut cursor) = (0, 0, None);
    loop {
        let mut call = client.get(path)?.query("limit", "100");
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
        cx.console.progress(&format!("{count} {what}"))?;
        cursor = page.next_cursor;
        if cursor.is_none() {
            break;
        }
    }
    cx.console.progress("")?;
    let left = match not_logged {
        0 => String::new(),
        left => format!("; skipped {left} that are not in the ledger"),
    };
    cx.console.note(&format!("wrote {count} {what} with their proofs{left}"))?;
    Ok(Exit::Done)
}

/// The envelope, byte for byte as received.
pub(super) fn envelope(answer: &Answer) -> Result<String, Error> {
    #[derive(Deserialize)]
    struct Around {
        envelope: Option<Box<RawValue>>,
    }
    let envelope = answer.parse::<Around>()?.envelope;
    let erased = "the body of this receipt was erased. Use --proof to get what is left of it";
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
