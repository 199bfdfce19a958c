//! Browsers: signed in with a token or by the identity provider, in one org at a time, until somebody signs out.

use std::time::Duration;

use model::{ApiTokenId, OrgId, Role, UserId};
use platform::{
    db,
    token::{self, Kind, Token},
};

use crate::{Browser, Error, Person, Tenancy, TokenInfo, store};

/// No sign-in lasts longer.
pub const LONGEST: Duration = Duration::from_secs(7 * 24 * 60 * 60);
/// A browser that nobody used for so long is signed out.
pub(crate) const IDLE: Duration = Duration::from_secs(12 * 60 * 60);

/// Who an identity provider says somebody is.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Identity {
    pub issuer: String,
    /// What the provider calls them for ever.
    pub subject: String,
    /// Their address, where the provider has made sure that it is theirs.
    pub verified_email: Option<String>,
}

/// A browser that was signed in. The token belongs in its cookie, this once.
pub struct SignedIn {
    pub person: Person,
    pub token: Token,
}

/// An org somebody may work in.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct OrgChoice {
    pub org: OrgId,
    pub slug: String,
    pub name: String,
    pub role: Role,
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
    /// Signs a browser in for whoever holds this API token, for as long as that token opens anything.
    pub async fn sign_in_with_token(&self, presented: &str, browser_name: &str) -> Result<SignedIn, Error> {
        let Some((Kind::Api, hash)) = token::parse(presented) else { return Err(Error::Unauthenticated) };
        let holder = self.person_of(hash).await?;
        self.browser_in((holder.org, holder.user), browser_name, Some(holder.token)).await
    }

    /// Signs a browser in for whoever the identity provider says it is, in the first org they belong to. `None`: nobody
    /// here is known by that identity, or they belong to no org.
    pub async fn sign_in_as(
        &self,
        identity: &Identity,
        browser_name: &str,
    ) -> Result<Option<SignedIn>, Error> {
        let Some(user) = self.user_of(identity).await? else { return Ok(None) };
        let Some(first) = self.orgs_of(user).await?.into_iter().next() else { return Ok(None) };
        self.browser_in((first.org, user), browser_name, None).await.map(Some)
    }

    /// The first time somebody comes, their address says who they are; from then on, what the provider calls them.
    async fn user_of(&self, identity: &Identity) -> Result<Option<UserId>, Error> {
        let mut conn = self.db.unscoped().await?;
        if let Some(user) = store::identities::find(&mut conn, identity).await? {
            return Ok(Some(user));
        }
        let Some(email) = &identity.verified_email else { return Ok(None) };
        let Some(user) = store::identities::find_user(&mut conn, &email.to_lowercase()).await? else {
            return Ok(None);
        };
        let kept = store::identities::insert(&mut conn, identity, user, self.world.clock.now()).await?;
        // Somebody else had this address before, and what was theirs stays theirs.
        Ok(kept.then_some(user))
    }

    /// Where somebody belongs, by the slugs of the orgs.
    pub async fn orgs_of(&self, user: UserId) -> Result<Vec<OrgChoice>, Error> {
        let mut conn = self.db.unscoped().await?;
        Ok(store::identities::orgs_of(&mut conn, user).await?)
    }

    /// Goes on in another org of the same person, who the identity provider signed in; the old sign-in is over.
    pub async fn switch_org(
        &self,
        person: &Person,
        slug: &str,
        browser_name: &str,
    ) -> Result<SignedIn, Error> {
        if person.browser != Some(Browser::Identity) {
            return Err(Error::Invalid("a token opens one org: sign in with a token of the other one"));
        }
        let orgs = self.orgs_of(person.user).await?;
        let there = orgs.into_iter().find(|choice| choice.slug == slug).ok_or(Error::NotFound("org"))?;
        let signed_in = self.browser_in((there.org, person.user), browser_name, None).await?;
        self.sign_out(person).await?;
        Ok(signed_in)
    }

    /// Ends a browser's sign-in. A token that is no browser's stays.
    pub async fn sign_out(&self, person: &Person) -> Result<(), Error> {
        if person.browser.is_some() {
            self.revoke_token(person.org, person.user, person.token).await?;
        }
        Ok(())
    }

    async fn browser_in(
        &self,
        (org, user): (OrgId, UserId),
        name: &str,
        from: Option<ApiTokenId>,
    ) -> Result<SignedIn, Error> {
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
        };
        let mut tx = self.begin(org).await?;
        store::tokens::insert(&mut tx, org, &info, &token.hash(), from).await?;
        let found = store::tokens::find_person(&mut tx, (org, info.id), now, now - IDLE).await?;
        let person = found.ok_or(Error::Unauthenticated)?;
        db::commit(tx).await?;
        Ok(SignedIn { person, token })
    }
}
