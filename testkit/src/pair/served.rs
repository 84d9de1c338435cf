//! Compares the replies of a real server with what is expected.

use leaderboard_commands::plain::Protocol;
use redis::Value;

use super::reply::{Expected, Reply};

impl Expected {
    /// Whether a server's reply, or the text of its error, is as it is expected.
    pub fn is_served(&self, got: &Result<Value, String>, protocol: Protocol) -> bool {
        match (self, got) {
            (Self::Reply(reply), Ok(got)) => *got == value(reply, protocol),
            (Self::Between(low, high), Ok(Value::Int(got))) => (*low as i64..=*high as i64).contains(got),
            (Self::Fields(fields), Ok(got)) => {
                fields.iter().all(|(name, reply)| field(got, name) == Some(&value(reply, protocol)))
            }
            (Self::Error(_), Err(text)) => self.is(format!("-{text}\r\n").as_bytes(), protocol),
            _ => false,
        }
    }
}

fn value(reply: &Reply, protocol: Protocol) -> Value {
    redis::parse_redis_value(&reply.bytes(protocol)).expect("a whole reply")
}

/// The value of a field of a map, which is a flat array in RESP2.
fn field<'a>(map: &'a Value, name: &str) -> Option<&'a Value> {
    let name = Value::BulkString(name.into());
    match map {
        Value::Map(pairs) => pairs.iter().find(|(other, _)| *other == name).map(|(_, value)| value),
        Value::Array(values) => values.chunks(2).find(|pair| pair[0] == name).and_then(|pair| pair.get(1)),
        _ => None,
    }
}
