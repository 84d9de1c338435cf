//! Replies in the form that one board gives them.

use leaderboard_core::Score;
use leaderboard_core::notation::Notation;
use leaderboard_core::score::Units;
use redis::Value;

use super::page::Line;

/// A natural number.
pub fn int(number: u64) -> Value {
    Value::Int(i64::try_from(number).unwrap_or(i64::MAX))
}

/// A text.
pub fn text(text: impl ToString) -> Value {
    Value::BulkString(text.to_string().into_bytes())
}

/// Bytes, or nil.
pub fn bulk(bytes: Option<Vec<u8>>) -> Value {
    bytes.map_or(Value::Nil, Value::BulkString)
}

/// A map by names.
pub fn map<const N: usize>(fields: [(&str, Value); N]) -> Vec<(Value, Value)> {
    fields.into_iter().map(|(name, value)| (text(name), value)).collect()
}

/// A score: an integer where scores are whole numbers, else a string.
pub fn score(score: Score, notation: &Notation) -> Value {
    if notation.is_whole() { Value::Int(score.units()) } else { text(notation.text(score)) }
}

/// A sum of scores, in the same form; a string where it does not fit 64 bits. Nil for scores of several levels.
pub fn sum(units: i128, notation: &Notation) -> Value {
    match (notation, i64::try_from(units)) {
        (Notation::Decimals(0), Ok(units)) => Value::Int(units),
        (Notation::Decimals(decimals), _) => text(Units::sum(units, *decimals)),
        (Notation::Levels(_), _) => Value::Nil,
    }
}

/// The difference between two scores, in the same form.
pub fn gap(one: Score, other: Score, notation: &Notation) -> Value {
    match i64::try_from(one.distance(other)) {
        Ok(units) if notation.is_whole() => Value::Int(units),
        _ => text(notation.gap(one, other)),
    }
}

/// Lines with their ranks.
pub fn lines(lines: Vec<Line>, ranks: Vec<u64>, with_meta: bool, notation: &Notation) -> Value {
    let line = |(line, rank): (Line, u64)| {
        let mut row = Vec::with_capacity(4);
        row.extend([int(rank), Value::BulkString(line.name), score(line.score, notation)]);
        if with_meta {
            row.push(bulk(line.meta));
        }
        Value::Array(row)
    };
    Value::Array(lines.into_iter().zip(ranks).map(line).collect())
}
