//! `artifacts`: results too large for a receipt, by the digest in the receipt.

use std::path::PathBuf;

use clap::Subcommand;
use model::Digest;

use crate::{Context, error::Error, exit::Exit, input};

/// Download results that are too large for a receipt
#[derive(Debug, Subcommand)]
pub enum Artifacts {
    /// Download an artifact and verify its digest
    #[command(after_help = "Examples:
  countersign artifacts get sha256:9f86d0… -o result.json

The digest is in the receipt, under `artifacts`. The command computes the digest of the download and writes nothing if
it differs.")]
    Get {
        /// Digest of the artifact
        #[arg(value_name = "DIGEST", value_parser = digest)]
        digest: Digest,
        /// Output file; - for stdout
        #[arg(short, long, value_name = "FILE", default_value = "-")]
        out: PathBuf,
    },
}

pub(crate) async fn run(command: Artifacts, cx: &mut Context<'_>) -> Result<Exit, Error> {
    let Artifacts::Get { digest, out } = command;
    let (status, bytes) =
        cx.client()?.get(&["v1", "artifacts", &digest.to_string()])?.send_for_bytes().await?;
    let found = Digest::of_bytes(&bytes);
    if found != digest {
        let detail = format!("the download has the digest {found}, and nothing was written");
        return Err(Error::InvalidResponse { status, detail });
    }
    if out.as_os_str() != "-" {
        input::write_path(&out, &bytes, cx.console)?;
        cx.console.note(&format!("wrote {} bytes to {}", bytes.len(), out.display()))?;
    } else if cx.console.out_is_terminal {
        cx.console.json_text(&String::from_utf8_lossy(&bytes))?;
    } else {
        cx.console.exact(&bytes)?;
    }
    Ok(Exit::Done)
}

fn digest(text: &str) -> Result<Digest, String> {
    Digest::parse(text)
        .ok_or_else(|| "expected `sha256:` and 64 hexadecimal digits, as in the receipt".to_owned())
}
