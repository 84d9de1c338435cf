//! Makes replies in the same form in which a board that is not spread replies.

use leaderboard_core::Score;
use leaderboard_core::notation::Notation;
use leaderboard_core::score::Units;
use redis::Value;

use super::options::Form;
use super::page::Line;
use super::rows;

/// Returns a natural number.
pub fn int(number: u64) -> Value {
    Value::Int(i64::try_from(number).unwrap_or(i64::MAX))
}

/// Returns a text.
pub fn text(text: impl ToString) -> Value {
    Value::BulkString(text.to_string().into_bytes())
}

/// Returns bytes, or nil.
pub fn bulk(bytes: Option<Vec<u8>>) -> Value {
    bytes.map_or(Value::Nil, Value::BulkString)
}

/// Returns a map from names to values.
pub fn map<const N: usize>(fields: [(&str, Value); N]) -> Vec<(Value, Value)> {
    fields.into_iter().map(|(name, value)| (text(name), value)).collect()
}

/// Returns a score: an integer if the board's scores are whole numbers, otherwise a string.
pub fn score(score: Score, notation: &Notation) -> Value {
    if notation.is_whole() { Value::Int(score.units()) } else { text(notation.text(score)) }
}

/// Returns a sum of scores, in the same form as a score. It is a string if it does not fit in 64 bits, and nil for
/// scores of several levels.
pub fn sum(units: i128, notation: &Notation) -> Value {
    match (notation, i64::try_from(units)) {
        (Notation::Decimals(0), Ok(units)) => Value::Int(units),
        (Notation::Decimals(decimals), _) => text(Units::sum(units, *decimals)),
        (Notation::Levels(_), _) => Value::Nil,
    }
}

/// Returns the difference between two scores, in the same form as a score. It is a string if it does not fit in 64
/// bits.
pub fn gap(one: Score, other: Score, notation: &Notation) -> Value {
    match i64::try_from(one.distance(other)) {
        Ok(units) if notation.is_whole() => Value::Int(units),
        _ => text(notation.gap(one, other)),
    }
}

/// Returns the reply with these lines and their ranks, in the form that the options of the command name.
pub fn lines(form: Form, lines: Vec<Line>, ranks: &[u64], with_meta: bool, notation: &Notation) -> Value {
    let Some(first) = ranks.first().copied().map(int) else { return Value::Array(Vec::new()) };
    if form == Form::Packed {
        let rows = rows::pack(lines.iter().map(Line::row), with_meta);
        return Value::Array(vec![first, Value::BulkString(rows)]);
    }
    let parts = |line: Line| {
        let meta = with_meta.then(|| bulk(line.meta));
        [Value::BulkString(line.name), score(line.score, notation)].into_iter().chain(meta)
    };
    if form == Form::Flat {
        return Value::Array(std::iter::once(first).chain(lines.into_iter().flat_map(parts)).collect());
    }
    let row = |(line, rank): (Line, &u64)| {
        let mut row = Vec::with_capacity(4);
        row.push(int(*rank));
        row.extend(parts(line));
        Value::Array(row)
    };
    Value::Array(lines.into_iter().zip(ranks).map(row).collect())
}
