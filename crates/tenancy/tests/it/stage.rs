//! Shared setup: two organizations in their own database, and a clock that tests can set.

use std::time::Duration;

use changes::{Author, Method};
use model::{Actor, OrgId, Role, UserId};
use platform::{
    Clock, Dice, World,
    db::Database,
    seal::{Keyring, Sealer},
};
use tenancy::{Caller, Error, Founded, Founding, NewMember, Page, Person, Tenancy};
use testkit::TestDb;

pub(crate) const ALL: Page = Page { after: None, limit: 100 };

pub(crate) struct Stage {
    pub(crate) tenancy: Tenancy,
    pub(crate) db: Database,
    pub(crate) world: World,
    pub(crate) ours: Founded,
    pub(crate) theirs: Founded,
    pub(crate) test_db: TestDb,
}

impl Stage {
    pub(crate) async fn set() -> anyhow::Result<Self> {
        let test_db = TestDb::create().await?;
        let world = World::new(Clock::manual(World::system().clock.now()), Dice::system());
        let keyring = Keyring::parse(&Keyring::generate("test", &world.dice))?;
        let db = Database::open(&test_db.service_url(), 8)?;
        let sealer = Sealer::new(world.clone(), keyring);
        let recorder = testkit::recorder(&world);
        let tenancy = Tenancy::new(db.clone(), world.clone(), sealer, "00".to_owned(), recorder);
        let (ours, theirs) =
            (tenancy.found(founding("ours")).await?, tenancy.found(founding("theirs")).await?);
        Ok(Self { tenancy, db, world, ours, theirs, test_db })
    }

    /// Our owner, as the author of changes.
    pub(crate) fn by(&self) -> Author {
        Author::person(self.owner(), Method::ApiToken, None)
    }

    pub(crate) fn owner(&self) -> Actor {
        Actor { org: self.ours.org, user: self.ours.owner }
    }

    pub(crate) fn advance(&self, by: Duration) {
        self.world.clock.advance(by);
    }

    pub(crate) async fn add(&self, org: OrgId, name: &str, role: Role) -> Result<UserId, Error> {
        let member = NewMember { email: format!("{name}@example.test"), name: name.to_owned(), role };
        self.join(org, member).await
    }

    /// Someone joins whom the operator invited.
    pub(crate) async fn join(&self, org: OrgId, member: NewMember) -> Result<UserId, Error> {
        let (_, link) = self.tenancy.invite(&Author::operator(org), member).await?;
        let joined = self.tenancy.join(link.reveal(), None).await?;
        match self.tenancy.authenticate(joined.token.reveal()).await? {
            Caller::Person(person) => Ok(person.user),
            Caller::Session { .. } => Err(Error::Unauthenticated),
        }
    }

    /// The person that a token authenticates; `None` if it is refused.
    pub(crate) async fn holder(&self, token: &str) -> anyhow::Result<Option<Person>> {
        match self.tenancy.authenticate(token).await {
            Ok(Caller::Person(person)) => Ok(Some(person)),
            Err(Error::Unauthenticated) => Ok(None),
            other => anyhow::bail!("neither a person nor refused: {other:?}"),
        }
    }
}

pub(crate) fn founding(slug: &str) -> Founding {
    Founding {
        slug: slug.to_owned(),
        name: slug.to_owned(),
        owner_email: format!("owner-of-{slug}@example.test"),
        owner_name: "Owner".to_owned(),
    }
}
