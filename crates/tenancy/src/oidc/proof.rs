//! What an identity provider signed: whether it is for us, for this sign-in, and who it names.

use jsonwebtoken::{
    Algorithm, DecodingKey, Validation, decode, decode_header,
    jwk::{Jwk, JwkSet, PublicKeyUse},
};
use serde::Deserialize;

use super::{Error, Settings};
use crate::Identity;

/// Signatures by a key that only the provider has. Those made with a shared secret, and none at all, prove nothing.
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

/// What the provider says about somebody.
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
    /// Adds what the provider told about the same person when it was asked.
    pub(super) fn with_userinfo(self, told: Self) -> Result<Self, Error> {
        if told.sub != self.sub {
            return Err(Error::Proof("what it tells is about somebody else".to_owned()));
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
    let header = decode_header(id_token).map_err(|_| broken("it cannot be read"))?;
    Ok(find(keys, header.kid.as_deref()).is_some())
}

/// Checks the signature and everything that makes it an answer to this very sign-in.
pub(super) fn verify(
    keys: &JwkSet,
    id_token: &str,
    settings: &Settings,
    nonce: &str,
) -> Result<Claims, Error> {
    let header = decode_header(id_token).map_err(|_| broken("it cannot be read"))?;
    if !ALGORITHMS.contains(&header.alg) {
        return Err(broken("it is not signed by a key of the provider's own"));
    }
    let jwk =
        find(keys, header.kid.as_deref()).ok_or_else(|| broken("nobody knows the key that signed it"))?;
    let key = DecodingKey::from_jwk(jwk).map_err(|_| broken("the key that signed it is not usable"))?;
    let mut validation = Validation::new(header.alg);
    validation.leeway = LEEWAY_S;
    validation.validate_nbf = true;
    validation.set_issuer(&[&settings.issuer]);
    validation.set_audience(&[&settings.client_id]);
    validation.set_required_spec_claims(&["exp", "iss", "aud", "sub"]);
    let claims = decode::<Claims>(id_token, &key, &validation)
        .map_err(|error| broken(&format!("it was refused ({error})")))?
        .claims;
    if claims.nonce.as_deref() != Some(nonce) {
        return Err(broken("it answers another sign-in"));
    }
    let several = matches!(&claims.aud, Some(Audience::Several(audience)) if audience.len() > 1);
    if claims.azp.as_deref().map_or(several, |party| party != settings.client_id) {
        return Err(broken("it was given to somebody else"));
    }
    if claims.sub.is_empty() || claims.sub.len() > 255 {
        return Err(broken("it names nobody"));
    }
    Ok(claims)
}

/// The key of that name; without a name, the only one there is. Keys that encrypt do not sign.
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
