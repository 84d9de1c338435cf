//! The words that an argument takes, for the description of the API. The server reads the words, in any case.

use utoipa::openapi::schema::{Schema, SchemaType};
use utoipa::openapi::{Object, ObjectBuilder, RefOr, Type};

fn one_of(words: &[&str]) -> RefOr<Schema> {
    let words = words.iter().copied().map(serde_json::Value::from);
    let object: Object = ObjectBuilder::new()
        .schema_type(SchemaType::from_iter([Type::String, Type::Null]))
        .enum_values(Some(words.chain([serde_json::Value::Null])))
        .build();
    object.into()
}

/// `order` of a board.
pub fn order() -> RefOr<Schema> {
    one_of(&["desc", "asc"])
}

/// `aggregate` of a board.
pub fn aggregate() -> RefOr<Schema> {
    one_of(&["sum", "max", "min", "last"])
}

/// `ties` of a board.
pub fn ties() -> RefOr<Schema> {
    one_of(&["first", "last", "lex", "revlex"])
}

/// `ties` of a league.
pub fn ties_of_a_league() -> RefOr<Schema> {
    one_of(&["scored", "joined"])
}

/// `weekstart` of a board or a league.
pub fn weekstart() -> RefOr<Schema> {
    one_of(&["mon", "tue", "wed", "thu", "fri", "sat", "sun"])
}

/// `clock` of a board, a league or a counter.
pub fn clock() -> RefOr<Schema> {
    one_of(&["server", "event"])
}

/// `ranks` of a read.
pub fn ranks() -> RefOr<Schema> {
    one_of(&["ordinal", "competition", "dense"])
}
