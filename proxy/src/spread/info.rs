//! The answer to `LB.INFO` of a board: names and values, in one form for all servers.

use redis::Value;

/// The fields, in their order.
#[derive(Debug, Clone, PartialEq)]
pub struct Info {
    fields: Vec<(Value, Value)>,
    /// Whether the reply was a flat array: servers before 7.0 have no maps.
    is_flat: bool,
}

impl Info {
    /// Reads a reply. `None` if the reply is not a list of fields, for example because the key is absent.
    pub fn of(reply: Value) -> Option<Self> {
        match reply {
            Value::Map(fields) => Some(Self { fields, is_flat: false }),
            Value::Array(flat) => {
                let mut flat = flat.into_iter();
                let mut fields = Vec::new();
                while let (Some(name), Some(value)) = (flat.next(), flat.next()) {
                    fields.push((name, value));
                }
                Some(Self { fields, is_flat: true })
            }
            _ => None,
        }
    }

    /// Returns these fields as a reply, in the form in which they were read.
    pub fn reply(self) -> Value {
        if self.is_flat {
            Value::Array(self.fields.into_iter().flat_map(|(name, value)| [name, value]).collect())
        } else {
            Value::Map(self.fields)
        }
    }

    pub fn get(&self, name: &str) -> Option<&Value> {
        self.fields.iter().find(|(given, _)| is(given, name)).map(|(_, value)| value)
    }

    pub fn number(&self, name: &str) -> Option<i64> {
        match self.get(name)? {
            Value::Int(number) => Some(*number),
            _ => None,
        }
    }

    pub fn text(&self, name: &str) -> Option<&[u8]> {
        self.get(name).and_then(bytes)
    }

    /// Returns whether the board has prizes, or has had some that are not forgotten.
    pub fn has_prizes(&self) -> bool {
        let has_tables = matches!(self.get("prizes"), Some(Value::Array(tables)) if !tables.is_empty());
        has_tables || self.number("payouts").is_some_and(|payouts| payouts > 0)
    }

    pub fn set(&mut self, name: &str, value: Value) {
        if let Some((_, old)) = self.fields.iter_mut().find(|(given, _)| is(given, name)) {
            *old = value;
        }
    }

    /// Adds the counts of another reply to a field that is a map of counts with the same names.
    pub fn add_counts(&mut self, name: &str, other: &Self) {
        let counts = |info: &Self| info.get(name).cloned().and_then(Self::of);
        let (Some(mut own), Some(more)) = (counts(self), counts(other)) else { return };
        for (name, value) in &mut own.fields {
            let more = bytes(name).and_then(|name| more.number(std::str::from_utf8(name).ok()?));
            if let Value::Int(count) = value {
                *count = count.saturating_add(more.unwrap_or(0));
            }
        }
        self.set(name, own.reply());
    }
}

fn is(given: &Value, name: &str) -> bool {
    bytes(given).is_some_and(|given| given == name.as_bytes())
}

/// Returns the bytes of a text.
fn bytes(value: &Value) -> Option<&[u8]> {
    match value {
        Value::BulkString(text) => Some(text),
        Value::SimpleString(text) => Some(text.as_bytes()),
        _ => None,
    }
}
