//! Signatures of passkeys: whether one signed exactly this vote, on our own page.
//!
//! INVARIANT: what is needed to check a vote is stored with it; removing the passkey later changes nothing.

use base64::{Engine as _, engine::general_purpose::URL_SAFE_NO_PAD};
use model::{Digest, InvocationId, OrgId, UserId};
use platform::db::Tx;
use policy::{Answer, Vote};
use receipt::passkey::{Assertion, AssertionError, Statement, host};
use serde_json::{Value, json};
use tenancy::Passkey;

use crate::{error::Error, parts::Reader};

/// What a browser got from a passkey; every field in base64url.
#[derive(Debug, Clone)]
pub struct PasskeyAssertion {
    pub credential: String,
    pub client_data: String,
    pub authenticator_data: String,
    pub signature: String,
}

/// The page people sign on.
#[derive(Debug, Clone)]
pub struct Site {
    /// As browsers write it.
    pub origin: String,
    pub host: String,
}

/// A signature to check: one of these passkeys must have signed this statement.
pub struct PasskeyCheck<'a> {
    pub passkeys: &'a [Passkey],
    pub signed: &'a PasskeyAssertion,
    pub statement: &'a Statement<'a>,
}

/// The vote that a passkey has to sign.
pub(super) struct VoteStatement {
    pub(super) org: OrgId,
    pub(super) invocation: InvocationId,
    pub(super) user: UserId,
    pub(super) answer: Answer,
    pub(super) shown: Digest,
}

/// Checks that a passkey of the voter signed this vote; returns what the receipt holds of the signature.
pub(super) async fn check_vote(
    reader: &Reader,
    tx: &mut Tx,
    vote: &VoteStatement,
    signed: &PasskeyAssertion,
) -> Result<Value, Error> {
    let passkeys = reader.parts.tenancy.lock_passkeys(tx, vote.org, vote.user).await?;
    let statement = Statement::Vote {
        org: &vote.org.to_string(),
        invocation: &vote.invocation.to_string(),
        user: &vote.user.to_string(),
        verdict: vote.answer.as_str(),
        shown_digest: &vote.shown.to_string(),
    };
    let check = PasskeyCheck { passkeys: &passkeys, signed, statement: &statement };
    Ok(json!(reader.check_passkey(tx, vote.org, check).await?))
}

/// Whether the stored signature of a vote is for exactly that vote.
pub(crate) fn is_signed(org: OrgId, vote: &Vote) -> bool {
    let kept = vote.assertion.as_ref().and_then(|kept| Assertion::from_value(kept).ok());
    let Some(kept) = kept else { return false };
    let statement = Statement::Vote {
        org: &org.to_string(),
        invocation: &vote.invocation.to_string(),
        user: &vote.user.to_string(),
        verdict: vote.answer.as_str(),
        shown_digest: &vote.shown_digest.to_string(),
    };
    kept.check(&statement).is_ok()
}

impl Reader {
    /// Checks that one of these passkeys signed this statement on our own page, and records the use.
    pub async fn check_passkey(
        &self,
        tx: &mut Tx,
        org: OrgId,
        PasskeyCheck { passkeys, signed, statement }: PasskeyCheck<'_>,
    ) -> Result<Assertion, Error> {
        let credential = URL_SAFE_NO_PAD.decode(&signed.credential).map_err(|_| AssertionError::Malformed)?;
        let passkey = passkeys.iter().find(|passkey| passkey.credential == credential);
        let passkey = passkey.ok_or(AssertionError::Unknown)?;
        if passkey.confirmed_at.is_none() {
            return Err(Error::PasskeyNotConfirmed);
        }
        let assertion = Assertion {
            authenticator_data: signed.authenticator_data.clone(),
            client_data: signed.client_data.clone(),
            credential: signed.credential.clone(),
            public_key: URL_SAFE_NO_PAD.encode(&passkey.public_key),
            signature: signed.signature.clone(),
        };
        let asserted = assertion.check(statement)?;
        if asserted.origin != self.site()?.origin {
            return Err(AssertionError::Site.into());
        }
        // A device that counts its signatures counts up. A count that does not rise comes from a copy.
        if (asserted.count > 0 || passkey.signed > 0) && asserted.count <= passkey.signed {
            return Err(Error::PasskeyCopied);
        }
        self.parts.tenancy.note_passkey_use(tx, org, passkey.id, asserted.count).await?;
        Ok(assertion)
    }

    /// The page people sign on, from the public address of the gateway.
    pub fn site(&self) -> Result<Site, Error> {
        let origin = self.parts.public_url.as_ref().map(|url| url.origin().ascii_serialization());
        let found = origin.and_then(|origin| {
            let host = host(&origin)?.to_owned();
            Some(Site { origin, host })
        });
        found.ok_or(Error::PasskeysUnavailable)
    }
}
