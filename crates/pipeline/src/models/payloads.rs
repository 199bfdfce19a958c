//! Bytes that invocations name by their digest: prompts of models, and their replies. They are encrypted at rest, and erased
//! after a while.

use catalog::{
    Payload,
    limits::models::MOST_PROMPT_BYTES,
    models::{CallParams, Parts, Payloads, Prompt, parts_of},
};
use model::{Digest, OrgId};
use platform::{
    db::{self, Tx},
    seal::Place,
};
use uuid::Uuid;

use crate::{
    error::Error,
    parts::{Pipeline, Reader},
    stages::state::Claimed,
    store::{self, NewPayload},
};

fn place(row: Uuid) -> Place<'static> {
    Place { table: "payloads", row, field: "sealed" }
}

impl Pipeline {
    /// Stores a prompt, so that an invocation can name it. What is stored already is only kept for longer.
    pub async fn put_prompt(&self, org: OrgId, parts: &Parts) -> Result<(), Error> {
        if parts.bytes > MOST_PROMPT_BYTES {
            let message =
                format!("a prompt can have at most {MOST_PROMPT_BYTES} bytes; this one has {}", parts.bytes);
            return Err(Error::Malformed { pointer: "/prompt".to_owned(), message });
        }
        let mut tx = self.parts.db.begin(org).await?;
        let mut all: Vec<(Digest, &Vec<u8>)> =
            parts.payloads.iter().map(|(digest, bytes)| (*digest, bytes)).collect();
        // In one order, so that two prompts with the same parts do not wait for each other.
        all.sort_unstable_by_key(|(digest, _)| *digest.as_bytes());
        let digests: Vec<Digest> = all.iter().map(|(digest, _)| *digest).collect();
        let known = store::touch_payloads(&mut tx, org, &digests, self.parts.world.clock.now()).await?;
        for (digest, bytes) in all.into_iter().filter(|(digest, _)| !known.contains(digest)) {
            put(self, &mut tx, org, &Payload { digest, bytes: bytes.clone() }).await?;
        }
        Ok(db::commit(tx).await?)
    }

    /// Stores bytes that rows name by their digest, and returns it.
    pub async fn put_payload(&self, org: OrgId, bytes: Vec<u8>) -> Result<Digest, Error> {
        let payload = Payload { digest: Digest::of_bytes(&bytes), bytes };
        let mut tx = self.parts.db.begin(org).await?;
        let now = self.parts.world.clock.now();
        if store::touch_payloads(&mut tx, org, &[payload.digest], now).await?.is_empty() {
            put(self, &mut tx, org, &payload).await?;
        }
        db::commit(tx).await?;
        Ok(payload.digest)
    }

    /// Deletes what was not used for long; returns how much.
    pub async fn purge_payloads(&self) -> Result<i64, Error> {
        let mut conn = self.parts.db.unscoped().await?;
        Ok(store::purge_payloads(&mut conn, self.parts.world.clock.now()).await?)
    }
}

impl Reader {
    /// Stored bytes; what is not stored is not in the answer.
    pub async fn payloads(&self, org: OrgId, digests: &[Digest]) -> Result<Payloads, Error> {
        let mut tx = self.parts.db.begin(org).await?;
        let mut opened = Payloads::new();
        for row in store::find_payloads(&mut tx, org, digests).await? {
            let bytes = self.parts.sealer.open(&mut tx, org, place(row.id), &row.sealed).await?;
            opened.insert(row.digest, bytes.to_vec());
        }
        Ok(opened)
    }
}

/// Encrypts and stores bytes in the caller's transaction.
pub(crate) async fn put(
    pipeline: &Pipeline,
    tx: &mut Tx,
    org: OrgId,
    Payload { digest, bytes }: &Payload,
) -> Result<(), Error> {
    let id = pipeline.parts.world.uuid();
    let sealed = pipeline.parts.sealer.seal(tx, org, place(id), bytes).await?;
    let new = NewPayload { id, digest: *digest, sealed, used_at: pipeline.parts.world.clock.now() };
    Ok(store::insert_payload(tx, org, &new).await?)
}

impl Reader {
    /// A stored prompt with all its parts; `None` if one of them is not stored any more.
    pub async fn prompt(&self, org: OrgId, digest: Digest) -> Result<Option<Prompt>, Error> {
        Ok(Prompt::assemble(digest, &self.prompt_parts(org, digest).await?))
    }

    async fn prompt_parts(&self, org: OrgId, digest: Digest) -> Result<Payloads, Error> {
        let mut payloads = self.payloads(org, &[digest]).await?;
        let digests = payloads.get(&digest).and_then(|list| parts_of(list)).unwrap_or_default();
        payloads.extend(self.payloads(org, &digests).await?);
        Ok(payloads)
    }
}

/// The stored bytes that the parameters of a call name; nothing for calls of anything but models.
pub(crate) async fn of_call(reader: &Reader, claimed: &Claimed) -> Result<Payloads, Error> {
    if !claimed.action.definition.address.is_model() {
        return Ok(Payloads::new());
    }
    let params = serde_json::from_value::<CallParams>(claimed.call.params.clone()).ok();
    let Some(digest) = params.map(|params| params.prompt.digest) else { return Ok(Payloads::new()) };
    reader.prompt_parts(claimed.record.org, digest).await
}
