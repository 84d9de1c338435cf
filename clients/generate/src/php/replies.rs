//! Types of replies, and what reads them.

use super::{Kind, camel};
use crate::description::{Field, Scalar, Shape};
use crate::records::{Records, Type};

/// Returns the type of a reply. The names of records begin with this namespace.
pub fn type_of_reply(kind: &Type, namespace: &str) -> Kind {
    match kind {
        Type::Scalar(scalar) => Kind::plain(match scalar {
            Scalar::Ok => "null",
            Scalar::Flag => "bool",
            Scalar::Int | Scalar::Big | Scalar::Ms | Scalar::Rank => "int",
            Scalar::Text | Scalar::Rows | Scalar::Decimal => "string",
            Scalar::Score => "int|string",
        }),
        Type::Optional(inner) => type_of_reply(inner, namespace).or_null(),
        Type::List(inner) => array("list<", inner, namespace),
        Type::MapOf(inner) => array("array<string, ", inner, namespace),
        Type::Record(name) => Kind::plain(&format!("{namespace}{name}")),
        Type::Either(all) => {
            let kinds: Vec<_> = all.iter().map(|kind| type_of_reply(kind, namespace)).collect();
            let joined = |of: fn(&Kind) -> &str| kinds.iter().map(of).collect::<Vec<_>>().join("|");
            Kind { native: joined(|kind| &kind.native), comment: joined(|kind| &kind.comment) }
        }
    }
}

fn array(start: &str, inner: &Type, namespace: &str) -> Kind {
    let inner = type_of_reply(inner, namespace).comment;
    Kind { native: "array".to_owned(), comment: format!("{start}{inner}>") }
}

/// Returns the expression that makes the decoder of a shape, as a value of this type.
pub fn decoder(shape: &Shape, kind: &Type, records: &Records) -> String {
    if let Type::Optional(inner) = kind {
        return match shape {
            Shape::OrNil { or_nil } => format!("Decode::optional({})", decoder(or_nil, inner, records)),
            _ => decoder(shape, inner, records),
        };
    }
    if let Type::Either(all) = kind {
        let fits = |kind: &&Type| {
            matches!((kind, shape), (Type::Scalar(one), Shape::Scalar(other)) if one == other)
                || matches!((kind, shape), (Type::Record(_), Shape::Array { .. }))
        };
        return all.iter().find(fits).map_or_else(String::new, |kind| decoder(shape, kind, records));
    }
    match (shape, kind) {
        (Shape::Scalar(Scalar::Ok), Type::Scalar(Scalar::Flag)) => "Decode::yes(...)".to_owned(),
        (Shape::Scalar(scalar), _) => scalar_decoder(*scalar).to_owned(),
        (Shape::OrNil { or_nil }, _) => format!("Decode::optional({})", decoder(or_nil, kind, records)),
        (Shape::MapOf { map_of }, Type::MapOf(inner)) => {
            format!("Decode::mapOf({})", decoder(map_of, inner, records))
        }
        (Shape::Array { rest, .. }, Type::List(inner)) => {
            let one = rest.first().map_or_else(String::new, |field| decoder(&field.is, inner, records));
            format!("Decode::listOf({one})")
        }
        (Shape::OneOf { one_of }, _) => {
            let all = one_of.iter().map(|shape| decoder(shape, kind, records)).collect::<Vec<_>>();
            format!("Decode::oneOf({})", all.join(", "))
        }
        (Shape::Array { array: fields, .. }, Type::Record(name)) => record("tuple", name, fields, records),
        (Shape::Map { map: fields }, Type::Record(name)) => record("mapping", name, fields, records),
        (Shape::Array { .. } | Shape::Map { .. } | Shape::MapOf { .. }, _) => String::new(),
    }
}

fn scalar_decoder(scalar: Scalar) -> &'static str {
    match scalar {
        Scalar::Ok => "Decode::ok(...)",
        Scalar::Flag => "Decode::flag(...)",
        Scalar::Int | Scalar::Big | Scalar::Ms | Scalar::Rank => "Decode::whole(...)",
        Scalar::Text | Scalar::Rows => "Decode::text(...)",
        Scalar::Decimal => "Decode::decimal(...)",
        Scalar::Score => "Decode::score(...)",
    }
}

/// Returns the expression for an array or a map with these fields. Those of a map have the names of the server, too.
fn record(form: &str, name: &str, fields: &[Field], records: &Records) -> String {
    let record = records.all().iter().find(|record| record.name == name);
    let of = |field: &str| {
        let mut fields = record.iter().flat_map(|record| &record.fields);
        fields.find(|(name, _)| name == field).map(|(_, kind)| kind)
    };
    let decoders = fields.iter().filter_map(|field| {
        let decoder = decoder(&field.is, of(&field.name)?, records);
        let own = camel(&field.name);
        Some(match form {
            "mapping" => format!("'{own}' => ['{}', {decoder}]", field.name),
            _ => format!("'{own}' => {decoder}"),
        })
    });
    format!("Decode::{form}(Replies\\{name}::class, [{}])", decoders.collect::<Vec<_>>().join(", "))
}
