//! Credentials that are recognized by their format, anywhere in a text.
//!
//! On hostile text even linear patterns can become quadratic if all matches are wanted. So only short, fixed prefixes
//! are found by a pattern. The rest is scanned by hand, and the end of each run of characters is remembered, so that
//! no byte is scanned twice for the same class, however many prefixes come before it.

use std::{ops::Range, sync::LazyLock};

use base64::{Engine as _, engine::general_purpose::STANDARD_NO_PAD};
use regex::Regex;

use super::{REDACTED, names};

/// One credential in a text.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Hit {
    pub(super) range: Range<usize>,
    /// The kind of credential, for people.
    pub(super) kind: &'static str,
    /// Whether it was recognized by its format; otherwise by the name before it.
    pub(super) by_format: bool,
}

/// The characters that a credential may consist of.
#[derive(Debug, Clone, Copy)]
enum Class {
    Alnum,
    Upper,
    Word,
    Dash,
    Dot,
    Path,
    Base64,
    Authority,
}

impl Class {
    const COUNT: usize = 8;

    const fn holds(self, byte: u8) -> bool {
        let alnum = byte.is_ascii_alphanumeric();
        match self {
            Self::Alnum => alnum,
            Self::Upper => byte.is_ascii_uppercase() || byte.is_ascii_digit(),
            Self::Word => alnum || byte == b'_',
            Self::Dash => alnum || matches!(byte, b'_' | b'-'),
            Self::Dot => alnum || matches!(byte, b'_' | b'-' | b'.'),
            Self::Path => alnum || matches!(byte, b'_' | b'-' | b'/'),
            Self::Base64 => alnum || matches!(byte, b'_' | b'-' | b'+' | b'/' | b'=' | b'.' | b'~'),
            Self::Authority => {
                byte > b' ' && !matches!(byte, b'/' | b'?' | b'#' | b'"' | b'\'' | b'<' | b'>' | b'\\' | b'`')
            }
        }
    }
}

/// A prefix, the characters after it, and their minimum number. `word`: not within a word.
struct Rule {
    start: &'static str,
    kind: &'static str,
    class: Class,
    least: usize,
    word: bool,
}

const fn rule(start: &'static str, kind: &'static str, class: Class, least: usize) -> Rule {
    Rule { start, kind, class, least, word: false }
}

const fn word(start: &'static str, kind: &'static str, class: Class, least: usize) -> Rule {
    Rule { start, kind, class, least, word: true }
}

// If one prefix is part of another, the longer one comes first.
const RULES: &[Rule] = &[
    rule("csn_", "countersign token", Class::Word, 20),
    rule("ghp_", "github token", Class::Word, 20),
    rule("gho_", "github token", Class::Word, 20),
    rule("ghu_", "github token", Class::Word, 20),
    rule("ghs_", "github token", Class::Word, 20),
    rule("ghr_", "github token", Class::Word, 20),
    rule("github_pat_", "github token", Class::Word, 20),
    rule("glpat-", "gitlab token", Class::Dash, 16),
    rule("glptt-", "gitlab token", Class::Dash, 16),
    rule("gldt-", "gitlab token", Class::Dash, 16),
    rule("glrt-", "gitlab token", Class::Dash, 16),
    rule("xoxa-", "slack token", Class::Dash, 10),
    rule("xoxb-", "slack token", Class::Dash, 10),
    rule("xoxc-", "slack token", Class::Dash, 10),
    rule("xoxd-", "slack token", Class::Dash, 10),
    rule("xoxe-", "slack token", Class::Dash, 10),
    rule("xoxp-", "slack token", Class::Dash, 10),
    rule("xoxr-", "slack token", Class::Dash, 10),
    rule("xoxs-", "slack token", Class::Dash, 10),
    rule("xapp-", "slack token", Class::Dash, 10),
    rule("hooks.slack.com/services/", "slack webhook", Class::Path, 8),
    rule("hooks.slack.com/workflows/", "slack webhook", Class::Path, 8),
    rule("hooks.slack.com/triggers/", "slack webhook", Class::Path, 8),
    rule("lin_api_", "linear token", Class::Word, 20),
    rule("lin_oauth_", "linear token", Class::Word, 20),
    rule("lin_wh_", "linear token", Class::Word, 20),
    rule("sntrys_", "sentry token", Class::Base64, 20),
    rule("sntryu_", "sentry token", Class::Word, 20),
    rule("AIza", "google key", Class::Dash, 35),
    rule("ya29.", "google token", Class::Dot, 20),
    rule("GOCSPX-", "google secret", Class::Dash, 20),
    rule("sk_live_", "stripe key", Class::Word, 16),
    rule("sk_test_", "stripe key", Class::Word, 16),
    rule("rk_live_", "stripe key", Class::Word, 16),
    rule("rk_test_", "stripe key", Class::Word, 16),
    rule("whsec_", "webhook secret", Class::Base64, 16),
    rule("sk-ant-", "anthropic key", Class::Dash, 16),
    rule("sk-proj-", "openai key", Class::Dash, 16),
    rule("sk-svcacct-", "openai key", Class::Dash, 16),
    rule("sk-or-v1-", "openrouter key", Class::Dash, 16),
    word("sk-", "openai key", Class::Dash, 32),
    word("npm_", "npm token", Class::Alnum, 30),
    rule("pypi-AgE", "pypi token", Class::Dash, 30),
    word("hf_", "hugging face token", Class::Alnum, 30),
    word("SG.", "sendgrid key", Class::Dot, 40),
    word("hvs.", "vault token", Class::Dash, 20),
    rule("dop_v1_", "digitalocean token", Class::Word, 32),
    rule("shpat_", "shopify token", Class::Word, 24),
    rule("dckr_pat_", "docker token", Class::Dash, 20),
    word("ntn_", "notion token", Class::Alnum, 30),
    rule("AGE-SECRET-KEY-1", "age key", Class::Upper, 40),
];

const AWS: [&str; 2] = ["AKIA", "ASIA"];
const PEM: &str = "-----BEGIN ";
const JWT: &str = "eyJ";
/// The mark of an earlier redaction, up to the end of a value.
const REDACTED_HEAD: &[u8] = b"[redacted";

static STARTS: LazyLock<Regex> = LazyLock::new(|| {
    let mut starts: Vec<String> = RULES.iter().map(|rule| regex::escape(rule.start)).collect();
    starts.extend(AWS.into_iter().chain([PEM, JWT, "://"]).map(regex::escape));
    let schemes = "(?i:bearer|basic)";
    let names = "(?i:password|passwd|passphrase|pwd|secret|token|api[_-]?key|access[_-]?key|private[_-]?key\
                 |authorization|credentials?|cookie)";
    starts.extend([schemes.to_owned(), names.to_owned()]);
    #[expect(clippy::expect_used, reason = "a fixed pattern, compiled by every test of this module")]
    Regex::new(&format!("(?-u:{})", starts.join("|"))).expect("the pattern is valid")
});

/// All credentials of a text, in order, without overlaps; only the first one of a known format if `first` is set.
pub(super) fn scan(text: &str, first: bool) -> Vec<Hit> {
    let mut scanner = Scanner { text, bytes: text.as_bytes(), row_ends: [0; Class::COUNT], pem_end: 0 };
    let mut hits = Vec::new();
    let mut from = 0;
    while let Some(start) = STARTS.find_at(text, from) {
        let found = scanner.at(start.range());
        from = found.iter().map(|hit| hit.range.end).max().unwrap_or(0).max(start.end());
        hits.extend(found);
        if first && hits.iter().any(|hit| hit.by_format) {
            break;
        }
    }
    hits
}

struct Scanner<'t> {
    text: &'t str,
    bytes: &'t [u8],
    /// For each class, the end of the last scanned run. Positions only grow, so it is valid for the whole run.
    row_ends: [usize; Class::COUNT],
    /// The next known end of a PEM block; `usize::MAX` if there is none.
    pem_end: usize,
}

impl Scanner<'_> {
    /// The end of the run of a class that begins at `from`.
    fn row(&mut self, class: Class, from: usize) -> usize {
        let known = self.row_ends[class as usize];
        if from < known {
            return known;
        }
        let rest = self.bytes.get(from..).unwrap_or_default();
        let end = from + rest.iter().take_while(|byte| class.holds(**byte)).count();
        // An empty run is not remembered.
        if end > from {
            self.row_ends[class as usize] = end;
        }
        end
    }

    fn byte(&self, place: usize) -> u8 {
        self.bytes.get(place).copied().unwrap_or(b' ')
    }

    fn inside_word(&self, place: usize) -> bool {
        place > 0 && self.byte(place - 1).is_ascii_alphanumeric()
    }

    fn at(&mut self, start: Range<usize>) -> Vec<Hit> {
        let word = &self.text[start.clone()];
        if let Some(rule) = RULES.iter().find(|rule| rule.start == word) {
            return self.by_rule(rule, &start).into_iter().collect();
        }
        let hit = match word {
            PEM => self.pem(&start),
            JWT => self.jwt(&start),
            "://" => self.userinfo(&start),
            _ if AWS.contains(&word) => return self.aws(&start),
            _ if word.eq_ignore_ascii_case("bearer") || word.eq_ignore_ascii_case("basic") => {
                self.scheme(&start)
            }
            _ => self.named(&start),
        };
        hit.into_iter().collect()
    }

    fn by_rule(&mut self, rule: &Rule, start: &Range<usize>) -> Option<Hit> {
        if rule.word && self.inside_word(start.start) {
            return None;
        }
        let end = self.row(rule.class, start.end);
        let fits = end - start.end >= rule.least && (!rule.word || self.looks_random(start.end, end));
        fits.then_some(Hit { range: start.start..end, kind: rule.kind, by_format: true })
    }

    // Words joined by dashes look like a key except for digits; only the beginning is checked.
    fn looks_random(&self, from: usize, end: usize) -> bool {
        let head = &self.bytes[from..end.min(from + 64)];
        head.iter().any(u8::is_ascii_digit) && head.iter().any(u8::is_ascii_alphabetic)
    }

    fn aws(&mut self, start: &Range<usize>) -> Vec<Hit> {
        let end = self.row(Class::Alnum, start.end);
        let id = &self.bytes[start.end..end.min(start.end + 17)];
        if self.inside_word(start.start) || id.len() != 16 || !id.iter().all(|byte| Class::Upper.holds(*byte))
        {
            return Vec::new();
        }
        let mut hits = vec![Hit { range: start.start..end, kind: "aws key id", by_format: true }];
        // The secret of a key ID usually follows within a line and has exactly 40 characters.
        let is_secret = |byte: u8| byte.is_ascii_alphanumeric() || matches!(byte, b'/' | b'+');
        let near = &self.bytes[end..self.bytes.len().min(end + 200)];
        let mut from = end;
        for row in near.split(|byte| !is_secret(*byte)) {
            let mixed = row.iter().any(u8::is_ascii_lowercase)
                && row.iter().any(u8::is_ascii_uppercase)
                && row.iter().any(u8::is_ascii_digit);
            if row.len() == 40 && mixed {
                hits.push(Hit { range: from..from + 40, kind: "aws secret key", by_format: true });
                break;
            }
            from += row.len() + 1;
        }
        hits
    }

    fn jwt(&mut self, start: &Range<usize>) -> Option<Hit> {
        let header = self.row(Class::Dash, start.start);
        if header - start.start < 10 || !self.bytes.get(header..)?.starts_with(b".eyJ") {
            return None;
        }
        let payload = self.row(Class::Dash, header + 1);
        let end = if self.byte(payload) == b'.' { self.row(Class::Dash, payload + 1) } else { payload };
        Some(Hit { range: start.start..end, kind: "json web token", by_format: true })
    }

    fn pem(&mut self, start: &Range<usize>) -> Option<Hit> {
        let head = &self.bytes[start.end..self.bytes.len().min(start.end + 64)];
        let label = head.windows(5).position(|window| window == b"-----")?;
        let label_text = self.text.get(start.end..start.end + label)?;
        let is_label = label_text.bytes().all(|byte| byte == b' ' || Class::Upper.holds(byte));
        if !is_label || !label_text.contains("PRIVATE KEY") {
            return None;
        }
        let body = start.end + label + 5;
        if self.pem_end < body {
            self.pem_end = self.text[body..].find("-----END").map_or(usize::MAX, |place| body + place);
        }
        let end = if self.pem_end == usize::MAX {
            // Truncated: everything that could still be part of the key is replaced, in plain or escaped lines.
            let part =
                |byte: &&u8| Class::Base64.holds(**byte) || matches!(**byte, b'\n' | b'\r' | b' ' | b'\\');
            body + self.bytes[body..].iter().take_while(part).count()
        } else {
            let tail = &self.text[self.pem_end..];
            let label_end = tail.as_bytes().iter().skip(8).take(64).position(|byte| *byte == b'-');
            self.pem_end + label_end.map_or(8, |place| (8 + place + 5).min(tail.len()))
        };
        Some(Hit {
            range: start.start..self.text.ceil_char_boundary(end),
            kind: "private key",
            by_format: true,
        })
    }

    // The run ends at the next slash, so runs of two URLs never overlap.
    fn userinfo(&mut self, start: &Range<usize>) -> Option<Hit> {
        let end = self.row(Class::Authority, start.end);
        let row = &self.bytes[start.end..end];
        let at = row.iter().rposition(|byte| *byte == b'@')?;
        let secret = row[..at].contains(&b':') || (at >= 20 && self.looks_random(start.end, start.end + at));
        let fresh = &row[..at] != REDACTED.as_bytes();
        let range = start.end..start.end + at;
        (secret && fresh && self.inside_word(start.start)).then_some(Hit {
            range,
            kind: "url with a password",
            by_format: true,
        })
    }

    fn scheme(&mut self, start: &Range<usize>) -> Option<Hit> {
        let spaces = self.bytes[start.end..].iter().take(4).take_while(|byte| **byte == b' ').count();
        let from = start.end + spaces;
        if spaces == 0 || self.inside_word(start.start) {
            return None;
        }
        let end = self.row(Class::Base64, from);
        let bearer = self.text[start.clone()].eq_ignore_ascii_case("bearer");
        let fits = if bearer {
            (end - from >= 16 && self.looks_random(from, end)) || end - from >= 40
        } else {
            end - from >= 8 && is_user_and_password(&self.bytes[from..end.min(from + 64)])
        };
        let kind = if bearer { "bearer token" } else { "basic credentials" };
        fits.then_some(Hit { range: from..end, kind, by_format: true })
    }

    /// `password=…`, `"api_key": "…"`, `Cookie: …`: recognized by the name before the value.
    fn named(&mut self, start: &Range<usize>) -> Option<Hit> {
        let before = &self.bytes[start.start.saturating_sub(64)..start.start];
        let joined = before.iter().rev().take_while(|byte| Class::Dash.holds(**byte)).count();
        let name = &self.text[start.start - joined..start.end];
        if !names::is_secret(name) {
            return None;
        }
        let mut place = start.end;
        let quoted_name = self.skip_quote(&mut place).is_some();
        let gap = self.skip_spaces(&mut place);
        let sign = self.byte(place);
        if !matches!(sign, b':' | b'=') {
            return None;
        }
        place += 1;
        let gap = gap + self.skip_spaces(&mut place);
        let quote = self.skip_quote(&mut place);
        let header = sign == b':' && !quoted_name && quote.is_none() && {
            let name = name.to_ascii_lowercase();
            name.ends_with("cookie") || name.ends_with("authorization")
        };
        let ends: &[u8] = match quote {
            Some(b'\'') => b"'\\\n\r",
            Some(_) => b"\"\\\n\r",
            None if header => b"\"\\\n\r",
            None => b" \t\n\r&;,\"'<>\\)]}",
        };
        let row = |most: usize| {
            self.bytes[place..].iter().take(most).take_while(|byte| !ends.contains(byte)).count()
        };
        // The beginning decides whether it is a secret; only a secret is scanned to its end, and only once.
        let head = row(64);
        let value = self.bytes.get(place..place + head)?;
        let plain =
            matches!(value, b"" | b"true" | b"false" | b"null" | b"none") || value.starts_with(REDACTED_HEAD);
        let sure = quote.is_some() || header || (sign == b'=' && gap == 0);
        let fits = !plain && (sure || (head >= 8 && self.looks_random(place, place + head)));
        fits.then(|| Hit { range: place..place + row(usize::MAX), kind: "named secret", by_format: false })
    }

    fn skip_spaces(&self, place: &mut usize) -> usize {
        let spaces = self.bytes[*place..].iter().take(4).take_while(|byte| **byte == b' ').count();
        *place += spaces;
        spaces
    }

    // A quote, perhaps escaped because the text is JSON inside JSON.
    fn skip_quote(&self, place: &mut usize) -> Option<u8> {
        let escapes = self.bytes[*place..].iter().take(4).take_while(|byte| **byte == b'\\').count();
        let quote = self.byte(*place + escapes);
        if !matches!(quote, b'"' | b'\'') {
            return None;
        }
        *place += escapes + 1;
        Some(quote)
    }
}

fn is_user_and_password(encoded: &[u8]) -> bool {
    let trimmed: Vec<u8> = encoded.iter().copied().filter(|byte| *byte != b'=').collect();
    let whole = trimmed.len() / 4 * 4;
    STANDARD_NO_PAD.decode(&trimmed[..whole]).is_ok_and(|bytes| {
        bytes.contains(&b':') && bytes.iter().all(|byte| byte.is_ascii_graphic() || *byte == b' ')
    })
}
