//! Published assertions of passkeys, which every verifier must judge alike.

use std::{path::PathBuf, sync::LazyLock};

use aws_lc_rs::signature::{
    RSA_PKCS1_1024_8192_SHA256_FOR_LEGACY_USE_ONLY, RsaParameters, UnparsedPublicKey,
};
use base64::{Engine as _, engine::general_purpose::STANDARD, engine::general_purpose::URL_SAFE_NO_PAD};
use receipt::{
    KeySet,
    passkey::{Assertion, AuthenticatorData},
    verify,
};
use serde_json::{Value, json};
use sha2::{Digest as _, Sha256};

use crate::attacks::tampering::ledger::{asked, python};

static CASES: LazyLock<Vec<Value>> = LazyLock::new(|| {
    let text = std::fs::read(vectors().join("passkeys.json")).unwrap();
    serde_json::from_slice(&text).unwrap()
});

fn vectors() -> PathBuf {
    [env!("CARGO_MANIFEST_DIR"), "tests/vectors"].iter().collect()
}

fn expected() -> Vec<(&'static str, &'static str)> {
    let text = |case: &'static Value, field| case[field].as_str().unwrap();
    CASES.iter().map(|case| (text(case, "case"), text(case, "expected"))).collect()
}

/// The assertion in a case.
fn assertion(name: &str) -> Assertion {
    let case = CASES.iter().find(|case| case["case"] == name).unwrap();
    let payload = STANDARD.decode(case["envelope"]["payload"].as_str().unwrap()).unwrap();
    let receipt: Value = serde_json::from_slice(&payload).unwrap();
    Assertion::from_value(&receipt["approvals"][0]["assertion"]).unwrap()
}

fn decode(text: &str) -> Vec<u8> {
    URL_SAFE_NO_PAD.decode(text).unwrap()
}

#[test]
fn published_assertions_are_judged_as_stated() {
    let keys = KeySet::from_json(&std::fs::read(vectors().join("keys.json")).unwrap()).unwrap();
    let judged = CASES.iter().map(|case| {
        let result = verify(case["envelope"].to_string().as_bytes(), &keys);
        (case["case"].as_str().unwrap(), result.map_or_else(|error| error.code(), |_| "verified"))
    });
    assert_eq!(judged.collect::<Vec<_>>(), expected());
}

#[test]
fn the_second_verifier_judges_published_assertions_as_stated() {
    let lines: String = CASES.iter().map(|case| format!("{}\n", case["envelope"])).collect();
    let mut python = python();
    python.args(["receipts", "-", "--json", "--keys"]).arg(vectors().join("keys.json"));
    let answers = asked(&mut python, lines.as_bytes());
    let judged: Vec<_> = CASES
        .iter()
        .zip(&answers)
        .map(|(case, answer)| (case["case"].as_str().unwrap(), answer["code"].as_str().unwrap_or("verified")))
        .collect();
    assert_eq!(judged, expected());
}

/// The weak keys are refused for their form alone: whoever checked only the signatures would accept them.
#[test]
fn control_signatures_of_refused_keys_are_valid() {
    let is_valid = |name: &str, parameters: &'static RsaParameters| {
        let assertion = assertion(name);
        let client = Sha256::digest(decode(&assertion.client_data));
        let signed = [decode(&assertion.authenticator_data), client.to_vec()].concat();
        let key = UnparsedPublicKey::new(parameters, decode(&assertion.public_key));
        key.verify(&signed, &decode(&assertion.signature)).is_ok()
    };
    for weak in ["RS256, 1024 bits", "RS256, 8192 bits", "RS256, exponent 3"] {
        assert!(is_valid(weak, &RSA_PKCS1_1024_8192_SHA256_FOR_LEGACY_USE_ONLY), "{weak}");
    }
    assert!(is_valid("RS256, 2048 bits", &RSA_PKCS1_1024_8192_SHA256_FOR_LEGACY_USE_ONLY));
    assert!(!is_valid("RS256: a changed signature", &RSA_PKCS1_1024_8192_SHA256_FOR_LEGACY_USE_ONLY));
}

/// What a device says when it made a passkey with an RSA key: a credential of `length` bytes, and extensions.
fn registration(modulus: &[u8], length: u16, extensions: usize) -> String {
    let mut told = [&Sha256::digest("gateway.example")[..], &[0x45, 0, 0, 0, 0], &[0; 16]].concat();
    told.extend(length.to_be_bytes());
    told.resize(told.len() + usize::from(length), 7);
    told.extend([0xa4, 0x01, 0x03, 0x03, 0x39, 0x01, 0x00, 0x20, 0x59]);
    told.extend(u16::try_from(modulus.len()).unwrap().to_be_bytes());
    told.extend(modulus);
    told.extend([0x21, 0x43, 0x01, 0x00, 0x01]);
    told.resize(told.len() + extensions, 0);
    URL_SAFE_NO_PAD.encode(told)
}

#[test]
fn a_registration_with_an_rsa_key_gives_the_key_of_receipts() {
    for bits in [2048, 3072, 4096] {
        let key = assertion(&format!("RS256, {bits} bits")).public_key;
        let bytes = decode(&key);
        // 32 bytes and a zero before the modulus, 5 after it.
        let modulus = &bytes[33..bytes.len() - 5];
        assert_eq!(modulus.len() * 8, bits);
        for (length, extensions) in [(32, 0), (1023, 0), (1023, 400)] {
            let data = AuthenticatorData::read(&registration(modulus, length, extensions)).unwrap();
            let credential = URL_SAFE_NO_PAD.encode(vec![7; usize::from(length)]);
            assert_eq!(data.made(), Some((credential, key.clone())));
        }
    }
    let weak = decode(&assertion("RS256, 1024 bits").public_key);
    let data = AuthenticatorData::read(&registration(&weak[29..weak.len() - 5], 32, 0)).unwrap();
    assert_eq!(data.made(), None);
}

#[test]
fn a_fingerprint_is_over_the_stored_form_of_either_key() {
    for name in ["ES256", "RS256, 2048 bits", "RS256, 4096 bits"] {
        let assertion = assertion(name);
        let digest = format!("sha256:{}", hex::encode(Sha256::digest(decode(&assertion.public_key))));
        assert_eq!(assertion.fingerprint(), Ok(digest));
    }
    assert_eq!(
        json!(assertion("RS256, exponent 3").fingerprint().unwrap_err().code()),
        "assertion_malformed"
    );
}
