//! The words that an argument takes, for the description of the API. The server reads the words, in any case.

use utoipa::openapi::schema::{Schema, SchemaType};
use utoipa::openapi::{Object, ObjectBuilder, RefOr, Type};

fn one_of(description: &str, words: &[&str]) -> RefOr<Schema> {
    let words = words.iter().copied().map(serde_json::Value::from);
    let object: Object = ObjectBuilder::new()
        .description(Some(description))
        .schema_type(SchemaType::from_iter([Type::String, Type::Null]))
        .enum_values(Some(words.chain([serde_json::Value::Null])))
        .build();
    object.into()
}

/// `order` of a board.
pub fn order() -> RefOr<Schema> {
    one_of("Which end of the scores is rank 1.", &["desc", "asc"])
}

/// `aggregate` of a board.
pub fn aggregate() -> RefOr<Schema> {
    one_of("What a write does to a score.", &["sum", "max", "min", "last"])
}

/// `ties` of a board.
pub fn ties() -> RefOr<Schema> {
    one_of("Which member ranks higher among equal scores.", &["first", "last", "lex", "revlex"])
}

/// `ties` of a league.
pub fn ties_of_a_league() -> RefOr<Schema> {
    one_of(
        "Which member ranks higher among equal scores: who had the score first, or who joined first.",
        &["scored", "joined"],
    )
}

/// `weekstart` of a board or a league.
pub fn weekstart() -> RefOr<Schema> {
    one_of("The day on which weeks begin.", &["mon", "tue", "wed", "thu", "fri", "sat", "sun"])
}

/// `clock` of a board, a league or a counter.
pub fn clock() -> RefOr<Schema> {
    one_of("The clock that counts: that of the server, or the times of the writes.", &["server", "event"])
}

/// `ranks` of a read.
pub fn ranks() -> RefOr<Schema> {
    one_of("How equal scores are numbered.", &["ordinal", "competition", "dense"])
}

/// A score or points: a text of digits, or a whole number.
pub fn digits() -> RefOr<Schema> {
    let object: Object = ObjectBuilder::new()
        .description(Some("A text such as `5`, `-2.5` or levels, or a whole number."))
        .schema_type(SchemaType::from_iter([Type::String, Type::Integer]))
        .examples([serde_json::json!("5")])
        .build();
    object.into()
}
