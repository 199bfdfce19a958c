//! Validation of ID tokens.

use jsonwebtoken::{
    Algorithm, DecodingKey, Validation, decode, decode_header,
    jwk::{Jwk, JwkSet, PublicKeyUse},
};
use serde::Deserialize;

use super::{Error, Settings};
use crate::Identity;

/// Algorithms with a private key of the provider. Signatures with a shared secret, and unsigned tokens, prove
/// nothing.
const ALGORITHMS: [Algorithm; 9] = [
    Algorithm::RS256,
    Algorithm::RS384,
    Algorithm::RS512,
    Algorithm::PS256,
    Algorithm::PS384,
    Algorithm::PS512,
    Algorithm::ES256,
    Algorithm::ES384,
    Algorithm::EdDSA,
];
/// How far the provider's clock may be from ours, in seconds.
const LEEWAY_S: u64 = 60;

/// The claims about a person.
#[derive(Debug, Default, Deserialize)]
pub(super) struct Claims {
    sub: String,
    #[serde(default)]
    pub(super) email: Option<String>,
    #[serde(default)]
    email_verified: Option<Yes>,
    #[serde(default)]
    nonce: Option<String>,
    #[serde(default)]
    azp: Option<String>,
    #[serde(default)]
    aud: Option<Audience>,
}

/// Some providers write `"true"`.
#[derive(Debug, Deserialize)]
#[serde(untagged)]
enum Yes {
    Bool(bool),
    Text(String),
}

#[derive(Debug, Deserialize)]
#[serde(untagged)]
enum Audience {
    One(#[expect(dead_code, reason = "compared by the library")] String),
    Several(Vec<String>),
}

impl Claims {
    /// Adds the claims of the userinfo endpoint, which must be about the same person.
    pub(super) fn with_userinfo(self, told: Self) -> Result<Self, Error> {
        if told.sub != self.sub {
            return Err(Error::Proof("the user information is about another subject".to_owned()));
        }
        Ok(Self { email: told.email, email_verified: told.email_verified, ..self })
    }

    pub(super) fn into_identity(self, settings: &Settings) -> Identity {
        let verified = match &self.email_verified {
            Some(Yes::Bool(yes)) => *yes,
            Some(Yes::Text(text)) => text == "true",
            None => settings.trust_email,
        };
        Identity {
            issuer: settings.issuer.clone(),
            subject: self.sub,
            verified_email: self.email.filter(|_| verified),
        }
    }
}

/// Whether the key that a token names is among these.
pub(super) fn names_key(keys: &JwkSet, id_token: &str) -> Result<bool, Error> {
    let header = decode_header(id_token).map_err(|_| broken("the ID token cannot be read"))?;
    Ok(find(keys, header.kid.as_deref()).is_some())
}

/// Checks the signature of an ID token, and that it belongs to this sign-in.
pub(super) fn verify(
    keys: &JwkSet,
    id_token: &str,
    settings: &Settings,
    nonce: &str,
) -> Result<Claims, Error> {
    let header = decode_header(id_token).map_err(|_| broken("the ID token cannot be read"))?;
    if !ALGORITHMS.contains(&header.alg) {
        return Err(broken("the signature algorithm of the ID token is not allowed"));
    }
    let jwk = find(keys, header.kid.as_deref())
        .ok_or_else(|| broken("the key that signed the ID token is unknown"))?;
    let key =
        DecodingKey::from_jwk(jwk).map_err(|_| broken("the key that signed the ID token cannot be used"))?;
    let mut validation = Validation::new(header.alg);
    validation.leeway = LEEWAY_S;
    validation.validate_nbf = true;
    validation.set_issuer(&[&settings.issuer]);
    validation.set_audience(&[&settings.client_id]);
    validation.set_required_spec_claims(&["exp", "iss", "aud", "sub"]);
    let claims = decode::<Claims>(id_token, &key, &validation)
        .map_err(|error| broken(&format!("the ID token was refused ({error})")))?
        .claims;
    if claims.nonce.as_deref() != Some(nonce) {
        return Err(broken("the ID token belongs to another sign-in"));
    }
    let several = matches!(&claims.aud, Some(Audience::Several(audience)) if audience.len() > 1);
    if claims.azp.as_deref().map_or(several, |party| party != settings.client_id) {
        return Err(broken("the ID token was issued to another client"));
    }
    if claims.sub.is_empty() || claims.sub.len() > 255 {
        return Err(broken("the ID token has no valid subject"));
    }
    Ok(claims)
}

/// The key with this ID; without an ID, the only key. Encryption keys are ignored.
fn find<'a>(keys: &'a JwkSet, kid: Option<&str>) -> Option<&'a Jwk> {
    let mut signing =
        keys.keys.iter().filter(|key| key.common.public_key_use != Some(PublicKeyUse::Encryption));
    match kid {
        Some(kid) => signing.find(|key| key.common.key_id.as_deref() == Some(kid)),
        None => signing.next().filter(|_| signing.next().is_none()),
    }
}

fn broken(why: &str) -> Error {
    Error::Proof(why.to_owned())
}
