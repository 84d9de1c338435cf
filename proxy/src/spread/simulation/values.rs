//! Makes and reads replies in the form of the client library.

use redis::Value;

pub fn int(number: i64) -> Value {
    Value::Int(number)
}

pub fn array(items: impl IntoIterator<Item = Value>) -> Value {
    Value::Array(items.into_iter().collect())
}

/// Returns a server's error. The text is the text after the minus sign.
pub fn error(text: &str) -> Value {
    redis::parse_redis_value(format!("-{text}\r\n").as_bytes()).unwrap()
}

/// Returns the text of an error, or `None` for other replies.
pub fn error_text(value: &Value) -> Option<String> {
    match value {
        Value::ServerError(error) => {
            Some([error.code(), error.details().unwrap_or_default()].join(" ").trim().to_owned())
        }
        _ => None,
    }
}
