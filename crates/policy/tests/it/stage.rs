//! What these tests share: two orgs in a database of their own, and a decision from what is stored there.

use changes::{Author, Method};
use jiff::tz::TimeZone;
use model::{
    ActionDefinition, Actor, AutomationId, Decision, Drift, EffectClass, Labels, OrgId, Risk, RiskBand,
    SessionId, UserId,
};
use platform::{
    Clock, Dice, World,
    db::{self, Database},
};
use policy::{
    Asked, Asker, Facts, Grants, Rules,
    cedar::{PolicySet, Requester},
};
use testkit::TestDb;

pub(crate) struct Stage {
    pub(crate) rules: Rules,
    pub(crate) grants: Grants,
    pub(crate) db: Database,
    pub(crate) world: World,
    pub(crate) ours: OrgId,
    pub(crate) theirs: OrgId,
    /// Who sets rules and gives grants.
    pub(crate) user: UserId,
    _test_db: TestDb,
}

impl Stage {
    pub(crate) async fn set() -> anyhow::Result<Self> {
        let test_db = TestDb::create().await?;
        let world = World::new(Clock::manual(World::system().clock.now()), Dice::system());
        let db = Database::open(&test_db.service_url(), 12)?;
        let (ours, theirs) = (OrgId::from_uuid(world.uuid()), OrgId::from_uuid(world.uuid()));
        let user = UserId::from_uuid(world.uuid());
        for (org, slug) in [(ours, "ours"), (theirs, "theirs")] {
            let mut tx = db.begin(org).await?;
            sqlx::query("INSERT INTO orgs (id, slug, name, created_at) VALUES ($1, $2, $2, now())")
                .bind(org.uuid())
                .bind(slug)
                .execute(&mut *tx)
                .await?;
            db::commit(tx).await?;
        }
        let mut tx = db.begin(ours).await?;
        sqlx::query("INSERT INTO users (id, email, created_at) VALUES ($1, 'ada@example.test', now())")
            .bind(user.uuid())
            .execute(&mut *tx)
            .await?;
        db::commit(tx).await?;
        let recorder = testkit::recorder(&world);
        let rules = Rules::new(db.clone(), world.clone(), recorder.clone());
        let grants = Grants::new(db.clone(), world.clone(), recorder);
        Ok(Self { rules, grants, db, world, ours, theirs, user, _test_db: test_db })
    }

    /// The user, as the author of changes in an organization.
    pub(crate) fn by(&self, org: OrgId) -> Author {
        Author::person(Actor { org, user: self.user }, Method::ApiToken, None)
    }

    /// Somebody new who asks, outside of every automation.
    pub(crate) fn asker(&self) -> Asker {
        Asker { session: SessionId::from_uuid(self.world.uuid()), automation: None }
    }

    /// Somebody new who asks for an automation.
    pub(crate) fn asker_for(&self, automation: AutomationId) -> Asker {
        Asker { automation: Some(automation), ..self.asker() }
    }

    /// What is decided about an R2 action, for which a person is asked unless something else is set.
    pub(crate) async fn decide(&self, org: OrgId, asker: Asker, action: &str) -> anyhow::Result<Decision> {
        let mut tx = self.db.begin(org).await?;
        let rules = self.rules.all(&mut tx, org).await?;
        let grants = self.grants.usable(&mut tx, org).await?;
        Ok(policy::decide(&Facts {
            definition: &definition(action)?,
            is_builtin: true,
            requester: Requester {
                session: Some(asker.session),
                automation: asker.automation,
                space: "main",
                band: RiskBand::Green,
                agent: "agent",
                is_unattended: false,
                opened_by: Some(self.user),
            },
            rules: &rules,
            policies: &PolicySet::default(),
            gates: &policy::Gates::default(),
            zone: &TimeZone::UTC,
            drift: Drift::None,
            capabilities: &["*".to_owned()],
            asked: Asked::default(),
            grants: &grants,
            now: self.world.clock.now(),
        }))
    }
}

pub(crate) fn definition(action: &str) -> anyhow::Result<ActionDefinition> {
    Ok(ActionDefinition {
        address: action.parse()?,
        description: String::new(),
        input_schema: serde_json::json!({}),
        output_schema: None,
        risk: Risk::R2,
        effect: EffectClass::Once,
        labels: Labels::default(),
        recipients: vec![],
        capabilities: vec![],
        undo: None,
        verifies: false,
        previews: false,
        needs_connection: false,
        key_fields: vec![],
        timeout_ms: 30_000,
    })
}
