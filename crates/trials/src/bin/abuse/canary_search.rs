//! Searches bytes for canaries in every encoding. Implemented independently of the redactor, so that a mistake there is
//! not repeated here.

use std::{borrow::Cow, collections::BTreeSet, io::Read as _};

use aho_corasick::AhoCorasick;
use base64::{Engine as _, engine::general_purpose::STANDARD_NO_PAD};

use crate::canary::Canary;

/// Bytes to search, with their origin.
pub(crate) struct Place {
    pub(crate) name: String,
    pub(crate) bytes: Vec<u8>,
}

#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Found {
    pub(crate) canary: usize,
    pub(crate) dress: &'static str,
    pub(crate) place: String,
}

/// The patterns to search for, in the exact bytes and in their letters and digits alone.
pub(crate) struct Search {
    exact: (AhoCorasick, Vec<(usize, &'static str)>),
    bare: (AhoCorasick, Vec<(usize, &'static str)>),
}

/// The shortest part of a secret that counts as a leak: a truncated secret is still half disclosed.
const FRAGMENT: usize = 12;

fn bare(bytes: &[u8]) -> Vec<u8> {
    bytes.iter().copied().filter(u8::is_ascii_alphanumeric).collect()
}

/// The base64 characters that depend on the secret alone, with `offset` bytes before it.
fn inside(secret: &[u8], offset: usize) -> String {
    let mut padded = vec![0; offset];
    padded.extend_from_slice(secret);
    let whole = STANDARD_NO_PAD.encode(&padded);
    let (start, spare) = ([0, 2, 3][offset], usize::from(!padded.len().is_multiple_of(3)));
    whole[start..whole.len() - spare].to_owned()
}

impl Search {
    pub(crate) fn new(canaries: &[Canary]) -> anyhow::Result<Self> {
        let (mut exact, mut plain) = (Vec::new(), Vec::new());
        for (number, canary) in canaries.iter().enumerate() {
            let secret = canary.secret.as_bytes();
            let mut add = |dress, needle: Vec<u8>| exact.push(((number, dress), needle));
            add("plain", secret.to_vec());
            add("reversed", secret.iter().rev().copied().collect());
            for offset in 0..3 {
                let standard = inside(secret, offset);
                add("base64", standard.replace('+', "-").replace('/', "_").into_bytes());
                add("base64", standard.into_bytes());
            }
            add("hex", hex::encode(secret).into_bytes());
            add("hex", hex::encode_upper(secret).into_bytes());
            for upper in [true, false] {
                let escape = |byte: &u8| if upper { format!("%{byte:02X}") } else { format!("%{byte:02x}") };
                add("url", secret.iter().map(escape).collect::<String>().into_bytes());
                let kept = |byte: &u8| byte.is_ascii_alphanumeric() || b"-._~".contains(byte);
                let part = |byte: &u8| if kept(byte) { char::from(*byte).to_string() } else { escape(byte) };
                add("url", secret.iter().map(part).collect::<String>().into_bytes());
            }
            let escaped = serde_json::Value::String(canary.secret.clone()).to_string();
            add("json", escaped.as_bytes()[1..escaped.len() - 1].to_vec());
            add("json", secret.iter().map(|byte| format!("\\u{byte:04x}")).collect::<String>().into_bytes());
            let own = &secret[canary.shape..];
            add("fragment", own[..FRAGMENT].to_vec());
            add("fragment", own[own.len() - FRAGMENT..].to_vec());
            plain.push(((number, "split"), bare(secret)));
            plain.push(((number, "reversed"), bare(&secret.iter().rev().copied().collect::<Vec<_>>())));
        }
        Ok(Self { exact: automaton(exact)?, bare: automaton(plain)? })
    }

    /// Every canary in a place, once per encoding.
    pub(crate) fn look(&self, place: &Place) -> BTreeSet<Found> {
        let mut found = BTreeSet::new();
        let mut note =
            |(automaton, names): &(AhoCorasick, Vec<(usize, &'static str)>), bytes: &[u8], zip: bool| {
                for hit in automaton.find_overlapping_iter(bytes) {
                    let (canary, dress) = names[hit.pattern().as_usize()];
                    let dress = if zip { "gzip" } else { dress };
                    found.insert(Found { canary, dress, place: place.name.clone() });
                }
            };
        note(&self.exact, &place.bytes, false);
        // Text inside JSON inside a log line is escaped more than once.
        let unescaped: Vec<u8> = place.bytes.iter().copied().filter(|byte| *byte != b'\\').collect();
        note(&self.exact, &unescaped, false);
        note(&self.bare, &bare(&place.bytes), false);
        for unpacked in packed(&place.bytes) {
            note(&self.exact, &unpacked, true);
        }
        found
    }
}

type Named = (AhoCorasick, Vec<(usize, &'static str)>);

fn automaton(needles: Vec<((usize, &'static str), Vec<u8>)>) -> anyhow::Result<Named> {
    let (names, needles): (Vec<_>, Vec<_>) = needles.into_iter().unzip();
    Ok((AhoCorasick::new(needles)?, names))
}

/// The decompressed contents of base64 runs that begin like gzip.
fn packed(bytes: &[u8]) -> Vec<Vec<u8>> {
    let text: Cow<'_, str> = String::from_utf8_lossy(bytes);
    let mut all = Vec::new();
    for (start, _) in text.match_indices("H4sI") {
        let run: String = text[start..]
            .chars()
            .take_while(|char| char.is_ascii_alphanumeric() || matches!(char, '+' | '/'))
            .collect();
        let whole = run.len() - usize::from(run.len() % 4 == 1);
        let Ok(zip) = STANDARD_NO_PAD.decode(&run[..whole]) else { continue };
        let mut unpacked = Vec::new();
        // An error at the end keeps what was read before.
        let _ = flate2::read::GzDecoder::new(zip.as_slice()).take(1 << 20).read_to_end(&mut unpacked);
        all.push(unpacked);
    }
    all
}
