//! The domains that the parameters name, and the parameters as text.

use std::collections::BTreeSet;

use serde_json::Value;

/// The parameters with their fields in the order of their names, whatever order the agent chose.
pub(super) fn canonical(params: &Value) -> String {
    let mut sorted = params.clone();
    sorted.sort_all_objects();
    sorted.to_string()
}

/// The hosts of e-mail addresses and URLs anywhere in the texts of the parameters, in lower case. Meant for lists of what is
/// allowed: whatever looks like a domain is one.
pub(crate) fn of(params: &Value) -> BTreeSet<String> {
    let mut found = BTreeSet::new();
    collect(params, &mut found);
    found
}

/// The same in one text.
pub(crate) fn in_text(text: &str) -> BTreeSet<String> {
    let mut found = BTreeSet::new();
    scan(text, &mut found);
    found
}

fn collect(value: &Value, found: &mut BTreeSet<String>) {
    match value {
        Value::String(text) => scan(text, found),
        Value::Array(items) => items.iter().for_each(|item| collect(item, found)),
        Value::Object(fields) => {
            for (name, field) in fields {
                scan(name, found);
                collect(field, found);
            }
        }
        _ => {}
    }
}

/// What stands for all hosts of a text that has more of them than anybody reads. No list has it.
const TOO_MANY: &str = "(too many hosts)";
/// A text names at most so many hosts.
const MOST_HOSTS: usize = 1_000;
/// No host is as long as this. What is longer is cut, and then in no list.
const LONGEST_HOST: usize = 300;

fn scan(text: &str, found: &mut BTreeSet<String>) {
    scan_as_it_is(text, found);
    // In a URL, browsers leave tabs and line ends out. In a text, they end it.
    let word = text.trim_start_matches(|c: char| c <= ' ').split(' ').next().unwrap_or_default();
    if word.contains(['\t', '\n', '\r']) {
        let joined = word.replace(['\t', '\n', '\r'], "");
        let lower = joined.to_ascii_lowercase();
        if ["http", "ws", "ftp", "/", "\\"].iter().any(|start| lower.starts_with(start)) {
            scan_as_it_is(&joined, found);
        }
    }
}

fn scan_as_it_is(text: &str, found: &mut BTreeSet<String>) {
    // It is as long as the text: only letters of ASCII change.
    let lower = text.to_ascii_lowercase();
    let is_start = |at: usize| {
        let before = lower.get(..at).and_then(|before| before.chars().next_back());
        before.is_none_or(|c| !c.is_alphanumeric())
    };
    let behind = |at: usize| beginning(text.get(at..).unwrap_or_default(), 2 * LONGEST_HOST);
    let mut add = |host: Option<String>| {
        if found.len() < MOST_HOSTS {
            found.extend(host);
            return true;
        }
        found.insert(TOO_MANY.to_owned());
        false
    };
    for (at, _) in text.match_indices('@') {
        // `@ada` is a person, and `@acme.example` a domain.
        if !add(host(behind(at + 1)).filter(|host| host.contains(['.', ':']))) {
            return;
        }
    }
    // Chat programs make a link of it.
    for (at, _) in lower.match_indices("www.").filter(|(at, _)| is_start(*at)) {
        if !add(host(behind(at))) {
            return;
        }
    }
    // A browser takes `\` for `/`, and opens `https:evil.example` as well.
    let slashes = ["//", "\\\\", "/\\", "\\/"].into_iter().flat_map(|mark| lower.match_indices(mark));
    let schemes = ["http:", "https:", "ws:", "wss:", "ftp:"].into_iter();
    let schemes = schemes.flat_map(|mark| lower.match_indices(mark)).filter(|(at, _)| is_start(*at));
    for (at, mark) in slashes.chain(schemes) {
        let rest = behind(at + mark.len()).trim_start_matches(['/', '\\', '\t', '\n', '\r']);
        let authority = rest.split(['/', '?', '#', '\\']).next().unwrap_or_default();
        // What stands before `@` is a user, and the host comes after it: it was found above, unless it has no dot.
        let authority = authority.rsplit_once('@').map_or(authority, |(_, host)| host);
        if !add(host(authority)) {
            return;
        }
    }
}

/// At most so many bytes of a text, and whole characters.
fn beginning(text: &str, most: usize) -> &str {
    text.get(..text.floor_char_boundary(most)).unwrap_or(text)
}

/// The host at the start of a text. With a character that no host has, such as `%`, the whole word is one: programs differ in
/// what they make of it, and a word with such a character is in no list.
fn host(text: &str) -> Option<String> {
    let text = beginning(text, LONGEST_HOST);
    if let Some(rest) = text.strip_prefix('[') {
        let address = rest.split(|c: char| c == ']' || c.is_whitespace()).next().unwrap_or_default();
        return (!address.is_empty()).then(|| format!("[{}]", address.to_lowercase()));
    }
    let word = text.get(..text.find(ends_word).unwrap_or(text.len()))?;
    let (host, rest) = word.split_at_checked(word.find(may_follow).unwrap_or(word.len()))?;
    // A browser takes such a character as a part of the host if the host goes on behind it.
    let mut parts = rest.split(|c: char| c == '.' || is_dot(c)).skip(1);
    let goes_on = rest.contains('%') || parts.any(|part| part.starts_with(char::is_alphanumeric));
    let host = if goes_on { word } else { host };
    let host = host.replace(is_dot, ".").to_lowercase();
    let host = host.trim_end_matches(['.', '-']).to_owned();
    (!host.is_empty()).then_some(host)
}

/// Whether a character can be in no host, whoever reads it.
fn ends_word(c: char) -> bool {
    c.is_whitespace() || c.is_control() || "/?#\\:@<>[]^|".contains(c)
}

/// Whether a character may be in a host, and usually stands behind one: in brackets, in a list, at the end of a sentence.
fn may_follow(c: char) -> bool {
    "!$&'()*+,;=~`{}\"“”‘’„«»‹›…–—·•、「」『』（）【】".contains(c)
}

/// Dots of other scripts, which separate the parts of a host as `.` does.
const fn is_dot(c: char) -> bool {
    matches!(c, '\u{3002}' | '\u{ff0e}' | '\u{ff61}')
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn hosts_are_what_a_browser_or_a_mail_program_would_open() {
        let cases: &[(&str, &[&str])] = &[
            ("nothing here", &[]),
            ("@ada and @bob", &[]),
            ("ada@acme.example\nThanks, Ada", &["acme.example"]),
            ("see https://acme.example.", &["acme.example"]),
            ("“https://acme.example” and (ada@acme.example)", &["acme.example"]),
            ("HTTPS://Acme.Example:8443/x?y=//other", &["acme.example", "other"]),
            ("https://user:pw@evil.example/", &["evil.example"]),
            ("https://acme.example@evil.example/", &["evil.example"]),
            (r"https:\\evil.example\x", &["evil.example"]),
            ("https:evil.example", &["evil.example"]),
            // Hosts of which only the beginning would be allowed.
            ("https://acme.example%2eevil.example/", &["acme.example%2eevil.example"]),
            ("https://acme.example\u{ff0e}evil.example/", &["acme.example.evil.example"]),
            ("https://acme.example\t.evil.example/", &["acme.example.evil.example"]),
            ("eve@evil\u{3002}example", &["evil.example"]),
            ("https://acme.example\u{ad}x/", &["acme.example\u{ad}x"]),
            ("https://acme.example$.evil.example/", &["acme.example$.evil.example"]),
            ("(https://acme.example), then.", &["acme.example"]),
            ("ada@acme.example,bob@acme.example;", &["acme.example"]),
            ("https://acme.example$。evil。example/", &["acme.example$.evil.example"]),
            ("https://acme.example$%2eevil%2eexample/", &["acme.example$%2eevil%2eexample"]),
            ("https://acme.example“.evil.example/", &["acme.example“.evil.example"]),
            ("https://acme.example\".evil.example/", &["acme.example\".evil.example"]),
            ("https://acme.example\t.evil.example/ and more", &["acme.example.evil.example"]),
            ("\u{1}h\tttps:evil.example", &["evil.example"]),
            ("wss:evil.example", &["evil.example"]),
            ("/\\evil.example", &["evil.example"]),
            ("The news:all is well", &[]),
            // Addresses without a name.
            ("https://[2001:db8::1]:8443/", &["[2001:db8::1]"]),
            ("eve@[203.0.113.5]", &["[203.0.113.5]"]),
            // What chat programs make a link of.
            ("www.evil.example/x", &["www.evil.example"]),
            ("xwww.evil.example", &[]),
        ];
        for (text, hosts) in cases {
            let found: Vec<String> = in_text(text).into_iter().collect();
            let missing: Vec<_> = hosts.iter().filter(|host| !found.iter().any(|one| one == *host)).collect();
            assert!(missing.is_empty(), "{text:?}: {found:?} lacks {missing:?}");
            let allowed = ["acme.example", "other"];
            let is_harmless = hosts.iter().all(|host| allowed.contains(host));
            assert_eq!(
                found.iter().all(|one| allowed.contains(&one.as_str())),
                is_harmless,
                "{text:?}: {found:?}"
            );
        }
    }

    #[test]
    fn a_text_of_nothing_but_marks_costs_little_and_is_in_no_list() {
        for mark in ["@[", ",www.", "http:", "//", "@a.b,", "www."] {
            let text = mark.repeat(200_000);
            let found = in_text(&text);
            assert!(found.iter().map(String::len).sum::<usize>() < 1 << 20, "{mark}");
        }
        let many: String = (0..2_000).map(|number| format!("a@host-{number}.example ")).collect();
        assert!(in_text(&many).contains(TOO_MANY));
    }
}
