//! API tokens and signed-in browsers: who holds which, how long, and when a person may make another.

use std::time::Duration;

use changes::{Author, Draft, Kind as Change};
use jiff::{SignedDuration, Timestamp};
use model::{ApiTokenId, InOrg, MemberKind, OrgId, UserId};
use platform::{
    db,
    token::{Kind, Token},
};
use serde_json::{Value, json};

use crate::{Browser, Error, Page, Person, Tenancy, people::locked_member, store};

/// How long after a sign-in a person can make tokens and invitations.
const FRESH: SignedDuration = SignedDuration::from_mins(10);
/// How long a token is valid unless its person says otherwise.
pub const TOKEN_LIFETIME: Duration = Duration::from_secs(90 * 24 * 60 * 60);

/// An API token, without its value.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct TokenInfo {
    pub id: ApiTokenId,
    pub user: UserId,
    pub name: String,
    pub created_at: Timestamp,
    pub expires_at: Option<Timestamp>,
    pub revoked_at: Option<Timestamp>,
    pub last_used_at: Option<Timestamp>,
    /// How the browser was signed in; `None` for an API token.
    pub browser: Option<Browser>,
    /// Whether it was made when its person joined.
    pub joined: bool,
}

impl TokenInfo {
    pub(crate) fn recorded(&self) -> Value {
        json!({ "user": self.user, "name": self.name, "expires_at": self.expires_at })
    }
}

impl Tenancy {
    /// Creates an API token, for oneself or for a service account.
    pub async fn create_token(
        &self,
        by: &Author,
        user: UserId,
        name: &str,
        expires_at: Option<Timestamp>,
    ) -> Result<(ApiTokenId, Token), Error> {
        let mut tx = self.begin(by.org).await?;
        if by.user.is_some_and(|own| own != user) {
            let member = locked_member(&mut tx, by.org, user).await?;
            if member.kind != MemberKind::Service {
                return Err(Error::NotOwnToken);
            }
        }
        let made = self.token_in(&mut tx, by, user, (name, expires_at, false)).await?;
        db::commit(tx).await?;
        Ok(made)
    }

    /// Creates a token in the caller's transaction. `joined`: its person joined with it.
    pub(crate) async fn token_in(
        &self,
        tx: &mut db::Tx,
        by: &Author,
        user: UserId,
        (name, expires_at, joined): (&str, Option<Timestamp>, bool),
    ) -> Result<(ApiTokenId, Token), Error> {
        let token = self.make_token(Kind::Api);
        let info = TokenInfo {
            id: ApiTokenId::from_uuid(self.world.uuid()),
            user,
            name: name.to_owned(),
            created_at: self.world.clock.now(),
            expires_at,
            revoked_at: None,
            last_used_at: None,
            browser: None,
            joined,
        };
        let draft = Draft {
            kind: Change::TokenCreated,
            subject: info.id.to_string(),
            name: info.name.clone(),
            before: None,
            after: Some(info.recorded()),
        };
        let mut recorded = self.recorder.record(tx, by, draft).await?;
        store::tokens::insert(&mut recorded, by.org, &info, &token.hash(), (None, by.user)).await?;
        Ok((info.id, token))
    }

    /// The tokens and browsers of a member, or of everyone.
    pub async fn tokens(
        &self,
        org: OrgId,
        user: Option<UserId>,
        page: Page,
    ) -> Result<Vec<TokenInfo>, Error> {
        let mut tx = self.begin(org).await?;
        Ok(store::tokens::list(&mut tx, org, user, page).await?)
    }

    /// Revokes a token of this member, or of anyone.
    pub async fn revoke_token(&self, by: &Author, user: Option<UserId>, id: ApiTokenId) -> Result<(), Error> {
        self.end_token(by, Change::TokenRevoked, user, id).await
    }

    /// Checks that a person signed in, or confirmed it with a passkey, a few minutes ago. Whoever took over a token or a
    /// browser later can make no other token with it.
    pub fn check_fresh(&self, person: &Person) -> Result<(), Error> {
        let since = person.confirmed_at.map_or(person.signed_in_at, |at| at.max(person.signed_in_at));
        // What a second owner agreed to was checked when it was proposed.
        if person.second.agreed.is_some() || self.world.clock.now().duration_since(since) <= FRESH {
            Ok(())
        } else {
            Err(Error::NotFresh)
        }
    }

    /// A passkey confirmed who is signed in; in the caller's transaction.
    pub async fn confirm_sign_in(&self, tx: &mut db::Tx, person: &Person) -> Result<(), Error> {
        let draft = Draft {
            kind: Change::SignInConfirmed,
            subject: person.token.to_string(),
            name: String::new(),
            before: None,
            after: Some(json!({ "user": person.user })),
        };
        let mut recorded = self.recorder.record(tx, &person.author(), draft).await?;
        let whose = InOrg { org: person.org, id: person.token };
        Ok(store::tokens::confirm(&mut recorded, whose, self.world.clock.now()).await?)
    }

    /// Revokes an API token or the sign-in of a browser. Doing it twice is not an error and not a change.
    pub(crate) async fn end_token(
        &self,
        by: &Author,
        kind: Change,
        user: Option<UserId>,
        id: ApiTokenId,
    ) -> Result<(), Error> {
        let mut tx = self.begin(by.org).await?;
        let info = store::tokens::lock(&mut tx, by.org, id).await?;
        let info = info.filter(|info| user.is_none_or(|user| info.user == user));
        let info = info.ok_or(Error::NotFound("token"))?;
        if info.revoked_at.is_some() {
            return Ok(());
        }
        let draft = Draft {
            kind,
            subject: id.to_string(),
            name: info.name.clone(),
            before: Some(info.recorded()),
            after: None,
        };
        let mut recorded = self.recorder.record(&mut tx, by, draft).await?;
        let whose = InOrg { org: by.org, id };
        let now = self.world.clock.now();
        store::tokens::revoke(&mut recorded, whose, now).await?;
        // Signing out ends the browser; a token that is revoked may be in the wrong hands.
        if kind == Change::TokenRevoked {
            store::sessions::end_opened_with(&mut recorded, whose, now).await?;
        }
        Ok(db::commit(tx).await?)
    }
}
