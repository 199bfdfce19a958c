//! Stage 3: rate limit. Redis counts for all gateways together. While it is unavailable each gateway counts alone, so a
//! looping agent is still held. The limit on pending invocations is held by the claim, in PostgreSQL.

use std::time::Duration;

use super::state::{Admitted, Validated};
use crate::{error::Error, parts::Pipeline};

const MINUTE_MS: i64 = 60_000;

/// Counts the request in the session's current minute of the clock, so that all gateways agree where a minute begins.
pub(crate) async fn throttle(pipeline: &Pipeline, validated: Validated) -> Result<Admitted, Error> {
    let Validated(resolved) = validated;
    let now_ms = pipeline.parts.world.clock.now().as_millisecond();
    let minute = now_ms / MINUTE_MS;
    let key = format!("cs:rate:{}:{minute}", resolved.request.session);
    let count = pipeline.parts.redis.count(&key, Duration::from_secs(120)).await;
    let most = pipeline.parts.limits.invocations_per_minute;
    if count > u64::from(most) {
        metrics::counter!("countersign_throttled_total").increment(1);
        let left_ms = (minute + 1) * MINUTE_MS - now_ms;
        let retry_after = Duration::from_millis(u64::try_from(left_ms).unwrap_or_default());
        return Err(Error::RateLimited { most, retry_after });
    }
    Ok(Admitted(resolved))
}
