//! Types of replies, and what reads them.

use std::collections::BTreeSet;

use super::{Declared, Interface, camel, type_name};
use crate::description::{Scalar, Shape};
use crate::records::{Record, Records, Type};
use crate::shared::listed;

/// Returns the type of a reply.
pub fn type_of_reply(kind: &Type) -> String {
    match kind {
        Type::Scalar(Scalar::Ok) => "void".to_owned(),
        Type::Scalar(Scalar::Flag) => "boolean".to_owned(),
        Type::Scalar(Scalar::Int | Scalar::Ms | Scalar::Rank) => "number".to_owned(),
        Type::Scalar(Scalar::Big) => "bigint".to_owned(),
        Type::Scalar(Scalar::Text | Scalar::Rows | Scalar::Decimal) => "string".to_owned(),
        Type::Scalar(Scalar::Score) => "Score".to_owned(),
        Type::Optional(inner) => format!("{} | null", type_of_reply(inner)),
        Type::List(inner) => {
            let inner = type_of_reply(inner);
            if inner.contains(' ') { format!("({inner})[]") } else { format!("{inner}[]") }
        }
        Type::MapOf(inner) => format!("Map<string, {}>", type_of_reply(inner)),
        Type::Record(name) => type_name(name),
        Type::Either(all) => all.iter().map(type_of_reply).collect::<Vec<_>>().join(" | "),
    }
}

/// Makes the decoders of all replies, and notes which fields of which records can be absent or nil.
pub struct Decoders<'a> {
    records: &'a Records,
    absent: BTreeSet<(String, String)>,
    nil: BTreeSet<(String, String)>,
}

impl<'a> Decoders<'a> {
    /// Returns decoders that make these records.
    pub fn of(records: &'a Records) -> Self {
        Self { records, absent: BTreeSet::new(), nil: BTreeSet::new() }
    }

    /// Returns the expression that makes the decoder of a shape, as a value of this type.
    pub fn decoder(&mut self, shape: &Shape, kind: &Type) -> String {
        if let Type::Optional(inner) = kind {
            return match shape {
                Shape::OrNil { or_nil } => format!("d.optional({})", self.decoder(or_nil, inner)),
                _ => self.decoder(shape, inner),
            };
        }
        if let Type::Either(all) = kind {
            let fits = |kind: &&Type| {
                matches!((kind, shape), (Type::Scalar(one), Shape::Scalar(other)) if one == other)
                    || matches!((kind, shape), (Type::Record(_), Shape::Array { .. }))
            };
            return all.iter().find(fits).map_or_else(String::new, |kind| self.decoder(shape, kind));
        }
        match (shape, kind) {
            (Shape::Scalar(Scalar::Ok), Type::Scalar(Scalar::Flag)) => "d.yes".to_owned(),
            (Shape::Scalar(scalar), _) => scalar_decoder(*scalar).to_owned(),
            (Shape::OrNil { or_nil }, _) => format!("d.optional({})", self.decoder(or_nil, kind)),
            (Shape::MapOf { map_of }, Type::MapOf(inner)) => {
                format!("d.mapOf({})", self.decoder(map_of, inner))
            }
            (Shape::Array { rest, .. }, Type::List(inner)) => {
                let one = rest.first().map_or_else(String::new, |field| self.decoder(&field.is, inner));
                format!("d.listOf({one})")
            }
            (Shape::OneOf { one_of }, _) => {
                let all: Vec<_> = one_of.iter().map(|shape| self.decoder(shape, kind)).collect();
                format!("d.oneOf<{}>({})", type_of_reply(kind), all.join(", "))
            }
            (Shape::Array { .. } | Shape::Map { .. }, Type::Record(name)) => self.record(shape, name),
            (Shape::Array { .. } | Shape::Map { .. } | Shape::MapOf { .. }, _) => String::new(),
        }
    }

    fn record(&mut self, shape: &Shape, name: &str) -> String {
        let (Shape::Array { array: fields, .. } | Shape::Map { map: fields }) = shape else {
            return String::new();
        };
        let is_map = matches!(shape, Shape::Map { .. });
        let records = self.records;
        let mut decoders = Vec::new();
        for (field, kind) in records.all().iter().filter(|record| record.name == name).flat_map(|r| &r.fields)
        {
            let id = (name.to_owned(), field.clone());
            let Some(known) = fields.iter().find(|known| known.name == *field) else {
                self.absent.insert(id);
                continue;
            };
            if matches!(known.is, Shape::OrNil { .. }) {
                self.nil.insert(id);
            }
            let at = fields.iter().position(|known| known.name == *field);
            decoders.push((at, known, self.decoder(&known.is, kind)));
        }
        // The elements of an array are read in this order.
        decoders.sort_by_key(|(at, ..)| *at);
        let decoders = decoders.into_iter().map(|(_, field, decoder)| {
            let own = camel(&field.name);
            if is_map {
                format!("{own}: [\"{}\", {decoder}]", field.name)
            } else {
                format!("{own}: {decoder}")
            }
        });
        let form = if is_map { "mapping" } else { "array" };
        format!("d.{form}({{ {} }})", decoders.collect::<Vec<_>>().join(", "))
    }
}

fn scalar_decoder(scalar: Scalar) -> &'static str {
    match scalar {
        Scalar::Ok => "d.ok",
        Scalar::Flag => "d.flag",
        Scalar::Int | Scalar::Ms | Scalar::Rank => "d.whole",
        Scalar::Big => "d.big",
        Scalar::Text | Scalar::Rows => "d.text",
        Scalar::Decimal => "d.decimal",
        Scalar::Score => "d.score",
    }
}

/// Returns the interface of a record.
pub fn reply(record: &Record, decoders: &Decoders<'_>) -> Interface {
    let field = |(name, kind): &(String, Type)| {
        let id = (record.name.clone(), name.clone());
        let kind = if let Type::Optional(inner) = kind { type_of_reply(inner) } else { type_of_reply(kind) };
        let kind = if decoders.nil.contains(&id) { format!("{kind} | null") } else { kind };
        Declared { name: camel(name), kind, optional: decoders.absent.contains(&id) }
    };
    let fields: Vec<_> = record.fields.iter().map(field).collect();
    let about = listed(fields.iter().map(|field| field.name.as_str()));
    Interface { name: type_name(&record.name), about, fields, steps: Vec::new() }
}
