//! Passkeys: how a person registers one.
//!
//! INVARIANT: a person who has a passkey gets another one only by signing with the first. The first one counts if it was
//! added while its person joined, or after another approver has confirmed it. A stolen token cannot add its own.

use std::time::Duration;

use base64::{Engine as _, engine::general_purpose::URL_SAFE_NO_PAD};
use changes::Author;
use events::Event;
use jiff::{SignedDuration, Timestamp};
use model::{Actor, EventType, OrgId, PasskeyId, UserId};
use pipeline::read::{PasskeyAssertion, PasskeyCheck};
use platform::{
    db::{self, Tx},
    seal::Place,
};
use receipt::passkey::{AssertionError, AuthenticatorData, ClientData, Statement};
use serde_json::json;
use tenancy::{Passkey, Person};

use crate::{error::Error, parts::Oversight};

/// How long after joining a first passkey needs nobody else.
const JOINING: SignedDuration = SignedDuration::from_mins(30);
/// How old a signature may be.
const RECENT: SignedDuration = SignedDuration::from_mins(5);
/// How long a registration may take.
const TIMEOUT: Duration = Duration::from_secs(300);

/// What a browser needs to make a passkey.
#[derive(Debug, Clone)]
pub struct PasskeyOptions {
    /// In base64url.
    pub challenge: String,
    /// The host it is for.
    pub site: String,
    pub email: String,
    pub name: String,
    /// The credentials of the person's passkeys, in base64url. If there are any, one of them must sign the new one.
    pub already: Vec<String>,
}

/// A passkey that a browser made; everything but the name in base64url.
#[derive(Debug, Clone)]
pub struct NewPasskey {
    pub name: String,
    /// The challenge of the options.
    pub challenge: String,
    pub client_data: String,
    pub authenticator_data: String,
    /// The assertion of an older passkey of the same person about the new one.
    pub confirmed_by: Option<PasskeyAssertion>,
}

/// What a passkey signed at a moment.
#[derive(Debug, Clone)]
pub struct SignedAt {
    /// RFC 3339 in UTC.
    pub at: String,
    pub assertion: PasskeyAssertion,
}

impl Oversight {
    /// A passkey confirms who is signed in, as a sign-in would.
    pub async fn confirm_sign_in(&self, person: &Person, signed: &SignedAt) -> Result<(), Error> {
        let mut tx = self.parts.db.begin(person.org).await?;
        let (org, user) = (person.org.to_string(), person.user.to_string());
        let statement = Statement::SignIn { org: &org, user: &user, at: &signed.at };
        self.check_signed_now(&mut tx, person.actor(), signed, &statement).await?;
        self.parts.tenancy.confirm_sign_in(&mut tx, person).await?;
        Ok(db::commit(tx).await?)
    }

    /// Checks that a passkey of this person signed this statement a few minutes ago at most.
    pub(crate) async fn check_signed_now(
        &self,
        tx: &mut Tx,
        Actor { org, user }: Actor,
        signed: &SignedAt,
        statement: &Statement<'_>,
    ) -> Result<(), Error> {
        let at: Timestamp = signed.at.parse().map_err(|_| AssertionError::Malformed)?;
        if self.parts.world.clock.now().duration_since(at).abs() > RECENT {
            return Err(AssertionError::Statement.into());
        }
        let passkeys = self.parts.tenancy.lock_passkeys(tx, org, user).await?;
        let check = PasskeyCheck { passkeys: &passkeys, signed: &signed.assertion, statement };
        self.parts.reader.check_passkey(tx, org, check).await?;
        Ok(())
    }

    /// The options for a new passkey of a person.
    pub async fn passkey_options(&self, org: OrgId, user: UserId) -> Result<PasskeyOptions, Error> {
        let site = self.parts.reader.site()?;
        let mut tx = self.parts.db.begin(org).await?;
        let already = self.parts.tenancy.lock_passkeys(&mut tx, org, user).await?;
        let member = self.parts.tenancy.members_by_id(&mut tx, org, &[user]).await?.remove(&user);
        let member = member.ok_or(Error::NotFound("member"))?;
        let until = self.parts.world.clock.now() + TIMEOUT;
        let until = until.as_second().to_be_bytes();
        let challenge = self.parts.sealer.seal(&mut tx, org, place(user), &until).await?;
        db::commit(tx).await?;
        Ok(PasskeyOptions {
            challenge: URL_SAFE_NO_PAD.encode(challenge),
            site: site.host,
            email: member.email,
            name: member.name,
            already: confirmed(already).map(|passkey| URL_SAFE_NO_PAD.encode(&passkey.credential)).collect(),
        })
    }

    /// Adds a passkey that a browser made.
    pub async fn add_passkey(&self, person: &Person, new: NewPasskey) -> Result<Passkey, Error> {
        let actor = person.actor();
        let Actor { org, user } = actor;
        let now = self.parts.world.clock.now();
        let mut tx = self.parts.db.begin(org).await?;
        let already = self.parts.tenancy.lock_passkeys(&mut tx, org, user).await?;
        let Made { credential, public_key, signed } = self.made(&mut tx, actor, &new).await?;
        let number = already.len();
        let already: Vec<Passkey> = confirmed(already).collect();
        let counts = !already.is_empty()
            || (person.joined && now.duration_since(person.signed_in_at) < JOINING)
            || !self.parts.tenancy.has_other_approvers(&mut tx, actor).await?;
        if !already.is_empty() {
            let confirmed = new.confirmed_by.as_ref().ok_or(Error::PasskeyUnconfirmed)?;
            let statement = Statement::Passkey {
                org: &org.to_string(),
                user: &user.to_string(),
                credential: &credential,
                public_key: &public_key,
            };
            let check = PasskeyCheck { passkeys: &already, signed: confirmed, statement: &statement };
            self.parts.reader.check_passkey(&mut tx, org, check).await?;
        }
        let passkey = Passkey {
            id: PasskeyId::from_uuid(self.parts.world.uuid()),
            user,
            name: self.parts.reader.redactor().redact_text(&new.name).into_owned(),
            credential: bytes(&credential)?,
            public_key: bytes(&public_key)?,
            signed,
            created_at: now,
            last_used_at: None,
            confirmed_at: counts.then_some(now),
            confirmed_by: None,
            removed_at: None,
        };
        self.parts.tenancy.add_passkey(&mut tx, &person.author(), &passkey, number).await?;
        let event = self.passkey_event(EventType::PasskeyAdded, passkey.id, user, user);
        self.parts.events.stage(&mut tx, org, std::iter::once(&event)).await?;
        db::commit(tx).await?;
        Ok(passkey)
    }

    /// Another approver confirms a first passkey.
    pub async fn confirm_passkey(&self, person: &Person, id: PasskeyId) -> Result<Passkey, Error> {
        let mut tx = self.parts.db.begin(person.org).await?;
        let confirmed = self.parts.tenancy.confirm_passkey(&mut tx, &person.author(), id).await?;
        self.parts.tenancy.check_not_one(&mut tx, person.actor(), &[confirmed.user]).await?;
        // It lasts longer than a stolen token.
        self.parts.tenancy.check_fresh(person)?;
        db::commit(tx).await?;
        Ok(confirmed)
    }

    /// Removes a passkey. Its earlier signatures stay valid.
    pub async fn remove_passkey(&self, by: &Author, id: PasskeyId) -> Result<(), Error> {
        let Actor { org, user: remover } = by.actor().ok_or(tenancy::Error::Unauthenticated)?;
        let mut tx = self.parts.db.begin(org).await?;
        let user = self.parts.tenancy.remove_passkey(&mut tx, by, id).await?;
        let event = self.passkey_event(EventType::PasskeyRemoved, id, user, remover);
        self.parts.events.stage(&mut tx, org, std::iter::once(&event)).await?;
        Ok(db::commit(tx).await?)
    }

    /// Checks what a browser made against its options.
    async fn made(&self, tx: &mut Tx, Actor { org, user }: Actor, new: &NewPasskey) -> Result<Made, Error> {
        let origin = self.parts.reader.site()?.origin;
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
        let data = AuthenticatorData::read(&new.authenticator_data)?;
        data.check_site(&client)?;
        data.check_presence()?;
        let (credential, public_key) = data.made().ok_or(AssertionError::Malformed)?;
        Ok(Made { credential, public_key, signed: data.count })
    }

    fn passkey_event(&self, event_type: EventType, id: PasskeyId, user: UserId, by: UserId) -> Event {
        let data = json!({ "passkey": id, "user": user, "by": by });
        Event::new(&self.parts.world, event_type, id, data)
    }
}

/// Those that sign.
fn confirmed(passkeys: Vec<Passkey>) -> impl Iterator<Item = Passkey> {
    passkeys.into_iter().filter(|passkey| passkey.confirmed_at.is_some())
}

/// A passkey that a browser made.
struct Made {
    credential: String,
    public_key: String,
    /// How often it signed so far.
    signed: u32,
}

/// A challenge is sealed for its person and kept by their browser alone.
fn place(user: UserId) -> Place<'static> {
    Place { table: "passkeys", row: user.uuid(), field: "challenge" }
}

fn bytes(encoded: &str) -> Result<Vec<u8>, Error> {
    URL_SAFE_NO_PAD.decode(encoded).map_err(|_| AssertionError::Malformed.into())
}
