//! Checks that replies have the shapes that the rows of the commands declare.

use std::collections::HashMap;
use std::sync::LazyLock;

use leaderboard_commands::argument::Argument;
use leaderboard_commands::shape::{Field, Scalar, Shape};
use leaderboard_commands::table::{Command, commands};
use redis::Value;

static COMMANDS: LazyLock<HashMap<Vec<u8>, &'static Command>> =
    LazyLock::new(|| commands().map(|command| (command.name.to_bytes().to_vec(), command)).collect());

/// Checks the reply to a call, or the text of its error. Commands of the server itself are not checked.
///
/// # Panics
/// If the row of the command declares another shape of the reply, or no such code of an error.
#[track_caller]
pub fn check<W: AsRef<[u8]>>(words: &[W], reply: Result<&Value, &str>) {
    let words: Vec<&[u8]> = words.iter().map(AsRef::as_ref).collect();
    let name = words.first().map(|name| name.to_ascii_uppercase()).unwrap_or_default();
    let Some(command) = COMMANDS.get(&name) else { return };
    match reply {
        // In a transaction, the reply comes later.
        Ok(Value::SimpleString(text)) if text == "QUEUED" => {}
        Ok(reply) => {
            let arguments: Vec<_> =
                words.iter().enumerate().map(|(place, word)| Argument::new(word, place)).collect();
            let shape = command.shape(&arguments);
            let shape = shape.unwrap_or_else(|| panic!("{} has no shape", shown(&words)));
            assert!(is_of(&shape, reply), "{}: {reply:?} is not {shape:?}", shown(&words));
        }
        Err(text) => {
            let code = text.split(' ').next().unwrap_or_default();
            let is_known = command.codes().any(|known| known.word() == code);
            assert!(is_known || OTHER_CODES.contains(&code), "{}: {text}", shown(&words));
        }
    }
}

/// Codes of errors of the server itself, and of a gateway in front of it.
const OTHER_CODES: [&str; 15] = [
    "CROSSSLOT",
    "MOVED",
    "ASK",
    "TRYAGAIN",
    "CLUSTERDOWN",
    "READONLY",
    "NOPERM",
    "MISCONF",
    "MASTERDOWN",
    "OOM",
    "LOADING",
    "NOREPLICAS",
    "PARTSDOWN",
    "BUSY",
    "UNKNOWN",
];

fn shown(words: &[&[u8]]) -> String {
    words.iter().take(20).map(|word| word.escape_ascii().to_string()).collect::<Vec<_>>().join(" ")
}

fn is_of(shape: &Shape, value: &Value) -> bool {
    match (shape, value) {
        (Shape::OrNil(_), Value::Nil) => true,
        (Shape::OrNil(inner), value) => is_of(inner, value),
        (Shape::OneOf(all), value) => all.iter().any(|shape| is_of(shape, value)),
        (Shape::Scalar(scalar), value) => is_scalar(*scalar, value),
        (Shape::Array(head, rest), Value::Array(values)) => is_array(head, rest, values),
        (Shape::Map(fields), value) => pairs(value).is_some_and(|pairs| is_map(fields, &pairs)),
        (Shape::MapOf(inner), value) => pairs(value).is_some_and(|pairs| {
            pairs.iter().all(|(name, value)| is_scalar(Scalar::Text, name) && is_of(inner, value))
        }),
        (Shape::Array(..), _) => false,
    }
}

fn is_scalar(scalar: Scalar, value: &Value) -> bool {
    match (scalar, value) {
        (Scalar::Ok, value) => *value == Value::Okay,
        (Scalar::Int, Value::Int(number)) => number.unsigned_abs() < 1 << 53,
        (Scalar::Big, Value::Int(_)) => true,
        (Scalar::Flag, Value::Int(flag)) => [0, 1].contains(flag),
        (Scalar::Ms, Value::Int(_)) => true,
        (Scalar::Rank, Value::Int(rank)) => *rank >= 1,
        (Scalar::Score, Value::Int(_) | Value::BulkString(_)) => true,
        (Scalar::Text | Scalar::Rows, Value::BulkString(_)) => true,
        (Scalar::Decimal, Value::BulkString(text)) => {
            std::str::from_utf8(text).is_ok_and(|text| text.parse::<f64>().is_ok())
        }
        _ => false,
    }
}

fn is_array(head: &[Field], rest: &[Field], values: &[Value]) -> bool {
    let Some((first, more)) = values.split_at_checked(head.len()) else { return false };
    let fits = |fields: &[Field], values: &[Value]| {
        fields.iter().zip(values).all(|(field, value)| is_of(&field.shape, value))
    };
    let is_whole = if rest.is_empty() { more.is_empty() } else { more.len() % rest.len() == 0 };
    is_whole && fits(head, first) && more.chunks(rest.len().max(1)).all(|chunk| fits(rest, chunk))
}

fn is_map(fields: &[Field], pairs: &[(&Value, &Value)]) -> bool {
    let is_named = |field: &Field, name: &Value| *name == Value::BulkString(field.name.clone().into_bytes());
    let mut both = fields.iter().zip(pairs);
    fields.len() == pairs.len()
        && both.all(|(field, (name, value))| is_named(field, name) && is_of(&field.shape, value))
}

/// Returns the pairs of a map. In RESP2, a map is a flat array.
fn pairs(value: &Value) -> Option<Vec<(&Value, &Value)>> {
    match value {
        Value::Map(pairs) => Some(pairs.iter().map(|(name, value)| (name, value)).collect()),
        Value::Array(values) if values.len() % 2 == 0 => {
            Some(values.chunks(2).map(|pair| (&pair[0], &pair[1])).collect())
        }
        _ => None,
    }
}
