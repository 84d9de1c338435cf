//! Types of replies, and what reads them.

use super::{Class, ClassField, safe};
use crate::description::{Scalar, Shape};
use crate::records::{Record, Records, Type};
use crate::shared::listed;

/// Returns the type of a reply.
pub fn type_of_reply(kind: &Type) -> String {
    match kind {
        Type::Scalar(Scalar::Ok) => "None".to_owned(),
        Type::Scalar(Scalar::Flag) => "bool".to_owned(),
        Type::Scalar(Scalar::Int | Scalar::Big | Scalar::Ms | Scalar::Rank) => "int".to_owned(),
        Type::Scalar(Scalar::Text | Scalar::Rows) => "str".to_owned(),
        Type::Scalar(Scalar::Decimal) => "Decimal".to_owned(),
        Type::Scalar(Scalar::Score) => "Score".to_owned(),
        Type::Optional(inner) => format!("{} | None", type_of_reply(inner)),
        Type::List(inner) => format!("list[{}]", type_of_reply(inner)),
        Type::MapOf(inner) => format!("dict[str, {}]", type_of_reply(inner)),
        Type::Record(name) => name.clone(),
        Type::Either(all) => all.iter().map(type_of_reply).collect::<Vec<_>>().join(" | "),
    }
}

/// Returns the expression that makes the decoder of a shape, as a value of this type.
pub fn decoder(shape: &Shape, kind: &Type, records: &Records) -> String {
    if let Type::Optional(inner) = kind {
        return match shape {
            Shape::OrNil { or_nil } => format!("d.optional({})", decoder(or_nil, inner, records)),
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
        (Shape::Scalar(Scalar::Ok), Type::Scalar(Scalar::Flag)) => "d.yes".to_owned(),
        (Shape::Scalar(scalar), _) => match scalar {
            Scalar::Ok => "d.ok",
            Scalar::Flag => "d.flag",
            Scalar::Int | Scalar::Big | Scalar::Ms | Scalar::Rank => "d.whole",
            Scalar::Text | Scalar::Rows => "d.text",
            Scalar::Decimal => "d.decimal",
            Scalar::Score => "d.score",
        }
        .to_owned(),
        (Shape::OrNil { or_nil }, _) => format!("d.optional({})", decoder(or_nil, kind, records)),
        (Shape::MapOf { map_of }, Type::MapOf(inner)) => {
            format!("d.map_of({})", decoder(map_of, inner, records))
        }
        (Shape::Array { rest, .. }, Type::List(inner)) => {
            let one = rest.first().map_or_else(String::new, |field| decoder(&field.is, inner, records));
            format!("d.list_of({one})")
        }
        (Shape::OneOf { one_of }, _) => {
            let all = one_of.iter().map(|shape| decoder(shape, kind, records)).collect::<Vec<_>>();
            format!("d.one_of({})", all.join(", "))
        }
        (Shape::Array { array: fields, .. } | Shape::Map { map: fields }, Type::Record(name)) => {
            let record = records.all().iter().find(|record| record.name == *name);
            let of = |field: &str| {
                let fields = record.iter().flat_map(|record| &record.fields);
                fields.filter(|(name, _)| name == field).map(|(_, kind)| kind).next()
            };
            let decoders = fields.iter().filter_map(|field| {
                Some(format!(
                    "(\"{}\", {})",
                    safe(&field.name),
                    decoder(&field.is, of(&field.name)?, records)
                ))
            });
            let form = if matches!(shape, Shape::Map { .. }) { "mapping" } else { "array" };
            format!("d.{form}({name}, {})", decoders.collect::<Vec<_>>().join(", "))
        }
        (Shape::Array { .. } | Shape::Map { .. } | Shape::MapOf { .. }, _) => String::new(),
    }
}

/// Returns the class of a record.
pub fn reply_class(record: &Record) -> Class {
    let mut must_follow = false;
    let mut fields: Vec<_> = record
        .fields
        .iter()
        .rev()
        .map(|(name, kind)| {
            // A field with a default cannot come before one without.
            must_follow |= !matches!(kind, Type::Optional(_));
            let default = (!must_follow).then_some("None");
            ClassField { name: safe(name), kind: type_of_reply(kind), default }
        })
        .collect();
    fields.reverse();
    let about = format!("Fields: {}.", listed(record.fields.iter().map(|(name, _)| name.as_str())));
    Class { name: record.name.clone(), about, fields, steps: Vec::new() }
}
