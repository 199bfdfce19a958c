//! Secrets with known bytes: the credential of the call whose response is searched.
//!
//! A target may echo its credential in any encoding. Four searches find it: in the original text, in the text with
//! escapes decoded and separators removed, in its letters and digits only, and in compressed data. Each search is one
//! pass over the text for all secrets and encodings together.

use std::{borrow::Cow, fmt, io::Read as _, ops::Range};

use aho_corasick::{AhoCorasick, AhoCorasickBuilder, AhoCorasickKind};
use base64::{
    Engine as _,
    alphabet::STANDARD as ALPHABET,
    engine::{DecodePaddingMode, GeneralPurpose, GeneralPurposeConfig, general_purpose::STANDARD_NO_PAD},
};

use super::hidden::is_hidden_unicode;

use crate::limits::redact::{MIN_NEEDLE_BYTES, MIN_SECRET_BYTES, UNPACK_BYTES, UNPACK_RUNS};

/// Accepts what real encoders produce: with or without padding, with stray bits at the end.
const FORGIVING: GeneralPurpose = GeneralPurpose::new(
    &ALPHABET,
    GeneralPurposeConfig::new()
        .with_decode_padding_mode(DecodePaddingMode::Indifferent)
        .with_decode_allow_trailing_bits(true),
);

/// The prepared search patterns of secrets.
pub(super) struct Known {
    /// For the original text, and the text with escapes decoded.
    exact: AhoCorasick,
    /// For the text without escapes, separators and hidden characters.
    plain: AhoCorasick,
    /// For letters and digits only.
    bare: AhoCorasick,
    /// For hexadecimal in either case, over letters and digits only.
    hex: AhoCorasick,
}

impl fmt::Debug for Known {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Known(..)")
    }
}

impl Known {
    /// `None` if no secret is long enough to be searched for.
    pub(super) fn new<'s>(secrets: impl IntoIterator<Item = &'s [u8]>) -> Option<Self> {
        let (mut exact, mut hexes) = (Vec::new(), Vec::new());
        for secret in secrets.into_iter().filter(|secret| secret.len() >= MIN_SECRET_BYTES) {
            exact.push(secret.to_vec());
            // A secret may itself contain something that looks like an escape, which is then decoded with the text.
            exact.push(View::new(secret).bytes);
            exact.push(secret.iter().rev().copied().collect());
            // Escapes are decoded below, but `%250` may mean `%0` or, escaped twice, more. These variants cover both.
            for kept in ["-._*", "-._~", "-._~!'()*"] {
                exact.push(
                    percent_encoded(secret, kept.as_bytes(), |byte| format!("%{byte:02X}")).into_bytes(),
                );
                exact.push(
                    percent_encoded(secret, kept.as_bytes(), |byte| format!("%{byte:02x}")).into_bytes(),
                );
            }
            for offset in 0..3 {
                let encoded = encoded_inside(secret, offset);
                exact.push(encoded.replace('+', "-").replace('/', "_").into_bytes());
                exact.push(encoded.into_bytes());
            }
            hexes.push(hex::encode(secret).into_bytes());
        }
        exact.retain(|needle| needle.len() >= MIN_SECRET_BYTES);
        if exact.is_empty() {
            return None;
        }
        let kept = |keep: fn(u8) -> bool| -> Vec<Vec<u8>> {
            let kept = exact.iter().map(|needle| needle.iter().copied().filter(|byte| keep(*byte)).collect());
            kept.filter(|needle: &Vec<u8>| needle.len() >= MIN_NEEDLE_BYTES).collect()
        };
        Some(Self {
            plain: automaton(&kept(|byte| !is_separator(byte)), false)?,
            bare: automaton(&kept(|byte| byte.is_ascii_alphanumeric()), false)?,
            hex: automaton(&hexes, true)?,
            exact: automaton(&exact, false)?,
        })
    }

    /// All ranges that contain a secret, in no order.
    pub(super) fn find(&self, text: &str) -> Vec<Range<usize>> {
        let mut found = self.find_bytes(text.as_bytes());
        self.find_packed(text, &mut found);
        found
    }

    fn find_bytes(&self, bytes: &[u8]) -> Vec<Range<usize>> {
        let mut found: Vec<_> = self.exact.find_overlapping_iter(bytes).map(|hit| hit.range()).collect();
        // Once without decoding: the text before a secret may turn its first letters into an escape.
        let bare = View::as_is(bytes).only(|byte, _| byte.is_ascii_alphanumeric());
        bare.search(&self.bare, &mut found);
        bare.search(&self.hex, &mut found);
        let view = View::new(bytes);
        view.search(&self.exact, &mut found);
        let plain = view.only(|byte, separates| !separates && !is_separator(byte));
        plain.search(&self.plain, &mut found);
        let bare = plain.only(|byte, _| byte.is_ascii_alphanumeric());
        bare.search(&self.bare, &mut found);
        bare.search(&self.hex, &mut found);
        for range in &mut found {
            *range = with_edges(bytes, range);
        }
        found
    }

    /// Compressed data in base64 begins with `H4sI` (gzip) or `eJ`, `eN` (zlib).
    fn find_packed(&self, text: &str, found: &mut Vec<Range<usize>>) {
        let (mut budget, mut runs, mut from) = (UNPACK_BYTES, 0, 0);
        while let Some(start) = next_packed(text, from) {
            let (run, end) = base64_run(text, start);
            from = end.max(start + 1);
            let Some(packed) = unpackable(&run) else { continue };
            runs += 1;
            if runs > UNPACK_RUNS || budget == 0 || self.is_in_packed(&packed, &mut budget) {
                found.push(start..end);
            }
        }
    }

    fn is_in_packed(&self, packed: &[u8], budget: &mut usize) -> bool {
        let limit = *budget;
        let mut unpacked = Vec::new();
        // After an error at the end, the part that was read is searched all the same.
        let read = if packed.starts_with(&GZIP) {
            flate2::read::MultiGzDecoder::new(packed).take(limit as u64).read_to_end(&mut unpacked)
        } else {
            flate2::read::ZlibDecoder::new(packed).take(limit as u64).read_to_end(&mut unpacked)
        };
        drop(read);
        *budget -= unpacked.len().min(limit);
        // Data that fills the budget was not read completely: a bomb, or a hiding place.
        unpacked.len() >= limit || !self.find_bytes(&unpacked).is_empty()
    }
}

const GZIP: [u8; 2] = [0x1f, 0x8b];

/// The content of a base64 run that begins like gzip or zlib.
fn unpackable(run: &[u8]) -> Option<Vec<u8>> {
    let whole = if run.len() % 4 == 1 { run.len() - 1 } else { run.len() };
    let packed = FORGIVING.decode(run.get(..whole)?).ok()?;
    let is_zlib = |head: &[u8; 2]| head[0] & 0x0f == 8 && u16::from_be_bytes(*head).is_multiple_of(31);
    let begins = packed.first_chunk().is_some_and(|head| *head == GZIP || is_zlib(head));
    (packed.len() >= 12 && begins).then_some(packed)
}

fn automaton(needles: &[Vec<u8>], ignore_case: bool) -> Option<AhoCorasick> {
    // Built for every call with a credential and used on one response: fast construction matters more than fast
    // search.
    let kind = Some(AhoCorasickKind::NoncontiguousNFA);
    AhoCorasickBuilder::new().kind(kind).ascii_case_insensitive(ignore_case).build(needles).ok()
}

fn percent_encoded(secret: &[u8], kept: &[u8], escape: fn(u8) -> String) -> String {
    let encode = |byte: &u8| {
        if byte.is_ascii_alphanumeric() || kept.contains(byte) {
            char::from(*byte).to_string()
        } else {
            escape(*byte)
        }
    };
    secret.iter().map(encode).collect()
}

/// The base64 form of a secret after `offset` bytes (mod 3), without the characters that depend on its neighbours.
fn encoded_inside(secret: &[u8], offset: usize) -> String {
    let mut padded = vec![0; offset];
    padded.extend_from_slice(secret);
    let encoded = STANDARD_NO_PAD.encode(&padded);
    let skipped = [0, 2, 3][offset];
    let end = encoded.len() - usize::from(!padded.len().is_multiple_of(3));
    encoded[skipped..end].to_owned()
}

/// The characters at the edges of an encoded secret contain some of its bits too, so up to four more are replaced.
fn with_edges(bytes: &[u8], range: &Range<usize>) -> Range<usize> {
    let is_code =
        |byte: &&u8| byte.is_ascii_alphanumeric() || matches!(**byte, b'+' | b'/' | b'-' | b'_' | b'=');
    let before = bytes[..range.start].iter().rev().take(4).take_while(is_code).count();
    let after = bytes[range.end..].iter().take(4).take_while(is_code).count();
    range.start - before..range.end + after
}

fn next_packed(text: &str, from: usize) -> Option<usize> {
    let bytes = text.as_bytes();
    (from..bytes.len().saturating_sub(4)).find(|place| {
        let rest = &bytes[*place..];
        let starts_run = *place == 0 || !is_base64(bytes[place - 1]);
        rest.starts_with(b"H4sI") || (starts_run && (rest.starts_with(b"eJ") || rest.starts_with(b"eN")))
    })
}

const fn is_base64(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || matches!(byte, b'+' | b'/' | b'-' | b'_')
}

/// The base64 from `start` on, across line breaks (plain or escaped), in the standard alphabet; and its end.
fn base64_run(text: &str, start: usize) -> (Vec<u8>, usize) {
    let bytes = text.as_bytes();
    let mut run = Vec::new();
    let mut place = start;
    while let Some(byte) = bytes.get(place) {
        match byte {
            b'-' => run.push(b'+'),
            b'_' => run.push(b'/'),
            b'\n' | b'\r' | b' ' => {}
            b'\\' if matches!(bytes.get(place + 1), Some(b'n' | b'r')) => place += 1,
            byte if is_base64(*byte) => run.push(*byte),
            _ => break,
        }
        place += 1;
    }
    (run, place)
}

fn is_separator(byte: u8) -> bool {
    byte <= b' ' || matches!(byte, b'"' | b'\'' | b',' | b'\\' | 0x7f)
}

/// A transformed text, with the original position of each byte.
struct View {
    bytes: Vec<u8>,
    places: Vec<Place>,
}

#[derive(Clone, Copy)]
struct Place {
    start: u32,
    end: u32,
    /// Part of a multi-byte character that is invisible.
    separates: bool,
}

impl View {
    fn as_is(text: &[u8]) -> Self {
        let offset = |place: usize| u32::try_from(place).unwrap_or(u32::MAX);
        let place = |start: usize| Place { start: offset(start), end: offset(start + 1), separates: false };
        Self { bytes: text.to_vec(), places: (0..text.len()).map(place).collect() }
    }

    /// Escapes decoded.
    fn new(text: &[u8]) -> Self {
        let mut view = Self { bytes: Vec::with_capacity(text.len()), places: Vec::with_capacity(text.len()) };
        let mut start = 0;
        while let Some(rest) = text.get(start..).filter(|rest| !rest.is_empty()) {
            let (unit, len) = unit(rest);
            let offset = |place: usize| u32::try_from(place).unwrap_or(u32::MAX);
            let place = Place { start: offset(start), end: offset(start + len), separates: separates(&unit) };
            view.places.extend(unit.iter().map(|_| place));
            view.bytes.extend_from_slice(&unit);
            start += len;
        }
        view
    }

    fn only(&self, keep: impl Fn(u8, bool) -> bool) -> Self {
        let kept = self.bytes.iter().zip(&self.places).filter(|(byte, place)| keep(**byte, place.separates));
        let (bytes, places) = kept.map(|(byte, place)| (*byte, *place)).unzip();
        Self { bytes, places }
    }

    fn search(&self, needles: &AhoCorasick, found: &mut Vec<Range<usize>>) {
        for hit in needles.find_overlapping_iter(&self.bytes) {
            let (start, end) = (self.places[hit.start()].start, self.places[hit.end() - 1].end);
            found.push(start as usize..end as usize);
        }
    }
}

fn separates(unit: &[u8]) -> bool {
    let unseen = |char: char| char.is_whitespace() || is_hidden_unicode(char);
    unit.len() > 1 && std::str::from_utf8(unit).is_ok_and(|text| text.chars().all(unseen))
}

/// The next character of a text with its escape decoded, and the number of bytes it took.
fn unit(rest: &[u8]) -> (Cow<'_, [u8]>, usize) {
    let escaped = match rest {
        [b'%', ..] => percent(rest),
        [b'\\', ..] => backslash(rest),
        [b'&', ..] => entity(rest),
        _ => None,
    };
    if let Some((char, len)) = escaped {
        return (Cow::Owned(char), len);
    }
    let len = match rest {
        [0xc2..=0xdf, 0x80..=0xbf, ..] => 2,
        [0xe0..=0xef, 0x80..=0xbf, 0x80..=0xbf, ..] => 3,
        [0xf0..=0xf4, 0x80..=0xbf, 0x80..=0xbf, 0x80..=0xbf, ..] => 4,
        _ => 1,
    };
    (Cow::Borrowed(&rest[..len]), len)
}

fn hex_number(digits: &[u8]) -> Option<u32> {
    u32::from_str_radix(std::str::from_utf8(digits).ok()?, 16).ok()
}

// `%41`, and `%2541` where it was escaped again.
fn percent(rest: &[u8]) -> Option<(Vec<u8>, usize)> {
    let mut place = 1;
    while place < 9
        && rest
            .get(place..place + 4)
            .is_some_and(|four| four.starts_with(b"25") && hex_number(four).is_some())
    {
        place += 2;
    }
    let byte = u8::try_from(hex_number(rest.get(place..place + 2)?)?).ok()?;
    Some((vec![byte], place + 2))
}

// `\u0041`, `\x41`, `\n`; any number of backslashes, because text is often escaped more than once.
fn backslash(rest: &[u8]) -> Option<(Vec<u8>, usize)> {
    let slashes = rest.iter().take(8).take_while(|byte| **byte == b'\\').count();
    let digits = |count: usize| hex_number(rest.get(slashes + 1..slashes + 1 + count)?);
    match rest.get(slashes) {
        Some(b'u') => utf8(digits(4)?).map(|char| (char, slashes + 5)),
        Some(b'x') => Some((vec![u8::try_from(digits(2)?).ok()?], slashes + 3)),
        Some(b'n') => Some((vec![b'\n'], slashes + 1)),
        Some(b'r') => Some((vec![b'\r'], slashes + 1)),
        Some(b't') => Some((vec![b'\t'], slashes + 1)),
        _ => Some((Vec::new(), slashes)),
    }
}

// `&#65;`, `&#x41;`, `&amp;`.
fn entity(rest: &[u8]) -> Option<(Vec<u8>, usize)> {
    let end = rest.iter().take(12).position(|byte| *byte == b';')?;
    let name = std::str::from_utf8(rest.get(1..end)?).ok()?;
    let char = match name {
        "amp" => vec![b'&'],
        "lt" => vec![b'<'],
        "gt" => vec![b'>'],
        "quot" => vec![b'"'],
        "apos" => vec![b'\''],
        _ => match name.strip_prefix('#')? {
            number if number.starts_with(['x', 'X']) => utf8(hex_number(&number.as_bytes()[1..])?)?,
            number => utf8(number.parse().ok()?)?,
        },
    };
    Some((char, end + 1))
}

fn utf8(code: u32) -> Option<Vec<u8>> {
    let char = char::from_u32(code)?;
    // The value of a one-byte escape is a byte of the secret; beyond ASCII it is a character.
    Some(char.to_string().into_bytes())
}
