//! S10: verifying receipts offline, compared with the least that could verify them: one Ed25519 signature and one
//! SHA-256 each.

use std::{hint::black_box, time::Instant};

use base64::{Engine as _, prelude::BASE64_STANDARD};
use receipt::{
    Bundle, Checkpoint, ENTRY_VERSION, Entry, KeyDocument, KeySet, PAYLOAD_TYPE, Receipt, Record, Seed,
    SigningKey, commit, merkle, pae,
};
use serde_json::json;
use testkit::{Finding, Size};

use crate::load::median;

/// The required fraction of the bare rate.
const BAR: f64 = 0.5;
const TIME: &str = "2026-11-15T12:00:00Z";

/// One receipt in all its forms.
struct Made {
    envelope: Vec<u8>,
    bundle: Vec<u8>,
    /// The signed message, the payload within it, and the signature.
    signed: (Vec<u8>, Vec<u8>, [u8; 64]),
}

/// Alternates between bare and ours, so that other load on the machine affects both.
pub(crate) fn run(size: Size) -> anyhow::Result<Finding> {
    let count = size.pick(4_000, 20_000);
    let key = SigningKey::from_seed(&[7; 32]);
    let keys = KeySet::new(&[KeyDocument::new(&key.public_key(), "2026-01-01T00:00:00Z")])?;
    let public = keys.get(key.keyid()).cloned().ok_or_else(|| anyhow::anyhow!("the key is there"))?;
    let made = make(&key, count)?;
    let (mut bare, mut envelopes, mut bundles) = (vec![], vec![], vec![]);
    for _ in 0..5 {
        bare.push(rate(&made, |one| {
            let (message, payload, signature) = &one.signed;
            black_box(receipt::canonical::digest(payload));
            public.verifies(message, signature)
        })?);
        envelopes.push(rate(&made, |one| receipt::verify(&one.envelope, &keys).is_ok())?);
        let mut last = None;
        bundles.push(rate(&made, |one| {
            Bundle::from_json(&one.bundle).and_then(|bundle| bundle.verify_among(&keys, &mut last)).is_ok()
        })?);
    }
    let (bare, envelopes, bundles) = (median(bare), median(envelopes), median(bundles));
    let bytes = made.iter().map(|one| one.signed.1.len()).sum::<usize>() / made.len();
    Ok(Finding {
        bar: "S10".to_owned(),
        figure: bundles / bare,
        unit: "of the rate of bare Ed25519 and SHA-256, for receipts with their place in the ledger"
            .to_owned(),
        pass: bundles / bare >= BAR,
        details: vec![
            ("bar".to_owned(), json!(BAR)),
            ("bare, a second".to_owned(), json!(bare.round())),
            ("envelopes a second".to_owned(), json!(envelopes.round())),
            ("envelopes, of bare".to_owned(), json!((envelopes / bare * 1_000.0).round() / 1_000.0)),
            ("bundles a second".to_owned(), json!(bundles.round())),
            ("bytes of a receipt".to_owned(), json!(bytes)),
        ],
    })
}

fn rate(made: &[Made], verify: impl FnMut(&Made) -> bool) -> anyhow::Result<f64> {
    let began = Instant::now();
    let good = made.iter().map(verify).filter(|good| *good).count();
    anyhow::ensure!(good == made.len(), "{good} of {} verified", made.len());
    Ok(made.len() as f64 / began.elapsed().as_secs_f64())
}

/// Receipts as a gateway writes them, in their own log.
fn make(key: &SigningKey, count: usize) -> anyhow::Result<Vec<Made>> {
    let mut records = Vec::with_capacity(count);
    for nth in 0..count {
        let receipt: Receipt = serde_json::from_value(sample(nth))?;
        let seed = Seed(merkle::leaf(&nth.to_be_bytes()));
        let (payload, commitment) = commit(&receipt, &seed)?;
        let entry = Entry::Receipt {
            version: ENTRY_VERSION.to_owned(),
            org: receipt.org.clone(),
            number: nth as u64 + 1,
            id: receipt.id.clone(),
            keyid: key.keyid().to_owned(),
            commitment: hex::encode(commitment),
            at: TIME.to_owned(),
        };
        let envelope = key.sign_payload(PAYLOAD_TYPE, &payload);
        let record = Record {
            index: nth as u64,
            entry,
            envelope: Some(envelope),
            seed: Some(seed.encode()),
            kept: None,
        };
        records.push((record, payload));
    }
    let leaves = records.iter().map(|(record, _)| record.entry.leaf()).collect::<Result<Vec<_>, _>>()?;
    let levels = levels(leaves);
    let node =
        |node: merkle::Node| levels[node.level as usize][usize::try_from(node.index).unwrap_or_default()];
    let root = |range: std::ops::Range<u64>| {
        merkle::root_of(&merkle::cover(range).into_iter().map(node).collect::<Vec<_>>())
    };
    let size = count as u64;
    let checkpoint = Checkpoint {
        origin: "countersign/bench".to_owned(),
        size,
        root: root(0..size),
        time: TIME.to_owned(),
    };
    let checkpoint = checkpoint.sign([key]);
    let mut made = Vec::with_capacity(count);
    for (record, payload) in records {
        let path = merkle::inclusion(record.index, size).unwrap_or_default();
        let proof = path.into_iter().map(|range| BASE64_STANDARD.encode(root(range))).collect();
        let message = pae(PAYLOAD_TYPE, &payload);
        let signature = key.sign_bytes(&message);
        let envelope = serde_json::to_vec(&record.envelope)?;
        let bundle =
            serde_json::to_vec(&Bundle { record, proof, erasure: None, checkpoint: checkpoint.clone() })?;
        made.push(Made { envelope, bundle, signed: (message, payload, signature) });
    }
    Ok(made)
}

/// Every full node, level by level.
fn levels(leaves: Vec<merkle::Hash>) -> Vec<Vec<merkle::Hash>> {
    let mut levels = vec![leaves];
    while let Some(below) = levels.last().filter(|level| level.len() > 1) {
        let above = below.chunks_exact(2).map(|pair| merkle::node(&pair[0], &pair[1])).collect();
        levels.push(above);
    }
    levels
}

fn sample(nth: usize) -> serde_json::Value {
    json!({
        "version": receipt::VERSION, "id": format!("rcp_{nth:032x}"), "invocation": format!("inv_{nth:032x}"),
        "org": "org_0192f0c1d2e37a4b8c5d6e7f80910a1d", "space": "spc_0192f0c1d2e37a4b8c5d6e7f80910a1e",
        "session": "ses_0192f0c1d2e37a4b8c5d6e7f80910a1f", "agent": "triage-bot", "action": "linear.create_issue",
        "definition_hash": receipt::canonical::digest(b"definition"), "effect": "once", "risk": "R2",
        "inputs": { "title": format!("An issue, the {nth}th"), "labels": ["bug", "p1"], "estimate": 0.5, "token": "[redacted]" },
        "outputs": { "id": format!("ISS-{nth}"), "url": format!("https://linear.example/issue/ISS-{nth}") },
        "artifacts": [], "status": "succeeded", "error": null,
        "decision": { "mode": "require_approval", "mode_source": "org_rule", "reason": "writes need a second pair of eyes",
            "guardrails": [], "gates": [{ "gate": "safety", "verdict": "pass", "reason": "" }] },
        "approvals": [{ "user": "usr_0192f0c1d2e37a4b8c5d6e7f80910a20", "verdict": "approved", "channel": "web",
            "shown_digest": receipt::canonical::digest(b"shown"), "at": "2026-11-15T11:59:00.5Z" }],
        "shown": [], "shown_digest": receipt::canonical::digest(b"shown"), "verification": null, "repair": null, "rollback": null,
        "attempts": 1,
        "timing": { "requested_at": "2026-11-15T11:58:00Z", "started_at": "2026-11-15T11:59:59Z",
            "finished_at": "2026-11-15T11:59:59.25Z", "duration_ms": 250 },
        "cost": null, "reward": receipt::reward(1.0, 0.0, 0.0, 0.1), "idempotency_key": null, "trace_id": null,
        "refers_to": [], "dry_run": false,
    })
}
