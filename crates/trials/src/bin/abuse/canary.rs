//! Secrets made for the trial, and the encodings in which a target may return them.

use std::io::Write as _;

use base64::{
    Engine as _,
    engine::general_purpose::{STANDARD, URL_SAFE_NO_PAD},
};
use flate2::{Compression, write::GzEncoder};
use platform::Dice;
use serde_json::{Value, json};

/// A secret that must not be found anywhere, or a marker that must be found.
#[derive(Debug, Clone)]
pub(crate) struct Canary {
    /// Where it was placed.
    pub(crate) kind: &'static str,
    pub(crate) secret: String,
    /// The length of its prefix, which is a fixed pattern and not secret: `lin_api_`.
    pub(crate) shape: usize,
}

const LETTERS: &[u8] = b"0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz";
/// Characters that are allowed in a header and that encoders treat differently.
const SIGNS: &[u8] =
    b"0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz!$%&/()=?+*~#-_.:,;<>|@^\"\\'{}[]";

fn random(dice: &Dice, alphabet: &[u8], count: usize) -> String {
    let mut bytes = vec![0; count];
    dice.fill(&mut bytes);
    bytes.iter().map(|byte| char::from(alphabet[usize::from(*byte) % alphabet.len()])).collect()
}

impl Canary {
    /// A new canary; `number` selects one of six forms in turn.
    pub(crate) fn new(kind: &'static str, dice: &Dice, number: usize) -> Self {
        let (shape, rest) = match number % 6 {
            0 => ("", random(dice, LETTERS, 40)),
            1 => ("", random(dice, SIGNS, 32)),
            2 => ("", random(dice, b"0123456789abcdef", 40)),
            3 => ("", STANDARD.encode(random(dice, SIGNS, 27))),
            4 => ("", format!("{}-{}", random(dice, LETTERS, 12), random(dice, LETTERS, 16))),
            _ => ("key_", random(dice, LETTERS, 32)),
        };
        Self { kind, secret: format!("{shape}{rest}"), shape: shape.len() }
    }

    /// A canary of an existing secret.
    pub(crate) fn of(kind: &'static str, secret: &str, shape: usize) -> Self {
        Self { kind, secret: secret.to_owned(), shape }
    }
}

fn zipped(text: &str) -> String {
    let mut zip = GzEncoder::new(Vec::new(), Compression::default());
    let packed = zip.write_all(text.as_bytes()).and_then(|()| zip.finish());
    STANDARD.encode(packed.unwrap_or_default())
}

fn percent(text: &str, all: bool) -> String {
    let plain = |byte: &u8| !all && (byte.is_ascii_alphanumeric() || b"-._~".contains(byte));
    let escape = |byte: &u8| if plain(byte) { char::from(*byte).to_string() } else { format!("%{byte:02X}") };
    text.as_bytes().iter().map(escape).collect()
}

fn chunks(text: &str) -> Vec<String> {
    text.as_bytes().chunks(7).map(|part| String::from_utf8_lossy(part).into_owned()).collect()
}

/// A secret in eight encodings, some in more than one variant.
pub(crate) fn dresses(secret: &str) -> Vec<(&'static str, Value)> {
    let hexed = hex::encode(secret);
    let escaped = Value::String(secret.to_owned()).to_string();
    let by_number: String = secret.bytes().map(|byte| format!("\\u{byte:04x}")).collect();
    vec![
        ("plain", json!(secret)),
        ("base64", json!(STANDARD.encode(secret))),
        ("base64", json!(STANDARD.encode(format!("u{secret}")))),
        ("base64", json!(STANDARD.encode(format!("u:{secret}:v")))),
        ("base64", json!(URL_SAFE_NO_PAD.encode(format!("user:{secret}")))),
        ("hex", json!(hexed)),
        ("hex", json!(hexed.to_uppercase())),
        ("url", json!(percent(secret, false))),
        ("url", json!(percent(secret, true))),
        ("json", json!(escaped)),
        ("json", json!(by_number)),
        ("gzip", json!(zipped(secret))),
        ("gzip", json!(zipped(&format!("some words, then {secret}, then more")))),
        ("split", json!(chunks(secret))),
        ("split", json!(chunks(secret).join(" "))),
        ("split", json!(chunks(secret).join("\", \""))),
        ("split", json!(chunks(secret).join("\u{200b}"))),
        ("reversed", json!(secret.chars().rev().collect::<String>())),
    ]
}

/// The encodings that are a single string, for error messages.
pub(crate) fn spoken(secret: &str) -> Vec<(&'static str, String)> {
    let text = |(name, dress): (&'static str, Value)| Some((name, dress.as_str()?.to_owned()));
    dresses(secret).into_iter().filter_map(text).collect()
}
