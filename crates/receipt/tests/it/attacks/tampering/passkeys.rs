//! Forged votes: the operator, who holds every signing key, writes an approval into a receipt, or changes one, and puts
//! it into a recomputed log. The one thing the operator lacks is the person's passkey.

use std::sync::LazyLock;

use aws_lc_rs::{
    encoding::AsDer as _,
    rand::SystemRandom,
    rsa::KeySize,
    signature::{KeyPair as _, RSA_PKCS1_SHA256, RsaKeyPair},
};
use base64::{Engine as _, engine::general_purpose::URL_SAFE_NO_PAD};
use p256::ecdsa::{DerSignature, SigningKey, signature::Signer as _};
use receipt::{
    Bundle, KeySet, Receipt,
    passkey::{Assertion, Passkey, Statement},
};
use serde_json::{Value, json};
use sha2::{Digest as _, Sha256};

use crate::{
    attacks::tampering::ledger::{Folder, ORGS, Tally, asked, environment, python, report},
    made::Made,
    vectors::{put_document, sample, show, signing_key},
};

const KEY: u8 = 3;
const ADA: u8 = 21;
const MALLORY: u8 = 22;
/// Ada's other device, with an RS256 key. All other numbers have ES256 keys.
const ADA_RSA: u8 = 23;
const SITE: &str = "gateway.example";

/// The assertion of a device with this number about a statement, made on the page of [`SITE`].
pub(crate) fn assertion(device: u8, statement: &Statement<'_>) -> Value {
    assertion_on(device, statement, ("webauthn.get", &format!("https://{SITE}"), SITE), 0x05)
}

fn assertion_on(
    device: u8,
    statement: &Statement<'_>,
    (kind, origin, site): (&str, &str, &str),
    flags: u8,
) -> Value {
    let challenge = URL_SAFE_NO_PAD.encode(statement.challenge().unwrap());
    let client = json!({"type": kind, "challenge": challenge, "origin": origin, "crossOrigin": false});
    let client = client.to_string().into_bytes();
    let mut told = Sha256::digest(site).to_vec();
    told.extend([flags, 0, 0, 0, 0]);
    let (public_key, signature) = sign(device, &[told.as_slice(), &Sha256::digest(&client)].concat());
    json!(Assertion {
        authenticator_data: URL_SAFE_NO_PAD.encode(told),
        client_data: URL_SAFE_NO_PAD.encode(client),
        credential: URL_SAFE_NO_PAD.encode([device; 16]),
        public_key: URL_SAFE_NO_PAD.encode(public_key),
        signature: URL_SAFE_NO_PAD.encode(signature),
    })
}

/// The public key of a device, in the form of receipts, and its signature.
fn sign(device: u8, message: &[u8]) -> (Vec<u8>, Vec<u8>) {
    // Making one takes a while, and any will do.
    static RSA: LazyLock<RsaKeyPair> = LazyLock::new(|| RsaKeyPair::generate(KeySize::Rsa2048).unwrap());
    if device == ADA_RSA {
        let mut signature = vec![0; RSA.public_modulus_len()];
        RSA.sign(&RSA_PKCS1_SHA256, &SystemRandom::new(), message, &mut signature).unwrap();
        return (RSA.public_key().as_der().unwrap().as_ref().to_vec(), signature);
    }
    let key = SigningKey::from_slice(&[device; 32]).unwrap();
    let signature: DerSignature = key.sign(message);
    (key.verifying_key().to_sec1_point(false).as_bytes().to_vec(), signature.as_bytes().to_vec())
}

/// The statement of a receipt's only vote.
pub(crate) fn vote(receipt: &Receipt) -> Statement<'_> {
    let vote = &receipt.approvals[0];
    Statement::Vote {
        org: &receipt.org,
        invocation: &receipt.invocation,
        user: &vote.user,
        verdict: &vote.verdict,
        shown_digest: &vote.shown_digest,
    }
}

/// The device with which Ada signs: one with an ES256 key and one with an RS256 key take turns.
const fn device(nth: usize) -> u8 {
    if nth.is_multiple_of(2) { ADA } else { ADA_RSA }
}

/// A receipt with a vote that Ada signed.
fn signed(nth: usize) -> Receipt {
    let id = |kind: &str| format!("{kind}_{nth:032x}");
    let mut receipt =
        Receipt { id: id("rcp"), invocation: id("inv"), org: ORGS[nth % 3].to_owned(), ..sample() };
    show(&mut receipt);
    receipt.approvals[0].assertion = Some(assertion(device(nth), &vote(&receipt)));
    receipt
}

/// One forgery: its name, the receipt, and the expected code.
type Forgery = (&'static str, Receipt, &'static str);

#[expect(clippy::too_many_lines, reason = "a list: one line for each way to forge")]
fn forgeries(nth: usize) -> Vec<Forgery> {
    let good = signed(nth);
    let changed = |change: &dyn Fn(&mut Receipt)| {
        let mut receipt = good.clone();
        change(&mut receipt);
        receipt
    };
    let resigned = |page: (&str, &str, &str), flags| {
        changed(&|receipt| {
            receipt.approvals[0].assertion = Some(assertion_on(device(nth), &vote(&good), page, flags));
        })
    };
    let field = |name: &'static str, change: &dyn Fn(&mut Vec<u8>)| {
        changed(&|receipt| {
            let kept = receipt.approvals[0].assertion.as_mut().unwrap();
            let mut bytes = URL_SAFE_NO_PAD.decode(kept[name].as_str().unwrap()).unwrap();
            change(&mut bytes);
            kept[name] = json!(URL_SAFE_NO_PAD.encode(bytes));
        })
    };
    let raw = |name: &'static str, value: Value| {
        changed(&|receipt| receipt.approvals[0].assertion.as_mut().unwrap()[name] = value.clone())
    };
    let other = signed(nth + 1_000_000).approvals[0].assertion.clone();
    let swapped = |name: &'static str| raw(name, assertion(device(nth + 1), &vote(&good))[name].clone());
    let own = ("webauthn.get", "https://gateway.example", SITE);
    let flip = nth % 64;
    // Behind the first byte of a point, and inside the modulus of an RSA key.
    let (key_begins, off_curve) = match device(nth) {
        ADA_RSA => (100, "assertion_malformed"),
        _ => (1, "assertion_signature"),
    };
    vec![
        (
            "a no made a yes",
            {
                let mut denied = good.clone();
                denied.approvals[0].verdict = "denied".to_owned();
                let said = assertion(device(nth), &vote(&denied));
                changed(&|receipt| receipt.approvals[0].assertion = Some(said.clone()))
            },
            "assertion_statement",
        ),
        (
            "a yes to something else",
            changed(&|receipt| receipt.approvals[0].assertion = other.clone()),
            "assertion_statement",
        ),
        (
            "what was shown changed",
            changed(&|receipt| receipt.approvals[0].shown_digest = receipt::canonical::digest(b"other")),
            "assertion_statement",
        ),
        (
            "a word of what was shown changed",
            changed(&|receipt| receipt.shown[0]["reason"] = json!("another word")),
            "shown_document",
        ),
        (
            "what was shown changed, with its digest",
            changed(&|receipt| {
                let mut document = receipt.shown[0].clone();
                document["params"]["title"] = json!("another title");
                put_document(receipt, document);
            }),
            "assertion_statement",
        ),
        (
            "a yes to a document about another action",
            changed(&|receipt| {
                let mut document = receipt.shown[0].clone();
                document["action"] = json!("linear.archive_issue");
                put_document(receipt, document);
                receipt.approvals[0].assertion = Some(assertion(device(nth), &vote(receipt)));
            }),
            "shown_document",
        ),
        (
            "another invocation",
            changed(&|receipt| receipt.invocation = "inv_00".to_owned()),
            "assertion_statement",
        ),
        (
            "another org",
            changed(&|receipt| receipt.org = ORGS[(nth + 1) % 3].to_owned()),
            "assertion_statement",
        ),
        (
            "another voter",
            changed(&|receipt| receipt.approvals[0].user = "usr_00".to_owned()),
            "assertion_statement",
        ),
        ("a sign-in for a registration", resigned(("webauthn.create", own.1, SITE), 0x05), "assertion_type"),
        (
            "a look-alike site",
            resigned((own.0, "https://gateway.example.evil.example", SITE), 0x05),
            "assertion_site",
        ),
        (
            "a site without encryption",
            resigned((own.0, "http://gateway.example", SITE), 0x05),
            "assertion_site",
        ),
        (
            "a path in the origin",
            resigned((own.0, "https://gateway.example/x", SITE), 0x05),
            "assertion_site",
        ),
        ("another site's passkey", resigned((own.0, own.1, "evil.example"), 0x05), "assertion_site"),
        ("nobody there", resigned(own, 0x04), "assertion_presence"),
        ("nobody knows who", resigned(own, 0x01), "assertion_presence"),
        (
            "a bit of the signature",
            field("signature", &|bytes| bytes[8 + flip % 24] ^= 1 << (nth % 8)),
            "assertion_signature",
        ),
        ("a longer signature", field("signature", &|bytes| bytes.push(0)), "assertion_signature"),
        ("no signature", field("signature", &Vec::clear), "assertion_signature"),
        (
            "a bit of the key",
            field("public_key", &|bytes| bytes[key_begins + flip] ^= 1 << (nth % 8)),
            "assertion_signature",
        ),
        ("no point on the curve", field("public_key", &|bytes| bytes[1..].fill(0xff)), off_curve),
        ("a key of the other kind", swapped("public_key"), "assertion_signature"),
        ("a signature of the other kind", swapped("signature"), "assertion_signature"),
        ("another count", field("authenticator_data", &|bytes| bytes[36] = 9), "assertion_signature"),
        (
            "other words of the browser",
            field("client_data", &|bytes| {
                bytes.pop();
                bytes.extend(br#","x":1}"#);
            }),
            "assertion_signature",
        ),
        (
            "a shorter key",
            field("public_key", &|bytes| {
                bytes.pop();
            }),
            "assertion_malformed",
        ),
        ("a compressed key", field("public_key", &|bytes| bytes[0] = 2), "assertion_malformed"),
        (
            "half of what the device says",
            field("authenticator_data", &|bytes| bytes.truncate(36)),
            "assertion_malformed",
        ),
        (
            "more than a device says",
            field("authenticator_data", &|bytes| bytes.resize(2_049, 0)),
            "assertion_malformed",
        ),
        ("no JSON", field("client_data", &|bytes| bytes.truncate(20)), "assertion_malformed"),
        (
            "a word twice",
            field("client_data", &|bytes| {
                bytes.pop();
                bytes.extend(br#","type":"webauthn.get"}"#);
            }),
            "assertion_malformed",
        ),
        ("padding", raw("credential", json!("AA==")), "assertion_malformed"),
        ("stray bits", raw("credential", json!("AB")), "assertion_malformed"),
        ("the other alphabet", raw("signature", json!("++//")), "assertion_malformed"),
        ("no text", raw("signature", json!(7)), "assertion_malformed"),
        ("one field more", raw("more", json!("AA")), "assertion_malformed"),
        (
            "a list",
            changed(&|receipt| receipt.approvals[0].assertion = Some(json!(["", "", "", "", ""]))),
            "assertion_malformed",
        ),
        (
            "nothing in it",
            changed(&|receipt| receipt.approvals[0].assertion = Some(json!({}))),
            "assertion_malformed",
        ),
    ]
}

/// The list of passkeys that somebody kept: both of Ada's.
fn kept() -> Vec<Value> {
    let item = |nth| {
        let good = signed(nth).approvals[0].clone();
        let assertion = good.assertion.unwrap();
        json!({"user": good.user, "credential": assertion["credential"], "public_key": assertion["public_key"], "name": "laptop"})
    };
    [0, 1].map(item).to_vec()
}

fn verdict(bundle: &str, keys: &KeySet) -> String {
    let read = Bundle::from_json(bundle.as_bytes()).and_then(|bundle| bundle.verify(keys));
    read.map_or_else(|error| error.code().to_owned(), |_| "verified".to_owned())
}

/// The bundle of a receipt in an otherwise valid log; with its body, or erased.
fn bundle(receipt: &Receipt, erased: bool) -> String {
    let mut made = Made::new(KEY);
    let place = made.sign(receipt, 1, &signing_key(KEY));
    if erased {
        made.erase(place);
    }
    serde_json::to_string(&made.bundle(place)).unwrap()
}

/// The results of both verifiers for bundles, one per line; with the kept list of passkeys or without.
fn both(bundles: &[String], with_list: bool) -> Vec<(String, String)> {
    let (made, folder) = (Made::new(KEY), Folder::new("abuse14p"));
    std::fs::write(folder.0.join("keys.json"), made.key_document()).unwrap();
    let mut keys = made.key_set();
    let mut python = python();
    python.args(["receipts", "-", "--json", "--keys"]).arg(folder.0.join("keys.json"));
    if with_list {
        let path = folder.0.join("passkeys.json");
        std::fs::write(&path, json!({ "items": kept() }).to_string()).unwrap();
        let listed: Vec<Passkey> = receipt::passkey::read_list(&std::fs::read(&path).unwrap()).unwrap();
        keys = keys.with_passkeys(listed);
        python.arg("--passkeys").arg(path);
    }
    let lines: String = bundles.iter().map(|bundle| format!("{bundle}\n")).collect();
    let answers = asked(&mut python, lines.as_bytes());
    assert_eq!(answers.len(), bundles.len());
    let said = |answer: &Value| answer["code"].as_str().unwrap_or("verified").to_owned();
    bundles.iter().zip(&answers).map(|(bundle, answer)| (verdict(bundle, &keys), said(answer))).collect()
}

#[test]
fn every_forged_vote_is_found_and_named_by_both() {
    let rounds =
        if environment("COUNTERSIGN_ABUSE_SIZE").is_some_and(|size| size == "full") { 40 } else { 8 };
    let all: Vec<Forgery> = (0..rounds).flat_map(forgeries).collect();
    let bundles: Vec<String> =
        all.iter().enumerate().map(|(nth, forged)| bundle(&forged.1, is_erased(nth, forged))).collect();
    let mut tally = Tally::default();
    for ((class, _, word), (ours, theirs)) in all.iter().zip(both(&bundles, false)) {
        let is_found = ours == *word && ours == theirs;
        tally.count(class, is_found, || format!("wanted {word}, ours {ours}, theirs {theirs}"));
    }
    tally.tell();
}

/// Every fifth body is erased. The documents are erased with it, so a forged one is not.
fn is_erased(nth: usize, (_, _, code): &Forgery) -> bool {
    nth % 5 == 4 && *code != "shown_document"
}

/// A key that the operator made and attributes to Ada: only a list that somebody kept distinguishes it from hers.
#[test]
fn control_a_key_put_in_place_passes_unless_somebody_kept_the_list() {
    let mut forged = signed(2);
    forged.approvals[0].assertion = Some(assertion(MALLORY, &vote(&forged)));
    let [es256, rs256] = [4, 3].map(|nth| bundle(&signed(nth), false));
    let bundles = [bundle(&forged, false), bundle(&forged, true), es256, rs256];
    let words = |with_list| {
        both(&bundles, with_list).into_iter().map(|(ours, theirs)| {
            assert_eq!(ours, theirs);
            ours
        })
    };
    assert_eq!(words(false).collect::<Vec<_>>(), ["verified"; 4]);
    assert_eq!(
        words(true).collect::<Vec<_>>(),
        ["passkey_unknown", "passkey_unknown", "verified", "verified"]
    );
    report("control: a key put in place passed without a kept list", 2, 0);
}
