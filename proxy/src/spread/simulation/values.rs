//! Replies as a client library reads them, and how they are made.

use leaderboard_core::Score;
use leaderboard_core::notation::Notation;
use leaderboard_core::score::Units;
use redis::Value;

pub fn int(number: impl TryInto<i64>) -> Value {
    Value::Int(number.try_into().unwrap_or(i64::MAX))
}

pub fn bulk(bytes: impl AsRef<[u8]>) -> Value {
    Value::BulkString(bytes.as_ref().to_vec())
}

pub fn bulk_or_nil(bytes: Option<impl AsRef<[u8]>>) -> Value {
    bytes.map_or(Value::Nil, bulk)
}

pub fn array(items: impl IntoIterator<Item = Value>) -> Value {
    Value::Array(items.into_iter().collect())
}

pub fn map(fields: Vec<(&str, Value)>) -> Value {
    Value::Map(fields.into_iter().map(|(name, value)| (bulk(name), value)).collect())
}

/// A server's error, as it stands behind the minus sign.
pub fn error(text: &str) -> Value {
    redis::parse_redis_value(format!("-{text}\r\n").as_bytes()).unwrap()
}

/// An integer where scores are whole numbers, else a text.
pub fn score(score: Score, notation: &Notation) -> Value {
    if notation.is_whole() { int(score.units()) } else { bulk(notation.text(score).to_string()) }
}

pub fn sum(units: i128, notation: &Notation) -> Value {
    match (notation, i64::try_from(units)) {
        (Notation::Decimals(0), Ok(units)) => int(units),
        (Notation::Decimals(decimals), _) => bulk(Units::sum(units, *decimals).to_string()),
        (Notation::Levels(_), _) => Value::Nil,
    }
}

pub fn gap(one: Score, other: Score, notation: &Notation) -> Value {
    match i64::try_from(one.distance(other)) {
        Ok(units) if notation.is_whole() => int(units),
        _ => bulk(notation.gap(one, other).to_string()),
    }
}

/// The text of an error; nothing for other replies.
pub fn error_text(value: &Value) -> Option<String> {
    match value {
        Value::ServerError(error) => {
            Some([error.code(), error.details().unwrap_or_default()].join(" ").trim().to_owned())
        }
        _ => None,
    }
}
