//! `receipts verify`: checks offline, with trusted keys, whether receipts are genuine and in the ledger.

use std::path::PathBuf;

use base64::{Engine as _, engine::general_purpose::STANDARD};
use clap::Args;
use receipt::{
    Bundle, BundleError, Change, Checkpoint, CheckpointError, Envelope, Found, KeyDocument, KeySet,
    KeySetDocument, MAX_BUNDLE_BYTES, Receipt, Statement, Verified, VerifyError, parse_strict, passkey,
};
use serde_json::{Map, Value, json};

use crate::{Context, error::Error, exit::Exit, input, table, visible::inline};

/// The fields around a bundle are small.
const MAX_INPUT_BYTES: usize = MAX_BUNDLE_BYTES + (64 << 10);
pub(crate) const MAX_KEYS_BYTES: usize = 1 << 20;
/// A bare key has no validity period, so it counts as always valid.
const ALWAYS: &str = "0001-01-01T00:00:00Z";

#[derive(Debug, Args)]
pub struct Verify {
    /// File with a bundle, an envelope or the output of `receipts show --json`, or with one of them per line; - for stdin
    #[arg(value_name = "FILE")]
    file: PathBuf,
    #[command(flatten)]
    trust: Trust,
    /// File with the passkeys, as `passkeys list --all --json` prints it [default: trust the owner named in the receipt]
    #[arg(long, value_name = "FILE")]
    passkeys: Option<PathBuf>,
    /// Refuse checkpoints that are not signed with ML-DSA-65 too, and receipts without their place in the ledger
    #[arg(long)]
    post_quantum: bool,
}

#[derive(Debug, Args)]
#[group(required = true, multiple = false)]
pub(crate) struct Trust {
    /// File with the trusted keys, as `receipts keys` writes it
    #[arg(long, value_name = "FILE")]
    keys: Option<PathBuf>,
    /// One Ed25519 public key in base64; its validity period is not checked
    #[arg(long, value_name = "BASE64")]
    key: Option<String>,
}

/// Why a receipt is not genuine.
struct Refusal {
    /// A stable name for programs.
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

impl From<BundleError> for Refusal {
    fn from(error: BundleError) -> Self {
        Self::new(error.code(), with_causes(&error))
    }
}

enum Genuine {
    /// A signed receipt or change record.
    Signed(Box<Verified>),
    /// A receipt, a change record, or what is left of it, with its place in the ledger and the signed checkpoint.
    Logged(Box<Found>, Checkpoint, String),
}

impl Genuine {
    fn id(&self) -> &str {
        match self {
            Self::Signed(verified) => id_of(&verified.document),
            Self::Logged(found, ..) => id_of(found.document()),
        }
    }
}

fn id_of(document: &Map<String, Value>) -> &str {
    document.get("id").and_then(Value::as_str).unwrap_or_default()
}

pub(crate) fn run(arguments: &Verify, cx: &mut Context<'_>) -> Result<Exit, Error> {
    let Trust { keys, key } = &arguments.trust;
    if keys.as_deref() == Some(arguments.file.as_path()) && arguments.file.as_os_str() == "-" {
        return Err(Error::usage("the receipt and the keys cannot both be read from stdin"));
    }
    let keys = match arguments.trust.read(cx)? {
        Ok(keys) => keys,
        Err(refusal) => return refuse(&refusal, cx),
    };
    let keys = match &arguments.passkeys {
        None => keys,
        Some(path) => match passkey::read_list(&input::read_path(path, passkey::MAX_LIST_BYTES, cx.console)?)
        {
            Ok(passkeys) => keys.with_passkeys(passkeys),
            Err(error) => return refuse(&Refusal::new("passkeys", with_causes(&error)), cx),
        },
    };
    let keys = keys.requiring_ml_dsa(arguments.post_quantum);
    let mut lines = input::open_lines(&arguments.file, MAX_INPUT_BYTES, cx.console)?;
    let first = lines.next().transpose()?.unwrap_or_default();
    // A document over several lines begins with a line of one brace, as people and `jq` write it.
    if first.trim_ascii() == b"{" {
        let mut whole = first;
        for line in lines {
            whole.extend(line?);
            if whole.len() > MAX_INPUT_BYTES {
                return Err(Error::usage(format!("the receipt is larger than {MAX_INPUT_BYTES} bytes")));
            }
        }
        return one(&whole, &keys, key.is_some(), cx);
    }
    let Some(second) = lines.next() else { return one(&first, &keys, key.is_some(), cx) };
    many([Ok(first), second].into_iter().chain(lines), &keys, cx)
}

/// One receipt, printed in full.
fn one(bytes: &[u8], keys: &KeySet, bare: bool, cx: &mut Context<'_>) -> Result<Exit, Error> {
    match check(bytes, keys, &mut None) {
        Ok(genuine) => accept(&genuine, keys, bare, cx),
        Err(refusal) => refuse(&refusal, cx),
    }
}

/// One receipt per line: prints those that are not genuine, and the counts.
fn many(
    lines: impl Iterator<Item = Result<Vec<u8>, Error>>,
    keys: &KeySet,
    cx: &mut Context<'_>,
) -> Result<Exit, Error> {
    let (mut good, mut bad, mut last) = (0_u64, 0_u64, None);
    for (line, bytes) in (1_u64..).zip(lines) {
        let checked = check(&bytes?, keys, &mut last);
        match &checked {
            Ok(_) => good += 1,
            Err(_) => bad += 1,
        }
        match checked {
            checked if cx.json() => {
                let report = match &checked {
                    Ok(genuine) => json!({ "line": line, "verified": true, "id": genuine.id() }),
                    Err(refusal) => {
                        json!({ "line": line, "verified": false, "code": refusal.code, "detail": refusal.detail })
                    }
                };
                cx.console.bytes(format!("{report}\n").as_bytes())?;
            }
            Ok(_) if good % 500 == 0 => cx.console.progress(&format!("{good} receipts are genuine"))?,
            Ok(_) => {}
            Err(refusal) => {
                let text =
                    format!("line {line}: not verified: {} ({})\n", inline(&refusal.detail), refusal.code);
                cx.console.data(&text)?;
            }
        }
    }
    cx.console.note(&format!("{good} receipts are genuine, {bad} are not"))?;
    Ok(if bad == 0 { Exit::Done } else { Exit::Failed })
}

impl Trust {
    /// The trusted keys; invalid keys are a refusal.
    fn read(&self, cx: &mut Context<'_>) -> Result<Result<KeySet, Refusal>, Error> {
        Ok(match (&self.keys, &self.key) {
            (Some(path), _) => read_keys(&input::read_path(path, MAX_KEYS_BYTES, cx.console)?),
            (None, Some(key)) => bare_key(key),
            (None, None) => return Err(Error::usage("no trusted keys given. Use --keys or --key")),
        })
    }
}

fn read_keys(bytes: &[u8]) -> Result<KeySet, Refusal> {
    KeySet::from_json(bytes).map_err(|error| Refusal::new("keys", with_causes(&error)))
}

fn bare_key(text: &str) -> Result<KeySet, Refusal> {
    let wrong = || {
        Refusal::new(
            "keys",
            "--key is not a public key. Expected 32 bytes in base64, which are 44 characters",
        )
    };
    let bytes: [u8; 32] =
        STANDARD.decode(text).ok().and_then(|bytes| bytes.try_into().ok()).ok_or_else(wrong)?;
    KeySet::new(&[KeyDocument::new(&bytes, ALWAYS)])
        .map_err(|error| Refusal::new("keys", with_causes(&error)))
}

/// The number of keys in a published key document.
pub(crate) fn check_keys(bytes: &[u8]) -> Result<usize, String> {
    KeySet::from_json(bytes).map_err(|error| with_causes(&error))?;
    let document: KeySetDocument = serde_json::from_slice(bytes).map_err(|error| error.to_string())?;
    Ok(document.keys.len())
}

fn check(bytes: &[u8], keys: &KeySet, last: &mut Option<(String, Checkpoint)>) -> Result<Genuine, Refusal> {
    let value = parse_strict(bytes, MAX_INPUT_BYTES).map_err(VerifyError::Envelope)?;
    if value.get("record").is_some() {
        let bundle = Bundle::from_json(bytes)?;
        let (found, checkpoint) = bundle.verify_among(keys, last)?;
        return Ok(Genuine::Logged(Box::new(found), checkpoint, bundle.checkpoint));
    }
    if keys.requires_ml_dsa() {
        let detail = "only the ledger is signed with ML-DSA-65, and the file has no proof of its place there. Save it with --proof";
        return Err(Refusal::new(CheckpointError::NotPostQuantum.code(), detail));
    }
    let verified = match value.get("envelope").filter(|_| value.get("payload").is_none()) {
        // The bytes as given, without parsing and printing them again.
        None => receipt::verify(bytes, keys)?,
        Some(envelope) => {
            let verified = receipt::verify(envelope.to_string().as_bytes(), keys)?;
            check_around(&value, &verified)?;
            verified
        }
    };
    Ok(Genuine::Signed(Box::new(verified)))
}

/// The fields around an envelope are not signed, and people read them, so they must match the signed content.
fn check_around(view: &Value, verified: &Verified) -> Result<(), Refusal> {
    let (fields, time): (&[&str], _) = match &verified.statement {
        Statement::Receipt(receipt) => {
            let fields = &["id", "invocation", "session", "action", "status"];
            (fields, ("finished_at", &receipt.timing.finished_at))
        }
        Statement::Change(change) => {
            let fields = &["id", "change", "subject", "name", "by", "address", "reason", "before", "after"];
            (fields, ("at", &change.at))
        }
    };
    let differs = |field: &str, shown: &Value, signed: &Value| {
        let detail =
            format!("the envelope is genuine, but `{field}` next to it is {shown} instead of {signed}");
        Err(Refusal::new("view_differs", detail))
    };
    for field in fields {
        let Some(shown) = view.get(*field) else { continue };
        let signed = verified.document.get(*field).unwrap_or(&Value::Null);
        if shown != signed {
            return differs(field, shown, signed);
        }
    }
    let (field, signed) = time;
    match view.get(field) {
        Some(shown) if !shown.as_str().is_some_and(|shown| shown == signed || same_moment(shown, signed)) => {
            differs(field, shown, &json!(signed))
        }
        _ => Ok(()),
    }
}

fn same_moment(one: &str, other: &str) -> bool {
    let read = |text: &str| text.parse::<jiff::Timestamp>().ok();
    read(one).is_some() && read(one) == read(other)
}

fn accept(genuine: &Genuine, keys: &KeySet, bare: bool, cx: &mut Context<'_>) -> Result<Exit, Error> {
    let (verified, logged) = match genuine {
        Genuine::Signed(verified) => (Some(&**verified), None),
        Genuine::Logged(found, checkpoint, note) => {
            let schemes =
                if Checkpoint::is_post_quantum(note, keys) { "Ed25519 and ML-DSA-65" } else { "Ed25519" };
            (found.verified.as_ref(), Some((&**found, checkpoint, schemes)))
        }
    };
    if cx.json() {
        cx.console.json_value(&report(verified, logged, bare))?;
        return Ok(Exit::Done);
    }
    let mut pairs = Vec::new();
    match verified {
        Some(verified) => {
            let time = if bare { " (validity period not checked)" } else { ", valid at that time" };
            pairs.push(("genuine", Some("signed by a trusted key and unchanged since".to_owned())));
            pairs.extend(match &verified.statement {
                Statement::Receipt(receipt) => facts(receipt),
                Statement::Change(change) => change_facts(change),
            });
            pairs.push(("key", Some(format!("{}{time}", verified.keyid))));
            pairs.push(("digest", Some(verified.digest())));
        }
        None => {
            let erased = "the body was erased; the remaining facts match the ledger";
            pairs.push(("genuine", Some(erased.to_owned())));
            if let Genuine::Logged(found, ..) = genuine {
                pairs.extend(facts_left(found.document()));
            }
        }
    }
    let document = match genuine {
        Genuine::Signed(verified) => &verified.document,
        Genuine::Logged(found, ..) => found.document(),
    };
    pairs.extend(signed_by(document).into_iter().map(|by| ("passkey", Some(inline(&by)))));
    match logged {
        Some((found, checkpoint, schemes)) => {
            let (number, index) = (found.place.1, found.index);
            let place =
                format!("entry {number} of the organization, index {index}, logged {}", found.logged_at);
            pairs.push(("ledger", Some(inline(&place))));
            let Checkpoint { origin, size, time, .. } = checkpoint;
            let signed = format!("{origin}, {size} entries, signed {time} with {schemes}");
            pairs.push(("checkpoint", Some(inline(&signed))));
        }
        None => pairs.push((
            "ledger",
            Some("not checked: the file has no proof of its place in the ledger".to_owned()),
        )),
    }
    let text = table::pairs(pairs, cx.console.out_is_terminal);
    cx.console.data(&text)?;
    Ok(Exit::Done)
}

/// The same for programs.
fn report(verified: Option<&Verified>, logged: Option<(&Found, &Checkpoint, &str)>, bare: bool) -> Value {
    let mut report = json!({ "verified": true, "key_validity_checked": !bare });
    if let Some(verified) = verified {
        report["keyid"] = json!(verified.keyid);
        report["digest"] = json!(verified.digest());
        // Every field of what was signed is shown, known or not.
        let name = if verified.receipt().is_some() { "receipt" } else { "change" };
        report[name] = Value::Object(verified.document.clone());
    }
    if let Some((found, checkpoint, schemes)) = logged {
        report["ledger"] = json!({
            "origin": checkpoint.origin, "size": checkpoint.size, "signed_at": checkpoint.time,
            "signed_with": schemes.split(" and ").collect::<Vec<_>>(),
            "index": found.index, "number": found.place.1, "logged_at": found.logged_at,
        });
        if verified.is_none() {
            report["facts"] = Value::Object(found.document().clone());
        }
    }
    report
}

/// The passkey signatures of approvals.
fn signed_by(document: &Map<String, Value>) -> Vec<String> {
    let approvals = document.get("approvals").and_then(Value::as_array).map_or(&[][..], Vec::as_slice);
    let signed = approvals.iter().filter_map(|approval| {
        let assertion = passkey::Assertion::from_value(approval.get("assertion")?).ok()?;
        let user = approval.get("user")?.as_str()?;
        Some(format!("{user} signed the shown version with {}", assertion.fingerprint().ok()?))
    });
    signed.collect()
}

/// What is left of a receipt whose body was erased.
fn facts_left(document: &Map<String, Value>) -> Vec<(&'static str, Option<String>)> {
    let text = |name: &str| document.get(name).and_then(Value::as_str).map(inline);
    let finished =
        document.get("timing").and_then(|timing| timing.get("finished_at")).and_then(Value::as_str);
    vec![
        ("receipt", text("id")),
        ("agent", text("agent")),
        ("org", text("org")),
        ("action", text("action")),
        ("status", text("status")),
        ("finished", finished.map(inline)),
    ]
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

/// The receipt in an envelope, not verified.
fn read(envelope: &[u8]) -> Result<Receipt, String> {
    let envelope: Envelope = serde_json::from_slice(envelope).map_err(|error| error.to_string())?;
    let payload = STANDARD.decode(&envelope.payload).map_err(|error| error.to_string())?;
    serde_json::from_slice(&payload).map_err(|error| error.to_string())
}

/// The documents that voters were shown, not verified.
pub(crate) fn shown(envelope: &[u8]) -> Result<Value, String> {
    Ok(Value::Array(read(envelope)?.shown))
}

/// The content of an envelope, marked as not verified.
pub(crate) fn unverified(envelope: &[u8]) -> Result<String, String> {
    let receipt = read(envelope)?;
    let mut pairs = vec![("receipt", Some(format!("{} (not verified)", receipt.id)))];
    pairs.extend(facts(&receipt).into_iter().filter(|(name, _)| *name != "receipt"));
    Ok(table::pairs(pairs, true))
}

/// The content of a change record, one field per line.
fn change_facts(change: &Change) -> Vec<(&'static str, Option<String>)> {
    let who = change.by.user.as_deref().unwrap_or("nobody in person");
    let from = change.address.as_deref().map(|address| format!(" from {address}")).unwrap_or_default();
    let json = |value: &Option<Value>| value.as_ref().map(|value| inline(&value.to_string()));
    vec![
        ("change", Some(inline(&format!("{} {} ({})", change.change, change.name, change.subject)))),
        ("record", Some(inline(&format!("{} of {}", change.id, change.org)))),
        ("by", Some(inline(&format!("{who}, known by {}{from}", change.by.method)))),
        ("at", Some(inline(&change.at))),
        ("reason", change.reason.as_deref().map(inline)),
        ("before", json(&change.before)),
        ("after", json(&change.after)),
    ]
}

/// The content of a receipt, one field per line.
fn facts(receipt: &Receipt) -> Vec<(&'static str, Option<String>)> {
    let decision = &receipt.decision;
    let dry = if receipt.dry_run { ", a dry run" } else { "" };
    let mut facts = vec![
        ("receipt", Some(format!("{} of {}", receipt.id, receipt.invocation))),
        ("agent", Some(format!("{} in {}", receipt.agent, receipt.session))),
        ("org", Some(format!("{}, space {}", receipt.org, receipt.space))),
        ("action", Some(format!("{} ({}, {}{dry})", receipt.action, receipt.risk, receipt.effect))),
        ("decision", Some(format!("{} by {}: {}", decision.mode, decision.mode_source, decision.reason))),
    ];
    for change in &decision.guardrails {
        let (from, to) = (&change.from, &change.to);
        let words = if from == to { format!("{to} holds") } else { format!("{from} raised to {to}") };
        let text = format!("{}: {words}: {}", change.guardrail, change.reason);
        facts.push(("guardrail", Some(text)));
    }
    for gate in decision.gates.iter().filter(|gate| gate.verdict != "pass") {
        facts.push(("gate", Some(format!("{}: {}: {}", gate.gate, gate.verdict, gate.reason))));
    }
    for vote in &receipt.approvals {
        let text = format!("{} by {} ({}) at {}", vote.verdict, vote.user, vote.channel, vote.at);
        facts.push(("vote", Some(text)));
    }
    let (votes, documented) = (receipt.approvals.len(), receipt::documented_votes(receipt));
    if documented > 0 {
        facts.push(("shown", Some(format!("shown document of {documented} of {votes} votes, unchanged"))));
    }
    let attempts = match receipt.attempts {
        0 => "after 0 attempts".to_owned(),
        1 => "after 1 attempt".to_owned(),
        more => format!("after {more} attempts"),
    };
    facts.push(("status", Some(format!("{} {attempts}", receipt.status))));
    if let Some(error) = &receipt.error {
        facts.push(("error", Some(format!("{}: {}", error.class, error.message))));
    }
    let timing = &receipt.timing;
    facts.push(("time", Some(format!("requested {}, finished {}", timing.requested_at, timing.finished_at))));
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
