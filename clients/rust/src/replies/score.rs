//! Scores, and the replies to writes.

use std::fmt::{self, Display, Formatter};

use redis::{RedisWrite, ToRedisArgs, ToSingleRedisArg, Value};

use super::reading::{Items, Parsed, bytes, reply, unsigned, yes_or_no};

/// An exact score in the form in which the server writes it: `140`, `10.5`, or levels such as `12/5/3`.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct Score(pub String);

impl Score {
    /// Returns the score as text.
    pub fn as_str(&self) -> &str {
        &self.0
    }

    /// Returns the score as a whole number, or `None` if it is not a whole number.
    pub fn to_i64(&self) -> Option<i64> {
        self.0.parse().ok()
    }
}

impl Display for Score {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        f.pad(&self.0)
    }
}

impl From<&str> for Score {
    fn from(score: &str) -> Self {
        Self(score.to_owned())
    }
}

impl PartialEq<str> for Score {
    fn eq(&self, other: &str) -> bool {
        self.0 == other
    }
}

impl PartialEq<&str> for Score {
    fn eq(&self, other: &&str) -> bool {
        self == *other
    }
}

impl ToRedisArgs for Score {
    fn write_redis_args<W: ?Sized + RedisWrite>(&self, out: &mut W) {
        out.write_arg(self.0.as_bytes());
    }
}

impl ToSingleRedisArg for Score {}

/// Reads a score. The server sends a whole number as a number, and other scores as text.
pub fn score(value: Value) -> Parsed<Score> {
    match value {
        Value::Int(number) => Ok(Score(number.to_string())),
        other => Ok(Score(String::from_utf8(bytes(other)?)?)),
    }
}

reply!(Score, score);

/// The result of a write.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct Applied {
    /// The score after the request; `None` for a member that has no score.
    pub score: Option<Score>,
    /// The rank after the request.
    pub rank: Option<u64>,
    /// Whether this request was applied. A repeated request is not applied. A request that an option or a rule held
    /// back is not applied either.
    pub applied: bool,
    /// The score and the rank from before the write, with [`with_change`](crate::Request::with_change).
    pub before: Option<(Option<Score>, Option<u64>)>,
    /// The rank in the member's own segment, with [`within`](crate::Request::within). The inner value is `None` for a member
    /// that is in no segment.
    pub within: Option<Option<u64>>,
}

reply!(Applied, applied);

pub fn applied(value: Value) -> Parsed<Applied> {
    let mut items = Items::of(value)?;
    let (score_now, rank) = (items.next_optional(score)?, items.next_optional(unsigned)?);
    let applied = items.next(yes_or_no)?;
    let before = match items.left() {
        0 | 1 => None,
        _ => Some((items.next_optional(score)?, items.next_optional(unsigned)?)),
    };
    let within = match items.left() {
        0 => None,
        _ => Some(items.next_optional(unsigned)?),
    };
    items.end()?;
    Ok(Applied { score: score_now, rank, applied, before, within })
}
