//! Stage 3: rate limits. Redis counts for all gateways together. While it is unavailable each gateway counts alone, so a
//! looping agent is still held. The limit on pending invocations is held by the claim, in PostgreSQL.

use std::time::Duration;

use super::state::{Admitted, Validated};
use crate::{error::Error, parts::Pipeline};

const MINUTE_MS: i64 = 60_000;

/// Counts the request in the current minute of the clock, so that all gateways agree where a minute begins.
pub(crate) async fn throttle(pipeline: &Pipeline, validated: Validated) -> Result<Admitted, Error> {
    let Validated(resolved) = validated;
    let now_ms = pipeline.parts.world.clock.now().as_millisecond();
    let minute = now_ms / MINUTE_MS;
    let (limits, session) = (pipeline.parts.limits, &resolved.snapshot.facts.session);
    let scopes = [
        ("the session", session.id.to_string(), Some(limits.invocations_per_minute)),
        ("whoever opened the session", session.opener().to_string(), limits.opener_per_minute),
        ("the space", session.space.to_string(), limits.space_per_minute),
        ("the organization", resolved.request.org.to_string(), limits.org_per_minute),
    ];
    let limited = scopes.into_iter().filter_map(|(of, id, most)| Some((of, id, most?)));
    let limited: Vec<_> = limited.collect();
    // The narrowest first: what it refuses does not count for the wider ones, or one session would use up all of them.
    let key = |id: &str| format!("cs:rate:{id}:{minute}");
    let keys: Vec<(String, u64)> = limited.iter().map(|(_, id, most)| (key(id), u64::from(*most))).collect();
    let counts = pipeline.parts.redis.count(&keys, Duration::from_secs(120)).await;
    let over = limited.iter().zip(counts).find(|((_, _, most), count)| *count > u64::from(*most));
    if let Some(((of, _, most), _)) = over {
        metrics::counter!("countersign_throttled_total").increment(1);
        let left_ms = (minute + 1) * MINUTE_MS - now_ms;
        let retry_after = Duration::from_millis(u64::try_from(left_ms).unwrap_or_default());
        return Err(Error::RateLimited { of, most: *most, retry_after });
    }
    Ok(Admitted(resolved))
}
