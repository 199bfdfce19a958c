//! A device with a passkey. It creates and signs what `navigator.credentials` returns to a page.

use base64::{Engine as _, engine::general_purpose::URL_SAFE_NO_PAD};
use p256::ecdsa::{DerSignature, SigningKey, signature::Signer as _};
use serde_json::{Value, json};
use sha2::{Digest as _, Sha256};

const PRESENT: u8 = 0x01;
const VERIFIED: u8 = 0x04;
const ATTESTED: u8 = 0x40;

/// A device that holds one passkey for one page.
#[derive(Clone)]
pub struct Passkey {
    key: SigningKey,
    pub credential: Vec<u8>,
    /// The origin it reports, for example `https://gateway.test`.
    pub origin: String,
    /// The relying party it was created for.
    pub site: String,
    /// The flags it reports about its user.
    pub flags: u8,
    /// The signature counter it reports.
    pub count: u32,
}

impl Passkey {
    /// A device whose key is derived from a number.
    pub fn new(number: u8) -> anyhow::Result<Self> {
        Ok(Self {
            key: SigningKey::from_slice(&[number.max(1); 32])?,
            credential: vec![number; 16],
            origin: "https://gateway.test".to_owned(),
            site: "gateway.test".to_owned(),
            flags: PRESENT | VERIFIED,
            count: 0,
        })
    }

    /// The public key, as a point.
    pub fn public_key(&self) -> Vec<u8> {
        self.key.verifying_key().to_sec1_point(false).as_bytes().to_vec()
    }

    /// What a page sends to register it.
    pub fn register(&self, challenge: &str, name: &str) -> Value {
        let key = self.public_key();
        let mut told = self.told(self.flags | ATTESTED);
        told.extend([0; 16]);
        told.extend(u16::try_from(self.credential.len()).unwrap_or_default().to_be_bytes());
        told.extend(&self.credential);
        told.extend([0xa5, 0x01, 0x02, 0x03, 0x26, 0x20, 0x01, 0x21, 0x58, 0x20]);
        told.extend(&key[1..33]);
        told.extend([0x22, 0x58, 0x20]);
        told.extend(&key[33..]);
        json!({
            "name": name,
            "challenge": challenge,
            "client_data": URL_SAFE_NO_PAD.encode(self.client_data("webauthn.create", challenge)),
            "authenticator_data": URL_SAFE_NO_PAD.encode(told),
        })
    }

    /// What a page sends for a signed statement.
    pub fn sign(&self, statement: &receipt::passkey::Statement<'_>) -> anyhow::Result<Value> {
        let challenge = URL_SAFE_NO_PAD.encode(statement.challenge()?);
        let client_data = self.client_data("webauthn.get", &challenge);
        let told = self.told(self.flags);
        let signed = [told.as_slice(), &Sha256::digest(&client_data)].concat();
        let signature: DerSignature = self.key.sign(&signed);
        Ok(json!({
            "credential": URL_SAFE_NO_PAD.encode(&self.credential),
            "client_data": URL_SAFE_NO_PAD.encode(client_data),
            "authenticator_data": URL_SAFE_NO_PAD.encode(told),
            "signature": URL_SAFE_NO_PAD.encode(signature.as_bytes()),
        }))
    }

    fn told(&self, flags: u8) -> Vec<u8> {
        let mut told = Sha256::digest(&self.site).to_vec();
        told.push(flags);
        told.extend(self.count.to_be_bytes());
        told
    }

    fn client_data(&self, kind: &str, challenge: &str) -> Vec<u8> {
        let said =
            json!({ "type": kind, "challenge": challenge, "origin": self.origin, "crossOrigin": false });
        said.to_string().into_bytes()
    }
}
