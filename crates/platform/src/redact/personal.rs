//! E-mail addresses and phone numbers, replaced by a keyed hash so that equal ones can still be compared.

use std::{ops::Range, sync::LazyLock};

use hmac::{Hmac, KeyInit as _, Mac as _};
use regex::Regex;
use serde_json::Value;
use sha2::Sha256;
use uuid::Uuid;

// Every repeat is bounded, so a search that fails has read little. International numbers begin with `+` or `00`;
// national ones are taken only in the shapes `(030) 1234567`, `030-1234567` and `555-123-4567`, because a row of
// digits alone is an id far more often than a phone number. A UUID is looked for first, because one in two thousand
// has a row of digits in it that looks like a number.
static PHONE_OR_UUID: LazyLock<Regex> = LazyLock::new(|| {
    let shapes = [
        r"[0-9a-fA-F]{8}(?:-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12}",
        r"(?:\+|\b00)[1-9](?:[ ().\-/]{0,2}[0-9]){7,14}\b",
        r"\(0?[0-9]{2,4}\)[ ]?[0-9](?:[ .\-]?[0-9]){5,8}\b",
        r"\b0[0-9]{2,4}[ /\-][0-9](?:[ .\-]?[0-9]){5,8}\b",
        r"\b[2-9][0-9]{2}[ .\-][0-9]{3}[ .\-][0-9]{4}\b",
    ];
    #[expect(clippy::expect_used, reason = "a fixed pattern, compiled by every test of this module")]
    Regex::new(&format!("(?-u:{})", shapes.join("|"))).expect("the pattern is valid")
});

const PHONE_NAMES: &[&str] = &["phone", "phonenumber", "mobile", "mobilenumber", "telephone", "tel", "fax"];

pub(super) fn pseudonymise(value: &Value, key: &[u8]) -> Value {
    match value {
        Value::String(text) => Value::String(pseudonymise_text(text, key)),
        Value::Array(items) => Value::Array(items.iter().map(|item| pseudonymise(item, key)).collect()),
        Value::Object(members) => {
            let member = |(name, member): (&String, &Value)| {
                let hashed = phone_by_name(name, member, key);
                (pseudonymise_text(name, key), hashed.unwrap_or_else(|| pseudonymise(member, key)))
            };
            Value::Object(members.iter().map(member).collect())
        }
        other => other.clone(),
    }
}

// In a field named accordingly, plain digits are a phone number too.
fn phone_by_name(name: &str, value: &Value, key: &[u8]) -> Option<Value> {
    let name: String = name.chars().filter(char::is_ascii_alphanumeric).take(32).collect();
    let text = match value {
        Value::String(text) => text.clone(),
        Value::Number(number) => number.to_string(),
        _ => return None,
    };
    let fits = PHONE_NAMES.contains(&name.to_ascii_lowercase().as_str())
        && (6..=20).contains(&text.bytes().filter(u8::is_ascii_digit).count())
        && text.bytes().all(|byte| byte.is_ascii_digit() || b"+ ().-/".contains(&byte));
    fits.then(|| Value::String(hash_phone(&text, key)))
}

fn pseudonymise_text(text: &str, key: &[u8]) -> String {
    let mut found: Vec<(Range<usize>, String)> = Vec::new();
    for (place, _) in text.match_indices('@') {
        if let Some(range) = email_around(text, place)
            && found.last().is_none_or(|(last, _)| last.end <= range.start)
        {
            let hash = hash(&text[range.clone()].to_lowercase(), key);
            found.push((range, hash));
        }
    }
    let emails = found.len();
    for phone in PHONE_OR_UUID.find_iter(text).filter(|found| Uuid::try_parse(found.as_str()).is_err()) {
        let touches =
            |(email, _): &(Range<usize>, String)| email.start < phone.end() && phone.start() < email.end;
        let inside_word = text[..phone.start()].chars().next_back().is_some_and(char::is_alphanumeric);
        // A number within an e-mail address belongs to the address. The list is sorted, so one lookup is enough.
        let after = found[..emails].partition_point(|(email, _)| email.end <= phone.start());
        if !inside_word && !found[..emails].get(after).is_some_and(touches) {
            found.push((phone.range(), hash_phone(phone.as_str(), key)));
        }
    }
    found.sort_by_key(|(range, _)| range.start);
    let mut out = String::with_capacity(text.len());
    let mut end = 0;
    for (range, hash) in found {
        out.push_str(&text[end..range.start]);
        out.push_str(&hash);
        end = range.end;
    }
    out.push_str(&text[end..]);
    out
}

// Both sides are bounded by what RFC 5321 allows, so a text of nothing but `@` costs no more than its length.
fn email_around(text: &str, at: usize) -> Option<Range<usize>> {
    let local = text[..at]
        .char_indices()
        .rev()
        .take(64)
        .take_while(|(_, char)| char.is_alphanumeric() || "._%+-".contains(*char))
        .last()?
        .0;
    let domain = &text[at + 1..];
    let len: usize = domain
        .chars()
        .take(253)
        .take_while(|char| char.is_alphanumeric() || ".-".contains(*char))
        .map(char::len_utf8)
        .sum();
    let domain = domain[..len].trim_end_matches(['.', '-']);
    let (name, top) = domain.rsplit_once('.')?;
    let fits = !name.is_empty() && top.chars().count() >= 2 && top.chars().all(char::is_alphabetic);
    fits.then_some(local..at + 1 + domain.len())
}

fn hash_phone(text: &str, key: &[u8]) -> String {
    let digits: String = text.chars().filter(char::is_ascii_digit).collect();
    hash(digits.strip_prefix("00").unwrap_or(&digits), key)
}

fn hash(text: &str, key: &[u8]) -> String {
    #[expect(clippy::expect_used, reason = "HMAC takes a key of any length")]
    let mut mac = Hmac::<Sha256>::new_from_slice(key).expect("any length of key is fine");
    mac.update(text.as_bytes());
    let mut text = hex::encode(mac.finalize().into_bytes());
    text.truncate(16);
    format!("pii:{text}")
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn equal_people_stay_comparable_and_cannot_be_read() {
        let value = json!({
            "to": "Ada Lovelace <Ada.Lovelace+x@Example.org>, call +49 (170) 123-4567.",
            "cc": ["ada.lovelace+x@example.org", "+491701234567", "0049 170 1234567"],
            "phone": 5551234567_u64,
            "us": "555-123-4567",
        });
        let out = pseudonymise(&value, b"key");
        let (email, phone) = (out["cc"][0].as_str().unwrap(), out["cc"][1].as_str().unwrap());
        assert!(email.starts_with("pii:") && email.len() == 20);
        assert_eq!(out["to"], format!("Ada Lovelace <{email}>, call {phone}."));
        assert_eq!(out["cc"][2], phone);
        assert_eq!(out["phone"], out["us"]);
        assert_ne!(pseudonymise(&value, b"other key"), out);
    }

    #[test]
    fn ids_dates_and_versions_are_not_people() {
        for text in [
            "2026-11-15T02:02:01Z",
            "01-02-2026",
            "10.0.0.1:8080",
            "192.168.100.200",
            "1234567890123",
            "v1.2.3",
            "@handle",
            "a@b",
            "git@host:repo",
            "0192f0c1-d2e3-7a4b-8c5d-6e7f80910a1b",
            "cf7c6a54-0104-4722-8549-6e7f80910a1b",
            "issue:CF7C6A54-0104-4722-8549-6E7F80910A1B,",
            "npm i x@1.2.3",
            "+1",
            "1,234,567.89",
            "sha256:00123456789012345678901234567890",
        ] {
            assert_eq!(pseudonymise_text(text, b"k"), text);
        }
    }

    #[test]
    fn no_uuid_is_taken_for_a_phone_number_and_a_number_beside_one_is() {
        let dice = crate::Dice::seeded(1);
        for _ in 0..20_000 {
            let mut bytes = [0; 16];
            dice.fill(&mut bytes);
            let id = uuid::Builder::from_random_bytes(bytes).into_uuid().to_string();
            assert_eq!(pseudonymise_text(&id, b"k"), id);
        }
        let out = pseudonymise_text("0192f0c1-d2e3-7a4b-8c5d-6e7f80910a1b 030-1234567", b"k");
        assert_eq!(out, format!("0192f0c1-d2e3-7a4b-8c5d-6e7f80910a1b {}", hash("0301234567", b"k")));
    }
}
