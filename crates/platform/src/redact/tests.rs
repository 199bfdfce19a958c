//! Tests of what is redacted, what is not, and how long it may take.

use std::{
    io::Write as _,
    time::{Duration, Instant},
};

use base64::{
    Engine as _,
    engine::general_purpose::{STANDARD, STANDARD_NO_PAD, URL_SAFE, URL_SAFE_NO_PAD},
};
use proptest::prelude::*;
use serde_json::json;

use super::*;

const SECRET: &str = "kT9$wq/7Zp+x?Lm4=vB2&dR~";

fn letters(count: usize) -> String {
    "aB3dE5gH7jK9mN1pQ2sT4vW6yZ8".chars().cycle().take(count).collect()
}

// Assembled here, so that secret scanners do not report this file as a leak.
fn credentials() -> Vec<(String, &'static str)> {
    let with = |start: &str, count: usize| format!("{start}{}", letters(count));
    let jwt = format!("eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxMjM0In0.{}", letters(43));
    let mut list = vec![
        (with("csn_api_", 36), "countersign token"),
        (with("github_pat_", 60), "github token"),
        (with("xoxb-1234567890-", 24), "slack token"),
        (with("xapp-1-A0-", 24), "slack token"),
        (with("https://hooks.slack.com/services/T000/B000/", 24), "slack webhook"),
        (with("lin_api_", 40), "linear token"),
        (with("lin_oauth_", 40), "linear token"),
        (with("sntrys_", 60), "sentry token"),
        (with("sntryu_", 60), "sentry token"),
        (format!("AKIA{}", "ABCDEFGH23456789"), "aws key id"),
        (with("AIza", 35), "google key"),
        (with("ya29.", 60), "google token"),
        (with("sk_live_", 24), "stripe key"),
        (with("rk_live_", 24), "stripe key"),
        (with("sk-", 48), "openai key"),
        (with("sk-proj-", 48), "openai key"),
        (with("sk-ant-api03-", 48), "anthropic key"),
        (with("npm_", 36), "npm token"),
        (with("pypi-AgEI", 60), "pypi token"),
        (with("glpat-", 20), "gitlab token"),
        (jwt, "json web token"),
        (
            format!("-----BEGIN RSA {} KEY-----\nMIIE\nabc=\n-----END RSA PRIVATE KEY-----", "PRIVATE"),
            "private key",
        ),
    ];
    list.extend(["ghp_", "gho_", "ghu_", "ghs_", "ghr_"].map(|start| (with(start, 36), "github token")));
    list
}

#[test]
fn every_known_format_is_found_inside_any_text() {
    let redactor = Redactor::new();
    for (credential, kind) in credentials() {
        for text in [
            credential.clone(),
            format!("the key is {credential}."),
            format!("\"{credential}\""),
            format!("näh\u{200b}{credential}\n"),
        ] {
            let out = redactor.redact_text(&text);
            assert!(out.contains(REDACTED) && !out.contains(&credential), "{kind}: {out}");
            let tail: String = credential.chars().skip(credential.chars().count() - 12).collect();
            assert!(!out.contains(&tail), "{kind}: {out}");
            assert_eq!(redactor.contains_credential(&json!({"note": [text]})), Some(kind));
            assert_eq!(redactor.redact_text(&out), out, "redacting twice changes nothing");
        }
    }
}

#[test]
fn headers_and_addresses_keep_what_is_not_secret() {
    let redactor = Redactor::new();
    for (text, expected) in [
        ("Bearer abcdef0123456789xyz", "Bearer [redacted]"),
        ("authorization: Basic dXNlcjpwYXNzd29yZA==", "authorization: [redacted]"),
        ("basic dXNlcjpwYXNzd29yZA== rest", "basic [redacted] rest"),
        (
            "postgres://app:hunter2@db:5432/x?sslmode=require",
            "postgres://[redacted]@db:5432/x?sslmode=require",
        ),
        ("redis://:pw@host", "redis://[redacted]@host"),
        (
            "https://api.example.com/?access_token=abc&page=2",
            "https://api.example.com/?access_token=[redacted]&page=2",
        ),
        ("host=db password=hunter2 user=x", "host=db password=[redacted] user=x"),
        (r#"{"password":"hunter2","a":1}"#, r#"{"password":"[redacted]","a":1}"#),
        (r#"{"body":"{\"api_key\":\"k1\"}"}"#, r#"{"body":"{\"api_key\":\"[redacted]\"}"}"#),
        ("Set-Cookie: sid=1; Path=/\nnext", "Set-Cookie: [redacted]\nnext"),
    ] {
        assert_eq!(redactor.redact_text(text), expected);
    }
    let aws = format!("id AKIAABCDEFGH23456789 secret {}", &letters(40));
    assert_eq!(redactor.redact_text(&aws), "id [redacted] secret [redacted]");
}

#[test]
fn ordinary_text_stays_as_it_is() {
    let redactor = Redactor::new();
    for text in [
        "Basic understanding of the bearer responsibilities",
        "task-0192f0c1-d2e3-7a4b-8c5d-6e7f80910a1b",
        "inv_0192f0c1d2e37a4b8c5d6e7f80910a1c",
        "sha256:9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08",
        "da39a3ee5e6b4b0d3255bfef95601890afd80709",
        "https://example.com:8443/path?q=a@b.c",
        "ssh://git@github.com/a/b",
        "the token: a string; max_tokens=512, nextPageToken=abc",
        "-----BEGIN CERTIFICATE-----\nabc\n-----END CERTIFICATE-----",
        "password: must have 12 characters",
        "npm_config_registry and sk-learn-contrib-package-with-a-long-name",
        "eyJ is how a token begins",
        "",
    ] {
        assert_eq!(redactor.redact_text(text), text);
        assert_eq!(redactor.contains_credential(&json!(text)), None);
    }
}

#[test]
fn names_redact_whatever_stands_under_them_and_do_not_count_as_credentials() {
    let redactor = Redactor::new();
    let value = json!({
        "token": "x", "Client-Secret": 12345, "credentials": {"a": [1]}, "has_password": true, "password": null,
        "headers": [{"name": "Authorization", "value": "x"}, {"name": "Accept", "value": "y"}],
        "session": "ses_1", "total_tokens": 7, "secret": "",
    });
    let expected = json!({
        "token": REDACTED, "Client-Secret": REDACTED, "credentials": REDACTED, "has_password": true, "password": null,
        "headers": [{"name": "Authorization", "value": REDACTED}, {"name": "Accept", "value": "y"}],
        "session": "ses_1", "total_tokens": 7, "secret": "",
    });
    assert_eq!(redactor.redact_value(&value), expected);
    assert_eq!(redactor.contains_credential(&value), None);
}

#[test]
fn secrets_in_names_go_without_pushing_out_their_neighbours() {
    let (a, b) = (format!("ghp_{}", letters(36)), format!("gho_{}", letters(36)));
    let out = Redactor::new().redact_value(&json!({a: 1, b: 2}));
    let members = out.as_object().unwrap();
    assert_eq!(members.len(), 2);
    assert!(members.keys().all(|name| name.starts_with(REDACTED)));
}

fn gzip(bytes: &[u8]) -> Vec<u8> {
    let mut encoder = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::default());
    encoder.write_all(bytes).unwrap();
    encoder.finish().unwrap()
}

/// A secret in every encoding that the leak test uses, and some more.
fn dresses(secret: &str) -> Vec<(String, String)> {
    let bytes = secret.as_bytes();
    let mut list = vec![
        ("plain".to_owned(), secret.to_owned()),
        ("hex".to_owned(), hex::encode(bytes)),
        ("hex upper".to_owned(), hex::encode_upper(bytes)),
        ("hex with colons".to_owned(), bytes.iter().map(|b| format!("{b:02x}:")).collect()),
        ("reversed".to_owned(), secret.chars().rev().collect()),
        ("percent".to_owned(), bytes.iter().map(|b| format!("%{b:02X}")).collect()),
        ("percent twice".to_owned(), bytes.iter().map(|b| format!("%25{b:02x}")).collect()),
        ("url".to_owned(), url::form_urlencoded::byte_serialize(bytes).collect()),
        ("json".to_owned(), serde_json::to_string(secret).unwrap()),
        ("json unicode".to_owned(), bytes.iter().map(|b| format!("\\u{b:04x}")).collect()),
        ("json twice".to_owned(), bytes.iter().map(|b| format!("\\\\u{b:04X}")).collect()),
        ("c".to_owned(), bytes.iter().map(|b| format!("\\x{b:02x}")).collect()),
        ("html".to_owned(), bytes.iter().map(|b| format!("&#{b};")).collect()),
        ("html hex".to_owned(), bytes.iter().map(|b| format!("&#x{b:x};")).collect()),
        ("utf-16".to_owned(), bytes.iter().map(|b| format!("{}\0", char::from(*b))).collect()),
        ("gzip".to_owned(), STANDARD.encode(gzip(format!("before {secret} after").as_bytes()))),
        ("gzip url".to_owned(), URL_SAFE_NO_PAD.encode(gzip(secret.as_bytes()))),
    ];
    for separator in ["\n", " ", "\r\n", "\u{200b}", "-", "\", \"", "\\n", "\t", "."] {
        for every in [1, 3, 7] {
            let chunks: Vec<String> =
                bytes.chunks(every).map(|chunk| String::from_utf8_lossy(chunk).into()).collect();
            list.push((format!("split every {every} by {separator:?}"), chunks.join(separator)));
        }
    }
    for before in ["", "x", "xy", "user:"] {
        let whole = format!("{before}{secret}{before}tail");
        let encoders = [
            ("std", STANDARD),
            ("std no pad", STANDARD_NO_PAD),
            ("url", URL_SAFE),
            ("url no pad", URL_SAFE_NO_PAD),
        ];
        for (name, engine) in encoders {
            list.push((format!("base64 {name} after {before:?}"), engine.encode(&whole)));
        }
    }
    list
}

fn assert_gone(secret: &str) {
    let redactor = Redactor::new().with_known([secret.as_bytes()]);
    for (dress, text) in dresses(secret) {
        for whole in [text.clone(), format!("error: <{text}> was refused"), format!("é{text}é")] {
            let out = redactor.redact_text(&whole);
            assert!(out.contains(REDACTED), "{dress}: {whole} stayed {out}");
            assert!(!out.contains(&text), "{dress}: {out}");
        }
        assert_eq!(redactor.contains_credential(&json!([text])), Some("credential in use"), "{dress}");
    }
}

#[test]
fn a_known_secret_goes_in_every_encoding() {
    assert_gone(SECRET);
    assert_gone("correcthorse");
    assert_gone("0123456789abcdef0123456789abcdef");
}

#[test]
fn a_known_secret_split_over_an_array_or_printed_as_numbers_goes() {
    let redactor = Redactor::new().with_known([SECRET.as_bytes()]);
    let chunks: Vec<String> =
        SECRET.as_bytes().chunks(5).map(|c| String::from_utf8_lossy(c).into()).collect();
    let out = redactor.redact_value(&json!({"out": [["head", "er"], chunks], "n": SECRET.as_bytes()}));
    assert_eq!(out["out"][0], json!(["head", "er"]));
    for chunk in chunks {
        assert!(!out.to_string().contains(&chunk), "{out}");
    }
    assert_eq!(out["n"], REDACTED);
}

#[test]
fn a_secret_of_a_few_bytes_is_not_looked_for() {
    let redactor = Redactor::new().with_known([b"the".as_slice(), b""]);
    assert_eq!(redactor.redact_text("the cat and the dog"), "the cat and the dog");
}

#[test]
fn neighbours_of_a_known_secret_stay() {
    let redactor = Redactor::new().with_known([SECRET.as_bytes()]);
    assert_eq!(redactor.redact_text(&format!("a b {SECRET} c d")), "a b [redacted] c d");
    assert_eq!(redactor.redact_text("nothing of note, 100% & \\o/ é"), "nothing of note, 100% & \\o/ é");
}

#[test]
fn a_compression_bomb_is_redacted_instead_of_unpacked() {
    let redactor = Redactor::new().with_known([SECRET.as_bytes()]);
    let bomb = STANDARD.encode(gzip(&vec![0; 64 << 20]));
    let start = Instant::now();
    assert_eq!(
        redactor.redact_text(&bomb).len(),
        REDACTED.len() + usize::from(bomb.ends_with('=')) * bomb.matches('=').count()
    );
    assert!(start.elapsed() < Duration::from_secs(30), "{:?}", start.elapsed());
}

#[test]
fn a_megabyte_of_hostile_text_takes_seconds_at_most() {
    let parts = [
        "eyJ",
        "eyJeyJhAKIAABCDEFGH23456789.",
        "sk-",
        "ghp_",
        "-----BEGIN PRIVATE KEY-----",
        "-----BEGIN ",
        "://a:b@",
        "://",
        "password:",
        "password=\"",
        "\"token\": ",
        "Bearer ",
        "cookie:[redacted]",
        "AKIA",
        "@",
        "a@b.",
        "+1",
        "%25",
        "\\\\u00",
        "&#",
        "H4sI",
        "eJ ",
        "a",
        "1",
        "\u{200b}",
        "{\"secret\":",
        "AKIAABCDEFGH23456789",
        "0123456789abcdef",
    ];
    let plain = Redactor::new();
    let known = plain.with_known([b"aaaaaaaab".as_slice(), b"0123456789abcdef", SECRET.as_bytes()]);
    for part in parts {
        let text = part.repeat((1 << 20) / part.len());
        let start = Instant::now();
        let out = plain.redact_text(&text);
        let first = start.elapsed();
        drop(known.redact_text(&text));
        drop(plain.pseudonymise(&json!(text), b"key"));
        let all = start.elapsed();
        // About a second without optimizations and beside other tests; quadratic behaviour would take many minutes.
        assert!(first < Duration::from_secs(20), "{part}: {first:?} for {} bytes", out.len());
        assert!(all < Duration::from_secs(60), "{part}: {all:?} with known values");
    }
}

#[test]
fn log_lines_pass_through_the_redactor() {
    let mut log = Vec::new();
    {
        let mut writer = RedactingWriter::new(&mut log, Redactor::new());
        let token = format!("ghp_{}", letters(36));
        let (head, tail) = token.split_at(10);
        write!(writer, "calling with {head}").unwrap();
        writeln!(writer, "{tail} now").unwrap();
        write!(writer, "last words {token}").unwrap();
    }
    assert_eq!(String::from_utf8(log).unwrap(), "calling with [redacted] now\nlast words [redacted]");
}

#[test]
fn events_of_tracing_are_redacted() {
    use std::sync::{Arc, Mutex};
    let log = Arc::new(Mutex::new(Vec::new()));
    let sink = Arc::clone(&log);
    let make = move || Sink(Arc::clone(&sink));
    let subscriber = tracing_subscriber::fmt()
        .json()
        .with_writer(MakeRedactingWriter::new(make, Redactor::new()))
        .finish();
    tracing::subscriber::with_default(subscriber, || {
        tracing::info!(password = "hunter2", url = "https://u:p@host/", "hello");
    });
    let text = String::from_utf8(log.lock().unwrap().clone()).unwrap();
    let line: Value = serde_json::from_str(&text).unwrap();
    assert_eq!(
        line["fields"],
        json!({"message": "hello", "password": REDACTED, "url": "https://[redacted]@host/"})
    );
}

struct Sink(std::sync::Arc<std::sync::Mutex<Vec<u8>>>);

impl std::io::Write for Sink {
    fn write(&mut self, bytes: &[u8]) -> std::io::Result<usize> {
        self.0.lock().unwrap().extend_from_slice(bytes);
        Ok(bytes.len())
    }

    fn flush(&mut self) -> std::io::Result<()> {
        Ok(())
    }
}

#[test]
fn debug_does_not_show_known_secrets() {
    assert_eq!(
        format!("{:?}", Redactor::new().with_known([SECRET.as_bytes()])),
        "Redactor { known: Some(Known(..)) }"
    );
}

proptest! {
    #[test]
    fn a_known_secret_never_survives_in_any_surrounding(
        secret in "[!-~]{8,40}", before in ".{0,20}", after in ".{0,20}", dress in 0_usize..100,
    ) {
        // Too little is left of a secret that consists of separators to recognize it.
        prop_assume!(secret.bytes().filter(|byte| !b"\"',\\".contains(byte)).count() >= 6);
        let redactor = Redactor::new().with_known([secret.as_bytes()]);
        let all = dresses(&secret);
        // The first fifteen encodings work for any secret; a split secret can be recognized only by its letters and
        // digits.
        let (name, text) = &all[dress % 15];
        let out = redactor.redact_text(&format!("{before}{text}{after}")).into_owned();
        prop_assert!(!out.contains(text.as_str()), "{}: {}", name, out);
        prop_assert!(!out.contains(&secret), "{}: {}", name, out);
    }

    #[test]
    fn any_text_is_redacted_without_a_fault_and_twice_is_once(
        text in r#"(?:[ -~]|é|"|\\|%|&#|://|@|password=|Bearer |ghp_|eyJ|AKIA|-----BEGIN |PRIVATE KEY-----|\n){0,60}"#,
    ) {
        let redactor = Redactor::new();
        let once = redactor.redact_text(&text).into_owned();
        let known = redactor.with_known([b"passwordpassword".as_slice()]);
        drop(known.redact_value(&json!({&text: [&text, &text]})));
        drop(redactor.pseudonymise(&json!([text]), b"k"));
        let _ = find_hidden_unicode(&json!([text]));
        prop_assert_eq!(redactor.redact_text(&once), once.clone());
    }
}
