//! Builds replies and reads them in both protocol forms.

use leaderboard_client::Request;
use redis::{FromRedisValue, Value};

pub fn bulk(text: &str) -> Value {
    Value::BulkString(text.as_bytes().to_vec())
}

pub fn array(items: impl Into<Vec<Value>>) -> Value {
    Value::Array(items.into())
}

pub fn map<const N: usize>(fields: [(&str, Value); N]) -> Value {
    Value::Map(fields.map(|(name, value)| (bulk(name), value)).into())
}

/// Returns the reply in the form of RESP2: with flat arrays instead of maps.
pub fn flat(value: &Value) -> Value {
    match value {
        Value::Map(fields) => {
            array(fields.iter().flat_map(|(name, value)| [flat(name), flat(value)]).collect::<Vec<_>>())
        }
        Value::Array(items) => array(items.iter().map(flat).collect::<Vec<_>>()),
        other => other.clone(),
    }
}

/// Reads the reply in both protocol forms, and checks that the values are equal.
#[track_caller]
pub fn read<R>(request: &Request<R>, reply: &Value) -> R
where
    R: FromRedisValue + PartialEq + std::fmt::Debug,
{
    let [one, other] = [reply.clone(), flat(reply)].map(|reply| request.parse(reply).expect("a reply"));
    assert_eq!(one, other);
    one
}
