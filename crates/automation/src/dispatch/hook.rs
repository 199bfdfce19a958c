//! Requests from outside that start a run.

use model::{IdempotencyKey, TriggerId, TriggerType};
use platform::token::{self, Kind};
use serde_json::Value;
use sha2::{Digest as _, Sha256};

use super::{Fire, Started};
use crate::{Automations, Error, Trigger, limits, mapping, store};

/// A request to a webhook trigger.
#[derive(Debug, Clone, Copy)]
pub struct Hooked<'a> {
    pub trigger: TriggerId,
    /// The bearer token of the request.
    pub token: &'a str,
    pub key: Option<&'a IdempotencyKey>,
    /// `webhook-id`, `webhook-timestamp` and `webhook-signature`.
    pub signature: Option<[&'a str; 3]>,
    pub body: &'a [u8],
}

impl Automations {
    /// Starts a run for a request that has the token of the trigger and, where required, a valid signature.
    pub async fn hook(&self, hooked: Hooked<'_>) -> Result<Started, Error> {
        let presented = token::parse(hooked.token).filter(|(kind, _)| *kind == Kind::Hook);
        let (_, hash) = presented.ok_or(Error::Unauthenticated)?;
        let mut conn = self.parts.db.unscoped().await?;
        let found = store::triggers::find_token(&mut conn, &hash).await?;
        drop(conn);
        let (org, id) = found.filter(|(_, id)| *id == hooked.trigger).ok_or(Error::Unauthenticated)?;
        let row = self.trigger(org, id).await?;
        let Some(Trigger::Webhook { input_mapping, signed }) = row.definition() else {
            return Err(Error::Unauthenticated);
        };
        let now = self.parts.world.clock.now();
        if signed {
            let key = self.signing_key(org, &row).await?.ok_or(Error::Unauthenticated)?;
            let said = hooked.signature.ok_or(Error::Unauthenticated)?;
            if !events::webhooks::is_signed(&key, said, hooked.body, now.as_second()) {
                return Err(Error::Unauthenticated);
            }
        }
        if !row.enabled {
            return Err(Error::Paused);
        }
        let payload = payload(hooked.body)?;
        // A signed request is identified by its sender's `webhook-id`, so a repetition is recognized.
        let named = hooked.key.map(|key| format!("key:{id}:{key}"));
        let named =
            named.or_else(|| hooked.signature.filter(|_| signed).map(|said| format!("id:{id}:{}", said[0])));
        let digest = named.as_ref().map(|_| Sha256::digest(hooked.body).into());
        let fire = Fire {
            automation: row.automation,
            trigger: Some(id),
            trigger_type: TriggerType::Webhook,
            cause: named.unwrap_or_else(|| format!("request:{id}:{}", self.parts.world.uuid().simple())),
            digest,
            given: mapping::apply(&input_mapping, &payload),
            started_by: None,
            caused_by: row.token_by,
            origin: self.origin_of(org, row.automation, &payload).await?,
            comes: None,
            at: now,
        };
        self.start(org, fire).await?.ok_or(Error::NotFound("automation"))
    }
}

/// Parses the body of a request; an empty body is an empty object.
fn payload(body: &[u8]) -> Result<Value, Error> {
    if body.len() > limits::inputs::MOST_BYTES {
        return Err(Error::Malformed(format!("at most {} bytes", limits::inputs::MOST_BYTES)));
    }
    if body.is_empty() {
        return Ok(Value::Object(serde_json::Map::new()));
    }
    serde_json::from_slice(body).map_err(|_| Error::Malformed("the body is not JSON".to_owned()))
}
