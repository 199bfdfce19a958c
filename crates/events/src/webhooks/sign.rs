//! Signatures of Standard Webhooks, with which a receiver checks that a delivery is authentic, complete and recent.
//! Pure.

use base64::{Engine as _, prelude::BASE64_STANDARD};
use hmac::{Hmac, KeyInit as _, Mac as _};
use platform::Dice;
use secrecy::SecretString;
use sha2::Sha256;
use zeroize::Zeroizing;

use crate::limits::webhooks::{SECRET_BYTES, TOLERANCE_S};

/// A key that deliveries are signed with.
pub type Key = Zeroizing<Vec<u8>>;

/// A new key.
pub fn new_key(dice: &Dice) -> Key {
    let mut key = Zeroizing::new(vec![0; SECRET_BYTES]);
    dice.fill(&mut key);
    key
}

/// Whether a request was signed recently with a key, according to its three headers.
pub fn is_signed(key: &[u8], [id, timestamp, signatures]: [&str; 3], body: &[u8], now_s: i64) -> bool {
    let Ok(timestamp_s) = timestamp.parse::<i64>() else { return false };
    if id.is_empty() || timestamp_s.abs_diff(now_s) > TOLERANCE_S {
        return false;
    }
    let Ok(mut mac) = Hmac::<Sha256>::new_from_slice(key) else { return false };
    mac.update(format!("{id}.{timestamp}.").as_bytes());
    mac.update(body);
    signatures
        .split(' ')
        .filter_map(|one| BASE64_STANDARD.decode(one.strip_prefix("v1,")?).ok())
        // Compared in constant time.
        .any(|signature| mac.clone().verify_slice(&signature).is_ok())
}

/// The key as text: `whsec_…`.
pub fn written(key: &[u8]) -> SecretString {
    SecretString::from(format!("whsec_{}", BASE64_STANDARD.encode(key)))
}

/// The value of `webhook-signature`: one signature for each key.
pub(crate) fn signatures(keys: &[Key], id: &str, timestamp_s: i64, body: &[u8]) -> String {
    let all: Vec<String> = keys.iter().filter_map(|key| signature(key, id, timestamp_s, body)).collect();
    all.join(" ")
}

fn signature(key: &[u8], id: &str, timestamp_s: i64, body: &[u8]) -> Option<String> {
    // HMAC takes keys of any length, so this cannot fail.
    let mut mac = Hmac::<Sha256>::new_from_slice(key).ok()?;
    mac.update(format!("{id}.{timestamp_s}.").as_bytes());
    mac.update(body);
    Some(format!("v1,{}", BASE64_STANDARD.encode(mac.finalize().into_bytes())))
}

#[cfg(test)]
mod tests {
    use secrecy::ExposeSecret as _;

    use super::*;

    #[test]
    fn the_published_example_of_the_standard_comes_out() {
        let written_down = "MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw";
        let key = Zeroizing::new(BASE64_STANDARD.decode(written_down).unwrap());
        assert_eq!(written(&key).expose_secret(), format!("whsec_{written_down}"));
        let signed = |keys: &[Key]| {
            signatures(keys, "msg_p5jXN8AQM9LWM0D4loKWxJek", 1_614_265_330, br#"{"test": 2432232314}"#)
        };
        let expected = "v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=";
        assert_eq!(signed(std::slice::from_ref(&key)), expected);
        let other = Zeroizing::new(vec![7; SECRET_BYTES]);
        let both = signed(&[other, key]);
        assert_eq!(both.split(' ').count(), 2);
        assert!(both.ends_with(expected));
    }
}
