//! Replies as typed values, by the shapes of the description.

use leaderboard_clients::description::{Field, Scalar, Shape};
use serde_json::{Map, Value, json};

use crate::wire::Reply;

/// Returns the value of a reply with this shape; `None` if the reply has another shape.
pub fn typed(shape: &Shape, reply: &Reply) -> Option<Value> {
    match (shape, reply) {
        (Shape::OrNil { .. }, Reply::Nil) => Some(Value::Null),
        (Shape::OrNil { or_nil }, _) => typed(or_nil, reply),
        (Shape::OneOf { one_of }, _) => one_of.iter().find_map(|shape| typed(shape, reply)),
        (Shape::Scalar(scalar), _) => value(*scalar, reply),
        (Shape::Array { array, rest }, Reply::Array(items)) if rest.is_empty() => record(array, items),
        (Shape::Array { array, rest }, Reply::Array(items)) if array.is_empty() && rest.len() == 1 => {
            items.iter().map(|item| typed(&rest[0].is, item)).collect::<Option<Vec<_>>>().map(Value::from)
        }
        (Shape::Map { map }, Reply::Array(items) | Reply::Map(items)) => {
            let (names, values): (Vec<_>, Vec<_>) =
                items.chunks(2).map(|two| (&two[0], two[1].clone())).unzip();
            let known =
                names.iter().zip(map).all(|(name, field)| **name == Reply::Text(field.name.clone().into()));
            (known && names.len() == map.len()).then(|| record(map, &values))?
        }
        (Shape::MapOf { map_of }, Reply::Array(items) | Reply::Map(items)) => {
            let two = items.chunks(2).map(|two| Some((text(&two[0])?, typed(map_of, &two[1])?)));
            two.collect::<Option<Map<_, _>>>().map(Value::from)
        }
        _ => None,
    }
}

fn record(fields: &[Field], values: &[Reply]) -> Option<Value> {
    if fields.len() != values.len() {
        return None;
    }
    let named =
        fields.iter().zip(values).map(|(field, reply)| Some((field.name.clone(), typed(&field.is, reply)?)));
    named.collect::<Option<Map<_, _>>>().map(Value::from)
}

fn value(scalar: Scalar, reply: &Reply) -> Option<Value> {
    Some(match (scalar, reply) {
        (Scalar::Ok, Reply::Text(text)) if text == b"OK" => Value::Null,
        (Scalar::Flag, Reply::Int(number @ 0..=1)) => json!(*number == 1),
        (Scalar::Int | Scalar::Ms, Reply::Int(number)) => json!(number),
        // JSON's numbers lose digits in JavaScript.
        (Scalar::Big, Reply::Int(number)) => json!(number.to_string()),
        (Scalar::Rank, Reply::Int(number @ 1..)) => json!(number),
        (Scalar::Text | Scalar::Decimal | Scalar::Score, Reply::Text(_)) => json!(text(reply)?),
        (Scalar::Score, Reply::Int(number)) => json!(number.to_string()),
        _ => return None,
    })
}

fn text(reply: &Reply) -> Option<String> {
    let Reply::Text(text) = reply else { return None };
    String::from_utf8(text.clone()).ok()
}
