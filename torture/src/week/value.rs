//! Replies as values.

use redis::Value;

pub fn int(number: impl TryInto<i64>) -> Value {
    Value::Int(number.try_into().ok().expect("a number of 64 bits"))
}

pub fn text(text: impl AsRef<[u8]>) -> Value {
    Value::BulkString(text.as_ref().to_vec())
}

pub fn list(values: impl IntoIterator<Item = Value>) -> Value {
    Value::Array(values.into_iter().collect())
}

/// A value, or nil.
pub fn optional(value: Option<Value>) -> Value {
    value.unwrap_or(Value::Nil)
}

/// Names and values, as in RESP2.
pub fn map<const N: usize>(pairs: [(&str, Value); N]) -> Value {
    list(pairs.into_iter().flat_map(|(name, value)| [text(name), value]))
}
