//! The rules and the size of a board, a league or a counter. This type is a list of fields, because later versions of
//! the server add fields.

use redis::Value;

use crate::limit_rule::LimitRule;

use super::reading::{Fields, Parsed, array, reply, signed, text, unsigned};

/// The fields of a reply of LB.INFO, LB.LEAGUE.INFO or LB.COUNTER.INFO, in the order of the reply.
#[derive(Debug, Clone, PartialEq)]
pub struct Info(pub Vec<(String, InfoValue)>);

/// The value of a field.
#[derive(Debug, Clone, PartialEq)]
pub enum InfoValue {
    /// A number.
    Number(i64),
    /// A text, such as `all,day`.
    Text(String),
    /// One number for each tier.
    Numbers(Vec<i64>),
    /// Several texts. An empty array is also read as this.
    Texts(Vec<String>),
    /// Numbers with their names.
    Counts(Vec<(String, u64)>),
    /// A form that this version of the client does not know.
    Other(Value),
}

/// The fields that are maps. RESP2 does not distinguish maps from arrays.
const COUNTS: &str = "held_back";
const SEGMENTS: &str = "segment_counts";
/// The field whose items are names of keys.
const KEYS: &str = "keys";

reply!(Info, |value| {
    let fields = Fields::of(value)?.all();
    let read = fields.map(|field| {
        let (name, value) = field?;
        let value = match name.as_str() {
            COUNTS | SEGMENTS => InfoValue::Counts(counts(value)?),
            KEYS if !are_texts(&value) => InfoValue::Other(value),
            _ => info_value(value),
        };
        Ok((name, value))
    });
    read.collect::<Parsed<Vec<_>>>().map(Info)
});

fn counts(value: Value) -> Parsed<Vec<(String, u64)>> {
    let counted = |field: Parsed<(String, Value)>| field.and_then(|(name, n)| Ok((name, unsigned(n)?)));
    Fields::of(value)?.all().map(counted).collect()
}

/// Checks that the names of keys can be read as texts without a loss.
fn are_texts(keys: &Value) -> bool {
    let is_text = |key: &Value| matches!(key, Value::BulkString(name) if std::str::from_utf8(name).is_ok());
    matches!(keys, Value::Array(keys) if keys.iter().all(is_text))
}

fn info_value(value: Value) -> InfoValue {
    match value {
        Value::Int(number) => InfoValue::Number(number),
        Value::BulkString(_) | Value::SimpleString(_) => {
            text(value.clone()).map_or(InfoValue::Other(value), InfoValue::Text)
        }
        Value::Array(_) => several(&value).unwrap_or(InfoValue::Other(value)),
        other => InfoValue::Other(other),
    }
}

fn several(value: &Value) -> Option<InfoValue> {
    let items = array(value.clone()).ok()?;
    let is_number = |item: &Value| matches!(item, Value::Int(_));
    if !items.is_empty() && items.iter().all(is_number) {
        let numbers = items.into_iter().map(signed).collect::<Parsed<_>>();
        return numbers.ok().map(InfoValue::Numbers);
    }
    items.into_iter().map(text).collect::<Parsed<_>>().ok().map(InfoValue::Texts)
}

impl Info {
    /// Returns the value of a field.
    pub fn get(&self, name: &str) -> Option<&InfoValue> {
        self.0.iter().find(|(field, _)| field == name).map(|(_, value)| value)
    }

    /// Returns all fields in order.
    pub fn iter(&self) -> impl Iterator<Item = (&str, &InfoValue)> {
        self.0.iter().map(|(name, value)| (name.as_str(), value))
    }

    /// Returns the value of a field that is a text, such as `views`.
    pub fn text(&self, name: &str) -> Option<&str> {
        match self.get(name)? {
            InfoValue::Text(text) => Some(text),
            _ => None,
        }
    }

    /// Returns the value of a field that is a number, such as `members` of a board.
    pub fn number(&self, name: &str) -> Option<i64> {
        match self.get(name)? {
            InfoValue::Number(number) => Some(*number),
            _ => None,
        }
    }

    /// Returns the values of a field with one number for each tier, such as `members` of a league.
    pub fn numbers(&self, name: &str) -> Option<&[i64]> {
        match self.get(name)? {
            InfoValue::Numbers(numbers) => Some(numbers),
            _ => None,
        }
    }

    /// Returns the rules that limit votes, in the order in which the server checks them.
    pub fn limits(&self) -> Vec<LimitRule> {
        match self.get("limit") {
            Some(InfoValue::Texts(rules)) => rules.iter().filter_map(|rule| LimitRule::read(rule)).collect(),
            _ => Vec::new(),
        }
    }

    /// Returns the number of parts of the spread board to which this key belongs, as its root or as one of its parts;
    /// `None` for a whole board.
    pub fn parts(&self) -> Option<u16> {
        self.number("parts").and_then(|parts| parts.try_into().ok()).filter(|parts| *parts > 0)
    }

    /// Returns the number of this part of a spread board, from 0.
    pub fn part(&self) -> Option<u16> {
        self.number("part").and_then(|part| part.try_into().ok())
    }

    /// Returns a hash of the board's rules. The root and all parts of a spread board have the same hash.
    pub fn rules_hash(&self) -> Option<u64> {
        self.number("schema").and_then(|hash| hash.try_into().ok())
    }

    /// Returns the keys of the parts, if this board is the root of a spread board.
    pub fn part_keys(&self) -> Vec<Vec<u8>> {
        match self.get(KEYS) {
            Some(InfoValue::Texts(keys)) => keys.iter().map(|key| key.clone().into_bytes()).collect(),
            // A key name may contain bytes that are not valid text.
            Some(InfoValue::Other(keys)) => redis::from_redis_value(keys.clone()).unwrap_or_default(),
            _ => Vec::new(),
        }
    }

    /// Returns the number of requests to vote that each rule held back.
    pub fn held_back(&self) -> Vec<(String, u64)> {
        self.counts(COUNTS)
    }

    /// Returns how many segments each dimension has.
    pub fn segment_counts(&self) -> Vec<(String, u64)> {
        self.counts(SEGMENTS)
    }

    fn counts(&self, field: &str) -> Vec<(String, u64)> {
        match self.get(field) {
            Some(InfoValue::Counts(counts)) => counts.clone(),
            _ => Vec::new(),
        }
    }
}
