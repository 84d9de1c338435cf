//! Scores, and the replies to writes.

use std::fmt::{self, Display, Formatter};

use redis::{RedisWrite, ToRedisArgs, ToSingleRedisArg, Value};

use super::reading::{Items, Parsed, bytes, reply, unsigned, yes_or_no};

/// An exact score as the server writes it: `140`, `10.5`, or levels such as `12/5/3`.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct Score(pub String);

impl Score {
    /// The text.
    pub fn as_str(&self) -> &str {
        &self.0
    }

    /// The score as a whole number, if the score is a whole number.
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

/// Scores of whole numbers come as numbers, others as texts.
pub fn score(value: Value) -> Parsed<Score> {
    match value {
        Value::Int(number) => Ok(Score(number.to_string())),
        other => Ok(Score(String::from_utf8(bytes(other)?)?)),
    }
}

reply!(Score, score);

/// What a write did.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct Applied {
    /// The score after the request; `None` for a member that has no score.
    pub score: Option<Score>,
    /// The rank now.
    pub rank: Option<u64>,
    /// Whether this request was applied. A repeated request is not applied, nor is a request that an option held
    /// back.
    pub applied: bool,
    /// With [`with_change`](crate::Request::with_change), score and rank from before the write.
    pub before: Option<(Option<Score>, Option<u64>)>,
}

reply!(Applied, applied);

pub fn applied(value: Value) -> Parsed<Applied> {
    let mut items = Items::of(value)?;
    let (score_now, rank) = (items.next_optional(score)?, items.next_optional(unsigned)?);
    let applied = items.next(yes_or_no)?;
    let before = match items.left() {
        0 => None,
        _ => Some((items.next_optional(score)?, items.next_optional(unsigned)?)),
    };
    items.end()?;
    Ok(Applied { score: score_now, rank, applied, before })
}
