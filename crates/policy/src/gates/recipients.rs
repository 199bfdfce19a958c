//! The recipients that an organization allows.

use std::collections::BTreeSet;

use serde_json::Value;

use super::{
    detectors::{Detector, Inspected},
    paths,
    settings::{is_text, wrong},
};
use crate::{
    Error, cedar,
    limits::gates::{LONGEST_PERSON, MOST_RECIPIENTS},
};

/// The recipients that are allowed, ready to be asked.
#[derive(Debug, Clone, Default)]
pub(crate) struct Allowlist {
    exact: BTreeSet<String>,
    /// In lower case.
    domains: BTreeSet<String>,
    /// With the dot before them: `.acme.example`.
    parents: Vec<String>,
}

impl Allowlist {
    pub(crate) fn new(entries: &[String]) -> Result<Self, Error> {
        if entries.len() > MOST_RECIPIENTS {
            return wrong(format!("there are at most {MOST_RECIPIENTS} recipients"));
        }
        let mut list = Self::default();
        for entry in entries {
            if entry.is_empty() || entry.trim() != entry || !is_text(entry, LONGEST_PERSON) {
                return wrong(format!(
                    "a recipient has 1 to {LONGEST_PERSON} characters and no space before or after it"
                ));
            }
            if let Some(parent) = entry.strip_prefix('*') {
                let domain = parent.strip_prefix('.').and_then(domain).filter(|domain| domain.contains('.'));
                let Some(domain) = domain else {
                    return wrong(format!("`{entry}` is no recipient: write `*.acme.example`"));
                };
                list.parents.push(format!(".{domain}"));
                continue;
            }
            list.exact.insert(paths::plain(entry));
            list.domains.extend(domain(entry));
        }
        Ok(list)
    }

    fn covers(&self, recipient: &Value) -> bool {
        match recipient {
            Value::String(text) => self.covers_text(text),
            Value::Number(number) => self.exact.contains(&number.to_string()),
            // Whoever this is, nobody can tell.
            _ => false,
        }
    }

    fn covers_text(&self, text: &str) -> bool {
        self.exact.contains(&paths::plain(text))
            || only_host(text).is_some_and(|host| self.covers_host(&host))
    }

    pub(crate) fn covers_host(&self, host: &str) -> bool {
        self.domains.contains(host) || self.parents.iter().any(|parent| host.ends_with(parent.as_str()))
    }
}

/// A domain in lower case, if the text is one and nothing else.
fn domain(text: &str) -> Option<String> {
    let domain = text.strip_suffix('.').unwrap_or(text);
    let is_part = |part: &str| {
        !part.is_empty() && part.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'-')
    };
    domain.split('.').all(is_part).then(|| domain.to_ascii_lowercase())
}

/// The host of a text that is one e-mail address or one URL. Whatever a service could read as several has none.
fn only_host(text: &str) -> Option<String> {
    const SEPARATORS: [char; 9] = [',', ';', '<', '>', '(', ')', '"', '\\', '%'];
    let is_odd = |char: char| char.is_whitespace() || char.is_control() || SEPARATORS.contains(&char);
    if text.chars().any(is_odd) {
        return None;
    }
    let lower = text.to_ascii_lowercase();
    let rest = lower.strip_prefix("https://").or_else(|| lower.strip_prefix("http://"));
    if let Some(rest) = rest {
        let authority = rest.split(['/', '?', '#']).next().unwrap_or_default();
        let (host, port) = authority.split_once(':').unwrap_or((authority, ""));
        return domain(host).filter(|_| port.bytes().all(|byte| byte.is_ascii_digit()));
    }
    let (name, host) = lower.split_once('@')?;
    (!name.is_empty() && !name.contains([':', '/'])).then(|| domain(host)).flatten()
}

/// The detector: actions that send out, to somebody who is not allowed.
pub(super) struct Recipients<'a>(pub(super) Option<&'a Allowlist>);

impl Detector for Recipients<'_> {
    fn name(&self) -> &'static str {
        "recipients"
    }

    fn finding(&self, Inspected { definition, params }: Inspected<'_>) -> Option<String> {
        let list = self.0.filter(|_| definition.labels.sends_out)?;
        if definition.recipients.is_empty() {
            // Nobody says which parameter names them, so all domains count.
            let is_other = |text: &str| {
                !list.exact.contains(&paths::plain(text))
                    && cedar::domains_in_text(text).iter().any(|host| !list.covers_host(host))
            };
            let place = paths::first(params, &is_other)?;
            return Some(format!("a domain at `{place}` is not on the organization's list"));
        }
        let is_other =
            |path: &&String| paths::at(params, path).values.iter().any(|value| !list.covers(value));
        let place = definition.recipients.iter().find(is_other)?;
        Some(format!("the recipient in `{place}` is not on the organization's list"))
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn list(entries: &[&str]) -> Allowlist {
        let entries: Vec<String> = entries.iter().map(ToString::to_string).collect();
        Allowlist::new(&entries).unwrap()
    }

    #[test]
    fn exact_values_domains_and_domains_below() {
        let list = list(&["C0123", "acme.example", "*.partner.example", "Eve@gmail.example", "4711"]);
        for covered in [
            json!("C0123"),
            json!("ada@acme.example"),
            json!("Ada@ACME.example"),
            json!("https://acme.example/in?x=1"),
            json!("https://acme.example:8443"),
            json!("acme.example"),
            json!("ada@mail.partner.example"),
            json!("http://a.b.partner.example#x"),
            json!("eve@gmail.example"),
            json!(4711),
        ] {
            assert!(list.covers(&covered), "{covered}");
        }
        for other in [
            json!("C01234"),
            json!("c0123"),
            json!("bob@gmail.example"),
            json!("ada@mail.acme.example"),
            json!("ada@partner.example"),
            json!("ada@evilpartner.example"),
            json!("ada@acme.example.evil.example"),
            json!("ada@acme.example, bob@evil.example"),
            json!("ada@acme.example;bob@evil"),
            json!("ada@evil.example@acme.example"),
            json!("Ada <ada@acme.example>"),
            json!("https://acme.example@evil.example/"),
            json!("https://evil.example/?to=acme.example"),
            json!("https://evil.example\\@acme.example"),
            json!("https://acme.example%2eevil.example"),
            json!("ftp://acme.example"),
            json!("https:acme.example"),
            json!("mailto:ada@acme.example"),
            json!("@acme.example"),
            json!(""),
            json!(47),
            json!({ "to": "C0123" }),
            json!(true),
        ] {
            assert!(!list.covers(&other), "{other}");
        }
    }

    #[test]
    fn what_is_no_recipient_is_told() {
        for entry in ["", " a", "*", "*.", "*acme.example", "*.example", "a\nb", "*.acme example"] {
            let problem = Allowlist::new(&[entry.to_owned()]).unwrap_err().to_string();
            assert!(problem.contains("recipient"), "{entry}: {problem}");
        }
    }
}
