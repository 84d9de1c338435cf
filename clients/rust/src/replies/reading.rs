//! Reads the values of a reply. A value of an unexpected form is an error.

use std::vec::IntoIter;

use redis::{ParsingError, Value};

pub type Parsed<T> = Result<T, ParsingError>;

/// A function that reads one value as a `T`.
pub type Reader<T> = fn(Value) -> Parsed<T>;

/// Implements `FromRedisValue` for a type with the function that reads it.
macro_rules! reply {
    ($type:ty, $read:expr) => {
        impl redis::FromRedisValue for $type {
            fn from_redis_value(value: redis::Value) -> Result<Self, redis::ParsingError> {
                $read(value)
            }
        }
    };
}
pub(crate) use reply;

pub fn unexpected<T>(what: &str, value: &Value) -> Parsed<T> {
    Err(format!("{what} was expected, not {value:?}").into())
}

pub fn signed(value: Value) -> Parsed<i64> {
    let read = match &value {
        Value::Int(number) => Some(*number),
        Value::BulkString(text) => std::str::from_utf8(text).ok().and_then(|text| text.parse().ok()),
        Value::SimpleString(text) => text.parse().ok(),
        _ => None,
    };
    read.map_or_else(|| unexpected("a number", &value), Ok)
}

pub fn unsigned(value: Value) -> Parsed<u64> {
    signed(value)?.try_into().map_err(|_| "a number below 0".into())
}

/// Reads 1 or 0 as a boolean.
pub fn yes_or_no(value: Value) -> Parsed<bool> {
    match value {
        Value::Int(1) | Value::Boolean(true) => Ok(true),
        Value::Int(0) | Value::Boolean(false) => Ok(false),
        other => unexpected("1 or 0", &other),
    }
}

pub fn bytes(value: Value) -> Parsed<Vec<u8>> {
    match value {
        Value::BulkString(bytes) => Ok(bytes),
        Value::SimpleString(text) | Value::VerbatimString { text, .. } => Ok(text.into_bytes()),
        other => unexpected("a string", &other),
    }
}

/// Reads a name from the board's rules, such as a label. Bytes that are not valid UTF-8 are replaced.
pub fn text(value: Value) -> Parsed<String> {
    let text = String::from_utf8(bytes(value)?);
    Ok(text.unwrap_or_else(|error| String::from_utf8_lossy(error.as_bytes()).into_owned()))
}

/// Reads a value; nil gives `None`.
pub fn optional<T>(value: Value, read: Reader<T>) -> Parsed<Option<T>> {
    match value {
        Value::Nil => Ok(None),
        value => read(value).map(Some),
    }
}

pub fn list<T>(value: Value, read: Reader<T>) -> Parsed<Vec<T>> {
    array(value)?.into_iter().map(read).collect()
}

pub fn array(value: Value) -> Parsed<Vec<Value>> {
    match value {
        Value::Array(values) | Value::Set(values) => Ok(values),
        other => unexpected("an array", &other),
    }
}

/// The items of an array in which each position has a fixed meaning.
pub struct Items(IntoIter<Value>);

impl Items {
    pub fn of(value: Value) -> Parsed<Self> {
        Ok(Self(array(value)?.into_iter()))
    }

    pub fn left(&self) -> usize {
        self.0.len()
    }

    pub fn next<T>(&mut self, read: Reader<T>) -> Parsed<T> {
        read(self.0.next().ok_or("an array is too short")?)
    }

    pub fn next_optional<T>(&mut self, read: Reader<T>) -> Parsed<Option<T>> {
        optional(self.0.next().ok_or("an array is too short")?, read)
    }

    /// Reads the last item, which may be missing.
    pub fn last<T>(&mut self, read: Reader<T>) -> Parsed<Option<T>> {
        self.0.next().map_or(Ok(None), |value| optional(value, read))
    }

    /// Checks that all items were read.
    pub fn end(self) -> Parsed<()> {
        if self.0.len() == 0 { Ok(()) } else { Err("an array is too long".into()) }
    }
}

/// The fields of a map. Clients with RESP2, and clients of servers older than 7.0, get names and values in a flat
/// array.
pub struct Fields(Vec<(Value, Value)>);

impl Fields {
    pub fn of(value: Value) -> Parsed<Self> {
        match value {
            Value::Map(pairs) => Ok(Self(pairs)),
            value => Ok(Self(paired(array(value)?)?)),
        }
    }

    /// Returns all fields in order.
    pub fn all(self) -> impl Iterator<Item = Parsed<(String, Value)>> {
        self.0.into_iter().map(|(name, value)| Ok((text(name)?, value)))
    }

    pub fn take<T>(&mut self, name: &str, read: Reader<T>) -> Parsed<T> {
        read(self.value(name).ok_or_else(|| missing(name))?)
    }

    pub fn take_optional<T>(&mut self, name: &str, read: Reader<T>) -> Parsed<Option<T>> {
        optional(self.value(name).ok_or_else(|| missing(name))?, read)
    }

    /// Removes and reads a field that may be missing.
    pub fn take_if_there<T>(&mut self, name: &str, read: Reader<T>) -> Parsed<Option<T>> {
        self.value(name).map_or(Ok(None), |value| optional(value, read))
    }

    fn value(&mut self, name: &str) -> Option<Value> {
        let is_it = |field: &Value| match field {
            Value::BulkString(bytes) => bytes == name.as_bytes(),
            Value::SimpleString(text) => text == name,
            _ => false,
        };
        let (_, value) = self.0.iter_mut().find(|(field, _)| is_it(field))?;
        Some(std::mem::take(value))
    }
}

fn missing(name: &str) -> ParsingError {
    format!("the map has no {name}").into()
}

fn paired(values: Vec<Value>) -> Parsed<Vec<(Value, Value)>> {
    let mut values = values.into_iter();
    let mut pairs = Vec::with_capacity(values.len().div_ceil(2));
    while let Some(name) = values.next() {
        pairs.push((name, values.next().ok_or("a name without a value")?));
    }
    Ok(pairs)
}
