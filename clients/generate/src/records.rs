//! The types of replies. Arrays and maps with named elements are records. A record has the elements of all shapes of the same
//! reply: those that some calls do not get are optional. Equal records are one type.

use crate::description::{Field, Scalar, Shape};

/// The type of a reply, or of a part of one.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Type {
    /// A single value.
    Scalar(Scalar),
    /// This type, or nothing.
    Optional(Box<Self>),
    /// A list of these.
    List(Box<Self>),
    /// Names and values of this type.
    MapOf(Box<Self>),
    /// The record with this name.
    Record(String),
    /// One of these.
    Either(Vec<Self>),
}

impl Type {
    /// Returns this type or nothing.
    pub fn or_nothing(self) -> Self {
        if matches!(self, Self::Optional(_)) { self } else { Self::Optional(Box::new(self)) }
    }
}

/// A record.
#[derive(Debug, PartialEq, Eq)]
pub struct Record {
    /// The name.
    pub name: String,
    /// Its fields.
    pub fields: Vec<(String, Type)>,
}

/// Names of records that many commands have. The name of any other record is made of the command and the field.
const NAMES: [(&[&str], &str); 5] = [
    (&["score", "rank", "applied"], "Position"),
    (&["score", "rank", "applied", "old_score", "old_rank", "within"], "Written"),
    (&["rank", "member", "score", "meta"], "Row"),
    (&["rank", "score", "meta"], "Place"),
    (&["accepted", "positions", "rule", "retry_after"], "Vote"),
];

/// All records.
#[derive(Debug, Default)]
pub struct Records(Vec<Record>);

/// A type before its records have names.
#[derive(Debug, Clone, PartialEq, Eq)]
enum Draft {
    Scalar(Scalar),
    Optional(Box<Draft>),
    List(Box<Draft>),
    MapOf(Box<Draft>),
    Record(Vec<(String, Draft)>),
    Either(Vec<Draft>),
}

impl Records {
    /// Returns all records, each after those that it contains.
    pub fn all(&self) -> &[Record] {
        &self.0
    }

    /// Returns the type of all these shapes of a command's reply, and notes its records.
    ///
    /// # Errors
    /// A shape that no type can have.
    pub fn reply<'a>(
        &mut self,
        command: &str,
        shapes: impl Iterator<Item = &'a Shape>,
    ) -> Result<Type, String> {
        let drafts = shapes.map(draft).collect::<Result<Vec<_>, _>>()?;
        let draft = drafts.into_iter().reduce(merge).ok_or("no shapes")?;
        let path: String = command.split('.').skip(1).map(capitalized).collect();
        Ok(self.named(draft, &path, "Reply"))
    }

    fn named(&mut self, draft: Draft, path: &str, end: &str) -> Type {
        match draft {
            Draft::Scalar(scalar) => Type::Scalar(scalar),
            Draft::Optional(inner) => Type::Optional(Box::new(self.named(*inner, path, end))),
            Draft::List(inner) => {
                let end = if end == "Reply" { "Row" } else { end };
                Type::List(Box::new(self.named(*inner, path, end)))
            }
            Draft::MapOf(inner) => Type::MapOf(Box::new(self.named(*inner, path, end))),
            Draft::Either(all) => {
                Type::Either(all.into_iter().map(|draft| self.named(draft, path, end)).collect())
            }
            Draft::Record(fields) => {
                let names: Vec<_> = fields.iter().map(|(name, _)| name.clone()).collect();
                let fields: Vec<_> = fields
                    .into_iter()
                    .map(|(name, draft)| {
                        let one = name.strip_suffix('s').filter(|_| matches!(draft, Draft::List(_)));
                        let end = capitalized(one.unwrap_or(&name));
                        let kind = self.named(draft, path, &end);
                        (name, kind)
                    })
                    .collect();
                if let Some(known) = self.0.iter().find(|record| record.fields == fields) {
                    return Type::Record(known.name.clone());
                }
                let known = NAMES.iter().find(|(fields, _)| *fields == names);
                let name = known.map_or_else(|| format!("{path}{end}"), |(_, name)| (*name).to_owned());
                self.0.push(Record { name: name.clone(), fields });
                Type::Record(name)
            }
        }
    }
}

/// Returns `Standing` for `standing` or `STANDING`.
pub fn capitalized(word: &str) -> String {
    let mut letters = word.chars();
    let first = letters.next().map(|letter| letter.to_ascii_uppercase());
    first.into_iter().chain(letters.map(|letter| letter.to_ascii_lowercase())).collect()
}

fn draft(shape: &Shape) -> Result<Draft, String> {
    let fields = |fields: &[Field]| {
        let field = |field: &Field| Ok((field.name.clone(), draft(&field.is)?));
        fields.iter().map(field).collect::<Result<Vec<_>, String>>()
    };
    Ok(match shape {
        Shape::Scalar(scalar) => Draft::Scalar(*scalar),
        Shape::OrNil { or_nil } => Draft::Optional(Box::new(draft(or_nil)?)),
        Shape::MapOf { map_of } => Draft::MapOf(Box::new(draft(map_of)?)),
        Shape::Map { map } => Draft::Record(fields(map)?),
        Shape::Array { array, rest } => match (&array[..], &rest[..]) {
            (_, []) => Draft::Record(fields(array)?),
            ([], [one]) if one.name.is_empty() => Draft::List(Box::new(draft(&one.is)?)),
            _ => return Err(format!("no type for {shape:?}")),
        },
        Shape::OneOf { one_of } => {
            let all = one_of.iter().map(draft).collect::<Result<Vec<_>, _>>()?;
            all.into_iter().reduce(merge).ok_or("no shapes")?
        }
    })
}

/// Returns the type of values that have one of two types.
fn merge(one: Draft, other: Draft) -> Draft {
    match (one, other) {
        (one, other) if one == other => one,
        // The text OK stands for yes where another call is answered by yes or no.
        (Draft::Scalar(Scalar::Ok), Draft::Scalar(Scalar::Flag)) => Draft::Scalar(Scalar::Flag),
        (Draft::Optional(one), Draft::Optional(other)) => Draft::Optional(Box::new(merge(*one, *other))),
        (Draft::Optional(one), other) | (other, Draft::Optional(one)) => {
            Draft::Optional(Box::new(merge(*one, other)))
        }
        (Draft::List(one), Draft::List(other)) => Draft::List(Box::new(merge(*one, *other))),
        (Draft::Record(one), Draft::Record(other)) => Draft::Record(merge_fields(one, other)),
        (Draft::Either(mut all), other) => {
            all.push(other);
            Draft::Either(all)
        }
        (one, other) => Draft::Either(vec![one, other]),
    }
}

fn merge_fields(one: Vec<(String, Draft)>, mut other: Vec<(String, Draft)>) -> Vec<(String, Draft)> {
    let optional = |draft| match draft {
        Draft::Optional(_) => draft,
        _ => Draft::Optional(Box::new(draft)),
    };
    let mut merged = Vec::new();
    for (name, draft) in one {
        let same = other.iter().position(|(other, _)| *other == name);
        let draft = match same {
            Some(at) => merge(draft, other.remove(at).1),
            None => optional(draft),
        };
        merged.push((name, draft));
    }
    merged.extend(other.into_iter().map(|(name, draft)| (name, optional(draft))));
    merged
}
