//! Passkeys: how a person registers one, and whether what one signed is this very vote.
//!
//! INVARIANT: whoever has a passkey gets another one only by signing with the first. A stolen token cannot add its own.
//! INVARIANT: what a vote needs to be checked is kept with it; a passkey that is removed later takes nothing away.

use std::time::Duration;

use base64::{Engine as _, engine::general_purpose::URL_SAFE_NO_PAD};
use events::Event;
use model::{Digest, EventType, InvocationId, OrgId, PasskeyId, UserId};
use platform::{
    db::{self, Tx},
    seal::Place,
};
use policy::{Answer, Vote};
use receipt::passkey::{Assertion, AssertionError, AuthenticatorData, ClientData, Statement, host};
use serde_json::{Value, json};
use tenancy::Passkey;

use crate::{Error, Pipeline};

/// How long a registration may take.
const PATIENCE: Duration = Duration::from_secs(300);

/// What a browser is given to make a passkey with.
#[derive(Debug, Clone)]
pub struct Offer {
    /// In base64url.
    pub challenge: String,
    /// The host it will be for.
    pub site: String,
    pub email: String,
    pub name: String,
    /// What this person has already, by credential in base64url. If there is any, one of them must sign the new one.
    pub already: Vec<String>,
}

/// A passkey that a browser made; everything but the name in base64url.
#[derive(Debug, Clone)]
pub struct NewPasskey {
    pub name: String,
    /// As it was offered.
    pub challenge: String,
    pub client_data: String,
    pub authenticator_data: String,
    /// What an older passkey of the same person says to the new one.
    pub confirmed_by: Option<Signed>,
}

/// What a browser got from a passkey; everything in base64url.
#[derive(Debug, Clone)]
pub struct Signed {
    pub credential: String,
    pub client_data: String,
    pub authenticator_data: String,
    pub signature: String,
}

impl Pipeline {
    /// What somebody needs to make a passkey of their own.
    pub async fn offer_passkey(&self, org: OrgId, user: UserId) -> Result<Offer, Error> {
        let (_, site) = self.site()?;
        let mut tx = self.parts.db.begin(org).await?;
        let already = self.parts.tenancy.lock_passkeys(&mut tx, org, user).await?;
        let member = self.parts.tenancy.members_by_id(&mut tx, org, &[user]).await?.remove(&user);
        let member = member.ok_or(Error::NotFound("member"))?;
        let until = self.parts.world.clock.now() + PATIENCE;
        let until = until.as_second().to_be_bytes();
        let challenge = self.parts.sealer.seal(&mut tx, org, place(user), &until).await?;
        db::commit(tx).await?;
        Ok(Offer {
            challenge: URL_SAFE_NO_PAD.encode(challenge),
            site,
            email: member.email,
            name: member.name,
            already: already.iter().map(|passkey| URL_SAFE_NO_PAD.encode(&passkey.credential)).collect(),
        })
    }

    /// Adds a passkey that a browser made for somebody.
    pub async fn add_passkey(&self, (org, user): (OrgId, UserId), new: NewPasskey) -> Result<Passkey, Error> {
        let mut tx = self.parts.db.begin(org).await?;
        let already = self.parts.tenancy.lock_passkeys(&mut tx, org, user).await?;
        let (credential, public_key, signed) = self.made(&mut tx, (org, user), &new).await?;
        if !already.is_empty() {
            let confirmed = new.confirmed_by.as_ref().ok_or(Error::PasskeyUnconfirmed)?;
            let statement = Statement::Passkey {
                org: &org.to_string(),
                user: &user.to_string(),
                credential: &credential,
                public_key: &public_key,
            };
            self.check_signed(&mut tx, (org, &already), confirmed, &statement).await?;
        }
        let passkey = Passkey {
            id: PasskeyId::from_uuid(self.parts.world.uuid()),
            user,
            name: self.redactor.redact_text(&new.name).into_owned(),
            credential: bytes(&credential)?,
            public_key: bytes(&public_key)?,
            signed,
            created_at: self.parts.world.clock.now(),
            last_used_at: None,
            removed_at: None,
        };
        self.parts.tenancy.add_passkey(&mut tx, org, &passkey, already.len()).await?;
        self.tell_of_passkey(&mut tx, (org, user), EventType::PasskeyAdded, (passkey.id, user)).await?;
        db::commit(tx).await?;
        Ok(passkey)
    }

    /// Takes a passkey out of use. What it signed before stays signed.
    pub async fn remove_passkey(&self, (org, by): (OrgId, UserId), id: PasskeyId) -> Result<(), Error> {
        let mut tx = self.parts.db.begin(org).await?;
        let user = self.parts.tenancy.remove_passkey(&mut tx, org, id).await?;
        self.tell_of_passkey(&mut tx, (org, by), EventType::PasskeyRemoved, (id, user)).await?;
        Ok(db::commit(tx).await?)
    }

    /// Whether a passkey of this person signed this answer; what of it stands in the receipt.
    pub(crate) async fn check_vote(
        &self,
        tx: &mut Tx,
        (org, invocation, user): (OrgId, InvocationId, UserId),
        (answer, shown): (Answer, Digest),
        signed: &Signed,
    ) -> Result<Value, Error> {
        let passkeys = self.parts.tenancy.lock_passkeys(tx, org, user).await?;
        let statement = Statement::Vote {
            org: &org.to_string(),
            invocation: &invocation.to_string(),
            user: &user.to_string(),
            verdict: answer.as_str(),
            shown_digest: &shown.to_string(),
        };
        let assertion = self.check_signed(tx, (org, &passkeys), signed, &statement).await?;
        Ok(json!(assertion))
    }

    /// Whether one of these passkeys signed this, on our own page.
    async fn check_signed(
        &self,
        tx: &mut Tx,
        (org, passkeys): (OrgId, &[Passkey]),
        signed: &Signed,
        statement: &Statement<'_>,
    ) -> Result<Assertion, Error> {
        let credential = bytes(&signed.credential)?;
        let passkey = passkeys.iter().find(|passkey| passkey.credential == credential);
        let passkey = passkey.ok_or(AssertionError::Unknown)?;
        let assertion = Assertion {
            authenticator_data: signed.authenticator_data.clone(),
            client_data: signed.client_data.clone(),
            credential: signed.credential.clone(),
            public_key: URL_SAFE_NO_PAD.encode(&passkey.public_key),
            signature: signed.signature.clone(),
        };
        let asserted = assertion.check(statement)?;
        if asserted.origin != self.site()?.0 {
            return Err(AssertionError::Site.into());
        }
        // A device that counts has signed more often each time; another one that counts as well is a copy.
        if (asserted.count > 0 || passkey.signed > 0) && asserted.count <= passkey.signed {
            return Err(Error::PasskeyCopied);
        }
        self.parts.tenancy.note_passkey_use(tx, org, passkey.id, asserted.count).await?;
        Ok(assertion)
    }

    /// The credential and key of what a browser made, and how often it signed so far.
    async fn made(
        &self,
        tx: &mut Tx,
        (org, user): (OrgId, UserId),
        new: &NewPasskey,
    ) -> Result<(String, String, u32), Error> {
        let (origin, _) = self.site()?;
        let offered = self.parts.sealer.open(tx, org, place(user), &bytes(&new.challenge)?).await;
        let offered = offered.map_err(|error| match error {
            platform::seal::Error::Broken => Error::from(AssertionError::Statement),
            other => other.into(),
        })?;
        let until = <[u8; 8]>::try_from(offered.as_slice()).map(i64::from_be_bytes).unwrap_or_default();
        let client = ClientData::read(&new.client_data)?;
        if client.kind != "webauthn.create" {
            return Err(AssertionError::Type.into());
        }
        if client.challenge != new.challenge || self.parts.world.clock.now().as_second() > until {
            return Err(AssertionError::Statement.into());
        }
        if client.origin != origin {
            return Err(AssertionError::Site.into());
        }
        let told = AuthenticatorData::read(&new.authenticator_data)?;
        told.check_site(&client)?;
        told.check_presence()?;
        let (credential, key) = told.made().ok_or(AssertionError::Malformed)?;
        Ok((credential, key, told.count))
    }

    /// The page people sign on, as browsers name it, and its host.
    fn site(&self) -> Result<(String, String), Error> {
        let origin = self.parts.public_url.as_ref().map(|url| url.origin().ascii_serialization());
        let found = origin.and_then(|origin| host(&origin).map(str::to_owned).map(|host| (origin, host)));
        found.ok_or(Error::PasskeysUnavailable)
    }

    async fn tell_of_passkey(
        &self,
        tx: &mut Tx,
        (org, by): (OrgId, UserId),
        event_type: EventType,
        (id, user): (PasskeyId, UserId),
    ) -> Result<(), Error> {
        let data = json!({ "passkey": id, "user": user, "by": by });
        let event = Event::new(&self.parts.world, event_type, id, data);
        Ok(self.parts.events.stage(tx, org, std::iter::once(&event)).await?)
    }
}

/// Whether the passkey that is kept with a vote signed just that.
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

/// An offer is good for the one it was made to, and kept by nobody but their browser.
fn place(user: UserId) -> Place<'static> {
    Place { table: "passkeys", row: user.uuid(), field: "challenge" }
}

fn bytes(encoded: &str) -> Result<Vec<u8>, Error> {
    URL_SAFE_NO_PAD.decode(encoded).map_err(|_| AssertionError::Malformed.into())
}
