//! Facts are the same however much of them is added up: what decisions read is compared with all single entries.

use jiff::{SignedDuration, Timestamp};
use model::{InvocationId, SpaceId, Status};
use policy::{
    Contribution, FactPlace, FactValue, NewEntries, Policies, Statutes, cedar::Statement, keyed_hash,
    read_facts, write_entries,
};
use serde_json::json;
use uuid::Uuid;

use crate::stage::{Stage, definition};

const POLICY: &str = r#"@id("all") forbid (principal, action == Action::"bank.transfer", resource)
when { context.history.count > 5 || context.history.total > 5 || context.history.kinds > 5 || context.history.some };"#;
/// Longer than the windows, so that entries leave them.
const STEPS: usize = 240;

/// Numbers that look as if they were random, and are the same at each run.
struct Numbers(u64);

impl Numbers {
    fn below(&mut self, most: u64) -> u64 {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 33) % most
    }
}

struct Ground {
    stage: Stage,
    policies: Policies,
    place: FactPlace,
    statutes: Statutes,
    written: Vec<Uuid>,
}

impl Ground {
    async fn set() -> anyhow::Result<Self> {
        let stage = Stage::set().await?;
        let policies = Policies::new(stage.db.clone(), stage.world.clone(), testkit::recorder(&stage.world));
        let by = stage.by(stage.ours);
        for (name, kind) in [("count", "count"), ("total", "sum"), ("kinds", "distinct"), ("some", "any")] {
            let mut fact =
                json!({ "name": name, "kind": kind, "of": ["bank.transfer"], "within": "10m", "per": "org" });
            if matches!(kind, "sum" | "distinct") {
                fact["field"] = json!("input.amount");
            }
            policies.put_fact(&by, serde_json::from_value(fact)?).await?;
        }
        let statement = Statement::parse(POLICY).map_err(|problems| anyhow::anyhow!("{problems:?}"))?;
        policies.put(&by, statement, false, None).await?;
        let statutes = policies.statutes(&mut *stage.db.begin(stage.ours).await?, stage.ours).await?;
        let space = SpaceId::from_uuid(stage.world.uuid());
        let place = FactPlace { session: stage.asker().session, automation: None, space };
        Ok(Self { stage, policies, place, statutes, written: vec![] })
    }

    fn now(&self) -> Timestamp {
        self.stage.world.clock.now()
    }

    async fn write(&mut self, amount: u64, status: Status) -> anyhow::Result<()> {
        let (definition, input) = (definition("bank.transfer")?, json!({ "amount": amount }));
        let of =
            Contribution { definition: &definition, input: &input, output: None, part: 0, has_parts: false };
        let entries = self.statutes.entries(self.place, of, &|value| keyed_hash(b"key", value));
        let invocation = InvocationId::from_uuid(self.stage.world.uuid());
        let new = NewEntries { invocation, at: self.now(), status, entries: &entries };
        let mut tx = self.stage.db.begin(self.stage.ours).await?;
        write_entries(&mut tx, self.stage.ours, &self.statutes.facts, &[new]).await?;
        platform::db::commit(tx).await?;
        self.policies.add_up_soon(self.stage.ours);
        self.written.push(invocation.uuid());
        Ok(())
    }

    /// An invocation ends otherwise, as the trigger of `invocations` tells its entries.
    async fn change(&mut self, number: u64, set: &'static str) -> anyhow::Result<()> {
        let Some(chosen) = usize::try_from(number)?.checked_rem(self.written.len()) else { return Ok(()) };
        let mut tx = self.stage.db.begin(self.stage.ours).await?;
        sqlx::query(sqlx::AssertSqlSafe(format!("UPDATE fact_entries SET {set} WHERE invocation_id = $1")))
            .bind(self.written[chosen])
            .bind(jiff_sqlx::ToSqlx::to_sqlx(self.now()))
            .execute(&mut *tx)
            .await?;
        Ok(platform::db::commit(tx).await?)
    }

    /// What a decision reads, by the names of the facts.
    async fn read(&self, without: Option<Uuid>) -> anyhow::Result<[FactValue; 4]> {
        let (definition, input) = (definition("bank.transfer")?, json!({ "amount": 1 }));
        let hash = |value: &[u8]| keyed_hash(b"key", value);
        let wanted = self.statutes.wanted(self.place, (&definition, &input), self.now(), &hash);
        let mut tx = self.stage.db.begin(self.stage.ours).await?;
        let without = without.map(InvocationId::from_uuid);
        let values = read_facts(&mut tx, self.stage.ours, &[wanted], without).await?.remove(0);
        let value = |name| values.get(name).ok_or_else(|| anyhow::anyhow!("no {name}"));
        Ok([value("count")?, value("total")?, value("kinds")?, value("some")?])
    }

    /// The same from single entries.
    async fn expect(&self, without: Option<Uuid>) -> anyhow::Result<[FactValue; 4]> {
        let mut tx = self.stage.db.begin(self.stage.ours).await?;
        let since = self.now() - SignedDuration::from_mins(10);
        let mut values = Vec::new();
        for (name, what) in [
            ("count", "count(*)"),
            ("total", "sum(amount)"),
            ("kinds", "count(DISTINCT value)"),
            ("some", "count(*)"),
        ] {
            let query = format!(
                "SELECT coalesce({what}, 0)::bigint FROM fact_entries e JOIN facts f ON f.id = e.fact_id
                 WHERE f.name = $1 AND e.at >= $2 AND e.counts AND e.invocation_id IS DISTINCT FROM $3"
            );
            let value: i64 = sqlx::query_scalar(sqlx::AssertSqlSafe(query))
                .bind(name)
                .bind(jiff_sqlx::ToSqlx::to_sqlx(since))
                .bind(without)
                .fetch_one(&mut *tx)
                .await?;
            values.push(value);
        }
        let number = |at: usize| FactValue::Number(values[at]);
        Ok([number(0), number(1), number(2), FactValue::Truth(values[3] > 0)])
    }

    async fn is_waiting(&self, id: Uuid) -> anyhow::Result<bool> {
        let query = "SELECT EXISTS (SELECT FROM fact_entries WHERE invocation_id = $1 AND at = 'infinity')";
        let mut tx = self.stage.db.begin(self.stage.ours).await?;
        Ok(sqlx::query_scalar(query).bind(id).fetch_one(&mut *tx).await?)
    }

    async fn count(&self, query: &'static str) -> anyhow::Result<i64> {
        Ok(sqlx::query_scalar(query).fetch_one(&mut *self.stage.db.begin(self.stage.ours).await?).await?)
    }
}

#[tokio::test]
async fn decisions_read_the_same_however_much_is_added_up() -> anyhow::Result<()> {
    let mut ground = Ground::set().await?;
    let mut numbers = Numbers(20_261_119);
    for step in 0..STEPS {
        let (amount, chosen) = (numbers.below(40), numbers.below(1_000));
        match numbers.below(8) {
            0 => {
                ground
                    .change(chosen, "counts = false, at = CASE WHEN at = 'infinity' THEN $2 ELSE at END")
                    .await?
            }
            1 => {
                ground
                    .change(chosen, "counts = true, at = CASE WHEN at = 'infinity' THEN $2 ELSE at END")
                    .await?
            }
            2 => ground.write(amount, Status::Pending).await?,
            3 => ground.write(amount, Status::Failed).await?,
            _ => ground.write(amount, Status::Executing).await?,
        }
        if numbers.below(4) == 0 {
            ground.policies.add_up().await?;
        }
        ground.stage.world.clock.advance(std::time::Duration::from_millis(numbers.below(12_000)));
        let waiting =
            ground.count("SELECT count(*) FROM fact_entries WHERE at = 'infinity' AND summed AND counts");
        // Facts of `any` are never added up, so their entries are marked from the beginning.
        let any = "SELECT count(*) FROM fact_entries e JOIN facts f ON f.id = e.fact_id
                   WHERE e.at = 'infinity' AND e.summed AND e.counts AND f.slice_s IS NULL";
        assert_eq!(waiting.await?, ground.count(any).await?, "what waits is in a sum, at step {step}");
        for without in [None, ground.written.last().copied()] {
            let without = match without {
                // Only what waits is left out.
                Some(id) if ground.is_waiting(id).await? => Some(id),
                _ => None,
            };
            assert_eq!(ground.read(without).await?, ground.expect(without).await?, "at step {step}");
        }
    }
    assert!(ground.count("SELECT count(*) FROM fact_sums").await? > 40, "something was added up");
    Ok(())
}

#[tokio::test]
async fn what_is_added_up_by_many_at_once_is_added_once() -> anyhow::Result<()> {
    let mut ground = Ground::set().await?;
    for amount in 0..60 {
        ground.write(amount, Status::Executing).await?;
        ground.stage.world.clock.advance(std::time::Duration::from_millis(100));
    }
    let all = (0..8).map(|_| async {
        ground.policies.add_up_soon(ground.stage.ours);
        ground.policies.add_up().await
    });
    futures::future::try_join_all(all).await?;
    assert_eq!(ground.read(None).await?, ground.expect(None).await?);
    assert_eq!(ground.count("SELECT count(*) FROM fact_entries WHERE NOT summed").await?, 0);
    assert_eq!(ground.count("SELECT sum(entries)::bigint FROM fact_sums").await?, 3 * 60);
    // Everything ends otherwise: what was added is taken back, and adding up once more leaves nothing.
    for number in 0..60 {
        ground.change(number, "counts = false, at = CASE WHEN at = 'infinity' THEN $2 ELSE at END").await?;
    }
    assert_eq!(ground.read(None).await?[..2], [FactValue::Number(0), FactValue::Number(0)]);
    assert_eq!(ground.count("SELECT sum(entries)::bigint FROM fact_sums").await?, 0);
    Ok(())
}
