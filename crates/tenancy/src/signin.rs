//! Signed-in browsers: with an API token or by the identity provider, in one organization at a time, until they sign
//! out.

use std::{net::IpAddr, time::Duration};

use changes::{Author, Draft, Kind as Change, Method};
use model::{Actor, ApiTokenId, InOrg, MemberKind, OrgId, Role, UserId};
use platform::{
    db,
    token::{self, Kind, Token},
};
use serde_json::json;

use crate::{Browser, Error, Person, Tenancy, TokenInfo, store};

/// Maximum lifetime of a sign-in.
pub const LONGEST: Duration = Duration::from_secs(7 * 24 * 60 * 60);
/// A browser that was not used for this long is signed out.
pub(crate) const IDLE: Duration = Duration::from_secs(12 * 60 * 60);

/// A person's identity at an identity provider.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Identity {
    pub issuer: String,
    /// The provider's permanent ID of the person.
    pub subject: String,
    /// The e-mail address, if the provider has verified it.
    pub verified_email: Option<String>,
}

/// The browser that signs in.
#[derive(Debug, Clone, Copy)]
pub struct Device<'a> {
    /// A readable name.
    pub name: &'a str,
    /// Its network address.
    pub address: Option<IpAddr>,
}

/// A signed-in browser. The token is for its cookie and is returned only here.
pub struct SignedIn {
    pub person: Person,
    pub token: Token,
}

/// An organization of a person.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct OrgChoice {
    pub org: OrgId,
    pub slug: String,
    pub name: String,
    pub role: Role,
}

/// How a browser signs in.
enum SignInBy<'a> {
    Token(ApiTokenId),
    /// By the identity provider; `None` when a person who is signed in goes on to another organization.
    Identity {
        identity: Option<&'a Identity>,
        /// Whether they joined the organization with it.
        joined: bool,
    },
}

impl Browser {
    pub(crate) fn parse(text: &str) -> Option<Self> {
        [Self::Token, Self::Identity].into_iter().find(|known| known.as_str() == text)
    }

    pub(crate) const fn as_str(self) -> &'static str {
        match self {
            Self::Token => "token",
            Self::Identity => "identity",
        }
    }
}

impl Tenancy {
    /// Signs in a browser with an API token, for as long as that token is valid.
    pub async fn sign_in_with_token(&self, presented: &str, device: Device<'_>) -> Result<SignedIn, Error> {
        let Some((Kind::Api, hash)) = token::parse(presented) else { return Err(Error::Unauthenticated) };
        let holder = self.person_of(hash).await?;
        if holder.kind == MemberKind::Service {
            return Err(Error::ServiceAccount);
        }
        self.browser_in(&holder.author(), device, SignInBy::Token(holder.token)).await
    }

    /// Signs in a browser for an identity, in the first organization of the person. `None`: the identity is unknown,
    /// or the person belongs to no organization.
    pub async fn sign_in_as(
        &self,
        identity: &Identity,
        device: Device<'_>,
    ) -> Result<Option<SignedIn>, Error> {
        let invitations = self.invitations_of(identity).await?;
        let Some(user) = self.user_of(identity, !invitations.is_empty()).await? else { return Ok(None) };
        let joined = self.join_as(user, invitations).await?.into_iter().next();
        let org = match joined {
            Some(org) => org,
            None => match self.orgs_of(user).await?.into_iter().next() {
                Some(first) => first.org,
                None => return Ok(None),
            },
        };
        let by = Author::person(Actor { org, user }, Method::Identity, None);
        let from = SignInBy::Identity { identity: Some(identity), joined: joined.is_some() };
        self.browser_in(&by, device, from).await.map(Some)
    }

    /// At the first sign-in the person is found by e-mail address; afterwards by the provider's ID. Whoever is invited is
    /// added if there is no such person yet.
    async fn user_of(&self, identity: &Identity, is_invited: bool) -> Result<Option<UserId>, Error> {
        let mut conn = self.db.unscoped().await?;
        if let Some(user) = store::identities::find(&mut conn, identity).await? {
            return Ok(Some(user));
        }
        let Some(email) = &identity.verified_email else { return Ok(None) };
        let (email, now) = (email.to_lowercase(), self.world.clock.now());
        let user = if is_invited {
            let fresh = UserId::from_uuid(self.world.uuid());
            store::people::find_or_insert_user(&mut conn, fresh, &email, now).await?
        } else {
            match store::identities::find_user(&mut conn, &email).await? {
                Some(user) => user,
                None => return Ok(None),
            }
        };
        let kept = store::identities::insert(&mut conn, identity, user, now).await?;
        // Another person had this address before and keeps their account.
        Ok(kept.then_some(user))
    }

    /// The organizations of a person, sorted by slug.
    pub async fn orgs_of(&self, user: UserId) -> Result<Vec<OrgChoice>, Error> {
        let mut conn = self.db.unscoped().await?;
        Ok(store::identities::orgs_of(&mut conn, user).await?)
    }

    /// Switches to another organization of a person whom the identity provider signed in. The old sign-in ends.
    pub async fn switch_org(
        &self,
        person: &Person,
        slug: &str,
        device: Device<'_>,
    ) -> Result<SignedIn, Error> {
        if person.browser != Some(Browser::Identity) {
            return Err(Error::Invalid(
                "a token is valid in one organization only: sign in with a token of the other one",
            ));
        }
        let orgs = self.orgs_of(person.user).await?;
        let there = orgs.into_iter().find(|choice| choice.slug == slug).ok_or(Error::NotFound("org"))?;
        let there = Actor { org: there.org, user: person.user };
        let by = Author::person(there, Method::Identity, None);
        let from = SignInBy::Identity { identity: None, joined: false };
        let signed_in = self.browser_in(&by, device, from).await?;
        self.sign_out(person).await?;
        Ok(signed_in)
    }

    /// Signs out a browser. An API token is not affected.
    pub async fn sign_out(&self, person: &Person) -> Result<(), Error> {
        if person.browser.is_some() {
            self.end_token(&person.author(), Change::SignedOut, Some(person.user), person.token).await?;
        }
        Ok(())
    }

    async fn browser_in(
        &self,
        by: &Author,
        Device { name, address }: Device<'_>,
        from: SignInBy<'_>,
    ) -> Result<SignedIn, Error> {
        let (from, identity, joined) = match from {
            SignInBy::Token(token) => (Some(token), None, false),
            SignInBy::Identity { identity, joined } => (None, identity, joined),
        };
        let Actor { org, user } = crate::person(by)?;
        let now = self.world.clock.now();
        let token = self.make_token(Kind::Browser);
        let info = TokenInfo {
            id: ApiTokenId::from_uuid(self.world.uuid()),
            user,
            name: name.to_owned(),
            created_at: now,
            expires_at: Some(now + LONGEST),
            revoked_at: None,
            last_used_at: None,
            browser: Some(if from.is_some() { Browser::Token } else { Browser::Identity }),
            joined,
        };
        let mut tx = self.begin(org).await?;
        let mut after = info.recorded();
        if let Some(Identity { issuer, subject, .. }) = identity {
            (after["issuer"], after["subject"]) = (json!(issuer), json!(subject));
        }
        let draft = Draft {
            kind: Change::SignedIn,
            subject: info.id.to_string(),
            name: info.name.clone(),
            before: None,
            after: Some(after),
        };
        let by = Author { address, ..by.clone() };
        let mut recorded = self.recorder.record(&mut tx, &by, draft).await?;
        store::tokens::insert(&mut recorded, org, &info, &token.hash(), (from, None)).await?;
        let found = store::tokens::find_person(&mut tx, InOrg { org, id: info.id }, now, now - IDLE).await?;
        let person = found.ok_or(Error::Unauthenticated)?;
        db::commit(tx).await?;
        Ok(SignedIn { person, token })
    }
}
