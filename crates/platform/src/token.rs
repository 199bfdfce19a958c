//! Tokens: `csn_<kind>_<30 characters><checksum>`. Recognizable by secret scanners, shown once, stored as SHA-256.
//!
//! The first two of the 30 characters name the cell of an organization, so a proxy can route by the token alone; the
//! other 28 are random base62 (166 bits). The six-character CRC detects a mistyped token without a database query.

use secrecy::{ExposeSecret as _, SecretString};
use sha2::{Digest as _, Sha256};

use crate::Dice;

const ALPHABET: &[u8; 62] = b"0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz";
const RANDOM_CHARACTERS: usize = 28;
const CHECKSUM_CHARACTERS: usize = 6;

/// What a token authenticates.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Kind {
    /// A session of an agent.
    Session,
    /// A person, or a program on a person's behalf.
    Api,
    /// A webhook trigger of one automation.
    Hook,
    /// A signed-in browser, in its cookie.
    Browser,
    /// An invitation, in its link.
    Invitation,
}

impl Kind {
    const fn prefix(self) -> &'static str {
        match self {
            Self::Session => "csn_ses_",
            Self::Api => "csn_api_",
            Self::Hook => "csn_hook_",
            Self::Browser => "csn_web_",
            Self::Invitation => "csn_inv_",
        }
    }
}

/// A new token in plain text. It is shown once; only its [`hash`](Token::hash) is stored.
pub struct Token {
    secret: SecretString,
}

impl Token {
    /// Makes a token for a cell (two base62 characters).
    pub fn generate(kind: Kind, cell: &str, dice: &Dice) -> Self {
        let mut body = String::from(cell);
        while body.len() < cell.len() + RANDOM_CHARACTERS {
            let mut byte = [0];
            dice.fill(&mut byte);
            // 248 is the largest multiple of 62 in a byte: taking more would favour the first letters.
            if byte[0] < 248 {
                body.push(char::from(ALPHABET[usize::from(byte[0] % 62)]));
            }
        }
        let checksum = checksum(kind, &body);
        Self { secret: SecretString::from(format!("{}{body}{checksum}", kind.prefix())) }
    }

    /// The plain text, to be shown once.
    pub fn reveal(&self) -> &str {
        self.secret.expose_secret()
    }

    /// The stored hash.
    pub fn hash(&self) -> Hash {
        Hash(Sha256::digest(self.reveal().as_bytes()).into())
    }
}

/// SHA-256 of a token.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub struct Hash([u8; 32]);

impl Hash {
    /// The bytes, for a query.
    pub const fn as_bytes(&self) -> &[u8; 32] {
        &self.0
    }
}

/// Parses a token: its kind and its hash, or `None` if the format or the checksum is wrong.
pub fn parse(text: &str) -> Option<(Kind, Hash)> {
    let kinds = [Kind::Session, Kind::Api, Kind::Hook, Kind::Browser, Kind::Invitation];
    let kind = kinds.into_iter().find(|kind| text.starts_with(kind.prefix()))?;
    let rest = text.strip_prefix(kind.prefix())?;
    let right_form = rest.len() == 2 + RANDOM_CHARACTERS + CHECKSUM_CHARACTERS
        && rest.bytes().all(|b| b.is_ascii_alphanumeric());
    if !right_form {
        return None;
    }
    let (body, sum) = rest.split_at(2 + RANDOM_CHARACTERS);
    (checksum(kind, body) == sum).then(|| (kind, Hash(Sha256::digest(text.as_bytes()).into())))
}

fn checksum(kind: Kind, body: &str) -> String {
    let mut hasher = crc32fast::Hasher::new();
    hasher.update(kind.prefix().as_bytes());
    hasher.update(body.as_bytes());
    let mut rest = hasher.finalize();
    let mut digits = [b'0'; CHECKSUM_CHARACTERS];
    for digit in digits.iter_mut().rev() {
        *digit = ALPHABET[(rest % 62) as usize];
        rest /= 62;
    }
    digits.iter().copied().map(char::from).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_token_reads_back_and_any_changed_character_does_not() {
        let token = Token::generate(Kind::Session, "00", &Dice::seeded(1));
        let text = token.reveal();
        assert!(parse(text).is_some_and(|(kind, hash)| kind == Kind::Session && hash == token.hash()));
        for at in 0..text.len() {
            let mut bytes = text.as_bytes().to_vec();
            bytes[at] = if bytes[at] == b'x' { b'y' } else { b'x' };
            assert!(parse(&String::from_utf8(bytes).unwrap()).is_none(), "changed at {at}");
        }
        assert!(parse("").is_none() && parse("csn_ses_é").is_none());
    }
}
