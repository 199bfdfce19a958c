//! The newest part of an organization's log in a Redis stream, so that many readers do not query the database.
//!
//! The ID of an entry in the stream is its position. A stream has no gaps: it is continued only if it ends where its
//! writer left it, and started again otherwise. A reader that finds its position or an earlier one in the stream
//! therefore finds everything after it too; all other readers use the database.

use std::sync::LazyLock;

use model::OrgId;
use platform::redis::Redis;
use redis::{Script, Value};

use crate::{
    Entry, key,
    limits::stream::{LENGTH, SILENCE_S},
};

/// KEYS: the stream. ARGV: the position at which it must end to be continued, its maximum length, its time to live,
/// then pairs of position and entry.
static APPEND: LazyLock<Script> = LazyLock::new(|| {
    Script::new(
        r"
            local last = redis.call('XREVRANGE', KEYS[1], '+', '-', 'COUNT', 1)
            if #last > 0 and last[1][1] ~= ARGV[1] then redis.call('DEL', KEYS[1]) end
            for i = 4, #ARGV, 2 do redis.call('XADD', KEYS[1], ARGV[i], 'e', ARGV[i + 1]) end
            redis.call('XTRIM', KEYS[1], 'MAXLEN', '~', ARGV[2])
            redis.call('EXPIRE', KEYS[1], ARGV[3])
        ",
    )
});

/// Continues an organization's stream and returns its new end. `None`: Redis is unavailable, and the result is
/// unknown.
pub(crate) async fn append(redis: &Redis, org: OrgId, last: Option<i64>, entries: &[Entry]) -> Option<i64> {
    let newest = entries.last()?.position;
    let mut call = APPEND.key(key(org, "log"));
    call.arg(last.map(id).unwrap_or_default()).arg(LENGTH).arg(SILENCE_S);
    for entry in entries {
        call.arg(id(entry.position)).arg(serde_json::to_string(entry).ok()?);
    }
    redis.ask(async |conn| call.invoke_async::<()>(conn).await).await.map(|()| newest)
}

/// The entries after a position, in order. `None` or empty: use the database.
pub(crate) async fn after(redis: &Redis, org: OrgId, after: i64, most: usize) -> Option<Vec<Entry>> {
    let key = key(org, "log");
    // Read in one command: a stream that was started again in between would hide a gap.
    let mut both = redis::pipe();
    both.atomic();
    both.cmd("XRANGE").arg(&key).arg("-").arg("+").arg("COUNT").arg(1);
    both.cmd("XRANGE").arg(&key).arg(format!("({}", id(after))).arg("+").arg("COUNT").arg(most);
    let (first, found): (Stream, Stream) =
        redis.ask(async |conn| both.query_async::<(Stream, Stream)>(conn).await).await?;
    let (oldest, _) = first.first()?;
    let oldest: i64 = oldest.strip_suffix("-0")?.parse().ok()?;
    if oldest > after {
        return None;
    }
    found.iter().map(|(_, fields)| entry(fields)).collect()
}

type Stream = Vec<(String, Vec<Value>)>;

fn entry(fields: &[Value]) -> Option<Entry> {
    match fields {
        [_, Value::BulkString(bytes)] => serde_json::from_slice(bytes).ok(),
        _ => None,
    }
}

fn id(position: i64) -> String {
    format!("{position}-0")
}
