//! The newest part of an org's log in a Redis stream, so that many readers do not ask the database.
//!
//! An entry's id in the stream is its position. A stream has no holes: it is continued only if it ends where its writer
//! left it, and begins anew otherwise. So whoever finds in it the position they have read up to, or an earlier one, finds
//! everything after it as well; everybody else asks the database.

use std::sync::LazyLock;

use model::OrgId;
use platform::redis::Redis;
use redis::{Script, Value};

use crate::{Entry, key};

/// How many events a stream holds, about.
const LENGTH: usize = 1_000;
/// A stream goes when its org has been silent for this long.
const SILENCE_S: u64 = 24 * 60 * 60;

/// KEYS: the stream. ARGV: where it must end to be continued, its length, its life, then position and entry in turn.
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

/// Continues an org's stream; says where it ends now. `None`: Redis is away, and nobody knows what became of it.
pub(crate) async fn append(redis: &Redis, org: OrgId, last: Option<i64>, entries: &[Entry]) -> Option<i64> {
    let newest = entries.last()?.position;
    let mut call = APPEND.key(key(org, "log"));
    call.arg(last.map(id).unwrap_or_default()).arg(LENGTH).arg(SILENCE_S);
    for entry in entries {
        call.arg(id(entry.position)).arg(serde_json::to_string(entry).ok()?);
    }
    redis.ask(async |conn| call.invoke_async::<()>(conn).await).await.map(|()| newest)
}

/// What stands after a position, in order. `None` or nothing: ask the database.
pub(crate) async fn after(redis: &Redis, org: OrgId, after: i64, most: usize) -> Option<Vec<Entry>> {
    let key = key(org, "log");
    // Together: a stream that began anew in between would hide what is missing.
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
