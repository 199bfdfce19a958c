//! The key with which an engine signs its requests to workers, and requests that are signed with it.

use base64::{Engine as _, engine::general_purpose::STANDARD, engine::general_purpose::URL_SAFE_NO_PAD};
use ed25519_dalek::{Signer as _, SigningKey};
use platform::World;
use serde_json::json;

/// What precedes the 32 bytes of an Ed25519 key in PKCS #8.
const PKCS8: [u8; 16] =
    [0x30, 0x2e, 0x02, 0x01, 0x00, 0x30, 0x05, 0x06, 0x03, 0x2b, 0x65, 0x70, 0x04, 0x22, 0x04, 0x20];
const BASE58: &[u8; 58] = b"123456789ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz";

/// A key pair.
pub struct IdentityKey {
    key: SigningKey,
}

impl IdentityKey {
    /// A new one.
    pub fn generate() -> Self {
        let mut seed = [0; 32];
        World::system().dice.fill(&mut seed);
        Self { key: SigningKey::from_bytes(&seed) }
    }

    /// The private key, as Restate reads it from a file.
    pub fn pem(&self) -> String {
        let bytes = [PKCS8.as_slice(), &self.key.to_bytes()].concat();
        format!("-----BEGIN PRIVATE KEY-----\n{}\n-----END PRIVATE KEY-----\n", STANDARD.encode(bytes))
    }

    /// The public key, as Restate writes it.
    pub fn public(&self) -> String {
        format!("publickeyv1_{}", base58(self.key.verifying_key().as_bytes()))
    }

    /// The token that Restate would send with a request for this path.
    pub fn sign(&self, path: &str) -> String {
        let now = World::system().clock.now().as_second();
        let head = json!({ "typ": "JWT", "alg": "EdDSA", "kid": self.public() });
        let claims = json!({ "aud": path, "iat": now - 5, "nbf": now - 5, "exp": now + 60 });
        let parts = [head, claims].map(|part| URL_SAFE_NO_PAD.encode(part.to_string())).join(".");
        let signature = URL_SAFE_NO_PAD.encode(self.key.sign(parts.as_bytes()).to_bytes());
        format!("{parts}.{signature}")
    }
}

fn base58(bytes: &[u8]) -> String {
    let zeros = bytes.iter().take_while(|byte| **byte == 0).count();
    let mut digits: Vec<u8> = Vec::new();
    for byte in bytes {
        let mut carry = u32::from(*byte);
        for digit in &mut digits {
            carry += u32::from(*digit) << 8;
            *digit = u8::try_from(carry % 58).unwrap_or_default();
            carry /= 58;
        }
        while carry > 0 {
            digits.push(u8::try_from(carry % 58).unwrap_or_default());
            carry /= 58;
        }
    }
    let digits = std::iter::repeat_n(0, zeros).chain(digits.into_iter().rev());
    digits.map(|digit| char::from(BASE58[usize::from(digit)])).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bytes_are_written_in_base58() {
        assert_eq!(base58(b"Hello World!"), "2NEpo7TZRRrLZSi2U");
        assert_eq!(base58(&[0, 0, 0x28, 0x7f, 0xb4, 0xcd]), "11233QC4");
    }
}
