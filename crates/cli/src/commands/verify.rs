//! `receipts verify`: whether a receipt is genuine, asked of nobody but the keys at hand.

use std::path::PathBuf;

use base64::{Engine as _, engine::general_purpose::STANDARD};
use clap::Args;
use receipt::{
    Envelope, KeyDocument, KeySet, KeySetDocument, MAX_ENVELOPE_BYTES, Receipt, Verified, VerifyError,
    parse_strict,
};
use serde_json::{Value, json};

use crate::{Context, error::Error, exit::Exit, input, table, visible::inline};

/// What stands around an envelope is small.
const MAX_INPUT_BYTES: usize = MAX_ENVELOPE_BYTES + (64 << 10);
const MAX_KEYS_BYTES: usize = 1 << 20;
/// A bare key says nothing about its time, so it is taken to have been valid always.
const ALWAYS: &str = "0001-01-01T00:00:00Z";

/// Verify a receipt offline.
#[derive(Debug, Args)]
pub struct Verify {
    /// The receipt: an envelope, or what `receipts show --json` printed (- for stdin)
    #[arg(value_name = "FILE")]
    file: PathBuf,
    #[command(flatten)]
    trust: Trust,
}

/// Which keys are trusted.
#[derive(Debug, Args)]
#[group(required = true, multiple = false)]
struct Trust {
    /// The key set, as `receipts keys` fetched it
    #[arg(long, value_name = "FILE")]
    keys: Option<PathBuf>,
    /// One Ed25519 public key in base64; when it was valid is then not checked
    #[arg(long, value_name = "BASE64")]
    key: Option<String>,
}

/// Why a receipt is not taken for genuine.
struct Refusal {
    /// A stable word.
    code: &'static str,
    detail: String,
}

impl Refusal {
    fn new(code: &'static str, detail: impl Into<String>) -> Self {
        Self { code, detail: detail.into() }
    }
}

impl From<VerifyError> for Refusal {
    fn from(error: VerifyError) -> Self {
        Self::new(error.code(), with_causes(&error))
    }
}

pub(crate) fn run(arguments: &Verify, cx: &mut Context<'_>) -> Result<Exit, Error> {
    let Trust { keys, key } = &arguments.trust;
    if keys.as_deref() == Some(arguments.file.as_path()) && arguments.file.as_os_str() == "-" {
        return Err(Error::usage("the receipt and the keys cannot both come from stdin"));
    }
    let keys = match (keys, key) {
        (Some(path), _) => read_keys(&input::read_path(path, MAX_KEYS_BYTES, cx.console)?),
        (None, Some(key)) => bare_key(key),
        (None, None) => return Err(Error::usage("name the trusted keys with --keys or --key")),
    };
    let bytes = input::read_path(&arguments.file, MAX_INPUT_BYTES, cx.console)?;
    match keys.and_then(|keys| check(&bytes, &keys)) {
        Ok(verified) => accept(&verified, key.is_some(), cx),
        Err(refusal) => refuse(&refusal, cx),
    }
}

fn read_keys(bytes: &[u8]) -> Result<KeySet, Refusal> {
    KeySet::from_json(bytes).map_err(|error| Refusal::new("keys", with_causes(&error)))
}

fn bare_key(text: &str) -> Result<KeySet, Refusal> {
    let wrong = || Refusal::new("keys", "--key is not a public key: 32 bytes in base64, 44 characters");
    let bytes: [u8; 32] =
        STANDARD.decode(text).ok().and_then(|bytes| bytes.try_into().ok()).ok_or_else(wrong)?;
    KeySet::new(&[KeyDocument::new(&bytes, ALWAYS)])
        .map_err(|error| Refusal::new("keys", with_causes(&error)))
}

/// How many keys a published document holds, if it is one.
pub(crate) fn check_keys(bytes: &[u8]) -> Result<usize, String> {
    KeySet::from_json(bytes).map_err(|error| with_causes(&error))?;
    let document: KeySetDocument = serde_json::from_slice(bytes).map_err(|error| error.to_string())?;
    Ok(document.keys.len())
}

fn check(bytes: &[u8], keys: &KeySet) -> Result<Verified, Refusal> {
    let value = parse_strict(bytes, MAX_INPUT_BYTES).map_err(VerifyError::Envelope)?;
    let Some(envelope) = value.get("envelope").filter(|_| value.get("payload").is_none()) else {
        // The bytes as they stand: what is verified is what was given.
        return Ok(receipt::verify(bytes, keys)?);
    };
    let verified = receipt::verify(envelope.to_string().as_bytes(), keys)?;
    check_around(&value, &verified.receipt)?;
    Ok(verified)
}

/// What a person reads around an envelope is not signed; it must not say anything else than what is.
fn check_around(view: &Value, receipt: &Receipt) -> Result<(), Refusal> {
    let signed = [
        ("id", &receipt.id),
        ("invocation", &receipt.invocation),
        ("session", &receipt.session),
        ("action", &receipt.action),
        ("status", &receipt.status),
        ("finished_at", &receipt.timing.finished_at),
    ];
    for (field, signed) in signed {
        let Some(said) = view.get(field) else { continue };
        let same = said
            .as_str()
            .is_some_and(|said| said == signed || (field == "finished_at" && same_moment(said, signed)));
        if !same {
            let detail =
                format!("the envelope is genuine, but beside it stands {field} {said}; signed is {signed:?}");
            return Err(Refusal::new("view_differs", detail));
        }
    }
    Ok(())
}

fn same_moment(one: &str, other: &str) -> bool {
    let read = |text: &str| text.parse::<jiff::Timestamp>().ok();
    read(one).is_some() && read(one) == read(other)
}

fn accept(verified: &Verified, bare: bool, cx: &mut Context<'_>) -> Result<Exit, Error> {
    if cx.json() {
        // The signed bytes are JSON in canonical form; every field of them is shown, known or not.
        let receipt: Value = serde_json::from_slice(&verified.payload).map_err(std::io::Error::other)?;
        let report = json!({
            "verified": true,
            "keyid": verified.keyid,
            "digest": verified.digest(),
            "key_validity_checked": !bare,
            "receipt": receipt,
        });
        cx.console.json_value(&report)?;
        return Ok(Exit::Done);
    }
    let time = if bare { " (when it was valid was not checked)" } else { ", valid at that time" };
    let mut pairs = vec![("genuine", Some("signed by a trusted key and unchanged since".to_owned()))];
    pairs.extend(facts(&verified.receipt));
    pairs.push(("key", Some(format!("{}{time}", verified.keyid))));
    pairs.push(("digest", Some(verified.digest())));
    let text = table::pairs(pairs, cx.console.out_is_terminal);
    cx.console.data(&text)?;
    Ok(Exit::Done)
}

fn refuse(refusal: &Refusal, cx: &mut Context<'_>) -> Result<Exit, Error> {
    if cx.json() {
        cx.console.json_value(&json!({
            "verified": false,
            "code": refusal.code,
            "detail": refusal.detail,
        }))?;
    }
    cx.console.note(&format!("not verified: {} ({})", inline(&refusal.detail), refusal.code))?;
    Ok(Exit::Failed)
}

/// What an envelope says, for a person who knows that nobody checked it.
pub(crate) fn unverified(envelope: &[u8]) -> Result<String, String> {
    let envelope: Envelope = serde_json::from_slice(envelope).map_err(|error| error.to_string())?;
    let payload = STANDARD.decode(&envelope.payload).map_err(|error| error.to_string())?;
    let receipt: Receipt = serde_json::from_slice(&payload).map_err(|error| error.to_string())?;
    let mut pairs = vec![("receipt", Some(format!("{} (not verified)", receipt.id)))];
    pairs.extend(facts(&receipt).into_iter().filter(|(name, _)| *name != "receipt"));
    Ok(table::pairs(pairs, true))
}

/// Who, what, decided how, ended how, when.
fn facts(receipt: &Receipt) -> Vec<(&'static str, Option<String>)> {
    let decision = &receipt.decision;
    let dry = if receipt.dry_run { ", a dry run" } else { "" };
    let mut facts = vec![
        ("receipt", Some(format!("{} of {}", receipt.id, receipt.invocation))),
        ("who", Some(format!("{} in {}", receipt.agent, receipt.session))),
        ("where", Some(format!("{} {}", receipt.org, receipt.space))),
        ("what", Some(format!("{} ({}, {}{dry})", receipt.action, receipt.risk, receipt.effect))),
        ("decision", Some(format!("{} by {}: {}", decision.mode, decision.mode_source, decision.reason))),
    ];
    for change in &decision.guardrails {
        let text = format!("{}: {} became {}: {}", change.guardrail, change.from, change.to, change.reason);
        facts.push(("guardrail", Some(text)));
    }
    for gate in decision.gates.iter().filter(|gate| gate.verdict != "pass") {
        facts.push(("gate", Some(format!("{} said {}: {}", gate.gate, gate.verdict, gate.reason))));
    }
    for vote in &receipt.approvals {
        let text = format!("{} by {} ({}) at {}", vote.verdict, vote.user, vote.channel, vote.at);
        facts.push(("vote", Some(text)));
    }
    let attempts = match receipt.attempts {
        0 => "without an attempt".to_owned(),
        1 => "after one attempt".to_owned(),
        more => format!("after {more} attempts"),
    };
    facts.push(("status", Some(format!("{} {attempts}", receipt.status))));
    if let Some(error) = &receipt.error {
        facts.push(("error", Some(format!("{}: {}", error.class, error.message))));
    }
    let timing = &receipt.timing;
    facts.push(("when", Some(format!("asked {}, ended {}", timing.requested_at, timing.finished_at))));
    facts.into_iter().map(|(name, fact)| (name, fact.map(|fact| inline(&fact)))).collect()
}

fn with_causes(error: &dyn std::error::Error) -> String {
    let mut text = error.to_string();
    let mut cause = error.source();
    while let Some(error) = cause {
        text.push_str(&format!(": {error}"));
        cause = error.source();
    }
    text
}
