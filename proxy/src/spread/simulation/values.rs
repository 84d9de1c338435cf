//! Replies as a client library reads them.

use redis::Value;

pub fn int(number: i64) -> Value {
    Value::Int(number)
}

pub fn array(items: impl IntoIterator<Item = Value>) -> Value {
    Value::Array(items.into_iter().collect())
}

/// A server's error, as it stands behind the minus sign.
pub fn error(text: &str) -> Value {
    redis::parse_redis_value(format!("-{text}\r\n").as_bytes()).unwrap()
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
