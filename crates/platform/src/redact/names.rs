//! Names of fields whose values are secrets.

/// Names are compared by their suffix, and only by ASCII letters and digits in lowercase, so `X-Api-Key`, `apiKey`
/// and `STRIPE_API_KEY` are equal.
const ENDINGS: &[&str] = &[
    "token",
    "secret",
    "secrets",
    "password",
    "passwords",
    "passwordhash",
    "passwordconfirmation",
    "passwd",
    "passphrase",
    "authorization",
    "apikey",
    "apikeys",
    "accesskey",
    "accesstokens",
    "refreshtokens",
    "authkey",
    "secretkey",
    "privatekey",
    "signingkey",
    "encryptionkey",
    "masterkey",
    "sshkey",
    "sharedkey",
    "credential",
    "credentials",
    "connectionstring",
    "cookie",
    "cookies",
    "bearer",
];

/// Short or ambiguous names that count only as the complete name.
const EXACT: &[&str] = &["pwd", "dbpwd", "pass", "jwt", "dsn"];

/// Names that end like a secret but are not one. Agents need them for paging.
const HARMLESS: &[&str] = &[
    "pagetoken",
    "nexttoken",
    "continuationtoken",
    "paginationtoken",
    "synctoken",
    "resumetoken",
    "cursortoken",
];

/// Whether the value of a field must not be shown. `session`, `signature` and `tokens` are not included: IDs of
/// sessions, signatures of webhooks and counts of tokens are ordinary data.
pub(super) fn is_secret(name: &str) -> bool {
    // Only the end decides, so a hostile name of a megabyte costs no more than a short one.
    let mut end: Vec<u8> = name
        .bytes()
        .rev()
        .take(256)
        .filter(u8::is_ascii_alphanumeric)
        .map(|byte| byte.to_ascii_lowercase())
        .skip_while(u8::is_ascii_digit)
        .take(64)
        .collect();
    end.reverse();
    let ends_with = |list: &[&str]| list.iter().any(|ending| end.ends_with(ending.as_bytes()));
    (ends_with(ENDINGS) && !ends_with(HARMLESS)) || EXACT.iter().any(|name| end == name.as_bytes())
}

#[cfg(test)]
mod tests {
    use super::is_secret;

    #[test]
    fn secrets_are_known_by_name_however_it_is_spelled() {
        for name in [
            "token",
            "Token",
            "access_token",
            "accessToken",
            "ACCESS-TOKEN",
            "x-api-key",
            "apiKey",
            "api.key",
            "client_secret",
            "clientSecret",
            "password",
            "password2",
            "db_passwd",
            "Authorization",
            "proxy-authorization",
            "Set-Cookie",
            "cookie",
            "aws_secret_access_key",
            "private_key",
            "credentials",
            "SLACK_BOT_TOKEN",
            "csrfToken",
            "pwd",
            "connection_string",
        ] {
            assert!(is_secret(name), "{name}");
        }
    }

    #[test]
    fn ordinary_names_are_left_alone() {
        for name in [
            "session",
            "session_id",
            "signature",
            "tokens",
            "max_tokens",
            "token_count",
            "tokenizer",
            "token_type",
            "nextPageToken",
            "next_token",
            "page_token",
            "secret_name",
            "password_policy",
            "key",
            "author",
            "cwd",
            "title",
            "keyboard",
            "primary_key",
            "",
            "é",
        ] {
            assert!(!is_secret(name), "{name}");
        }
    }
}
